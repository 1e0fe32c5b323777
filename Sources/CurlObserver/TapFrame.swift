package import ConnectionAccounts
package import HTTPWire
package import TrafficModel

/// One frame of the tap, decoded from the ring or the socket (`tap_frames.h`).
package enum TapFrame {
    case hello(Hello)
    case begin(handle: UInt64)
    /// Like `begin`, of a request that was seen below the program's HTTP library.
    case beginStream(handle: UInt64, direction: TrafficDirection)
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
    case connection(ConnectionDescription)
    case stream(HTTP2StreamID)
    /// Frames of HTTP/2, and the number of this report in its session; 0 if it has none.
    case http2(HTTP2Frames, sequence: UInt64)
    case block(Block)
    case foreign
    case unseen(UnseenConnection)
    /// A program that is about to start, and will not be metered; nil if it could not be started.
    case unmetered(UnmeteredProgram?)
    case lookup(Lookup)
    case dns(DNS)

    /// What the C library was asked, and what it found.
    package struct Lookup {
        package var name: String
        package var beganAt: UInt64
        /// The name of the code of a failure; nil if there was none.
        package var error: String?
        package var answers: Int64
        package var addresses: [String]
    }

    /// What has passed on a socket that asks a resolver.
    package struct DNS {
        package enum What { case sent, received, failed(errno: Int32), over }

        package var what: What
        package var socket: UInt64
        package var resolver: String
        package var size: Int64
        package var bytes: [UInt8]
    }

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
        package var url: String
        package var ends: ConnectionEnds
        /// The kernel's count before the request; nil if the observer does not need it.
        package var kernel: KernelCount?
        package var plaintext: PlaintextCount?
    }

    package struct Body {
        package var metered: MeteredBody
        package var first: UInt64
        package var last: UInt64
    }

    /// Bytes of a header block of HTTP/2, or what concerns all blocks of its direction.
    package struct Block {
        package enum Kind { case headers, promise, tableSize, lost, over }

        package var session: UInt64
        /// The number of this report in its session.
        package var sequence: UInt64
        package var kind: Kind
        package var isDown: Bool
        /// Whether its first and its last bytes are among them.
        package var begins: Bool
        package var ends: Bool
        package var tableSize: Int
        package var bytes: [UInt8]
    }

    package enum How { case done, removed, stopped, cut }

    package struct End {
        package var times: Times
        package var how: How
        package var result: Int32
        package var headerSize: Int64
        package var connects: Int64
        package var isHTTP2: Bool
        package var ends: ConnectionEnds
        package var kernel: KernelCount?
        package var plaintext: PlaintextCount?
        package var url: String
        package var error: String
        /// The method of the request, or the one that it would have had; empty if libcurl does not report it.
        package var method: String
        /// After how many nanoseconds without progress the program takes a transfer back; nil if not known.
        package var patience: UInt64?
        /// Whether libcurl was done with a transfer that the program took back, and had named no error.
        package var isDone: Bool
        /// How many bytes at the end of a served response the kernel did not send, and will not.
        package var unsent: Int64
    }
}
