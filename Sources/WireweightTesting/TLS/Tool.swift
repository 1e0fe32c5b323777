#if os(Linux) || os(macOS)
    package import Foundation
    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #elseif canImport(Darwin)
        import Darwin
    #endif

    /// Finds and runs programs of the system.
    package enum Tool {
        /// The exit status and output of a program.
        package struct Result: Sendable {
            /// The exit status; for a program ended by a signal, the signal's number.
            package var status: Int32
            /// The bytes that it wrote to standard output.
            package var output: Data
            /// The text that it wrote to standard error.
            package var errors: String
        }

        /// The path of a program; nil if it is neither in `PATH` nor in a folder for daemons.
        package static func path(of name: String) -> String? {
            let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
            // The folders of daemons are often not in a user's `PATH`.
            return (folders + ["/usr/sbin", "/usr/local/sbin"]).map { "\($0)/\(name)" }
                .first { FileManager.default.isExecutableFile(atPath: $0) }
        }

        /// Kills a process that must not outlive this one.
        ///
        /// SIGTERM, which `terminate()` sends, may not work: a child started from a thread of libdispatch inherits that
        /// thread's signal mask, which blocks SIGTERM.
        static func kill(_ process: Process) { _ = killCall(process.processIdentifier) }

        /// Runs a program and blocks until it ends.
        ///
        /// - Throws: an error if the program cannot be started.
        package static func run(_ path: String, _ arguments: [String]) throws -> Result {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: path)
            process.arguments = arguments
            process.standardInput = FileHandle.nullDevice
            // The output goes to files, because a full pipe would have to be read while we wait.
            let folder = FileManager.default.temporaryDirectory
            let files = ["out", "err"].map { folder.appendingPathComponent("\(UUID().uuidString).\($0)") }
            files.forEach { _ = FileManager.default.createFile(atPath: $0.path, contents: nil) }
            defer { files.forEach { try? FileManager.default.removeItem(at: $0) } }
            process.standardOutput = try FileHandle(forWritingTo: files[0])
            process.standardError = try FileHandle(forWritingTo: files[1])
            try process.run()
            process.waitUntilExit()
            return Result(
                status: process.terminationStatus, output: try Data(contentsOf: files[0]),
                errors: String(decoding: try Data(contentsOf: files[1]), as: UTF8.self))
        }
    }

    private func killCall(_ pid: Int32) -> Int32 { kill(pid, SIGKILL) }
#endif
