#if !os(iOS)
    package import Foundation
    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #elseif canImport(Darwin)
        import Darwin
    #endif

    /// Programs that are on the path.
    package enum Tool {
        /// What a program left.
        package struct Result: Sendable {
            /// The exit status.
            package var status: Int32
            /// What it wrote to its standard output.
            package var output: Data
            /// What it wrote to its standard error.
            package var errors: String
        }

        /// Where that program is; nil where it is not on the path.
        package static func path(of name: String) -> String? {
            let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
            // Daemons are often out of a user's path.
            return (folders + ["/usr/sbin", "/usr/local/sbin"]).map { "\($0)/\(name)" }
                .first { FileManager.default.isExecutableFile(atPath: $0) }
        }

        /// Ends a process that must not outlive us.
        ///
        /// A child that was started from a thread of libdispatch has SIGTERM blocked, as that thread had: it would never
        /// see `terminate()`.
        static func kill(_ process: Process) { _ = killCall(process.processIdentifier) }

        /// Runs a program to its end; blocks.
        ///
        /// - Throws: where it cannot be started.
        package static func run(_ path: String, _ arguments: [String]) throws -> Result {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: path)
            process.arguments = arguments
            process.standardInput = FileHandle.nullDevice
            // Files instead of pipes: a full pipe would have to be emptied while we wait.
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
