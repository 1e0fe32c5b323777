import ArgumentParser
import Foundation
import MachineExamination
import TrafficPipeline
import URLTemplates

/// `wireweight proxy`: meters what cannot be metered from inside, such as a phone's apps.
struct ProxyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "proxy",
        abstract: "Meter phones, browsers and other programs through a proxy.",
        discussion: """
            A device or program that is pointed at the proxy is metered on its own side of it, exact to the byte: HTTP \
            request by request, and each TLS connection as a whole, which is passed on unopened, unless --open-tls is given. The proxy passes on \
            what came; it changes what a proxy must: the target's form, Host where it differs from the target, and \
            fields whose names begin with Proxy-. It speaks HTTP/1.1, CONNECT and SOCKS5.

            An exchange has two legs: reports weigh the device's, and 'show' has the server's beside it. A row's process \
            is the device's address.

            With --open-tls, 'wireweight proxy trust' shows how devices come to trust this machine's authority, 'wireweight \
            proxy trust --install' lets this system trust it, and 'wireweight proxy untrust' takes both back.

            Example: wireweight proxy --db phone.db --for-devices
            Example: wireweight proxy --db java.db -- java -jar app.jar
            Then: wireweight report phone.db --by device

            More: docs/proxy.md
            """)

    @Option(
        help: ArgumentHelp("Keep the exchanges in this file; it is created if it does not exist.", valueName: "file"))
    var db: String?

    @Option(
        help: ArgumentHelp(
            "Listen on this address and port, or on this port; 0 is any that is free. 127.0.0.1:8899 if left out.",
            valueName: "address:port"))
    var listen: String?

    @Flag(
        help: ArgumentHelp(
            "Listen on the local network, for phones and other devices.",
            discussion:
                "A device is let in when you type its address on the terminal, on the page of '--inspect', or by '--allow'."
        ))
    var forDevices = false

    @Option(
        help: ArgumentHelp(
            "Let this device in, such as 192.168.1.23 or 192.168.1.0/24; may be given several times.",
            valueName: "address"))
    var allow: [String] = []

    @Flag(help: "Let clients reach link-local addresses, too, such as 169.254.169.254.")
    var allowLinkLocal = false

    @Flag(
        help: ArgumentHelp(
            "Open TLS, to weigh each request of https:// by itself.",
            discussion: """
                Devices must trust this machine's own authority, which is made on first use; 'wireweight proxy trust' \
                shows it. A program that is given here trusts it by its environment. Servers' certificates are checked.
                """))
    var openTls = false

    @Option(
        help: ArgumentHelp(
            "Leave this host unopened, such as '*.bank.example'; may be given several times.", valueName: "host"))
    var closed: [String] = []

    @Option(
        help: ArgumentHelp(
            "Trust servers and https upstream proxies whose certificates an authority of this file has signed, too.",
            valueName: "file"))
    var upstreamCa: String?

    @Option(
        help: ArgumentHelp(
            "Reach servers through this proxy: http://host:port, https://host:port or socks5://host:port, or 'none'.",
            discussion: """
                If left out, http_proxy, https_proxy and all_proxy of the environment name it. no_proxy lists hosts \
                that are reached without it.
                """,
            valueName: "url"))
    var upstreamProxy: String?

    @Option(
        help: ArgumentHelp(
            "Let devices be as on another network: edge, 2g, 3g-slow, 3g, 3g-fast, 4g, lte, dsl or loss.",
            discussion: """
                Or figures of your own, also after a name: '3g,loss=1', 'down=2M,up=500k,rtt=120'. Only the devices' side \
                is slower; their rows have the network 'simulated 3g', by which reports group and filters choose.
                """,
            valueName: "profile"))
    var profile: String?

    @Option(help: ArgumentHelp("Take at most this many connections at once; 10,000 if left out.", valueName: "n"))
    var mostConnections: Int?

    @Option(
        help: ArgumentHelp(
            "Use this many threads; as many as there are processors, at most 4, if left out.", valueName: "n"))
    var threads: Int?

    @Flag(
        help: ArgumentHelp(
            "Make the search index while the file is written.",
            discussion: "Otherwise it is made when a file of 100,000 exchanges or more is first searched."))
    var searchIndex = false

    @OptionGroup var printing: FormatOptions<TextOrJSON>

    @Option(help: ArgumentHelp("Write the summary to this file instead of standard error.", valueName: "file"))
    var output: String?

    @Flag(help: "Show the traffic live in a browser.")
    var inspect = false

    @Option(help: ArgumentHelp("The page's port; 0 for any that is free.", valueName: "port"))
    var inspectPort: UInt16 = 0

    @OptionGroup var projectOptions: ProjectOptions

    @OptionGroup var style: StyleOptions

    @Argument(
        parsing: .captureForPassthrough,
        help: "A program to start with the proxy in its environment; the proxy ends with it.")
    var command: [String] = []

    private var words: [String] { ProgramWords.of(command) }

    func validate() throws {
        try ProgramWords.check(command, for: self)
        guard mostConnections ?? 1 > 0 else { throw ValidationError("'--most-connections' must be at least 1") }
        guard threads ?? 1 > 0 else { throw ValidationError("'--threads' must be at least 1") }
    }

    /// What the proxy itself is given; it checks these.
    private func proxyArguments(_ channel: ProxyChannel) -> [String] {
        var all = ["--parent", String(getpid()), "--channel", String(channel.remote)]
        if let mostConnections { all += ["--most-connections", String(mostConnections)] }
        if let threads { all += ["--threads", String(threads)] }
        // Several programs may run at once.
        if listen == nil, !forDevices, !words.isEmpty { all += ["--listen", "0"] }
        if let listen { all += ["--listen", listen] }
        if forDevices { all.append("--for-devices") }
        for device in allow { all += ["--allow", device] }
        if openTls { all.append("--open-tls") }
        for host in closed { all += ["--closed", host] }
        if let upstreamCa { all += ["--upstream-ca", upstreamCa] }
        if let profile { all += ["--profile", profile] }
        if let upstreamProxy { all += ["--upstream-proxy", upstreamProxy] }
        if allowLinkLocal { all.append("--allow-link-local") }
        return words.isEmpty ? all : all + ["--"]
    }

    func run() throws {
        if let trust = AuthorityCommand(command) { return try trust.run() }
        let project = try projectOptions.file()
        let rules = TrafficPipeline.Rules(
            hosts: HostFilter(include: project?.hosts ?? []),
            templates: URLTemplate(given: try (project?.templates ?? []).map { try TemplatePattern($0) }),
            redactor: Redactor(names: SecretNames(extra: project?.secrets ?? [])))
        let kept = db == nil ? KeptRuns()?.begin() : nil
        let session: RunSession
        let summary: SummaryOutput
        let ending: ProgramEnding
        do throws(RunFailure) {
            let path = try InstalledFile.find("wireweight-proxy", target: "proxy")
            let channel = try ProxyChannel()
            let proxy = try Program(path: path, arguments: proxyArguments(channel), last: words.count)
            summary = try SummaryOutput(path: output, storePath: db)
            session = try RunSession(
                storePath: db ?? kept, isNamed: db != nil, keepBodies: 0, digests: true, onlyLibcurl: false,
                rules: rules, choosesHosts: project?.hosts.isEmpty == false, projectPath: project?.path,
                keepsSearchIndex: searchIndex, proxy: channel, deviceNetwork: profile.map { "simulated \($0)" })
            if let db { KeptRuns()?.remember(db) }
            if inspect { try session.inspect(port: inspectPort) }
            do throws(RunFailure) {
                ending = try session.run(proxy, status: LiveStatus(isWanted: false, hasTable: false))
            } catch {
                session.close()
                throw error
            }
        } catch {
            Terminal.complain(error.message)
            throw ExitCode(error.status)
        }
        session.finish()
        // A proxy that could not start has said why.
        let passedOn = session.passedOn(of: words.first)
        let hasRun = ending.isSuccess || passedOn.hasRequests
        let failure = hasRun ? summary.write(passedOn, json: printing.format == .json) : nil
        if ending.isSuccess { session.holdPage() }
        session.close()
        if let failure {
            Terminal.complain(failure.message)
            if ending.isSuccess { throw ExitCode(failure.status) }
        }
        ending.endLikeChild()
    }
}
