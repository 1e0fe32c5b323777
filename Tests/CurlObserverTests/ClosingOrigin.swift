import Foundation
import Glibc

/// A server that takes the first thing that comes on a connection, and ends it.
final class ClosingOrigin: Sendable {
    let port: UInt16
    private let listener: Int32

    init() throws {
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = listener
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && listen(listener, 16) == 0 && getsockname(listener, $0, &length) == 0
            }
        }
        guard isBound else { throw POSIXError(.EADDRINUSE) }
        port = UInt16(bigEndian: address.sin_port)
        Thread.detachNewThread {
            defer { close(listener) }
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while case let descriptor = accept(listener, nil, nil), descriptor >= 0 {
                _ = read(descriptor, &buffer, buffer.count)
                close(descriptor)
            }
        }
    }

    /// The thread that accepts closes the socket: closed by another, its number could be somebody else's by the next accept.
    func stop() { shutdown(listener, Int32(SHUT_RDWR)) }
}
