import NIOCore
import ProxyTLS
import ProxyWire

extension ProxySession {
    /// The answer to a request for a file of the proxy's own; nil for another request.
    ///
    /// Addresses in it are the one that the device has reached, which is the one that it can use.
    func ownFile(_ head: RequestHead, _ count: Int) -> ByteBuffer? {
        guard let local = client.localAddress, let ip = local.ip, let port = local.port else { return nil }
        let own = Authority(host: "\(ip)", port: UInt16(port))
        guard
            let file = input.withUnsafeReadableBytes({ head.ownFile(Bytes(rebasing: $0[..<count]), at: own) }),
            let content = content(of: file, at: own, on: ip)
        else { return nil }
        var answer = ByteBuffer(
            string: "HTTP/1.1 200 OK\r\nContent-Type: \(file.mediaType)\r\nContent-Length: \(content.count)\r\n"
                + "Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n"
                + "Content-Security-Policy: default-src 'none'; style-src 'unsafe-inline'\r\nConnection: close\r\n\r\n")
        if !head.isHEAD { answer.writeBytes(content) }
        return answer
    }

    private func content(of file: OwnFile, at own: Authority, on ip: IPAddress) -> [UInt8]? {
        let authority = context.opener?.contexts.authority
        switch file {
        case .page:
            let others = ip.isLoopback && context.settings.servesDevices ? context.settings.announced : []
            let other = others.first.map { Authority(host: "\($0)", port: own.port) }
            return Array(SetUpPage(proxy: own, other: other, authority: authority).html.utf8)
        case .autoConfig: return Array(OwnFile.autoConfig(own).utf8)
        case .profile: return authority.map { Array(TrustProfile.text($0).utf8) }
        case .certificate: return authority?.der
        }
    }
}
