/// The file that sets a device up: a function in JavaScript that names the proxy for each URL.
package enum ProxyAutoConfig {
    package static let path = "/proxy.pac"
    package static let mediaType = "application/x-ns-proxy-autoconfig"

    /// A file that names one proxy for every URL.
    package static func file(_ proxy: Authority) -> String {
        "function FindProxyForURL(url, host) { return \"PROXY \(proxy)\"; }\n"
    }
}

extension RequestHead {
    /// Whether it asks the proxy itself for that file.
    package func wantsAutoConfig(_ bytes: Bytes) -> Bool {
        guard case .origin = target else { return false }
        guard isHEAD || bytes[method].elementsEqual("GET".utf8) else { return false }
        return bytes.text(path).prefix { $0 != "?" } == ProxyAutoConfig.path
    }
}
