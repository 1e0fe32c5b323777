/// What the proxy itself serves, to set devices up.
package enum OwnFile: String, Hashable, Sendable, CaseIterable {
    /// The steps for each system.
    case page = "/"
    /// A function in JavaScript that names the proxy for each URL.
    case autoConfig = "/proxy.pac"
    /// The authority's certificate as a profile of Apple's systems.
    case profile = "/wireweight.mobileconfig"
    /// The authority's certificate (X.509, DER).
    case certificate = "/wireweight.crt"

    /// The name by which who uses the proxy reaches it, wherever it is.
    package static let host = Authority(host: "wireweight.local", port: 80)

    package var mediaType: String {
        switch self {
        case .page: "text/html; charset=utf-8"
        case .autoConfig: "application/x-ns-proxy-autoconfig"
        case .profile: "application/x-apple-aspen-config"
        case .certificate: "application/x-x509-ca-cert"
        }
    }

    /// A file that names one proxy for every URL.
    package static func autoConfig(_ proxy: Authority) -> String {
        "function FindProxyForURL(url, host) { return \"PROXY \(proxy)\"; }\n"
    }
}

extension RequestHead {
    /// The file of the proxy's own that is requested: at its address, or through it at ``OwnFile/host``.
    ///
    /// - Parameters:
    ///   - bytes: the section.
    ///   - own: the address that the client has reached. Only with this as its host the page is meant: other requests
    ///     for `/` are of clients that take the proxy for a server, or of a site whose name leads here.
    /// - Returns: the file; nil if it asks for something else.
    package func ownFile(_ bytes: Bytes, at own: Authority) -> OwnFile? {
        guard isHEAD || bytes[method].elementsEqual("GET".utf8) else { return nil }
        let path = bytes.text(path).prefix { $0 != "?" }
        switch target {
        case .absolute(OwnFile.host, isTLS: false): return path.isEmpty ? .page : OwnFile(rawValue: String(path))
        case .origin:
            guard let file = OwnFile(rawValue: String(path)) else { return nil }
            return file != .page || host(bytes) == own ? file : nil
        default: return nil
        }
    }
}
