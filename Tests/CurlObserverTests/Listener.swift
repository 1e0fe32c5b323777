import Foundation
import Glibc

/// A socket that listens on loopback, for servers of tests.
struct Listener: Sendable {
    let port: UInt16
    private let descriptor: Int32

    /// Starts to listen.
    ///
    /// - Throws: where there is no port to listen on.
    init() throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && listen(descriptor, 16) == 0
                    && getsockname(descriptor, $0, &length) == 0
            }
        }
        guard isBound else {
            close(descriptor)
            throw POSIXError(.EADDRINUSE)
        }
        self.descriptor = descriptor
        port = UInt16(bigEndian: address.sin_port)
    }

    /// Takes connections on a thread of its own until ``stop()``.
    func accept(_ take: @escaping @Sendable (_ connection: Int32) -> Void) {
        let descriptor = descriptor
        Thread.detachNewThread {
            defer { close(descriptor) }
            while case let connection = Glibc.accept(descriptor, nil, nil), connection >= 0 { take(connection) }
        }
    }

    /// The thread that accepts closes the socket: closed by another, its number could be somebody else's by the next accept.
    func stop() { shutdown(descriptor, Int32(SHUT_RDWR)) }
}
