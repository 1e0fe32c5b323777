internal import Diagnosis

/// Whether a program can be metered, why, and what the user can do.
package struct ProgramDiagnosis {
    /// Whether the program can be metered.
    package enum Verdict: String {
        /// The program is linked with libcurl, or with sockets and a TLS library that the tap knows.
        case yes
        /// The program may load such a library later, or start programs that use one.
        case maybe
        /// The program's traffic cannot be seen.
        case no
    }

    package let path: String
    package let interpreters: [String]
    package let verdict: Verdict
    package let reason: String
    /// The path of the libcurl that the program is linked with; nil if there is none.
    package let libcurl: String?
    package let advice: String?

    /// Examines a program without running it.
    package init(_ program: Program, _ search: LibrarySearch = LibrarySearch()) {
        let file = program.file
        path = program.path.shown
        interpreters = file.interpreters
        let links = file.elf.map { ProgramLinks($0, at: file.path, search) }
        libcurl = links?.libcurl
        let subject = file.interpreters.isEmpty ? "it" : "its interpreter '\(file.path)'"
        if let obstacle = file.obstacle {
            verdict = .no
            reason = obstacle.explanation
            advice = obstacle.advice
            return
        }
        guard let elf = file.elf, let links else {
            verdict = .maybe
            reason =
                file.isReadable
                ? "it is not an ELF file; a shell runs it, and the programs that it starts are metered"
                : "its file cannot be read"
            advice =
                file.isReadable ? "Examine the programs that it starts." : "Run the doctor as a user who may read it."
            return
        }
        if let way = links.wayToLibcurl {
            verdict = .yes
            reason = "\(subject) is linked with \(way.reversed().joined(separator: ", through "))"
            advice = nil
        } else if let stack = HTTPStack(elf, name: Self.name(file.path), links.libraries) {
            verdict = stack.isAlone ? .no : .maybe
            reason = "\(subject) is \(stack.title); \(stack.explanation)"
            advice = stack.advice
        } else if let library = HTTPStack.tlsLibrary(of: links.libraries), !elf.isDamaged {
            verdict = .yes
            reason = "\(subject) is linked with \(library); its HTTP through sockets and that library is metered"
            advice = nil
        } else if elf.isDamaged {
            verdict = .maybe
            reason = "\(subject) is damaged or truncated"
            advice = "Install it again."
        } else if links.loadsLater {
            verdict = .maybe
            reason =
                "\(subject) can load libcurl, OpenSSL or GnuTLS later; what goes through them, HTTP through sockets, "
                + "and the programs that it starts are metered"
            advice = "Run it under 'wireweight run', which says what was metered."
        } else if let helper = Helper(of: Self.name(file.path), search) {
            verdict = .yes
            reason = "it starts '\(helper.path)' for HTTP, which is linked with \(helper.library)"
            advice = nil
        } else if !elf.imports.isDisjoint(with: Self.starters) {
            verdict = .maybe
            reason =
                "\(subject) does not use libcurl itself; its HTTP in the clear and the programs that it starts are "
                + "metered"
            advice = "Run the doctor on those programs."
        } else if elf.imports.contains("connect") {
            verdict = .maybe
            reason = "\(subject) calls sockets itself: its HTTP in the clear is metered"
            advice = "Run it under 'wireweight run', which says what was metered."
        } else {
            verdict = .no
            reason = "\(subject) is not linked with a shared libcurl and cannot load one"
            advice =
                "Any HTTP it uses does not go through libcurl. Let it write a HAR, and run 'wireweight import' on it."
        }
    }

    /// The C functions that start other programs.
    private static let starters: Set<String> = [
        "execve", "execv", "execvp", "execvpe", "execl", "execlp", "execle", "fexecve", "posix_spawn", "posix_spawnp",
        "popen", "system",
    ]

    private static func name(_ path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }
}

extension Program.Obstacle {
    /// What the user can do.
    var advice: String {
        switch self {
        case .isStatic: "Link it dynamically, or meter the programs that it starts."
        case .foreignLinker: "Use a build for glibc."
        case .foreignProcessor: "Use a build for this machine's processor."
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

/// An HTTP implementation that does not use libcurl.
private struct HTTPStack {
    let title: String
    let explanation: String
    package let advice: String
    /// Whether programs with this stack usually send nothing through libcurl.
    let isAlone: Bool

    /// The TLS library among these that the tap knows; nil if there is none.
    static func tlsLibrary(of libraries: Set<String>) -> String? {
        libraries.sorted().first { library in
            ["libssl.so.3", "libssl.so.1.1", "libgnutls.so.30"].contains { library.hasPrefix($0) }
        }
    }

    /// Recognises the HTTP stack of a program; nil for most programs.
    init?(_ elf: ELFFile, name: String, _ libraries: Set<String>) {
        func links(_ prefix: String) -> Bool { libraries.contains { $0.hasPrefix(prefix) } }
        let har = "Let it, or a proxy, write a HAR, and 'wireweight import' that."
        if elf.isGo {
            self.init("a Go program", "Go's net/http does not use libcurl", har, isAlone: true)
        } else if name == "node" || name == "nodejs" || links("libnode") {
            self.init(
                "Node",
                "its HTTP in the clear is metered, but its TLS is a part of it, so of HTTPS only connections are shown",
                har, isAlone: false)
        } else if name == "java" || links("libjvm") || links("libjli") {
            self.init(
                "a Java virtual machine",
                "its HTTP in the clear is metered, but its TLS is written in Java, so of HTTPS only connections are shown",
                har, isAlone: false)
        } else if name.hasPrefix("python") || links("libpython") {
            self.init(
                "Python",
                "pycurl is metered, and so is HTTP of urllib, requests, httpx and aiohttp, with Python's own OpenSSL",
                "Run it under 'wireweight run', which says what was metered.", isAlone: false)
        } else {
            return nil
        }
    }

    private init(_ title: String, _ explanation: String, _ advice: String, isAlone: Bool) {
        self.title = title
        self.explanation = explanation
        self.advice = advice
        self.isAlone = isAlone
    }
}
