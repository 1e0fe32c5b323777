import Foundation
import TextFormats
import TrafficExport
import TrafficModel
import TrafficStore
import Wireweight

/// Makes a store from an HTTP archive, or adds an archive to a store.
struct ArchiveImport {
    private let archive: String
    private let path: String
    /// How many bytes of each body are kept.
    var bodyLimit = 0

    init(of archive: String, into path: String) {
        self.archive = archive
        self.path = path
    }

    /// Imports all of it.
    ///
    /// - Throws: ``HARFault``, ``ReadingFailure``, ``StoreError``
    func run(_ progress: ProgressLine? = nil) throws -> HARImport.Outcome {
        let facts = try withArchive(progress, of: 0) { try $0.check() }
        return try store(facts, progress)
    }

    /// Reads the archive in pieces.
    private func withArchive<Result>(
        _ progress: ProgressLine?, of entries: Int, _ body: (HARReader) throws -> Result
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
                    progress?.show("\(Units.bytes(ByteCount(seen))) \(entries == 0 ? "checked" : "read")")
                    return piece
                } catch {
                    throw ReadingFailure("cannot read '\(path)': \(error)")
                }
            })
    }

    /// How many events are read before the import waits until they are written.
    private static let eventsAtOnce = 3_000

    private func store(_ facts: HARReader.Facts, _ progress: ProgressLine?) throws -> HARImport.Outcome {
        var settings = Recorder.Settings(store: path)
        settings.writing.batchSize = Self.eventsAtOnce
        let recorder = try Recorder(settings)
        var work = HARImport(facts)
        work.bodyLimit = bodyLimit
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
}
