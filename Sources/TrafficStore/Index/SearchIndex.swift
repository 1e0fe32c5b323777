import Foundation
import GRDB
internal import TrafficModel

/// Says which sequences of four bytes the texts of a store's exchanges have, for each 256 exchanges.
///
/// A search skips those in which a word cannot be.
///
/// The index is in the store, in chunks of 16,384 exchanges that are made from the newest on. Whatever part of it there
/// is, a search finds the same. If the store cannot be written, the chunks are kept in memory. The newest exchanges are
/// in no chunk, and a block with an exchange that still ran is always read: what has ended does not change.
///
/// `@unchecked Sendable`: `lock` guards what changes.
final class SearchIndex: @unchecked Sendable {
    /// Sizes, which tests make smaller.
    struct Limits: Sendable {
        static let usual = Limits(
            block: 256, recent: 16_384, unsaved: 512, worthwhile: 100_000, tolerated: 4, atOnce: 8)

        /// How many numbers of exchanges a block has.
        let block: Int64
        /// How many of the newest exchanges are in no chunk, because many of them may still run.
        let recent: Int64
        /// The most chunks that are kept in memory; older exchanges are in none.
        let unsaved: Int
        /// The size of a store from which on searching it makes the index.
        let worthwhile: Int64
        /// From how many missing chunks on a search makes them.
        let tolerated: Int
        /// How many chunks are written in one transaction.
        let atOnce: Int

        /// How many numbers of exchanges a chunk has.
        var chunk: Int64 { block * SearchChunk.blocks }
    }

    let limits: Limits
    /// Whether a search makes what is missing in the background.
    let growsInBackground: Bool
    private let lock = NSLock()
    private var unsaved: [SearchChunk] = []
    private var file: FileIdentity?
    private var isGrowing = false
    // The store for which the thread in the background works.
    private var grown: StoreReader?
    private var isStopped = false
    private var wantsMore = false

    init(_ limits: Limits = .usual, growsInBackground: Bool = false) {
        self.limits = limits
        self.growsInBackground = growsInBackground
    }

    /// The search for these terms on a connection; nil if an index cannot help it.
    func search(
        _ terms: [FilterTerm], _ database: Database, of identity: FileIdentity?
    ) throws -> SignatureSearch? {
        guard let query = SignatureQuery(terms) else { return nil }
        return try SignatureSearch(query, unsaved: unsaved(of: identity), database)
    }

    // The chunks in memory; those of another file that was at the path before are forgotten.
    private func unsaved(of identity: FileIdentity?) -> [SearchChunk] {
        lock.withLock {
            if file != identity {
                unsaved = []
                file = identity
            }
            return unsaved
        }
    }

    /// Notes that a search has read a part of a store; makes what is missing of the index in the background, if that is
    /// much.
    ///
    /// - Parameters:
    ///   - reader: the store.
    ///   - count: how many numbers of exchanges the search went through.
    ///   - database: the search's own connection.
    /// - Throws: the error of SQLite.
    func noteSearch(_ reader: StoreReader, _ count: Int64, _ database: Database) throws {
        guard growsInBackground || count >= limits.worthwhile else { return }
        let missing = try missing(database, reader.identity)
        guard missing.last >= limits.worthwhile, missing.chunks.count >= limits.tolerated else { return }
        if growsInBackground { growInBackground(reader) } else { lock.withLock { wantsMore = true } }
    }

    /// Whether a search has found that much of the index is missing, and nothing makes it.
    var isWanted: Bool { lock.withLock { wantsMore } }

    /// Makes what is missing of the index, on a thread of its own that gives way to others.
    func growInBackground(_ reader: StoreReader) {
        guard begin() else { return }
        lock.withLock { grown = reader }
        Thread.detachNewThread { [self] in
            #if canImport(Glibc)
                // On Linux, this is the priority of the thread.
                setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10)
            #endif
            FileSizeSignal.block()
            growOnThisThread()
            end()
        }
    }

    // When this returns, the thread has no reference to the reader, whose connections may have to be closed.
    private func growOnThisThread() {
        guard let reader = lock.withLock({ grown.take() }) else { return }
        // Without an index, a search only takes longer.
        try? make(reader) { _, _ in true }
    }

    /// Makes what is missing of the index.
    ///
    /// - Parameters:
    ///   - reader: the store.
    ///   - goOn: takes how many chunks are done, and of how many; returns whether to go on.
    /// - Throws: the errors of the store.
    func grow(_ reader: StoreReader, _ goOn: (_ done: Int, _ of: Int) -> Bool = { _, _ in true }) throws {
        guard begin() else { return }
        defer { end() }
        try FileSizeSignal.whileBlocked { try make(reader, goOn) }
    }

    /// Ends the work in the background and waits until it has ended; none begins any more.
    func stop() {
        lock.withLock { isStopped = true }
        wait()
    }

    /// Waits until the work in the background has ended.
    func wait() {
        while lock.withLock({ isGrowing }) { usleep(1_000) }
    }

    private func begin() -> Bool {
        lock.withLock {
            guard !isGrowing, !isStopped else { return false }
            isGrowing = true
            wantsMore = false
            return true
        }
    }

    private func end() { lock.withLock { isGrowing = false } }

    // The chunks that are not there, the newest first, and the last exchange.
    private func missing(
        _ database: Database, _ identity: FileIdentity?
    ) throws -> (chunks: [ClosedRange<Int64>], last: Int64) {
        let ends = try Row.fetchOne(database, sql: "SELECT min(id), max(id) FROM exchange")
        guard let ends, let first = ends[0] as Int64?, let last = ends[1] as Int64? else { return ([], 0) }
        let length = limits.chunk
        let floor = try SearchChunkTable.State(database).floor
        let bottom = max(first / length, floor < 0 ? 0 : floor / length + 1)
        let top = (last - limits.recent + 1) / length - 1
        guard bottom <= top else { return ([], last) }
        let known = try SearchChunkTable.firsts(database)
            .union(unsaved(of: identity).map(\.numbers.lowerBound))
        let numbers = (bottom...top).reversed().lazy.map { $0 * length...($0 + 1) * length - 1 }
        return (numbers.filter { !known.contains($0.lowerBound) }, last)
    }

    private func make(_ reader: StoreReader, _ goOn: (_ done: Int, _ of: Int) -> Bool) throws {
        let identity = reader.identity
        let missing = try reader.read { database, _ in try self.missing(database, identity) }.chunks
        guard !missing.isEmpty else { return }
        let store = try? reader.connectForIndex()
        defer { try? store?.close() }
        var done = 0
        while done < missing.count {
            let numbers = missing[done..<min(done + limits.atOnce, missing.count)]
            // A read of its own for each part, so that the writer's log does not grow meanwhile.
            let (chunks, state) = try reader.read { database, connection in
                let examiner = try SignatureExaminer(database, connection)
                var chunks: [SearchChunk] = []
                for numbers in numbers where !lock.withLock({ isStopped }) {
                    chunks.append(try examiner.chunk(of: numbers))
                }
                return (chunks, try SearchChunkTable.State(database))
            }
            guard reader.identity == identity else { return }
            try keep(chunks, state, in: store, identity)
            done += numbers.count
            guard chunks.count == numbers.count, goOn(done, missing.count) else { return }
        }
    }

    /// Keeps chunks that were made when the store was in that state.
    func keep(
        _ chunks: [SearchChunk], _ state: SearchChunkTable.State, in store: DatabaseQueue?,
        _ identity: FileIdentity?
    ) throws {
        if let store {
            return try store.writeWithoutTransaction { database in
                try database.inTransaction(.immediate) {
                    // What was deleted since must not come back.
                    let now = try SearchChunkTable.State(database)
                    guard now.isSame(state) else { return .rollback }
                    try SearchChunkTable.save(chunks.filter { $0.numbers.lowerBound > now.floor }, database)
                    return .commit
                }
            }
        }
        lock.withLock {
            guard file == identity else { return }
            unsaved = Array(
                (unsaved + chunks).sorted { $0.numbers.lowerBound < $1.numbers.lowerBound }
                    .suffix(limits.unsaved))
        }
    }
}
