/// The leg of an exchange between a proxy and the server.
///
/// The records of the exchange itself are of the other leg, the device's. A leg has only sizes, times and its
/// connection: what was sent is what the device's records have, apart from what a proxy must change.
package struct ServerLeg: Hashable, Sendable {
    /// What came back on it.
    package struct Response: Hashable, Sendable {
        /// When its first byte came.
        package var firstByteAt: Timestamp
        /// The status; 0 if there was none.
        package var status: Int
        /// The bytes that the server sent.
        package var size: WireSize

        /// A response of that size.
        package init(firstByteAt: Timestamp, status: Int, size: WireSize) {
            self.firstByteAt = firstByteAt
            self.status = status
            self.size = size
        }
    }

    /// When the proxy began to pass the request on.
    package var startedAt: Timestamp
    /// When it had sent the request; nil if that is not known.
    package var sentAt: Timestamp?
    /// The bytes of the request as the server got it; 0 if only a tunnel was opened.
    package var request: WireSize
    /// The response; nil if none came.
    package var response: Response?
    /// How it ended; its own leg is nil.
    package var end: ExchangeEnd
    /// The row of its connection; nil in events.
    package var connection: StoredConnection.ID?

    /// A leg with all its parts.
    package init(
        startedAt: Timestamp, sentAt: Timestamp? = nil, request: WireSize, response: Response? = nil, end: ExchangeEnd,
        connection: StoredConnection.ID? = nil
    ) {
        self.startedAt = startedAt
        self.sentAt = sentAt
        self.request = request
        self.response = response
        self.end = end
        self.connection = connection
    }
}
