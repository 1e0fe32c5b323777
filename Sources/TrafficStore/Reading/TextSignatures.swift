import Foundation
import GRDB
internal import TrafficModel

/// The signatures of the texts of a store, block by block, so that a search skips blocks in which a word cannot be.
///
/// They are in memory: 2 KiB for 256 exchanges. A search starts to make them in the background, the newest first. Only
/// exchanges that have ended, and are not among the newest, get them; all others are searched as if there were none.
/// What is deleted later does no harm, and numbers are never used again.
///
/// `@unchecked Sendable`: `lock` guards what changes.
final class TextSignatures: @unchecked Sendable {
    /// Sizes, which tests make smaller.
    struct Limits: Sendable {
        static let usual = Limits(block: 256, recent: 16_384, most: 32_768, worthwhile: 100_000)

        /// How many numbers of exchanges a block has.
        let block: Int64
        /// How many of the newest exchanges may change.
        let recent: Int64
        /// The most blocks; older ones have no signatures.
        let most: Int64
        /// The size of a store from which on it takes signatures to search it in a moment.
        let worthwhile: Int64
    }

    private static let blocksAtOnce: Int64 = 64

    let limits: Limits
    private let lock = NSLock()
    private var known: [Int64: TextSignature] = [:]
    // The newest block that was examined.
    private var newest: Int64 = -1
    private var isGrowing = false
    private var file: FileIdentity?

    init(_ limits: Limits = .usual) { self.limits = limits }

    /// The signatures that there are, by the numbers of their blocks.
    ///
    /// - Parameter identity: the file that is searched; another one than before has no signatures yet.
    /// - Returns: a copy, which costs nothing.
    func all(of identity: FileIdentity?) -> [Int64: TextSignature] {
        lock.withLock {
            if file != identity {
                known = [:]
                newest = -1
                file = identity
            }
            return known
        }
    }

    /// Makes the signatures that are missing, on a thread of its own that gives way to others.
    func grow(_ reader: StoreReader) {
        let mayBegin = lock.withLock {
            if isGrowing { return false }
            isGrowing = true
            return true
        }
        guard mayBegin else { return }
        Thread.detachNewThread { [self] in
            #if canImport(Glibc)
                // On Linux, this is the priority of the thread.
                setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10)
            #endif
            // Without signatures, a search only takes longer.
            try? examine(reader)
            lock.withLock { isGrowing = false }
        }
    }

    /// Whether many exchanges up to that number have no signature yet.
    func isBehind(_ last: Int64) -> Bool {
        last >= limits.worthwhile
            && lock.withLock { (last - limits.recent) / limits.block - newest > Self.blocksAtOnce }
    }

    /// Makes the signatures that are missing.
    func examine(_ reader: StoreReader) throws {
        let identity = reader.identity
        _ = all(of: identity)
        let ends = try reader.read { database, _ in
            try Row.fetchOne(database, sql: "SELECT min(id), max(id) FROM exchange").flatMap { row -> (Int64, Int64)? in
                guard let first = row[0] as Int64?, let last = row[1] as Int64? else { return nil }
                return (first, last)
            }
        }
        guard let (first, last) = ends else { return }
        let top = (last - limits.recent + 1) / limits.block - 1
        let bottom = max(first / limits.block, top - limits.most + 1)
        lock.withLock { known = known.filter { $0.key >= bottom } }
        var number = top
        while number >= bottom {
            let chunk = max(bottom, number - Self.blocksAtOnce + 1)...number
            // A read of its own for each, so that the writer's log does not grow meanwhile.
            try reader.read { try examine(chunk, $0, $1, identity) }
            number = chunk.lowerBound - 1
        }
        lock.withLock { if file == identity { newest = max(newest, top) } }
    }

    private func examine(
        _ chunk: ClosedRange<Int64>, _ database: Database, _ connection: ReadConnection, _ identity: FileIdentity?
    ) throws {
        let missing = lock.withLock { chunk.filter { known[$0] == nil } }
        guard !missing.isEmpty else { return }
        let ids = chunk.lowerBound * limits.block..<(chunk.upperBound + 1) * limits.block
        let running = try Set(
            Int64.fetchAll(
                database, sql: "SELECT id FROM running WHERE id >= ? AND id < ?",
                arguments: [ids.lowerBound, ids.upperBound]
            ).map { $0 / limits.block })
        let examiner = try SignatureExaminer(database, connection)
        for number in missing.reversed() where !running.contains(number) {
            let start = number * limits.block
            let signature = try examiner.signature(of: start...(start + limits.block - 1))
            lock.withLock { if file == identity { known[number] = signature } }
        }
    }
}

/// Divides ranges of exchanges' numbers into the parts in which a search may find something.
struct SignatureSearch {
    private let query: SignatureQuery
    private let known: [Int64: TextSignature]
    private let block: Int64

    /// The search for these terms in a store; nil if signatures cannot help it.
    init?(_ terms: [FilterTerm], _ signatures: TextSignatures?, of identity: @autoclosure () -> FileIdentity?) {
        guard let signatures, let query = SignatureQuery(terms) else { return nil }
        self.query = query
        known = signatures.all(of: identity())
        block = signatures.limits.block
    }

    /// The parts of a range that have to be read, in order.
    func parts(of range: ClosedRange<Int64>) -> [ClosedRange<Int64>] {
        var parts: [ClosedRange<Int64>] = []
        for number in range.lowerBound / block...range.upperBound / block {
            if let signature = known[number], !query.mayMatch(signature) { continue }
            let part = max(range.lowerBound, number * block)...min(range.upperBound, (number + 1) * block - 1)
            if let last = parts.last, last.upperBound + 1 == part.lowerBound {
                parts[parts.count - 1] = last.lowerBound...part.upperBound
            } else {
                parts.append(part)
            }
        }
        return parts
    }
}
