package import Diagnosis
internal import Foundation

/// The facts that a program's file reveals: which file finally runs, and whether the tap can be loaded into it.
package struct ProgramFile {
    /// The file that the kernel loads: the program's own, or its interpreter's.
    package let path: String
    /// The interpreters of a script, starting with the script's own; empty if the file is not a script.
    package let interpreters: [String]
    /// Its ELF data; nil if the file cannot be read or is not an ELF file.
    package let elf: ELFFile?
    /// Why the tap cannot be loaded; nil if it can, or if that is unknown.
    package let obstacle: Program.Obstacle?
    /// Whether the file can be read.
    package let isReadable: Bool

    /// Examines a file and the interpreters that it names.
    package init(_ start: SystemString) {
        var path = start
        var interpreters: [String] = []
        var file = FilePieces(path)
        // The kernel follows four interpreters, then gives up.
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
        // A script's own setuid bits have no effect, because its interpreter runs.
        obstacle = Self.rights(of: path) ?? elf?.obstacle
    }

    private static func rights(of path: SystemString) -> Program.Obstacle? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        let othersUser = status.st_mode & S_ISUID != 0 && status.st_uid != getuid()
        let othersGroup = status.st_mode & S_ISGID != 0 && status.st_gid != getgid()
        if othersUser || othersGroup { return .setUserID }
        // Root has all capabilities anyway, so the system does not drop preloaded libraries.
        return getuid() != 0 && hasCapabilities(path) ? .hasCapabilities : nil
    }
}

/// Whether running a file gives capabilities to the process.
///
/// The C library's Swift module does not export the function that reads them.
private func hasCapabilities(_ path: SystemString) -> Bool {
    guard let found = dlsym(nil, "getxattr") else { return false }
    typealias Function =
        @convention(c) (UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafeMutableRawPointer?, Int) -> Int
    return unsafeBitCast(found, to: Function.self)(path, "security.capability", nil, 0) > 0
}

extension FilePieces {
    /// The interpreter that a script names in its first line; nil if the file is not a script.
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
    /// The ELF number of the processor that this command, and therefore the tap, is built for.
    static var ownMachine: UInt16 {
        #if arch(x86_64)
            62
        #elseif arch(arm64)
            183
        #else
            0
        #endif
    }

    /// Whether the file has the word size, byte order and processor of this process.
    var isOurs: Bool { is64Bit && isLittleEndian && machine == Self.ownMachine }

    /// Why the tap cannot be loaded into the file; nil if it can.
    var obstacle: Program.Obstacle? {
        guard isOurs else { return .foreignProcessor }
        // First, because a build that is linked dynamically would not help.
        if isGo { return .isGo }
        guard let interpreter else { return isDamaged ? nil : .isStatic }
        let name = interpreter.split(separator: "/").last.map(String.init) ?? interpreter
        return name.hasPrefix("ld-linux") ? nil : .foreignLinker(name)
    }
}
