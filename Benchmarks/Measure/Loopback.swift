import Foundation

/// Functions for sockets on 127.0.0.1.
enum Loopback {
    static func socket() -> Int32 { Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0) }

    /// Binds a socket to a free port, and returns the port; nil if that fails.
    static func bind(_ socket: Int32) -> Int? {
        var address = address(port: 0)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Foundation.bind(socket, $0, size) == 0 && getsockname(socket, $0, &size) == 0
            }
        }
        return isBound ? Int(UInt16(bigEndian: address.sin_port)) : nil
    }

    /// Connects a socket to a port; returns whether a process listens there.
    static func connect(_ socket: Int32, to port: Int) -> Bool {
        var address = address(port: port)
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Foundation.connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    private static func address(port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }
}
