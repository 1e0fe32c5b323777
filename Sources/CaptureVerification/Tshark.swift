// Other systems start no programs.
#if os(Linux) || os(macOS)
    internal import Foundation

    /// Reads captures with tshark as a child process, because it supports every capture format, link layer and tunnel.
    package enum Tshark {
        /// Why the packets could not be read.
        package enum Failure: Error {
            /// tshark is not installed.
            case missing
            /// tshark cannot read the file; the text is its own message.
            case refused(String)
        }

        /// Reads the TCP segments of a capture.
        ///
        /// It throws if tshark did not read to the end, because the sums of half a capture look like those of a whole one.
        package static func read(_ path: String) throws -> CaptureTally {
            guard let program = find() else { throw Failure.missing }
            let process = Process()
            process.executableURL = program
            process.arguments = arguments(for: path)
            // Messages in English, and without the user's settings, which may switch a protocol off.
            process.environment = ProcessInfo.processInfo.environment.merging(
                ["LC_ALL": "C", "WIRESHARK_CONFIG_DIR": "/nonexistent"]) { $1 }
            let output = Pipe()
            // Standard error goes to a file, because two pipes would have to be read in turn.
            guard let complaints = tmpfile() else { throw Failure.refused(String(cString: strerror(errno))) }
            defer { fclose(complaints) }
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = output
            process.standardError = FileHandle(fileDescriptor: fileno(complaints), closeOnDealloc: false)
            do { try process.run() } catch { throw Failure.refused("it cannot be run: \(error.localizedDescription)") }
            var tally = CaptureTally()
            let lines = Lines(output.fileHandleForReading)
            while let line = try lines.next() { tally.add(CapturedRow(line)) }
            process.waitUntilExit()
            guard process.terminationReason == .exit, process.terminationStatus == 0 else {
                throw Failure.refused(words(of: complaints, process))
            }
            return tally
        }

        private static func arguments(for path: String) -> [String] {
            // A path that starts with `-` would be taken for an option, and `-` alone for standard input.
            var words = ["-r", path.hasPrefix("-") ? "./\(path)" : path, "-n", "-Y", CapturedRow.displayFilter]
            // Only the packets' headers are needed, so switch off reassembling and analysing streams.
            words += ["-o", "tcp.desegment_tcp_streams:FALSE", "-o", "tcp.analyze_sequence_numbers:FALSE"]
            words += ["-T", "fields", "-E", "separator=/t", "-E", "occurrence=l", "-E", "quote=n"]
            return words + CapturedRow.fields.flatMap { ["-e", $0] }
        }

        private static func find() -> URL? {
            let folders = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
            return folders.split(separator: ":", omittingEmptySubsequences: false).lazy
                .map { URL(fileURLWithPath: $0.isEmpty ? "." : String($0)).appendingPathComponent("tshark") }
                .first { isExecutable($0.path) }
        }

        private static func isExecutable(_ path: String) -> Bool {
            var isFolder: ObjCBool = false
            return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && !isFolder.boolValue
                && FileManager.default.isExecutableFile(atPath: path)
        }

        /// The last message of tshark, without its name.
        private static func words(of complaints: UnsafeMutablePointer<FILE>, _ process: Process) -> String {
            let file = FileHandle(fileDescriptor: fileno(complaints), closeOnDealloc: false)
            try? file.seek(toOffset: 0)
            let text = String(decoding: (try? file.readToEnd()) ?? Data(), as: UTF8.self)
            // tshark warns when it runs as root.
            let lines = text.split(separator: "\n").filter { !$0.hasPrefix("Running as user") }
            guard let line = lines.last else {
                let isSignal = process.terminationReason == .uncaughtSignal
                return "it ended with \(isSignal ? "signal" : "status") \(process.terminationStatus)"
            }
            return String(line.hasPrefix("tshark: ") ? line.dropFirst(8) : line)
        }
    }

    /// Reads a pipe line by line.
    private final class Lines {
        private let file: FileHandle
        private var buffer: [UInt8] = []
        private var place = 0
        private var isAtEnd = false

        init(_ file: FileHandle) { self.file = file }

        func next() throws -> String? {
            var searched = place
            while true {
                if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                    defer { place = end + 1 }
                    return String(decoding: buffer[place..<end], as: UTF8.self)
                }
                guard !isAtEnd else {
                    defer { place = buffer.count }
                    return place < buffer.count ? String(decoding: buffer[place...], as: UTF8.self) : nil
                }
                buffer.removeFirst(place)
                place = 0
                searched = buffer.count
                let more = try file.read(upToCount: 1 << 16) ?? Data()
                isAtEnd = more.isEmpty
                buffer.append(contentsOf: more)
            }
        }
    }
#endif
