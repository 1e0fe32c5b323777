import NIOCore
import NIOPosix
import ProxyTLS
import ProxyWire

/// Listens, and gives each connection of a client to a `ProxySession`.
final class ProxyServer: Sendable {
    struct Settings: Sendable {
        var host = "127.0.0.1"
        var port = 8899
        var mostConnections = 10_000
        var servesDevices = false
        var chain = Chain.none
        /// The network on which the devices are to be; nil for the one on which they are.
        var conditions: LinkConditions?
        /// How long a client may take for the header section of a request: one that sends it byte by byte must not
        /// hold a connection for ever.
        var headTime = TimeAmount.seconds(60)

        /// Addresses at which devices reach it.
        var announced: [IPAddress] { IPAddress(host)?.announced(of: Machine.all()) ?? [] }
    }

    private let group: MultiThreadedEventLoopGroup
    private let channel: any Channel
    let context: ProxyContext

    static func start(
        _ settings: Settings, gate: Gate, opener: TunnelOpener?, trust: TLSTrust?, command: CommandChannel?,
        threads: Int
    ) async throws -> ProxyServer {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: threads)
        let context = ProxyContext(
            settings: settings, gate: gate, opener: opener, trust: trust, command: command,
            sessions: Sessions(most: settings.mostConnections))
        let bootstrap = ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 1024)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.autoRead, value: false)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelOption(.socketOption(.tcp_nodelay), value: 1)
            // A phone that leaves the network says nothing.
            .childChannelOption(.socketOption(.so_keepalive), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let network = settings.conditions.map(ConditionedEnd.init)
                    if let network { try channel.pipeline.syncOperations.addHandler(network) }
                    try channel.pipeline.syncOperations.addHandler(
                        ClientEnd(ProxySession(client: channel, network: network, context: context)))
                }
            }
        do {
            let channel = try await bootstrap.bind(host: settings.host, port: settings.port).get()
            return ProxyServer(group: group, channel: channel, context: context)
        } catch {
            try? await group.shutdownGracefully()
            throw error
        }
    }

    private init(group: MultiThreadedEventLoopGroup, channel: any Channel, context: ProxyContext) {
        self.group = group
        self.channel = channel
        self.context = context
        context.sessions.setOwnPort(port)
    }

    var loop: any EventLoop { channel.eventLoop }
    var port: Int { channel.localAddress?.port ?? 0 }
    var address: String { channel.localAddress.map { $0.ipAddress ?? "" } ?? "" }

    /// Takes no more connections, lets exchanges under way finish for a while, and ends.
    func stop() async {
        try? await channel.close().get()
        await context.sessions.end(within: .seconds(5))
        try? await group.shutdownGracefully()
    }
}

/// What the sessions of a server share.
struct ProxyContext: Sendable {
    let settings: ProxyServer.Settings
    let gate: Gate
    /// Nil if TLS stays closed.
    let opener: TunnelOpener?
    /// Nil if the proxy speaks TLS with no server.
    let trust: TLSTrust?
    /// Nil if nothing meters.
    let command: CommandChannel?
    let sessions: Sessions
    let resolver = Resolver()
    let machine = Machine()
}
