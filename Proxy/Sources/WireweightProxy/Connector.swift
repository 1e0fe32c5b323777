import NIOCore
import NIOPosix
import ProxyTLS
import ProxyWire

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Which kind of addresses a client may not reach.
enum Denial {
    /// Of the proxy's machine.
    case own
    case linkLocal
    case multicast

    /// Of a server that has these addresses, none of which is permitted.
    init(_ addresses: [IPAddress]) {
        let all = addresses + addresses.compactMap(\.translated)
        if all.contains(where: { $0.isLinkLocal || $0.isMetadataService }) {
            self = .linkLocal
        } else {
            self = addresses.allSatisfy(\.isMulticast) ? .multicast : .own
        }
    }
}

/// Why the proxy has no connection to a server.
indirect enum Unreachable: Error {
    case name(String)
    case notPermitted(Denial)
    case itself
    case connection(any Error)
    /// There is no way to the upstream proxy.
    case upstream(UpstreamProxy, Unreachable)
    /// Its TLS failed, as that of an upstream proxy may.
    case tls(TLSFailure)
    /// The upstream proxy does not open a tunnel.
    case refused(UpstreamProxy, UpstreamRefusal)

    var status: RefusalStatus {
        switch self {
        case .notPermitted: .forbidden
        case .itself: .loop
        case .connection(let error) where error is ChannelError: .timeout
        case .upstream(_, .itself): .loop
        case .upstream(_, .connection(let error)) where error is ChannelError: .timeout
        case .refused(_, .late): .timeout
        case .name, .connection, .tls, .upstream, .refused: .badGateway
        }
    }

    var reply: SOCKS5.Reply {
        switch self {
        case .notPermitted, .itself: .notAllowed
        case .name: .hostUnreachable
        case .refused(_, .status(403)): .notAllowed
        case .refused(_, .reply(let number)): SOCKS5.Reply(rawValue: number) ?? .failure
        case .tls, .upstream, .refused: .failure
        case .connection(let error):
            switch (error as? IOError)?.errnoCode {
            case ECONNREFUSED: .refused
            case ENETUNREACH: .networkUnreachable
            case EHOSTUNREACH: .hostUnreachable
            default: .failure
            }
        }
    }

    /// What Proxy-Status says besides who refuses (RFC 9209, sections 2.1 and 2.3).
    var parameters: String {
        switch self {
        case .refused(let proxy, .status(let status)): "; next-hop=\"\(proxy.authority)\"; received-status=\(status)"
        case .upstream(let proxy, _), .refused(let proxy, _): "; next-hop=\"\(proxy.authority)\""
        case .name, .notPermitted, .itself, .connection, .tls: ""
        }
    }

    func reason(_ authority: Authority) -> String {
        switch self {
        case .name(let why): "the name \(authority.host) has no address: \(why)"
        case .notPermitted(.multicast): "\(authority) is a multicast address, which takes no connection"
        case .notPermitted(.linkLocal):
            "\(authority) is a link-local address, where clouds keep credentials; '--allow-link-local' opens them"
        case .notPermitted(.own):
            "\(authority) is an address of the proxy's machine, which the proxy does not open to others"
        case .itself: "\(authority) is the proxy itself"
        case .upstream(let proxy, .itself): "the upstream proxy \(proxy) is the proxy itself"
        case .upstream(let proxy, let failure): "of the upstream proxy \(proxy): \(failure.reason(proxy.authority))"
        case .refused(let proxy, let refusal):
            "\(authority) was not reached: the upstream proxy \(proxy) \(refusal.reason)"
        case .tls(let failure): "\(authority) is not taken: \(failure)"
        case .connection(let error): "\(authority) did not take the connection: \(Self.words(error))"
        }
    }

    private static func words(_ error: any Error) -> String {
        if let error = error as? IOError { return String(cString: strerror(error.errnoCode)) }
        if let error = error as? ChannelError, case .connectTimeout = error { return "no answer in time" }
        return "\(error)"
    }
}

/// Connects to a server for a session, if the client may reach it.
struct Connector {
    let context: ProxyContext
    let client: Reach.Client
    let loop: any EventLoop

    private static let connectTime = TimeAmount.seconds(30)

    /// A channel to a server, or to the upstream proxy that leads there.
    func connect(to authority: Authority, by way: Way, for session: ProxySession) -> EventLoopFuture<any Channel> {
        guard let proxy = way.proxy else {
            return connect(to: authority, for: session) { context.gate.reach.permits($0, to: client) }
        }
        if let failure = failureOfLiteral(authority) { return loop.makeFailedFuture(failure) }
        let channel = connect(to: proxy.authority, for: session) { _ in true }
            .flatMap { (channel: any Channel) -> EventLoopFuture<any Channel> in
                guard proxy.kind == .https else { return loop.makeSucceededFuture(channel) }
                return UpstreamTLS.begin(to: proxy.authority, on: channel, context.trust)
            }
            .flatMapErrorThrowing { throw Unreachable.upstream(proxy, $0 as? Unreachable ?? .connection($0)) }
        guard way.needsTunnel else { return channel }
        return channel.flatMap { TunnelOpening.run(through: proxy, to: authority, on: $0) }
    }

    /// A channel to the first address that may be reached and takes a connection, in the resolver's order.
    private func connect(
        to authority: Authority, for session: ProxySession, permits: @escaping @Sendable (IPAddress) -> Bool
    ) -> EventLoopFuture<any Channel> {
        let bound = NIOLoopBound(session, eventLoop: loop)
        return context.resolver.addresses(of: authority, for: client.address, on: loop)
            .flatMapErrorThrowing { throw Unreachable.name("\($0)") }
            .flatMap { addresses in
                if addresses.isEmpty { return loop.makeFailedFuture(Unreachable.name("there is none")) }
                let permitted = addresses.filter { $0.ip.map(permits) ?? false }
                if permitted.isEmpty {
                    return loop.makeFailedFuture(Unreachable.notPermitted(.init(addresses.compactMap(\.ip))))
                }
                let others = permitted.filter { !isItself($0) }
                if others.isEmpty { return loop.makeFailedFuture(Unreachable.itself) }
                return first(of: others[...], bound)
            }
    }

    /// Why a server that is reached through an upstream proxy is refused.
    ///
    /// The upstream proxy looks names up, so only what is an address already, in whatever form, can be asked here.
    private func failureOfLiteral(_ authority: Authority) -> Unreachable? {
        let host = authority.host.last == "." ? String(authority.host.dropLast()) : authority.host
        let isLocal = host == "localhost" || host.hasSuffix(".localhost")
        guard let address = Resolver.literal(isLocal ? Authority(host: "127.0.0.1", port: authority.port) : authority)
        else { return nil }
        if isItself(address) { return .itself }
        guard let ip = address.ip, !context.gate.reach.permits(ip, to: client) else { return nil }
        return .notPermitted(.init([ip]))
    }

    private func isItself(_ address: SocketAddress) -> Bool {
        guard address.port == context.sessions.ownPort, let ip = address.ip else { return false }
        return ip.isLoopback || ip.isUnspecified || client.machine.contains(ip)
    }

    private func first(
        of addresses: ArraySlice<SocketAddress>, _ session: NIOLoopBound<ProxySession>
    ) -> EventLoopFuture<any Channel> {
        ClientBootstrap(group: loop)
            .channelOption(.autoRead, value: false)
            .channelOption(.allowRemoteHalfClosure, value: true)
            .channelOption(.socketOption(.tcp_nodelay), value: 1)
            .channelOption(.socketOption(.so_keepalive), value: 1)
            .connectTimeout(Self.connectTime)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    session.value.attempt = channel
                    try channel.pipeline.syncOperations.addHandler(UpstreamEnd(session.value))
                }
            }
            .connect(to: addresses.first!)
            .map { channel in
                context.command?.say(server: channel, belongsTo: session.value.client)
                return channel
            }
            .flatMapError { error in
                let rest = addresses.dropFirst()
                // The client may have gone.
                guard case .connecting = session.value.phase else {
                    return loop.makeFailedFuture(Unreachable.connection(error))
                }
                return rest.isEmpty ? loop.makeFailedFuture(Unreachable.connection(error)) : first(of: rest, session)
            }
    }
}
