package import CurlObserver
internal import Foundation

/// The program to run, found as a shell would find it, and whether the tap can be loaded into it.
package struct Program {
    /// The path of its file.
    package let path: SystemString
    /// Its name and arguments, for messages.
    package let words: [String]
    /// Its name and arguments, byte for byte.
    package let arguments: [SystemString]
    /// The facts that its file reveals.
    package let file: ProgramFile

    /// Why the tap cannot be loaded into the program; nil if it can.
    package var obstacle: Obstacle? { file.obstacle }

    /// A reason why the tap cannot be loaded into a program, or sees nothing there.
    package enum Obstacle: Hashable {
        /// The program is static: no dynamic linker could load the tap.
        ///
        /// Its child processes may still be metered.
        case isStatic
        /// The Go tool chain made the program: it makes its system calls itself, past the functions that the tap hooks.
        case isGo
        /// The program uses another dynamic linker than the tap was built for, which would refuse to start the program.
        case foreignLinker(String?)
        /// The program is for another processor.
        case foreignProcessor
        /// The program is setuid or setgid: it runs with another user's rights, so the system drops preloaded
        /// libraries.
        case setUserID
        /// The file has capabilities, as `ping` may have; the system drops preloaded libraries here, too.
        case hasCapabilities
        /// The program was started with an environment that does not name the tap.
        case clearedEnvironment

        /// Its name in machine formats.
        package var reason: UnmeteredProgram.Reason {
            switch self {
            case .isStatic: .isStatic
            case .isGo: .isGo
            case .setUserID: .setUserID
            case .hasCapabilities: .capabilities
            case .foreignProcessor: .processor
            case .foreignLinker: .linker
            case .clearedEnvironment: .environment
            }
        }

        /// The obstacle that a metered program has found in one that it started.
        package init(_ reason: UnmeteredProgram.Reason) {
            self =
                switch reason {
                case .isStatic: .isStatic
                case .isGo: .isGo
                case .setUserID: .setUserID
                case .capabilities: .hasCapabilities
                case .processor: .foreignProcessor
                case .linker: .foreignLinker(nil)
                case .environment: .clearedEnvironment
                }
        }

        /// Whether the environment must not even name the tap, because the program would complain or not start.
        package var forbidsPreload: Bool {
            switch self {
            case .isStatic, .isGo, .setUserID, .hasCapabilities, .clearedEnvironment: false
            case .foreignLinker, .foreignProcessor: true
            }
        }

        package var explanation: String {
            switch self {
            case .isStatic: "it is statically linked, so nothing can be loaded into it"
            case .isGo: "it is a Go program, which makes its system calls itself, so nothing in it can be hooked"
            case .foreignLinker(let name):
                "it uses \(name.map { "the dynamic linker '\($0)'" } ?? "another dynamic linker"), but the tap is built for "
                    + "glibc's"
            case .foreignProcessor: "it is built for another processor than the tap"
            case .setUserID:
                "it runs with another user's or group's rights, so the system ignores preloaded libraries"
            case .hasCapabilities:
                "its file has capabilities (see getcap), so the system ignores preloaded libraries"
            case .clearedEnvironment: "it was started with a cleared environment, which no longer names the tap"
            }
        }
    }

    /// Makes a program from its name and arguments, which must be the last arguments of this process.
    package init(_ words: [String]) throws(RunFailure) {
        self.words = words
        let own = UnsafeBufferPointer(start: CommandLine.unsafeArgv, count: Int(CommandLine.argc))
        arguments = own.suffix(words.count).map { $0.map { SystemString(copying: $0) } ?? [0] }
        path = try Self.find(arguments[0])
        file = ProgramFile(path)
    }

    /// Makes a program of that path with those arguments, and then the last `count` arguments of this process.
    package init(path: String, arguments given: [String], last count: Int) throws(RunFailure) {
        let own = UnsafeBufferPointer(start: CommandLine.unsafeArgv, count: Int(CommandLine.argc))
        words = [path] + given
        arguments =
            words.map { SystemString($0.utf8CString) }
            + own.suffix(count).map { $0.map { SystemString(copying: $0) } ?? [0] }
        self.path = try Self.find(arguments[0])
        file = ProgramFile(self.path)
    }

    /// Makes a program that is examined but not run.
    package init(name: String) throws(RunFailure) {
        words = [name]
        arguments = [SystemString(name.utf8CString)]
        path = try Self.find(arguments[0])
        file = ProgramFile(path)
    }

    /// Returns the file with that path, or with that name in the folders of `PATH`, as a shell finds it.
    package static func find(_ name: SystemString) throws(RunFailure) -> SystemString {
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
