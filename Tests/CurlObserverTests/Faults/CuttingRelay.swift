import Foundation
import Glibc
import Locks

/// Relays bytes between its clients and a server, and cuts each connection after a number of the server's bytes.
final class CuttingRelay: @unchecked Sendable {
    let port: UInt16
    private let listener: Int32
    private let server: UInt16
    private let cut: @Sendable (_ connection: Int) -> Int
    private let open = Atomic(0)
    // How many bytes came from each client and went to it.
    private let counts = Mutex<[(received: Int, sent: Int)]>([])

    /// Starts it.
    ///
    /// - Parameters:
    ///   - server: the server's port on this machine.
    ///   - cut: after how many bytes of the server's a connection is cut.
    /// - Throws: where there is no port to listen on.
    init(to server: UInt16, cut: @escaping @Sendable (_ connection: Int) -> Int) throws {
        self.server = server
        self.cut = cut
        (listener, port) = try Self.socket { bind($0, $1, $2) == 0 && listen($0, 16) == 0 }
        Thread.detachNewThread { self.acceptAll() }
    }

    /// What went over each connection.
    var sizes: [(received: Int, sent: Int)] { counts.withLock { $0 } }

    /// Waits until every connection has come to its end, half a minute at most.
    func waitUntilClosed() {
        for _ in 0..<3_000 where open.load(ordering: .sequentiallyConsistent) > 0 { usleep(10_000) }
    }

    /// The thread that accepts closes the socket: closed by another, its number could be somebody else's by the next accept.
    func stop() { shutdown(listener, Int32(SHUT_RDWR)) }

    /// A socket on loopback; the port is the one it is bound to.
    private static func socket(
        port: UInt16 = 0, _ begin: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Bool
    ) throws -> (Int32, UInt16) {
        let descriptor = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = port.bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isReady = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                begin(descriptor, $0, length) && getsockname(descriptor, $0, &length) == 0
            }
        }
        guard isReady else {
            close(descriptor)
            throw POSIXError(.ECONNREFUSED)
        }
        var yes: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
        return (descriptor, UInt16(bigEndian: address.sin_port))
    }

    private func acceptAll() {
        defer { close(listener) }
        while case let client = accept(listener, nil, nil), client >= 0 {
            let index = counts.withLock { counts in
                counts.append((0, 0))
                return counts.count - 1
            }
            open.add(1, ordering: .sequentiallyConsistent)
            Thread.detachNewThread {
                self.relay(client, index)
                self.open.subtract(1, ordering: .sequentiallyConsistent)
            }
        }
    }

    private func relay(_ client: Int32, _ index: Int) {
        defer { close(client) }
        guard let (upstream, _) = try? Self.socket(port: server, { connect($0, $1, $2) == 0 }) else { return }
        defer { close(upstream) }
        var left = cut(index)
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while left > 0 {
            var both = [
                pollfd(fd: client, events: Int16(POLLIN), revents: 0),
                pollfd(fd: upstream, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&both, 2, 10_000) > 0 else { break }
            if both[0].revents != 0 {
                let count = read(client, &buffer, buffer.count)
                guard count > 0 else { return }
                counts.withLock { $0[index].received += count }
                guard send(upstream, buffer, count, Int32(MSG_NOSIGNAL)) == count else { return }
            }
            if both[1].revents != 0 {
                let count = read(upstream, &buffer, buffer.count)
                guard count > 0 else { break }
                let sent = send(client, buffer, min(left, count), Int32(MSG_NOSIGNAL))
                guard sent > 0 else { return }
                counts.withLock { $0[index].sent += sent }
                left -= sent
            }
        }
        shutdown(client, Int32(SHUT_WR))
        while case let count = read(client, &buffer, buffer.count), count > 0 {
            counts.withLock { $0[index].received += count }
        }
    }
}
