package import TrafficModel

/// What carries an exchange: its connection, and in HTTP/2 its stream.
package struct ExchangeTransport: Sendable {
    package var exchange: ExchangeID
    /// The connection; nil if it is not known.
    package var connection: ConnectionID?
    /// The ends of that connection; nil if no request was sent.
    package var ends: ConnectionEnds?
    /// The stream; nil if it is not HTTP/2, or if its frames cannot be seen.
    package var stream: HTTP2StreamID?

    package init(
        exchange: ExchangeID, connection: ConnectionID?, ends: ConnectionEnds?, stream: HTTP2StreamID? = nil
    ) {
        self.exchange = exchange
        self.connection = connection
        self.ends = ends
        self.stream = stream
    }
}

/// How a response ended.
package enum ResponseEnd: Sendable {
    /// As its own headers said, so bytes that follow on the connection are no part of it.
    case delimited
    /// With a 101: it was the last HTTP on this connection.
    case leavesHTTP
    /// Otherwise: bytes that follow may belong to it.
    case unknown
}
