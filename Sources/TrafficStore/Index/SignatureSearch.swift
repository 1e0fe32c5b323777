import GRDB
internal import TrafficModel

/// Divides ranges of exchanges' numbers into the parts in which a search may find something.
final class SignatureSearch {
    private let query: SignatureQuery
    private let stored: PreparedStatement
    private let unsaved: [SearchChunk]

    /// The search for these terms on a connection, for the time of one read.
    ///
    /// - Parameters:
    ///   - query: what signatures must have.
    ///   - unsaved: chunks that are not in the store, in order.
    ///   - database: the connection's database.
    /// - Throws: the error of SQLite.
    init(_ query: SignatureQuery, unsaved: [SearchChunk], _ database: Database) throws {
        self.query = query
        self.unsaved = unsaved
        stored = try SearchChunkTable.inRange(database)
    }

    /// The parts of a range that have to be read, in order.
    func parts(of range: ClosedRange<Int64>) throws -> [ClosedRange<Int64>] {
        var parts = SearchParts(range)
        stored.bind(1, range.lowerBound)
        stored.bind(2, range.upperBound)
        defer { stored.reset() }
        while try stored.step() {
            let (first, last) = (stored.int(0), stored.int(1))
            guard first >= 0, first <= last, last < .max, (last - first + 1) % SearchChunk.blocks == 0,
                let candidates = query.candidates(stored.bytes(2))
            else { continue }
            addUnsaved(until: first, to: &parts)
            parts.add(first...last, candidates)
        }
        addUnsaved(until: .max, to: &parts)
        parts.addAll(until: range.upperBound)
        return parts.all
    }

    private func addUnsaved(until first: Int64, to parts: inout SearchParts) {
        for chunk in unsaved where chunk.numbers.upperBound < first {
            parts.add(chunk.numbers, chunk.candidates(query))
        }
    }
}
