import ProxyWire

/// How a server is reached.
enum Way {
    case direct
    /// By requests in absolute form to an HTTP proxy.
    case requests(UpstreamProxy)
    case tunnel(UpstreamProxy)

    init(to authority: Authority, isTunnel: Bool, _ chain: Chain) {
        switch chain.proxy(to: authority, isTunnel: isTunnel) {
        case nil: self = .direct
        case let proxy?: self = isTunnel || proxy.kind == .socks5 ? .tunnel(proxy) : .requests(proxy)
        }
    }

    var proxy: UpstreamProxy? {
        switch self {
        case .direct: nil
        case .requests(let proxy), .tunnel(let proxy): proxy
        }
    }

    var needsTunnel: Bool {
        if case .tunnel = self { true } else { false }
    }

    /// Who gets the header sections of requests.
    var recipient: RequestHead.Recipient {
        if case .requests(let proxy) = self { .proxy(authorization: proxy.authorization) } else { .server }
    }

    /// The failure that a response is, which the client would take for its own: it has nothing to do with the upstream
    /// proxy's credentials.
    func refusal(_ status: Int) -> Unreachable? {
        guard case .requests(let proxy) = self, status == 407 else { return nil }
        return .refused(proxy, .status(status))
    }
}
