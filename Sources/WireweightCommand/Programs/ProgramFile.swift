import Foundation
import Wireweight

/// What a program's file tells: which file it is that runs in the end, and whether the tap can be put into it.
struct ProgramFile {
    /// The file that the kernel loads: the program's own, or its interpreter's.
    let path: String
    /// The interpreters of scripts, from the script's own on; empty for what is no script.
    let interpreters: [String]
    /// What it is; nil where it cannot be read or is no ELF file.
    let elf: ELFFile?
    /// Why the tap must stay out; nil where it can go in, and where nobody can say.
    let obstacle: Program.Obstacle?
    /// Whether the file can be read.
    let isReadable: Bool

    /// Looks at a file, and at the interpreters that it names.
    init(_ start: SystemString) {
        var path = start
        var interpreters: [String] = []
        var file = FilePieces(path)
        // The kernel follows four, and then gives up.
        while interpreters.count < 4, let next = file?.interpreter {
            guard let found = try? Program.find(next) else { break }
            interpreters.append(found.shown)
            path = found
            file = FilePieces(path)
        }
        self.path = path.shown
        self.interpreters = interpreters
        isReadable = file != nil
        elf = file.flatMap { file in ELFFile { file.read($0, $1) } }
        // A script's own bits mean nothing, for it is its interpreter that runs.
        obstacle = Self.rights(of: path) ?? elf?.obstacle
    }

    private static func rights(of path: SystemString) -> Program.Obstacle? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        let othersUser = status.st_mode & S_ISUID != 0 && status.st_uid != getuid()
        let othersGroup = status.st_mode & S_ISGID != 0 && status.st_gid != getgid()
        if othersUser || othersGroup { return .setUserID }
        // Who is root has them all anyway, and the system makes no difference then.
        return getuid() != 0 && hasCapabilities(path) ? .hasCapabilities : nil
    }
}

/// Whether a file gives capabilities to who runs it.
///
/// The module of the C library does not have the function that tells.
private func hasCapabilities(_ path: SystemString) -> Bool {
    guard let found = dlsym(nil, "getxattr") else { return false }
    typealias Function =
        @convention(c) (UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafeMutableRawPointer?, Int) -> Int
    return unsafeBitCast(found, to: Function.self)(path, "security.capability", nil, 0) > 0
}

extension FilePieces {
    /// The interpreter that a script names in its first line; nil for what is no script.
    fileprivate var interpreter: SystemString? {
        let head = read(0, 4_096)
        guard head.starts(with: Array("#!".utf8)) else { return nil }
        let line = head.dropFirst(2).prefix { $0 != UInt8(ascii: "\n") }
        let words = line.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        guard var word = words.first else { return nil }
        // `#!/usr/bin/env NAME` runs NAME.
        if word == Array("env".utf8)[...] || word.suffix(4) == Array("/env".utf8)[...],
            let name = words.dropFirst().first(where: { $0.first != UInt8(ascii: "-") })
        {
            word = name
        }
        return word.map { CChar(bitPattern: $0) } + [0]
    }
}

extension ELFFile {
    /// The processor that this command, and so the tap, is built for.
    static var ownMachine: UInt16 {
        #if arch(x86_64)
            62
        #elseif arch(arm64)
            183
        #else
            0
        #endif
    }

    /// Whether it could be loaded into a process of ours.
    var isOurs: Bool { is64Bit && isLittleEndian && machine == Self.ownMachine }

    /// What keeps the tap out of it.
    var obstacle: Program.Obstacle? {
        guard isOurs else { return .foreignProcessor }
        guard let interpreter else { return isDamaged ? nil : .isStatic }
        let name = interpreter.split(separator: "/").last.map(String.init) ?? interpreter
        return name.hasPrefix("ld-linux") ? nil : .foreignLinker(name)
    }
}
