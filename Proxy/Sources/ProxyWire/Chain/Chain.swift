/// Which upstream proxy leads to a server.
package struct Chain: Equatable, Sendable {
    /// For `http://` requests.
    package let http: UpstreamProxy?
    /// For tunnels: of CONNECT and of SOCKS.
    package let tunnels: UpstreamProxy?
    package let direct: DirectHosts

    package static let none = Chain(http: nil, tunnels: nil, direct: DirectHosts(""))

    package init(http: UpstreamProxy?, tunnels: UpstreamProxy?, direct: DirectHosts) {
        self.http = http
        self.tunnels = tunnels
        self.direct = direct
    }

    /// Whether one of the proxies is reached by TLS.
    package var usesTLS: Bool { http?.kind == .https || tunnels?.kind == .https }

    /// The word for no upstream proxy, whatever the environment says.
    package static let noneWord = "none"

    /// Why there is no chain, and which setting says so.
    package struct Refusal: Error, Equatable, Sendable {
        package let setting: String
        package let reason: UpstreamProxy.Refusal

        package init(setting: String, reason: UpstreamProxy.Refusal) {
            self.setting = setting
            self.reason = reason
        }
    }

    /// Reads the option, or what the environment names in its place.
    ///
    /// `http_proxy` counts in small letters alone, as for curl; the others in small letters before capitals.
    package init(option: String?, environment: (String) -> String?) throws(Refusal) {
        func value(_ names: String...) -> (name: String, text: String)? {
            for name in names { if let text = environment(name), !text.isEmpty { return (name, text) } }
            return nil
        }
        func proxy(_ setting: (name: String, text: String)?) throws(Refusal) -> UpstreamProxy? {
            guard let setting else { return nil }
            do throws(UpstreamProxy.Refusal) { return try UpstreamProxy(setting.text) } catch {
                throw Refusal(setting: setting.name, reason: error)
            }
        }
        if option == Self.noneWord {
            self = .none
            return
        }
        let named = option.map { (name: "--upstream-proxy", text: $0) }
        let all = value("all_proxy", "ALL_PROXY")
        self.init(
            http: try proxy(named ?? value("http_proxy") ?? all),
            tunnels: try proxy(named ?? value("https_proxy", "HTTPS_PROXY") ?? all),
            direct: DirectHosts(value("no_proxy", "NO_PROXY")?.text ?? ""))
    }

    /// The proxy for a server; nil if the server is reached directly.
    package func proxy(to authority: Authority, isTunnel: Bool) -> UpstreamProxy? {
        guard let proxy = isTunnel ? tunnels : http else { return nil }
        return direct.contains(authority) ? nil : proxy
    }
}
