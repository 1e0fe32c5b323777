import Foundation
import WireweightTesting

/// What was built beside these tests.
enum Built {
    private static let folder: URL = {
        let binary = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return URL(fileURLWithPath: binary).deletingLastPathComponent()
    }()

    /// The command.
    static let command = folder.appendingPathComponent("wireweight").path

    /// Whether the command and the library that it loads into programs are there; `make build` makes both.
    static let isComplete = [command, folder.appendingPathComponent("libWireweightPreload.so").path].allSatisfy {
        FileManager.default.fileExists(atPath: $0)
    }

    /// Whether what takes long is wanted, too: `make integration` does.
    static let wantsIntegration = ProcessInfo.processInfo.environment["WIREWEIGHT_INTEGRATION"] != nil

    static func has(_ tools: String...) -> Bool { tools.allSatisfy { Tool.path(of: $0) != nil } }

    /// One of the C programs in Tests/Programs, compiled once.
    static func program(_ name: String) throws -> String { try programs.get(name) }

    private static let programs = Programs()

    private final class Programs: @unchecked Sendable {
        // Guarded by the lock.
        private var made: [String: String] = [:]
        private let lock = NSLock()

        func get(_ name: String) throws -> String {
            lock.lock()
            defer { lock.unlock() }
            if let path = made[name] { return path }
            let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent().appendingPathComponent("Programs")
            let source = sources.appendingPathComponent("\(name.split(separator: "-")[0]).c").path
            let path = folder.appendingPathComponent("test-program-\(name)").path
            guard let compiler = ["clang", "cc", "gcc"].lazy.compactMap({ Tool.path(of: $0) }).first else {
                throw Failed("there is no C compiler")
            }
            // `NAME-static` is the program NAME without a dynamic linker.
            let libraries = name.hasSuffix("-static") ? ["-static"] : name == "late" ? ["-ldl"] : ["-lcurl"]
            let result = try Tool.run(compiler, ["-O1", "-pthread", "-o", path, source] + libraries)
            guard result.status == 0 else { throw Failed(result.errors) }
            made[name] = path
            return path
        }
    }
}
