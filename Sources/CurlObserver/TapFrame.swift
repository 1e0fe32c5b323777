package import HTTPWire

/// One thing that the tap tells, as it stands in the ring or on the socket (`tap_frames.h`).
package enum TapFrame {
    case hello(Hello)
    case begin(handle: UInt64)
    case request(Request)
    case headOut([UInt8])
    case headIn([UInt8])
    case bodyOut(Body)
    case bodyIn(Body)
    case contentOut([UInt8])
    case contentIn([UInt8])
    case end(End)
    case socketClosed(SocketCount)
    case socketLeft(SocketCount)
    case lost(count: Int64, isUntapped: Bool)
    case connection(Connection)
    case stream(session: UInt64, stream: UInt32)
    case http2(HTTP2)

    package struct Hello {
        package var pid: Int32
        package var parent: Int32
        package var hasLibcurl: Bool
        package var path: String
        package var libcurlVersion: String
    }

    /// libcurl's clocks in nanoseconds since the transfer began, added up over its hops; nil where it does not tell.
    package struct Times {
        package var queue: Int64?
        package var nameLookup: Int64?
        package var connect: Int64?
        package var appConnect: Int64?
        package var total: Int64?
    }

    package struct Request {
        package var times: Times
        package var connects: Int64
        package var headerSize: Int64
        package var localPort: UInt32
        package var remotePort: UInt32
        package var url: String
        package var remoteAddress: String
        /// What its connection had carried before; nil where nobody has to know.
        package var kernel: KernelCount?
        package var plaintext: Plaintext?
    }

    package struct Body {
        package var metered: MeteredBody
        package var first: UInt64
        package var last: UInt64
    }

    package enum How { case done, removed, stopped }

    package struct End {
        package var times: Times
        package var how: How
        package var result: Int32
        package var headerSize: Int64
        package var connects: Int64
        package var localPort: UInt32
        package var remotePort: UInt32
        package var isHTTP2: Bool
        package var kernel: KernelCount?
        package var plaintext: Plaintext?
        package var url: String
        package var remoteAddress: String
        package var error: String
    }

    /// The kernel's counters of a connection.
    package struct KernelCount {
        package var sent: UInt64
        package var received: UInt64
        package var retransmitted: UInt64
        package var segmentsSent: Int64
        package var segmentsReceived: Int64
        package var roundTrip: Int64
        /// Whether the peer has ended or reset it, so that nothing more can come.
        package var isOver: Bool
    }

    /// A connection's last count.
    package struct SocketCount {
        package var localPort: UInt32
        package var remotePort: UInt32
        package var kernel: KernelCount
        package var plaintext: Plaintext?
        package var localAddress: String
        package var remoteAddress: String
    }

    /// What passed through TLS in the clear.
    package struct Plaintext {
        package var sent: Int64
        package var received: Int64
    }

    /// A connection, once a request goes over it for the first time.
    package struct Connection {
        package var localPort: UInt32
        package var remotePort: UInt32
        package var usesTLS: Bool
        package var kernel: KernelCount?
        package var plaintext: Plaintext?
        package var localAddress: String
        package var remoteAddress: String
        package var tlsVersion: String
        package var cipher: String
        /// By ALPN; empty where nothing was agreed on.
        package var applicationProtocol: String
    }

    /// Frames that a session of HTTP/2 has carried since it was last told.
    package struct HTTP2 {
        package struct Part {
            package var isDown: Bool
            package var piece: HTTP2Piece
        }

        package var session: UInt64
        /// Whether others were lost.
        package var isBroken: Bool
        package var parts: [Part]
    }
}
