internal import Diagnosis

/// What of a program's traffic can be metered, why, and what the user can do.
package struct ProgramDiagnosis {
    /// Whether the program can be metered.
    package enum Verdict: String {
        /// The program is linked with a library that the tap knows, or loads one.
        case yes
        /// Only a part of its traffic can be metered, or it depends on what it loads and starts.
        case maybe
        /// The program's traffic cannot be seen.
        case no
    }

    /// How much `run` will see of the program's HTTP.
    package enum Metering: String {
        /// Each message, to the byte.
        case exact
        /// Of HTTPS only the connections: their hosts and the kernel's count of bytes.
        case connectionBytes = "connection-bytes"
        /// Nothing at all.
        case nothing
    }

    package let path: String
    package let interpreters: [String]
    package let verdict: Verdict
    /// How much will be seen; nil if the program's file does not show it.
    package let metering: Metering?
    package let reason: String
    /// The path of the libcurl that the program is linked with; nil if there is none.
    package let libcurl: String?
    package let advice: String?

    /// Examines a program without running it.
    package init(_ program: Program, _ search: LibrarySearch = LibrarySearch()) {
        let file = program.file
        let links = file.elf.map { ProgramLinks($0, at: file.path, search) }
        let finding = Finding.make(program, links, search)
        path = program.path.shown
        interpreters = file.interpreters
        libcurl = links?.libcurl
        verdict = finding.verdict
        metering = finding.metering
        reason = finding.reason
        advice = finding.advice
    }
}

/// The answer to the question what of a program can be metered.
private struct Finding {
    var verdict: ProgramDiagnosis.Verdict
    var metering: ProgramDiagnosis.Metering?
    var reason: String
    var advice: String?

    static func make(_ program: Program, _ links: ProgramLinks?, _ search: LibrarySearch) -> Finding {
        let file = program.file
        let subject = file.interpreters.isEmpty ? "it" : "its interpreter '\(file.path)'"
        let names = [name(program.path.shown), name(file.path)]
        if let obstacle = file.obstacle {
            return Finding(
                verdict: .no, metering: .nothing, reason: obstacle.explanation, advice: obstacle.advice)
        }
        if HTTPStack.isOnNSS(names[0]) {
            return .dependent("it is Firefox, whose TLS is NSS: its HTTP is metered, except over QUIC")
        }
        if let stack = HTTPStack.startedByScript(names[0]) { return .connections(of: stack, subject: "it") }
        guard let elf = file.elf, let links else { return .ofUnknownFile(isReadable: file.isReadable) }
        if EmbeddedTLS.hasNames(in: file.path) {
            let reason =
                "\(subject) has OpenSSL or BoringSSL inside it, whose functions have names; its HTTP through sockets and "
                + "that library is metered"
            guard let other = EmbeddedTLS.unknown(in: file.path) else { return .known(reason) }
            return .dependent(
                "\(reason), but of HTTPS through \(other), which it has as well, only connections are shown")
        }
        if let stack = HTTPStack.own(names[1], links.libraries) { return .connections(of: stack, subject: subject) }
        if let way = links.wayToLibcurl {
            return .known("\(subject) is linked with \(way.reversed().joined(separator: ", through "))")
        }
        if elf.isDamaged {
            return Finding(
                verdict: .maybe, metering: nil, reason: "\(subject) is damaged or truncated",
                advice: "Install it again.")
        }
        if let library = HTTPStack.knownTLS(of: links.libraries) {
            return .known("\(subject) is linked with \(library); its HTTP through sockets and that library is metered")
        }
        if let stack = HTTPStack.unknownTLS(of: links.libraries) ?? EmbeddedTLS.find(in: [file.path] + links.runtimes) {
            return .connections(of: stack, subject: subject)
        }
        if let language = HTTPStack.language(names[1], links.libraries) {
            return .known(
                "\(subject) is \(language), whose modules load OpenSSL or libcurl later; its HTTP through sockets and "
                    + "these libraries is metered")
        }
        if links.loadsLater {
            return .dependent(
                "\(subject) can load libcurl or a TLS library later; what goes through them, its HTTP in the clear, and "
                    + "the programs that it starts are metered")
        }
        if let helper = Helper(of: names[1], search) {
            return .known("it starts '\(helper.path)' for HTTP, which is linked with \(helper.library)")
        }
        if !links.imports.isDisjoint(with: starters) {
            return .dependent(
                "\(subject) does not use a TLS library itself; its HTTP in the clear and the programs that it starts are "
                    + "metered", advice: "Run the doctor on those programs.")
        }
        if links.imports.contains("connect") {
            return .dependent("\(subject) calls sockets itself: its HTTP in the clear is metered")
        }
        return Finding(
            verdict: .no, metering: .nothing,
            reason: "\(subject) is linked with no HTTP or TLS library, and imports no function that opens a connection",
            advice: "If it uses HTTP, it makes its system calls itself. \(Remedy.proxy)")
    }

    private static func known(_ reason: String) -> Finding {
        Finding(verdict: .yes, metering: .exact, reason: reason, advice: nil)
    }

    private static func dependent(
        _ reason: String, advice: String = "Run it under 'wireweight run', which says what was not metered."
    ) -> Finding {
        Finding(verdict: .maybe, metering: .exact, reason: reason, advice: advice)
    }

    private static func connections(of stack: HTTPStack, subject: String) -> Finding {
        Finding(
            verdict: .maybe, metering: .connectionBytes,
            reason:
                "\(subject) \(stack.title); its HTTP in the clear is metered, but of HTTPS only connections are shown",
            advice: stack.advice)
    }

    private static func ofUnknownFile(isReadable: Bool) -> Finding {
        isReadable
            ? .dependent(
                "it is not an ELF file; a shell runs it, and the programs that it starts are metered",
                advice: "Run the doctor on the programs that it starts.")
            : Finding(
                verdict: .maybe, metering: nil, reason: "its file cannot be read",
                advice: "Run the doctor as a user who may read it.")
    }

    /// The C functions that start other programs.
    private static let starters: Set<String> = [
        "execve", "execv", "execvp", "execvpe", "execl", "execlp", "execle", "fexecve", "execveat", "posix_spawn",
        "posix_spawnp", "popen", "system",
    ]

    private static func name(_ path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }
}

extension Program.Obstacle {
    /// What the user can do.
    package var advice: String {
        switch self {
        case .isStatic: "Use a build that is linked dynamically. The programs that it starts are metered."
        case .isGo: "\(Remedy.proxy) The programs that it starts are metered."
        case .foreignLinker: "Use a build for glibc."
        case .foreignProcessor: "Use a build for this machine's processor."
        case .clearedEnvironment:
            "Put what clears the environment before 'wireweight run'; in a script, hand on LD_PRELOAD and the variables "
                + "that begin with WIREWEIGHT_, as in 'env -i LD_PRELOAD=\"$LD_PRELOAD\" "
                + "WIREWEIGHT_SOCKET=\"$WIREWEIGHT_SOCKET\" PROGRAM'."
        case .setUserID, .hasCapabilities: "As the user that it switches to, run a copy without these rights."
        }
    }
}

/// A program that another one starts for its HTTP requests.
private struct Helper {
    package let path: String
    let library: String

    /// Finds the helper of a program with a given name; nil for most programs.
    init?(of name: String, _ search: LibrarySearch) {
        guard name == "git" else { return nil }
        for folder in ["/usr/lib/git-core", "/usr/libexec/git-core", "/usr/local/libexec/git-core"] {
            let path = "\(folder)/git-remote-http"
            guard let file = FilePieces(path), let elf = ELFFile({ file.read($0, $1) }),
                let library = ProgramLinks(elf, at: path, search).wayToLibcurl?.last
            else { continue }
            self.path = path
            self.library = library
            return
        }
        return nil
    }
}
