import Foundation

/// The program to run, found as a shell would find it, and whether the tap can be put into it.
struct Program {
    /// Where its file is.
    let path: SystemString
    /// Its name and arguments, for messages.
    let words: [String]
    /// Its name and arguments, byte for byte.
    let arguments: [SystemString]
    /// Why the tap must stay out; nil where it can go in.
    let obstacle: Obstacle?

    /// What keeps the tap out of a program.
    enum Obstacle {
        /// No dynamic linker runs in it, so nothing can be loaded into it. Its children may be metered all the same.
        case isStatic
        /// The dynamic linker is another one than the tap was built for, and would stop the program.
        case foreignLinker(String)
        /// Another processor.
        case foreignProcessor
        /// The system drops preloaded libraries for programs that run with somebody else's rights.
        case setUserID

        /// Whether the tap must not even be offered, because the program would not start with it or would complain.
        var forbidsPreload: Bool {
            switch self {
            case .isStatic, .setUserID: false
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
            }
        }
    }

    /// A program by its name and arguments, which are the last ones of this process.
    init(_ words: [String]) throws(RunFailure) {
        self.words = words
        let own = UnsafeBufferPointer(start: CommandLine.unsafeArgv, count: Int(CommandLine.argc))
        arguments = own.suffix(words.count).map { $0.map { SystemString(copying: $0) } ?? [0] }
        path = try Self.find(arguments[0])
        obstacle = Self.obstacle(at: path, depth: 0)
    }

    private static func find(_ name: SystemString) throws(RunFailure) -> SystemString {
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

    // MARK: the file

    private static func obstacle(at path: SystemString, depth: Int) -> Obstacle? {
        var status = stat()
        if stat(path, &status) == 0 {
            let othersUser = status.st_mode & S_ISUID != 0 && status.st_uid != getuid()
            let othersGroup = status.st_mode & S_ISGID != 0 && status.st_gid != getgid()
            if othersUser || othersGroup { return .setUserID }
        }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        guard let head = try? file.read(upToCount: 4_096) else { return nil }
        if head.starts(with: Array("#!".utf8)), depth < 4 {
            let line = head.dropFirst(2).prefix { $0 != UInt8(ascii: "\n") }
            let words = String(decoding: line, as: UTF8.self).split(whereSeparator: { $0 == " " || $0 == "\t" })
            guard let interpreter = words.first else { return nil }
            // `#!/usr/bin/env NAME` runs NAME.
            if interpreter.hasSuffix("/env"), let name = words.dropFirst().first(where: { !$0.hasPrefix("-") }) {
                return (try? find(Array(String(name).utf8CString))).flatMap { obstacle(at: $0, depth: depth + 1) }
            }
            return obstacle(at: Array(String(interpreter).utf8CString), depth: depth + 1)
        }
        return ELFHead(Array(head)).flatMap { $0.obstacle }
    }
}

/// The begin of an ELF file, as far as it tells who will load it.
struct ELFHead {
    let is64Bit: Bool
    let machine: UInt16
    /// The dynamic linker that it asks for; nil where it asks for none.
    let interpreter: String?

    /// Reads the first bytes of a file; nil where they are no ELF file's.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= 64, bytes.starts(with: [0x7F, 0x45, 0x4C, 0x46]), bytes[5] == 1 else { return nil }
        func number(_ offset: Int, _ size: Int) -> Int? {
            guard offset >= 0, offset <= bytes.count - size else { return nil }
            let value = (0..<size).reduce(UInt64(0)) { $0 | UInt64(bytes[offset + $1]) << UInt64(8 * $1) }
            return Int(exactly: value)
        }
        is64Bit = bytes[4] == 2
        machine = UInt16(number(18, 2) ?? 0)
        var found: String?
        if is64Bit, let table = number(32, 8), let size = number(54, 2), let count = number(56, 2) {
            for index in 0..<count {
                let header = table.addingReportingOverflow(index * size).partialValue
                // PT_INTERP
                guard number(header, 4) == 3, let start = number(header &+ 8, 8), let length = number(header &+ 32, 8),
                    length > 0, start <= bytes.count, length <= bytes.count - start
                else { continue }
                found = String(decoding: bytes[start..<(start + length)].prefix { $0 != 0 }, as: UTF8.self)
            }
        }
        interpreter = found
    }

    var obstacle: Program.Obstacle? {
        #if arch(x86_64)
            let own: UInt16 = 62
        #elseif arch(arm64)
            let own: UInt16 = 183
        #else
            let own: UInt16 = 0
        #endif
        guard is64Bit, machine == own else { return .foreignProcessor }
        guard let interpreter else { return .isStatic }
        let name = interpreter.split(separator: "/").last.map(String.init) ?? interpreter
        return name.hasPrefix("ld-linux") ? nil : .foreignLinker(name)
    }
}
