import Dispatch
import NIOCore
import ProxyTLS

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

enum ProgramStatus {
    case success
    case failure(Int32)
}

/// A program whose clients are to use the proxy, each by the variables that it knows.
struct ProxiedProgram: Sendable {
    private let words: [String]
    private let host: String
    private let port: Int
    private let loop: any EventLoop
    private let authority: CertificateAuthority?
    private let inherited: InheritedDescriptors

    init(
        _ words: [String], _ server: ProxyServer, _ authority: CertificateAuthority?, _ inherited: InheritedDescriptors
    ) {
        self.authority = authority
        self.inherited = inherited
        self.words = words
        let isAny = server.address == "0.0.0.0" || server.address == "::"
        host = isAny ? "127.0.0.1" : server.address.contains(":") ? "[\(server.address)]" : server.address
        port = server.port
        loop = server.loop
    }

    /// Only the proxy is metered: what the program does besides is not.
    var environment: [String: String] {
        var all = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("WIREWEIGHT_") }
        let preloaded = (all["LD_PRELOAD"] ?? "").split { $0 == ":" || $0 == " " }
        let others = preloaded.filter { !$0.hasSuffix("/libWireweightPreload.so") }
        all["LD_PRELOAD"] = others.isEmpty ? nil : others.joined(separator: ":")
        let url = "http://\(host):\(port)"
        // curl reads `http_proxy` in small letters only, others in capitals only.
        for name in ["http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"] {
            all[name] = url
        }
        for name in ["no_proxy", "NO_PROXY"] { all[name] = nil }
        // Node from 24 on; git, npm and pip read the variables above.
        all["NODE_USE_ENV_PROXY"] = "1"
        let java = ["http", "https"].map { "-D\($0).proxyHost=\(host) -D\($0).proxyPort=\(port)" }
        let own = all["JAVA_TOOL_OPTIONS"].map { [$0] } ?? []
        let trust = authority.map { ProgramTrust($0).extend(&all) } ?? []
        all["JAVA_TOOL_OPTIONS"] = (own + java + ["-Dhttp.nonProxyHosts="] + trust).joined(separator: " ")
        return all
    }

    /// Runs it to its end, with the terminal and the signals.
    ///
    /// It gets a SIGHUP if the process `parent` is killed.
    func run(parent: Int32?) async -> ProgramStatus {
        // The terminal's signals are the program's; the proxy ends when the program has. What started the proxy may have had
        // them ignored, as a shell has it in the background: then the program ignores them, too, until it says otherwise.
        let keyboard = [SIGINT, SIGQUIT].filter { !Self.isIgnored($0) }
        for number in keyboard { signal(number) { _ in } }
        let arguments = words.map { strdup($0) } + [nil]
        let variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { (arguments + variables).forEach { free($0) } }
        var pid = pid_t()
        let code = spawn(&pid, arguments, variables, defaults: keyboard + [SIGPIPE])
        guard code == 0 else {
            Desk.say("cannot start '\(words[0])': \(String(cString: strerror(code))); give its path, or look at PATH")
            return .failure(code == ENOENT ? 127 : 126)
        }
        let child = pid
        let signals = await Stop.signals([SIGTERM, SIGHUP])
        if let parent { Parent.watch(parent, on: loop) }
        let passing = Task { for await number in signals { kill(child, number) } }
        let status = await Self.wait(for: pid)
        passing.cancel()
        let number = status & 0x7F
        if number != 0 { return .failure(128 + number) }
        let exitStatus = (status >> 8) & 0xFF
        return exitStatus == 0 ? .success : .failure(exitStatus)
    }

    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        sigaction(number, nil, &action)
        #if canImport(Glibc)
            let handler = action.__sigaction_handler.sa_handler
        #else
            let handler = action.__sigaction_u.__sa_handler
        #endif
        return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    /// Starts it with those signals as they are by default: the channels ignore SIGPIPE.
    private func spawn(
        _ pid: inout pid_t, _ arguments: [UnsafeMutablePointer<CChar>?], _ variables: [UnsafeMutablePointer<CChar>?],
        defaults: [Int32]
    ) -> Int32 {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in defaults { sigaddset(&signals, number) }
        posix_spawnattr_setsigdefault(&attributes, &signals)
        // A thread of the pool blocks most signals.
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        inherited.closeOthers(&actions)
        return posix_spawnp(&pid, words[0], &actions, &attributes, arguments, variables)
    }

    private static func wait(for pid: pid_t) async -> Int32 {
        await withCheckedContinuation { continuation in
            DispatchQueue(label: "program").async {
                var status: Int32 = 0
                while waitpid(pid, &status, 0) < 0, errno == EINTR {}
                continuation.resume(returning: status)
            }
        }
    }
}
