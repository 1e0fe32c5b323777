import ArgumentParser
import NIOCore
import NIOPosix
import ProxyTLS
import ProxyWire

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The proxy that `wireweight proxy` starts, metered by the tap like any other program.
@main
struct WireweightProxy: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "wireweight-proxy",
        abstract: "The proxy of 'wireweight proxy', which starts and meters it.",
        discussion: "Alone it passes traffic on and meters nothing. 'wireweight proxy --help' describes the options.")

    @OptionGroup var listening: ListeningOptions

    @OptionGroup var opening: OpeningOptions

    @Option(help: .hidden)
    var authority: AuthorityAction?

    @Argument(parsing: .captureForPassthrough)
    var command: [String] = []

    static func main() async {
        let failure = await failure()
        Desk.finish()
        if let failure { exit(withError: failure) }
    }

    private static func failure() async -> (any Error)? {
        do {
            var command = try parseAsRoot()
            if var command = command as? any AsyncParsableCommand { try await command.run() } else { try command.run() }
            return nil
        } catch {
            // The options are those of 'wireweight proxy', and so is its help.
            let status = exitCode(for: error)
            guard status == .validationFailure else { return error }
            Desk.say(message(for: error))
            return status
        }
    }

    func validate() throws {
        if opening.upstreamCa != nil, !opening.openTls, try !listening.chain().usesTLS {
            throw ValidationError(
                "'--upstream-ca' is for '--open-tls', or for an upstream proxy that is reached by https; add one of them"
            )
        }
    }

    func run() async throws {
        if let authority {
            do { return try authority.run() } catch let failure as CertificateAuthority.Failure {
                Desk.say(failure.description)
                throw ExitCode(69)
            }
        }
        let inherited = InheritedDescriptors()
        let words = command.first == "--" ? Array(command.dropFirst()) : command
        let desk = Desk()
        let channel = listening.channel.map(CommandChannel.init)
        let gate = Gate(
            try listening.reach(),
            ask: { device in
                desk.ask(device)
                channel?.say(asks: device)
            }, admitted: { channel?.say(admitted: $0) })
        channel?.listen { Desk.admit($0, to: gate) }
        var settings = ProxyServer.Settings()
        let place = try listening.place()
        settings.host = place.host
        settings.port = Int(place.port)
        settings.mostConnections = max(1, min(listening.mostConnections, (raiseDescriptorLimit() - 200) / 2))
        settings.servesDevices = listening.forDevices || IPAddress(place.host)?.isLoopback == false
        settings.chain = try listening.chain()
        settings.conditions = try listening.conditions()
        let opener: TunnelOpener?
        let trust: TLSTrust?
        do {
            opener = try opening.opener()
            trust = try opening.trust(for: settings.chain)
        } catch {
            Desk.say("\(error)")
            throw ExitCode(69)
        }
        let server: ProxyServer
        do {
            server = try await ProxyServer.start(
                settings, gate: gate, opener: opener, trust: trust, command: channel, threads: listening.threads)
        } catch {
            let reason = (error as? IOError).map { String(cString: strerror($0.errnoCode)) } ?? "\(error)"
            Desk.say("cannot listen on \(place.host):\(place.port): \(reason); choose another port with '--listen'")
            throw ExitCode(69)
        }
        desk.announce(settings.chain)
        if let conditions = settings.conditions { desk.announce(conditions) }
        let ending: ProgramStatus
        if words.isEmpty {
            let signals = await Stop.signals(Stop.numbers)
            desk.announce(server)
            desk.listen(to: gate)
            if let parent = listening.parent { Parent.watch(parent, on: server.loop) }
            for await _ in signals { break }
            ending = .success
        } else {
            // Where the proxy listens at another address than loopback's, the program comes from that one.
            if let own = IPAddress(server.address), !own.isLoopback, !own.isUnspecified {
                gate.allow(AddressRange(own))
            }
            let program = ProxiedProgram(words, server, opener?.contexts.authority, inherited)
            ending = await program.run(parent: listening.parent)
        }
        await server.stop()
        if case .failure(let status) = ending { throw ExitCode(status) }
    }

    /// How many descriptors there may be; each connection of a client takes two.
    private func raiseDescriptorLimit() -> Int {
        var limit = rlimit()
        #if os(Linux)
            let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
            let kind = RLIMIT_NOFILE
        #endif
        guard getrlimit(kind, &limit) == 0 else { return 1024 }
        let before = limit.rlim_cur
        limit.rlim_cur = min(limit.rlim_max, 1 << 16)
        return Int(clamping: setrlimit(kind, &limit) == 0 ? limit.rlim_cur : before)
    }
}
