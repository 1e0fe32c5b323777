import ArgumentParser
import MachineExamination
import Foundation
import Synchronization
import TextFormats
import TrafficExport
import TrafficModel
import TrafficPipeline
import TrafficStore

/// `wireweight import`: makes a store from an HTTP archive (HAR) of another tool.
struct Import: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Put the exchanges of a HAR into a file, to report on what others captured.",
        discussion: """
            Reads HTTP Archive 1.1 and 1.2, as browsers and proxies write it. The sizes are those that the archive \
            reports, and are labelled so; what it does not know stays unknown. Secrets are replaced as always. Entries \
            that were answered from a cache are left out, and so are those of other schemes than http, https, ws and \
            wss. The archive is checked as a whole before anything is stored.

            Example: wireweight import capture.har --db capture.db
            """)

    @Argument(help: "The archive.")
    var archive: String

    @Option(
        help: ArgumentHelp(
            "Put the exchanges into this file; it is made if there is none, else they are added.", valueName: "file"))
    var db: String

    @Option(
        help: ArgumentHelp(
            "Keep the first bytes of each body that was sent without a content coding.", valueName: "bytes"))
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
            try tell(outcome)
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
        guard Files.exists(archive) else { throw ReadingFailure("there is no file '\(archive)'") }
        // The archive is read twice: the first pass checks it, so that nothing of a bad archive is stored.
        guard Files.isRegular(archive) else {
            throw ReadingFailure("'\(archive)' is no regular file; save the archive in one first")
        }
        guard let file = FileHandle(forReadingAtPath: archive) else {
            throw ReadingFailure("cannot read '\(archive)': \(String(cString: strerror(errno)))")
        }
        defer { try? file.close() }
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

    private func store(_ facts: HARReader.Facts, _ progress: ProgressLine) throws -> HARImport.Outcome {
        let writer = try StoreWriter.open(db)
        let basket = EventBasket()
        let pipeline = TrafficPipeline(to: basket)
        var work = HARImport(facts)
        work.bodyLimit = keepBodies
        let outcome = try withArchive(progress, of: max(1, facts.entries)) { reader in
            try work.run(reader) { events in
                for event in events { pipeline.record(event) }
                if let batch = basket.take(atLeast: 3_000) { try writer.write(batch) }
            }
        }
        if let rest = basket.take(atLeast: 1) { try writer.write(rest) }
        try writer.close()
        return outcome
    }

    private func tell(_ outcome: HARImport.Outcome) throws {
        let noun = outcome.exchanges == 1 ? "exchange" : "exchanges"
        var text = "\(Units.count(Int64(outcome.exchanges))) \(noun) imported into \(db)"
        var left: [String] = []
        if outcome.cached > 0 { left.append("\(outcome.cached) answered from a cache") }
        if outcome.foreign > 0 { left.append("\(outcome.foreign) of other schemes than HTTP's") }
        if !left.isEmpty { text += "; left out: \(left.joined(separator: ", "))" }
        var output = Output()
        try output.write("\(TerminalText.escaped(text))\n")
        try output.write(TerminalText.escaped("Then: wireweight report \(db)") + "\n")
        try output.flush()
    }
}

/// Collects events and returns them in batches, so that an import waits for the disk instead of losing events.
private final class EventBasket: TrafficSink {
    private let events = Mutex<[TrafficEvent]>([])

    func record(_ event: TrafficEvent) { events.withLock { $0.append(event) } }

    /// Removes and returns all events if there are at least `count`; otherwise nil.
    func take(atLeast count: Int) -> [TrafficEvent]? {
        events.withLock { events in
            guard events.count >= count else { return nil }
            defer { events.removeAll(keepingCapacity: true) }
            return events
        }
    }
}
