import ArgumentParser
import Foundation
import TrafficModel
import CaptureVerification

/// `wireweight verify`: compares a store with a packet capture.
struct Verify: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Compare the metered connections with a packet capture, to the byte.",
        discussion: """
            Reads the capture with tshark (Debian: 'apt-get install tshark'), counts each byte of TCP payload once, \
            and compares the sum with the kernel's count of each metered connection. Connections are matched by both \
            ends and by time. The capture must be made on the machine that was metered, start before the program, and \
            end after it.

            Verdicts: 'agrees' (to the byte); 'differs'; 'unread' (the program closed the connection before it had \
            read all bytes); 'reset' (a FIN before a reset, which the kernel counts as a byte); 'open' (not metered \
            until its end); 'incomplete' (the capture started late or lost packets, so it proves nothing); 'uncounted' \
            (the kernel's count is not known); 'uncaptured' (not in the capture). Unmetered connections to the \
            same servers are listed; other unmetered connections are only counted.

            The exit status is 0 if every metered connection agrees, 1 if one does not, 65 if a file is broken, is not \
            a capture, or has no connections, and 69 if tshark is missing.

            Example: dumpcap -i any -w c.pcapng & sleep 1
            Example: wireweight run --db t.db -- ./program && sleep 1 && kill -INT $!
            Example: wireweight verify t.db --capture c.pcapng

            More: docs/accuracy.md
            """)

    enum Format: String, OutputFormat {
        case table, json, ndjson
        static let usual = table
    }

    @OptionGroup var store: StoreArgument

    @Option(help: ArgumentHelp("The packet capture, pcapng or pcap.", valueName: "file"), completion: .file())
    var capture: String

    @OptionGroup var time: RangeOptions

    @OptionGroup var printing: FormatOptions<Format>

    @OptionGroup var display: DisplayOptions

    func run() throws {
        let file = try store.path()
        try withReader(file) { reader in
            let records = try reader.connections().filter { time.range.contains($0.openedAt) }
            guard !records.isEmpty else { throw ReadingFailure(try absence(in: reader, of: file)) }
            let verification = CaptureVerification(records, against: try segments(), facts: try facts())
            do {
                try write(verification)
            } catch let code as ExitCode where code == .success {
                // The reader closed the pipe early, which does not change the outcome.
            }
            if !verification.isPassed { throw ExitCode.failure }
        }
    }

    private func absence(in reader: any TrafficReading, of file: String) throws -> String {
        if try !reader.connections().isEmpty {
            return "'\(file)' has no connections in that range of time; widen '--since' and '--until'"
        }
        return try reader.overview().exchanges == 0
            ? "'\(file)' has no connections: nothing was metered into it"
            : "'\(file)' has no connections: its exchanges were imported, or metered where the kernel's count cannot be "
                + "read; meter with 'wireweight run' to compare"
    }

    /// Reads the capture's own facts.
    ///
    /// It rejects files that are not captures, because tshark accepts any text as one.
    private func facts() throws -> CaptureVerification.Facts {
        let handle = try open()
        defer { try? handle.close() }
        guard CaptureBlocks.Format(try Array(handle.read(upToCount: 4) ?? Data())) == .pcapng else { return .init() }
        try handle.seek(toOffset: 0)
        return try CaptureBlocks.facts { try Array(handle.read(upToCount: 1 << 20) ?? Data()) }
    }

    private func open() throws -> FileHandle {
        guard Files.exists(capture) else { throw ReadingFailure("there is no file '\(capture)'; check the name") }
        guard Files.isRegular(capture) else {
            throw ReadingFailure("'\(capture)' is not a regular file; save the capture in one first")
        }
        guard let handle = FileHandle(forReadingAtPath: capture) else {
            throw ReadingFailure("'\(capture)' cannot be read: \(String(cString: strerror(errno)))")
        }
        return handle
    }

    private func segments() throws -> CaptureTally {
        let handle = try open()
        defer { try? handle.close() }
        guard CaptureBlocks.Format(try Array(handle.read(upToCount: 4) ?? Data())) != nil else {
            throw ReadingFailure(
                "'\(capture)' is not a packet capture in the format pcapng or pcap; make one with dumpcap")
        }
        #if os(Linux) || os(macOS)
            do {
                return try Tshark.read(capture)
            } catch Tshark.Failure.missing {
                Terminal.complain(
                    "tshark, which reads captures, is not installed: 'apt-get install tshark' on Debian and Ubuntu, "
                        + "'dnf install wireshark-cli' on Fedora, 'brew install wireshark' on macOS")
                throw ExitCode.unavailable
            } catch Tshark.Failure.refused(let words) {
                let remedy = words.contains("cut short") ? " (end dumpcap with SIGINT, and wait for it)" : ""
                throw ReadingFailure(
                    "'\(capture)' cannot be read to its end, so nothing is compared; tshark says: \(words)\(remedy)")
            }
        #else
            // An app of these systems starts no other program.
            Terminal.complain("captures are read by tshark, which does not run on this system")
            throw ExitCode.unavailable
        #endif
    }

    private func write(_ verification: CaptureVerification) throws {
        var output = Output.paged()
        switch printing.format {
        case .table: try output.write(verification.table(Terminal.style))
        case .json: try output.write(verification.json)
        case .ndjson: try output.write(verification.ndjson)
        }
        try output.flush()
    }
}
