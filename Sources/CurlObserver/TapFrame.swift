package import HTTPWire

/// One frame of the tap, decoded from the ring or the socket (`tap_frames.h`).
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
    case foreign

    package struct Hello {
        package var pid: Int32
        package var parent: Int32
        package var hasLibcurl: Bool
        /// The number of its network namespace; 0 if not known.
        package var networkNamespace: UInt64
        package var path: String
        package var libcurlVersion: String
    }

    /// libcurl's clocks in nanoseconds since the transfer began, summed over its attempts; nil if libcurl does not
    /// report one.
    package struct Times {
        package var queue: Int64?
        package var nameLookup: Int64?
        package var connect: Int64?
        package var appConnect: Int64?
        package var total: Int64?
        /// When libcurl moved on to the current request.
        ///
        /// The value grows with each redirect, challenge and retry that libcurl follows itself.
        package var redirect: Int64?

        /// The difference between these clocks and earlier ones.
        func since(_ before: Times) -> Times {
            func step(_ now: Int64?, _ before: Int64?) -> Int64? { now.map { max(0, $0 - (before ?? 0)) } }
            return Times(
                queue: step(queue, before.queue), nameLookup: step(nameLookup, before.nameLookup),
                connect: step(connect, before.connect), appConnect: step(appConnect, before.appConnect),
                total: step(total, before.total), redirect: step(redirect, before.redirect))
        }

        /// How long an attempt took until its connection was ready, if these are the clocks of that attempt alone.
        var untilConnected: Int64 { max(nameLookup ?? 0, connect ?? 0, appConnect ?? 0) }
    }

    package struct Request {
        package var times: Times
        package var connects: Int64
        package var headerSize: Int64
        package var localPort: UInt32
        package var remotePort: UInt32
        package var url: String
        package var remoteAddress: String
        /// The kernel's count before the request; nil if the observer does not need it.
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
        /// The method of the request, or the one that it would have had; empty if libcurl does not report it.
        package var method: String
        /// After how many nanoseconds without progress the program takes a transfer back; nil if not known.
        package var patience: UInt64?
        /// Whether libcurl was done with a transfer that the program took back, and had named no error.
        package var isDone: Bool
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
        /// Whether the peer has closed its side after sending everything (FIN).
        package var isEnded = false
    }

    /// A connection's last count.
    package struct SocketCount {
        package var localPort: UInt32
        package var remotePort: UInt32
        package var kernel: KernelCount
        package var plaintext: Plaintext?
        package var prelude: Prelude
        /// The frames after a 101 that switches to WebSocket; nil if there was none, or if they were not seen.
        package var webSocket: WebSocket?
        package var localAddress: String
        package var remoteAddress: String
    }

    /// The bytes of a connection before its first message, and before TLS.
    package struct Prelude {
        package var socks: (sent: Int64, received: Int64)
        package var proxyLine: Int64
        /// Whether TLS follows, not a message.
        package var beginsTLS: Bool
    }

    /// The plaintext that passed through TLS, in bytes.
    package struct Plaintext {
        package var sent: Int64
        package var received: Int64
        /// The same for TLS to a proxy, if this one goes through it.
        package var proxy: (sent: Int64, received: Int64)?
    }

    /// The bytes after a 101 that switches to WebSocket (RFC 6455, section 5.2).
    package struct WebSocket {
        package struct Side {
            package var overhead: Int64
            package var payload: Int64
            package var frames: Int64
            package var controlFrames: Int64
            package var messages: Int64
        }

        package var up: Side
        package var down: Side
    }

    /// A connection, reported when a request first goes over it.
    package struct Connection {
        package var localPort: UInt32
        package var remotePort: UInt32
        package var usesTLS: Bool
        package var kernel: KernelCount?
        package var plaintext: Plaintext?
        package var prelude: Prelude
        package var localAddress: String
        package var remoteAddress: String
        package var tlsVersion: String
        package var cipher: String
        /// The protocol agreed on by ALPN; empty if there is none.
        package var applicationProtocol: String
    }

    /// HTTP/2 frames that a session has carried since the last report.
    package struct HTTP2 {
        package struct Part {
            package var isDown: Bool
            package var piece: HTTP2Piece
        }

        package var session: UInt64
        /// Whether other frames were lost.
        package var isBroken: Bool
        package var parts: [Part]
    }
}
