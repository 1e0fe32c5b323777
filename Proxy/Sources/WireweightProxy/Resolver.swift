import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import ProxyWire

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Asks the system for the addresses of a host, on threads of its own.
///
/// A name may take the system half a minute, so no client gets all threads.
final class Resolver: Sendable {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private typealias Queue = FairQueue<IPAddress, @Sendable () -> Void>

    private static let threads = 32
    private static let share = 8

    private let pool = NIOThreadPool(numberOfThreads: threads)
    private let queue = NIOLockedValueBox(Queue(workers: threads, share: share))

    init() { pool.start() }

    func addresses(
        of authority: Authority, for client: IPAddress, on loop: any EventLoop
    ) -> EventLoopFuture<[SocketAddress]> {
        // No thread is needed for what is an address already.
        if let address = try? SocketAddress(ipAddress: authority.host, port: Int(authority.port)) {
            return loop.makeSucceededFuture([address])
        }
        let promise = loop.makePromise(of: [SocketAddress].self)
        let work: @Sendable () -> Void = { promise.completeWith(Result { try Self.ask(authority) }) }
        if let work = queue.withLockedValue({ $0.add(work, of: client) }) { run(work, for: client) }
        return promise.futureResult
    }

    private func run(_ work: @escaping @Sendable () -> Void, for client: IPAddress) {
        pool.submit { [self] _ in
            work()
            if let next = queue.withLockedValue({ $0.end(of: client) }) { run(next.work, for: next.client) }
        }
    }

    /// The address that a host is in itself, in any form that the system reads; nil for a name.
    static func literal(_ authority: Authority) -> SocketAddress? { (try? ask(authority, AI_NUMERICHOST))?.first }

    private static func ask(_ authority: Authority, _ flags: Int32 = 0) throws -> [SocketAddress] {
        var hints = addrinfo()
        hints.ai_flags = flags
        #if os(Linux)
            hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        #else
            hints.ai_socktype = SOCK_STREAM
        #endif
        var list: UnsafeMutablePointer<addrinfo>?
        let status = getaddrinfo(authority.host, String(authority.port), &hints, &list)
        guard status == 0 else { throw Failure(description: String(cString: gai_strerror(status))) }
        defer { freeaddrinfo(list) }
        var found: [SocketAddress] = []
        var next = list
        while let entry = next {
            switch entry.pointee.ai_family {
            case AF_INET:
                entry.pointee.ai_addr.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                    found.append(SocketAddress($0.pointee))
                }
            case AF_INET6:
                entry.pointee.ai_addr.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
                    found.append(SocketAddress($0.pointee))
                }
            default: break
            }
            next = entry.pointee.ai_next
        }
        return found
    }
}

extension SocketAddress {
    /// Without the port; nil for a path.
    var ip: IPAddress? { ipAddress.flatMap { IPAddress($0) } }
}
