import TestSupport
import Testing
import TextFormats
import TrafficModel

@testable import TrafficStore

/// What SQL selects by a filter, compared with a plain comparison of each exchange.
@Suite("Filters in SQL")
struct FilterDifferentialTests {
    private let folder: Folder
    private let reader: StoreReader
    /// A reader of a copy with a search index for most exchanges.
    private let indexedReader: StoreReader
    private let stored: [StoredExchange]

    init() throws {
        folder = try Folder()
        let writer = try StoreWriter.open(folder.file())
        var generator = SeededGenerator(seed: 5)
        var exchanges = RandomTraffic(seed: 8, count: 300, span: 3_600_000).exchanges
        for index in exchanges.indices { exchanges[index].vary(index, &generator) }
        try writer.write((1...40).map { .connection(Self.connection($0)) })
        for first in stride(from: 0, to: exchanges.count, by: 50) {
            try writer.write(exchanges[first..<min(first + 50, exchanges.count)].flatMap(\.events))
        }
        reader = try StoreReader.open(folder.file())
        try reader.copy(to: folder.file("indexed.db"))
        indexedReader = try StoreReader.open(folder.file("indexed.db"), SearchIndex(.small(block: 1, recent: 20)))
        try indexedReader.makeSearchIndex()
        stored = try reader.exchanges()
    }

    private static func connection(_ id: Int64) -> ConnectionRecord {
        var record = ConnectionRecord(
            connection: ConnectionID(id), process: ProcessIdentity(pid: 42, name: "app"), localAddress: "127.0.0.1:1",
            remoteAddress: "127.0.0.1:80", openedAt: Sample.moment(id))
        switch id % 4 {
        case 0: record.network = nil
        case 1: record.network = ConnectionNetwork(interface: "lo", isLoopback: true, isCellular: false)
        case 2:
            record.network = ConnectionNetwork(
                isCellular: true, isExpensive: true, isProxied: true, resolution: .tls)
        default: record.network = ConnectionNetwork(interface: "wlan0", isConstrained: false, isMultipath: true)
        }
        return record
    }

    @Test("select what a plain comparison selects, whatever the terms", arguments: UInt64(1)...12)
    func agreement(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<60 { try expectAgreement(FilterExpression([.random(&generator)])) }
        for _ in 0..<20 { try expectAgreement(FilterExpression.random(&generator)) }
    }

    @Test("select some and not all for each key", arguments: FilterKey.allCases)
    func everyKey(_ key: FilterKey) throws {
        var generator = SeededGenerator(seed: 3)
        var hasSelected = false
        for _ in 0..<4_000 where !hasSelected {
            let term = FilterTerm.random(&generator)
            guard term.key == key else { continue }
            let count = stored.count { term.matches($0) }
            hasSelected = count > 0 && count < stored.count
        }
        #expect(hasSelected)
    }

    @Test("are the same as the conditions that are set one by one")
    func options() throws {
        func same(_ text: String, _ set: (inout ExchangeFilter) -> Void) throws {
            var one = ExchangeFilter()
            set(&one)
            var other = ExchangeFilter()
            other.expression = try FilterParser.parse(text, now: Sample.moment(0))
            let found = try reader.exchanges(one).map(\.id)
            #expect(!found.isEmpty && found.count < stored.count, "\(text)")
            #expect(try reader.exchanges(other).map(\.id) == found, "\(text)")
        }
        try same("host:b.test:8080") { $0.host = "b.test:8080" }
        try same("host:a.test") { $0.host = "a.test" }
        try same("method:post") { $0.method = "POST" }
        try same("status:4xx") { $0.status = 400...499 }
        try same("type:image/") { $0.contentType = "image/" }
        try same("api:\"GET /y\"") { $0.api = "GET /y" }
        try same("api:\"GET b.test:8080/x/{id}\"") { $0.api = "GET b.test:8080 /x/{id}" }
        try same("path:/x/3") { $0.path = "/x/3" }
        try same("failed") { $0.failedOnly = true }
        try same("slower:1s") { $0.slowerThan = 1_000_000_000 }
        try same("task:17") { $0.task = StoredExchange.ID(17) }
        try same("connection:3") { $0.connection = StoredConnection.ID(3) }
        try same("network:lo") { $0.network = "lo" }
        try same("direction:served") { $0.direction = .served }
        let middle = Sample.moment(1_800_000)
        try same("since:\(middle.iso8601)") { $0.range = TimeRange(since: middle) }
    }

    @Test("never find what was replaced, nor read a value as SQL")
    func quoting() throws {
        for text in [#"host:"' OR 1=1 --""#, #"path:"%""#, #"body:"_'%""#, #"process:"app' --""#] {
            let filter = try FilterParser.parse(text, now: Sample.moment(0))
            try expectAgreement(filter)
            var exchanges = ExchangeFilter()
            exchanges.expression = filter
            #expect(try reader.exchanges(exchanges).isEmpty)
        }
    }

    @Test("find the same on two connections, in many ranges, in both orders", arguments: UInt64(1)...4)
    func ranges(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let reader = seed % 2 == 0 ? reader : indexedReader
        let lengths = SearchRanges.Lengths(shortest: 3, longest: 24, forTwo: 10)
        for _ in 0..<40 {
            let expression = FilterExpression.random(&generator)
            var filter = ExchangeFilter()
            filter.expression = expression
            let expected = stored.filter(expression.matches).map(\.id)
            for order in [ExchangeOrder.oldestFirst, .newestFirst] {
                var found: [StoredExchange.ID] = []
                try reader.forEachFound(ExchangeQuery(filter), order: order, lengths: lengths) { moment, _, _ in
                    found.append(moment.exchange)
                    return true
                }
                #expect(found == (order == .oldestFirst ? expected : expected.reversed()), "\(expression.text)")
            }
        }
    }

    @Test("visit what a range has before they search the next one", arguments: [true, false])
    func pauses(isNewestFirst: Bool) throws {
        let lengths = SearchRanges.Lengths(shortest: 3, longest: 24, forTwo: 10)
        var filter = ExchangeFilter()
        filter.expression = try FilterParser.parse("-nowhere", now: Sample.moment(0))
        let order = isNewestFirst ? ExchangeOrder.newestFirst : .oldestFirst
        var found: Set<StoredExchange.ID> = []
        var pauses = 0
        try reader.forEachFound(
            ExchangeQuery(filter), order: order, lengths: lengths,
            goOn: { _, left in
                pauses += 1
                let searched = stored.map(\.id).filter { id in left.map { !$0.contains(id.rawValue) } ?? true }
                #expect(found == Set(searched))
                return true
            }
        ) { moment, _, _ in
            found.insert(moment.exchange)
            return true
        }
        #expect(pauses > 5)
    }

    @Test("pause as often as they are searched in ranges, and pass an error on")
    func pauseOfHeads() throws {
        struct Stop: Error {}
        var filter = ExchangeFilter()
        filter.expression = try FilterParser.parse("-nowhere", now: Sample.moment(0))
        var events: [String] = []
        #expect(throws: Stop.self) {
            try reader.forEachHead(
                matching: filter, order: .newestFirst,
                pause: {
                    events.append("pause")
                    throw Stop()
                }
            ) { exchange in
                events.append(exchange.id.description)
                return true
            }
        }
        #expect(events.last == "pause")
        #expect(Array(events.dropLast()) == stored.reversed().map(\.id.description))
    }

    private func expectAgreement(_ expression: FilterExpression) throws {
        var filter = ExchangeFilter()
        filter.expression = expression
        let expected = stored.filter(expression.matches).map(\.id)
        #expect(try reader.exchanges(filter).map(\.id) == expected, "\(expression.text)")
        for reader in [reader, indexedReader] {
            let newest = try reader.newest(.max, matching: filter).map(\.exchange)
            #expect(newest == expected.reversed(), "\(expression.text)")
        }
    }
}

extension Exchange {
    /// Gives an exchange of random traffic what filters look for.
    fileprivate mutating func vary(_ index: Int, _ generator: inout SeededGenerator) {
        func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }
        request.direction = number(0...3) == 0 ? .served : .called
        if request.host == "b.test", number(0...1) == 0 { request.port = 8_080 }
        if number(0...4) == 0 {
            request.path = ["/a%20b", "/%C3%A9", "/y", "/é \"\\,*~/1"].randomElement(using: &generator)!
        }
        if number(0...2) == 0 { request.query = "q=\(number(1...400))&name=a%20b" }
        let id = String(repeating: "\(number(0...9))", count: 2) + "dead"
        request.fields = Sample.section(
            "Host: \(request.host)", "x-request-id: \(id)", number(0...1) == 0 ? "Accept: */*" : "Cookie: a=b")
        if number(0...4) == 0 { request.capturedBody = Array("{\"name\": \"Ünïcode \(index)\"}".utf8) }
        guard var answer = response else { return }
        answer.fields = Sample.section(
            "Content-Type: \(answer.contentType)", "Date: Fri, 21 Nov 2025 00:0\(number(0...9)):30 GMT",
            "ETag: \"\(id)\"", "Content-Length: \(number(1...9_999))",
            number(0...2) == 0 ? "Set-Cookie: x" : "Cache-Control: no-store")
        if number(0...4) == 0 { answer.capturedBody = Array("gzip \(index)".utf8) }
        response = answer
    }
}
