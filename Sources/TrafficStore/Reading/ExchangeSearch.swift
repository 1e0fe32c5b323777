import GRDB
internal import TrafficModel

/// Finds the exchanges that match a filter, one range of numbers after the other.
///
/// SQL compares what it can; this compares its rows with the other terms: those about header lines, and words. It reads
/// and decodes as little as it can. A header section is a shape and a few values, so whether the lines of a shape match
/// is found out once. The URL is put together from the parts that the route and the row have.
final class ExchangeSearch {
    private struct Term {
        var isNegated: Bool
        var needles: [Needle]
    }

    private final class Needle {
        let matcher: PatternMatcher
        let headers: HeaderSearch
        /// Whether it is a word, which is looked for in URLs and bodies, too.
        let isWord: Bool
        // Whether the URL of a route matches that has neither a path of its own nor a query.
        var routes = NumberedCache<Bool>()

        init(_ key: FilterKey, _ pattern: TextPattern) {
            matcher = PatternMatcher(pattern)
            headers = HeaderSearch(key, matcher)
            isWord = key == .text
        }
    }

    private let terms: [Term]
    private let database: Database
    private let connection: ReadConnection
    private let decoder: FieldDecoder
    private let rows: PreparedStatement
    private let parameters: Int32
    private let bodies: PreparedStatement?
    // The exchanges of the current range that have kept bodies; most have none, and looking takes as long as the rest.
    private var kept: Set<Int64> = []
    private let keepers: PreparedStatement?
    private let skipping: SignatureSearch?
    private var urls = NumberedCache<RouteURL>()
    private var url: [UInt8] = []

    /// A search on a connection, for the time of one read.
    ///
    /// - Parameters:
    ///   - query: the conditions.
    ///   - database: the connection's database.
    ///   - connection: the connection.
    ///   - skipping: which parts of ranges need not be read; nil for none.
    /// - Throws: the errors of the database.
    init(
        _ query: ExchangeQuery, _ database: Database, _ connection: ReadConnection, skipping: SignatureSearch? = nil
    ) throws {
        self.skipping = skipping
        terms = query.rest.map { term in
            Term(
                isNegated: term.isNegated,
                needles: term.values.compactMap {
                    if case .text(let pattern) = $0 { Needle(term.key, pattern) } else { nil }
                })
        }
        self.database = database
        self.connection = connection
        decoder = try connection.decoder(database)
        var query = query
        parameters = query.addRange()
        rows = try query.statement(database, SearchRow.selection, order: .oldestFirst)
        let searchesBodies =
            try query.rest.contains { $0.key == .text }
            && Bool.fetchOne(database, sql: "SELECT EXISTS (SELECT 1 FROM body)") ?? false
        bodies = searchesBodies ? try PreparedStatement(database, "SELECT bytes FROM body WHERE id = ?") : nil
        keepers =
            searchesBodies ? try PreparedStatement(database, "SELECT id FROM body WHERE id BETWEEN ? AND ?") : nil
    }

    /// The exchanges of a range of numbers that match, the oldest first.
    func find(in range: ClosedRange<Int64>) throws -> [ExchangeMoment] {
        guard let skipping else { return try read(range) }
        return try skipping.parts(of: range).flatMap(read)
    }

    private func read(_ range: ClosedRange<Int64>) throws -> [ExchangeMoment] {
        try lookForBodies(in: range)
        rows.bind(parameters - 1, range.lowerBound)
        rows.bind(parameters, range.upperBound)
        defer { rows.reset() }
        let row = SearchRow(row: rows)
        var found: [ExchangeMoment] = []
        while try rows.step() {
            if try matches(row) { found.append(row.moment) }
        }
        return found
    }

    private func lookForBodies(in range: ClosedRange<Int64>) throws {
        guard let keepers else { return }
        kept.removeAll(keepingCapacity: true)
        keepers.bind(1, range.lowerBound)
        keepers.bind(2, range.upperBound)
        while try keepers.step() { kept.insert(keepers.int(0)) }
    }

    private func matches(_ row: SearchRow) throws -> Bool {
        for term in terms {
            var isFound = false
            for needle in term.needles where !isFound { isFound = try isThere(needle, row) }
            guard isFound != term.isNegated else { return false }
        }
        return true
    }

    private func isThere(_ needle: Needle, _ row: SearchRow) throws -> Bool {
        if needle.isWord, try isInURL(needle, row) { return true }
        if try needle.headers.isFound(in: row.requestLines, moment: row.startedAt, decoder) { return true }
        if row.hasResponse, try needle.headers.isFound(in: row.responseLines, moment: row.firstByteAt, decoder) {
            return true
        }
        return try needle.isWord && isInBody(needle, row)
    }

    private func isInBody(_ needle: Needle, _ row: SearchRow) throws -> Bool {
        guard let bodies, kept.contains(row.id) else { return false }
        bodies.bind(1, row.id)
        defer { bodies.reset() }
        while try bodies.step() {
            let bytes = bodies.bytes(0)
            if needle.matcher.matches(bytes.assumingMemoryBound(to: UInt8.self), .part) { return true }
            if let content = KeptBody.content(bytes), needle.matcher.matches(content[...], .part) { return true }
        }
        return false
    }

    private func isInURL(_ needle: Needle, _ row: SearchRow) throws -> Bool {
        let id = row.route
        let isCommon = row.hasCommonURL
        if isCommon, let known = needle.routes[id] { return known }
        let route = try urls.value(id) { RouteURL(try connection.route(id, database)) }
        try route.write(row, to: &url, database, connection)
        var isFound = needle.matcher.matches(url[...], .part)
        if !isFound, RouteURL.isEncoded(url) { isFound = needle.matcher.matches(RouteURL.decoded(url)[...], .part) }
        if isCommon { needle.routes[id] = isFound }
        return isFound
    }
}
