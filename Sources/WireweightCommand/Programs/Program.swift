import Foundation

/// The program to run, found as a shell would find it, and whether the tap can be put into it.
struct Program {
    /// Where its file is.
    let path: SystemString
    /// Its name and arguments, for messages.
    let words: [String]
    /// Its name and arguments, byte for byte.
    let arguments: [SystemString]
    /// What its file tells.
    let file: ProgramFile

    /// Why the tap must stay out; nil where it can go in.
    var obstacle: Obstacle? { file.obstacle }

    /// What keeps the tap out of a program.
    enum Obstacle: Hashable {
        /// No dynamic linker runs in it, so nothing can be loaded into it. Its children may be metered all the same.
        case isStatic
        /// The dynamic linker is another one than the tap was built for, and would stop the program.
        case foreignLinker(String)
        /// Another processor.
        case foreignProcessor
        /// The system drops preloaded libraries for programs that run with somebody else's rights.
        case setUserID
        /// The same holds for those that have rights of their own, such as `ping`.
        case hasCapabilities

        /// Whether the tap must not even be offered, because the program would not start with it or would complain.
        var forbidsPreload: Bool {
            switch self {
            case .isStatic, .setUserID, .hasCapabilities: false
            case .foreignLinker, .foreignProcessor: true
            }
        }

        var explanation: String {
            switch self {
            case .isStatic: "it is statically linked, so nothing can be loaded into it"
            case .foreignLinker(let name): "it uses the dynamic linker '\(name)', and the tap is built for glibc's"
            case .foreignProcessor: "it is built for another processor than the tap"
            case .setUserID:
                "it runs with another user's or group's rights, and the system drops preloaded libraries then"
            case .hasCapabilities:
                "its file has capabilities (see getcap), and the system drops preloaded libraries then"
            }
        }
    }

    /// A program by its name and arguments, which are the last ones of this process.
    init(_ words: [String]) throws(RunFailure) {
        self.words = words
        let own = UnsafeBufferPointer(start: CommandLine.unsafeArgv, count: Int(CommandLine.argc))
        arguments = own.suffix(words.count).map { $0.map { SystemString(copying: $0) } ?? [0] }
        path = try Self.find(arguments[0])
        file = ProgramFile(path)
    }

    /// A program that is looked at, and not run.
    init(name: String) throws(RunFailure) {
        words = [name]
        arguments = [SystemString(name.utf8CString)]
        path = try Self.find(arguments[0])
        file = ProgramFile(path)
    }

    /// The file of that path or name, looked for on the path as a shell does.
    static func find(_ name: SystemString) throws(RunFailure) -> SystemString {
        let hasSlash = name.contains(CChar(bitPattern: UInt8(ascii: "/")))
        let folders =
            hasSlash
            ? [""]
            : (Environment.current.value(of: "PATH") ?? "/usr/local/bin:/usr/bin:/bin").split(
                separator: ":", omittingEmptySubsequences: false
            ).map { $0.isEmpty ? "./" : "\($0)/" }
        var isThere = false
        for folder in folders {
            let candidate = folder.utf8.map { CChar(bitPattern: $0) } + name
            var status = stat()
            guard stat(candidate, &status) == 0 else { continue }
            isThere = true
            guard status.st_mode & S_IFMT == S_IFREG, access(candidate, X_OK) == 0 else { continue }
            return candidate
        }
        let shown = name.shown
        throw isThere
            ? RunFailure("'\(shown)' cannot be run: it is a folder or not executable", status: 126)
            : RunFailure("there is no program '\(shown)'; give its path, or look at PATH", status: 127)
    }
}
