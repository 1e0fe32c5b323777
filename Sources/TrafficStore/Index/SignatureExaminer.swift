import GRDB
internal import TrafficModel

/// Makes the signatures of exchanges: of all texts in which ``ExchangeSearch`` looks.
final class SignatureExaminer {
    private let database: Database
    private let connection: ReadConnection
    private let decoder: FieldDecoder
    private let rows: PreparedStatement
    private let bodies: PreparedStatement
    private let running: PreparedStatement
    private var urls = NumberedCache<RouteURL>()
    private var shapes = NumberedCache<[(line: Int64, kind: LineKind)]>()
    private var url: [UInt8] = []
    private var line: [UInt8] = []
    // What the current block has already.
    private var signature = TextSignature()
    private var routesSeen: Set<Int64> = []
    private var linesSeen: Set<Int64> = []
    private var datesSeen: [Int64: Int64] = [:]

    /// An examiner on a connection, for the time of one read.
    init(_ database: Database, _ connection: ReadConnection) throws {
        self.database = database
        self.connection = connection
        decoder = try connection.decoder(database)
        rows = try PreparedStatement(database, SearchRow.selection + " WHERE e.id BETWEEN ? AND ?")
        bodies = try PreparedStatement(database, "SELECT bytes FROM body WHERE id BETWEEN ? AND ?")
        running = try PreparedStatement(database, "SELECT id FROM running WHERE id BETWEEN ? AND ?")
    }

    /// The signatures of the exchanges with these numbers.
    func chunk(of numbers: ClosedRange<Int64>) throws -> SearchChunk {
        var chunk = SearchChunk(numbers)
        running.bind(1, numbers.lowerBound)
        running.bind(2, numbers.upperBound)
        var unfinished: Set<Int64> = []
        while try running.step() { unfinished.insert(chunk.block(of: running.int(0))) }
        for block in 0..<SearchChunk.blocks {
            if unfinished.contains(block) {
                chunk.leaveOut(block: block)
            } else {
                chunk.add(try signature(of: chunk.numbers(ofBlock: block)), toBlock: block)
            }
        }
        return chunk
    }

    private func signature(of range: ClosedRange<Int64>) throws -> TextSignature {
        signature = TextSignature()
        routesSeen.removeAll(keepingCapacity: true)
        linesSeen.removeAll(keepingCapacity: true)
        datesSeen.removeAll(keepingCapacity: true)
        for statement in [rows, bodies] {
            statement.bind(1, range.lowerBound)
            statement.bind(2, range.upperBound)
        }
        defer {
            rows.reset()
            bodies.reset()
        }
        let row = SearchRow(row: rows)
        while try rows.step() {
            try addURL(row)
            try addLines(row.requestLines, row.startedAt)
            if row.hasResponse { try addLines(row.responseLines, row.firstByteAt) }
        }
        while try bodies.step() {
            let bytes = bodies.bytes(0)
            signature.add(bytes)
            if let content = KeptBody.content(bytes) { signature.add(content) }
        }
        return signature
    }

    private func addURL(_ row: SearchRow) throws {
        let id = row.route
        if row.hasCommonURL, !routesSeen.insert(id).inserted { return }
        let route = try urls.value(id) { RouteURL(try connection.route(id, database)) }
        try route.write(row, to: &url, database, connection)
        signature.add(url)
        if RouteURL.isEncoded(url) { signature.add(RouteURL.decoded(url)) }
    }

    private func addLines(_ blob: UnsafeRawBufferPointer, _ moment: Timestamp) throws {
        if blob.isEmpty { return }
        var reader = ByteReader(blob)
        let shape = Int64(bitPattern: reader.varint())
        guard shape != 0 else {
            var reader = ByteReader(blob)
            return signature.add(try decoder.decode(&reader, moment: moment).bytes)
        }
        let tokens = try shapes.value(shape) { try decoder.tokens(ofShape: shape) }
        for token in tokens {
            switch token.kind {
            case .known:
                if linesSeen.insert(token.line).inserted { signature.add(try decoder.line(token.line)) }
                continue
            case .date:
                // Most exchanges of a block have the same few dates.
                var ahead = reader
                let date = moment.seconds &+ ahead.signed()
                if datesSeen.updateValue(date, forKey: token.line) == date {
                    reader = ahead
                    continue
                }
            default: break
            }
            line.removeAll(keepingCapacity: true)
            if token.line != 0 { line += try decoder.line(token.line) }
            ValueCoding.read(token.kind, from: &reader, seconds: moment.seconds, to: &line)
            signature.add(line)
        }
    }
}
