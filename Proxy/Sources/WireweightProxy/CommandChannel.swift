import Dispatch
import NIOCore
import ProxyWire

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The socket to the command that started the proxy and meters it: a line is one message.
struct CommandChannel: Sendable {
    private let descriptor: Int32

    init(_ descriptor: Int32) {
        self.descriptor = descriptor
        // A program that the proxy starts must not have it.
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    /// Says which connection to a server belongs to a client's; to be called before anything is sent on it.
    func say(server: any Channel, belongsTo client: any Channel) {
        guard let local = server.localAddress?.text, let remote = server.remoteAddress?.text,
            let device = client.remoteAddress?.text
        else { return }
        send("leg \(local) \(remote) \(device)")
    }

    /// Says that a device asks to use the proxy.
    func say(asks device: IPAddress) { send("ask \(device)") }

    /// Says that one that asked may use it.
    func say(admitted device: IPAddress) { send("admitted \(device)") }

    /// Calls with each device that the command lets in.
    func listen(_ admit: @escaping @Sendable (Substring) -> Void) {
        let descriptor = descriptor
        DispatchQueue(label: "command").async {
            var buffer = [UInt8](repeating: 0, count: 512)
            while true {
                let count = recv(descriptor, &buffer, buffer.count, 0)
                guard count > 0 else {
                    if count < 0, errno == EINTR { continue }
                    return
                }
                let words = String(decoding: buffer[..<count], as: UTF8.self).split(separator: " ")
                if words.count == 2, words[0] == "admit" { admit(words[1]) }
            }
        }
    }

    /// A command that does not read must not stop the proxy: then the line is lost.
    private func send(_ line: String) {
        var line = line
        _ = line.withUTF8 { bytes in
            #if canImport(Glibc)
                Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
            #else
                Darwin.send(descriptor, bytes.baseAddress, bytes.count, MSG_DONTWAIT)
            #endif
        }
    }
}

extension SocketAddress {
    /// The address and the port, as the meter writes them.
    fileprivate var text: String? {
        guard let ip = ipAddress, let port else { return nil }
        return ip.contains(":") ? "[\(ip)]:\(port)" : "\(ip):\(port)"
    }
}
