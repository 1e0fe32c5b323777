#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A TCP socket with the few calls that the origin needs; it hides the differences between the C libraries.
struct Socket: Sendable {
    /// The result of a read or write.
    enum Result: Equatable {
        case bytes(Int)
        case end
        case wouldBlock
        case failed(Int32)
    }

    let descriptor: Int32

    #if os(Linux)
        private static let stream = Int32(SOCK_STREAM.rawValue)
        private static let sendFlags = Int32(MSG_NOSIGNAL)
        private static let peekFlags = Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)
        private static let shutWrite = Int32(SHUT_WR)
        private static let shutBoth = Int32(SHUT_RDWR)
    #else
        private static let stream = SOCK_STREAM
        private static let sendFlags: Int32 = 0
        private static let peekFlags = MSG_PEEK | MSG_DONTWAIT
        private static let shutWrite = SHUT_WR
        private static let shutBoth = SHUT_RDWR
    #endif

    private static func loopback(port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    private static func noSocket(_ errorNumber: Int32) -> OriginError {
        OriginError(.noSocket, "cannot make a socket", errorNumber, advice: "raise the limit of open files")
    }

    /// Makes a socket bound to a port of the loopback address; port 0 takes any free one.
    static func bound(port: UInt16) throws -> Socket {
        let socket = Socket(descriptor: socketCall(AF_INET, stream, 0))
        guard socket.descriptor >= 0 else { throw noSocket(errno) }
        socket.closeOnExec()
        socket.set(SOL_SOCKET, SO_REUSEADDR, Int32(1))
        var address = loopback(port: port)
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket.descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else {
            let code = errno
            socket.close()
            throw OriginError(
                .cannotListen, "cannot bind 127.0.0.1:\(port)", code, advice: "use port 0 for any that is free")
        }
        return socket
    }

    /// Makes a socket connected to a port of the loopback address.
    static func connected(to port: UInt16) throws -> Socket {
        let socket = Socket(descriptor: socketCall(AF_INET, stream, 0))
        guard socket.descriptor >= 0 else { throw noSocket(errno) }
        socket.closeOnExec()
        var address = loopback(port: port)
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket.descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else {
            let code = errno
            socket.close()
            throw OriginError(
                .cannotConnect, "cannot connect to 127.0.0.1:\(port)", code,
                advice: "check that the origin is started and listens at that port")
        }
        socket.prepare()
        return socket
    }

    func listen() throws {
        guard listenCall(descriptor, 1_024) == 0 else {
            throw OriginError(.cannotListen, "cannot listen", errno, advice: "use port 0 for any that is free")
        }
        setNonBlocking()
    }

    /// Accepts the next connection; nil if none is waiting.
    func accept() -> Socket? {
        let accepted = Socket(descriptor: acceptCall(descriptor, nil, nil))
        guard accepted.descriptor >= 0 else { return nil }
        accepted.closeOnExec()
        accepted.prepare()
        accepted.setNonBlocking()
        return accepted
    }

    private func prepare() {
        set(Int32(IPPROTO_TCP), TCP_NODELAY, Int32(1))
        #if canImport(Darwin)
            set(SOL_SOCKET, SO_NOSIGPIPE, Int32(1))
        #endif
    }

    private func setNonBlocking() { _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL, 0) | O_NONBLOCK) }
    private func closeOnExec() { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }

    private func set<T: BitwiseCopyable>(_ level: Int32, _ option: Int32, _ value: T) {
        var value = value
        setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<T>.size))
    }

    /// Waits until the socket can be read, or written, or the time is over.
    func wait(toWrite: Bool = false, milliseconds: Int32) {
        var poll = pollfd(descriptor: descriptor, toWrite: toWrite)
        _ = pollCall(&poll, 1, milliseconds)
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Result {
        Self.result(recv(descriptor, buffer.baseAddress, buffer.count, 0))
    }

    func write(_ bytes: UnsafeRawBufferPointer) -> Result {
        Self.result(send(descriptor, bytes.baseAddress, bytes.count, Self.sendFlags))
    }

    /// Whether the peer has ended its side or reset the connection, and nothing is left to read.
    var peerIsGone: Bool {
        var byte: UInt8 = 0
        switch Self.result(recv(descriptor, &byte, 1, Self.peekFlags)) {
        case .end, .failed: return true
        case .bytes, .wouldBlock: return false
        }
    }

    private static func result(_ count: Int) -> Result {
        if count > 0 { return .bytes(count) }
        if count == 0 { return .end }
        return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR ? .wouldBlock : .failed(errno)
    }

    func endWriting() { _ = shutdown(descriptor, Self.shutWrite) }
    func endBoth() { _ = shutdown(descriptor, Self.shutBoth) }
    func close() { _ = closeCall(descriptor) }

    /// Closes the connection with a RST instead of a FIN.
    func reset() {
        set(SOL_SOCKET, SO_LINGER, linger(l_onoff: 1, l_linger: 0))
        close()
    }

    /// The local and the remote port.
    var ports: (local: UInt16, remote: UInt16) {
        func port(_ call: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32) -> UInt16 {
            var address = sockaddr_in()
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            _ = withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { call($0, &length) }
            }
            return UInt16(bigEndian: address.sin_port)
        }
        return (port { getsockname(descriptor, $0, $1) }, port { getpeername(descriptor, $0, $1) })
    }
}

// C functions whose names the methods above hide.
private func socketCall(_ domain: Int32, _ type: Int32, _ proto: Int32) -> Int32 { socket(domain, type, proto) }
private func listenCall(_ descriptor: Int32, _ backlog: Int32) -> Int32 { listen(descriptor, backlog) }
private func acceptCall(
    _ descriptor: Int32, _ address: UnsafeMutablePointer<sockaddr>?, _ length: UnsafeMutablePointer<socklen_t>?
) -> Int32 { accept(descriptor, address, length) }
private func closeCall(_ descriptor: Int32) -> Int32 { close(descriptor) }
private func pollCall(_ entries: UnsafeMutablePointer<pollfd>, _ count: Int, _ milliseconds: Int32) -> Int32 {
    poll(entries, nfds_t(count), milliseconds)
}

extension pollfd {
    fileprivate init(descriptor: Int32, toWrite: Bool) {
        self.init(fd: descriptor, events: Int16(toWrite ? POLLOUT : POLLIN), revents: 0)
    }
}
