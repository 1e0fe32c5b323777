import ArgumentParser
import MachineExamination
import Foundation
import TextFormats
import TrafficExport
import TrafficModel
import TrafficStore
import Wireweight

/// `wireweight import`: makes a store from an HTTP archive (HAR) of another tool.
struct Import: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Import a HAR file, to report on what another tool captured.",
        discussion: """
            Reads HTTP Archive 1.1 and 1.2, as browsers and proxies write it. Sizes are those in the archive, labelled \
            'reported'; sizes that it lacks stay unknown. Secrets are replaced as in any run. \
            Entries that came from a cache are left out, and so are entries whose scheme is not http, https, ws or \
            wss. The whole archive is checked before anything is stored.

            Example: wireweight import capture.har --db capture.db

            More: docs/exports.md
            """)

    @Argument(help: "The HAR file.", completion: .file())
    var archive: String

    @Option(
        help: ArgumentHelp(
            "Add the exchanges to this file; it is created if it does not exist.", valueName: "file"),
        completion: .file())
    var db: String

    @Option(
        help: ArgumentHelp(
            "Keep this many bytes of each body that was sent uncompressed.", valueName: "bytes"))
    var keepBodies = 0

    func validate() throws {
        if keepBodies < 0 { throw ValidationError("'--keep-bodies' must not be negative") }
        if Files.isSame(archive, db) { throw ValidationError("'--db' names the archive; name another file") }
    }

    func run() throws {
        let progress = ProgressLine("importing")
        defer { progress.clear() }
        do {
            let facts = try withArchive(progress, of: 0) { try $0.check() }
            let outcome = try store(facts, progress)
            progress.clear()
            try printSummary(outcome)
        } catch let fault as HARFault {
            progress.clear()
            Terminal.complain("'\(archive)' cannot be imported: \(fault)")
            throw ExitCode.badInput
        } catch let failure as ReadingFailure {
            Terminal.complain("\(failure)")
            throw ExitCode.badInput
        } catch let error as StoreError {
            progress.clear()
            let failure = RunFailure(error)
            Terminal.complain(failure.message)
            throw ExitCode(failure.status)
        }
    }

    /// Reads the archive in pieces.
    private func withArchive<Result>(
        _ progress: ProgressLine, of entries: Int, _ body: (HARReader) throws -> Result
    ) throws -> Result {
        guard Files.exists(archive) else { throw ReadingFailure("there is no file '\(archive)'; check the name") }
        // The archive is read twice: the first pass checks it, so that nothing of a bad archive is stored.
        guard Files.isRegular(archive) else {
            throw ReadingFailure("'\(archive)' is not a regular file; save the archive in one first")
        }
        guard let file = FileHandle(forReadingAtPath: archive) else {
            throw ReadingFailure("cannot read '\(archive)': \(String(cString: strerror(errno)))")
        }
        defer { try? file.close() }
        guard !Files.isDatabase(archive) else {
            throw ReadingFailure(
                "'\(archive)' is a database, no archive; 'wireweight report \(archive)' reads it if it is a store, and "
                    + "'wireweight export \(archive) --format har' makes an archive of it")
        }
        let path = archive
        var seen: Int64 = 0
        return try body(
            HARReader {
                do {
                    let piece = [UInt8](try file.read(upToCount: 1 << 18) ?? Data())
                    seen += Int64(piece.count)
                    progress.show("\(Units.bytes(ByteCount(seen))) \(entries == 0 ? "checked" : "read")")
                    return piece
                } catch {
                    throw ReadingFailure("cannot read '\(path)': \(error)")
                }
            })
    }

    /// How many events are read before the import waits until they are written.
    private static let eventsAtOnce = 3_000

    private func store(_ facts: HARReader.Facts, _ progress: ProgressLine) throws -> HARImport.Outcome {
        var settings = Recorder.Settings(store: db)
        settings.writing.batchSize = Self.eventsAtOnce
        let recorder = try Recorder(settings)
        var work = HARImport(facts)
        work.bodyLimit = keepBodies
        var waiting = 0
        let outcome = try withArchive(progress, of: max(1, facts.entries)) { reader in
            try work.run(reader) { events in
                for event in events { recorder.input.record(event) }
                waiting += events.count
                // The import waits for the disk, so that the buffer does not overflow and no event is lost.
                guard waiting >= Self.eventsAtOnce else { return }
                try recorder.flush()
                waiting = 0
            }
        }
        try recorder.finish()
        return outcome
    }

    private func printSummary(_ outcome: HARImport.Outcome) throws {
        let noun = outcome.exchanges == 1 ? "exchange" : "exchanges"
        var text = "\(Units.count(Int64(outcome.exchanges))) \(noun) imported into \(db)"
        var left: [String] = []
        if outcome.cached > 0 { left.append("\(outcome.cached) from a cache") }
        if outcome.foreign > 0 { left.append("\(outcome.foreign) with a scheme other than HTTP's") }
        if !left.isEmpty { text += "; left out: \(left.joined(separator: ", "))" }
        var output = Output()
        try output.write("\(TerminalText.escaped(text))\n")
        try output.write(TerminalText.escaped("Then: wireweight report \(db)") + "\n")
        try output.flush()
    }
}
