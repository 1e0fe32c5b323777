import NIOCore
import ProxyWire

extension ProxySession {
    /// The answer to a request for the file that sets a device up; nil for another request.
    ///
    /// It names the address that the device has reached, which is the one that it can use.
    func autoConfig(_ head: RequestHead, _ count: Int) -> ByteBuffer? {
        let wants = input.withUnsafeReadableBytes { head.wantsAutoConfig(Bytes(rebasing: $0[..<count])) }
        guard wants, let own = client.localAddress, let ip = own.ip, let port = own.port else { return nil }
        let text = ProxyAutoConfig.file(Authority(host: "\(ip)", port: UInt16(port)))
        return ByteBuffer(
            string: "HTTP/1.1 200 OK\r\nContent-Type: \(ProxyAutoConfig.mediaType)\r\n"
                + "Content-Length: \(text.utf8.count)\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n"
                + (head.isHEAD ? "" : text))
    }
}
