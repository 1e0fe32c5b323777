import GRDB
import GRDBSQLite
internal import TrafficModel

/// The APIs of a store, and what their templates have taught.
///
/// A template that is not in memory goes through its host's ``TemplateTrie``; where a position becomes a parameter by
/// it, the APIs of that host that are others now are pointed to the one they have become. Their numbers stay, so that
/// sums and rows need not be touched. The tree of a host is made of its rows when it is needed: what another writer has
/// added, or a transaction that was rolled back has not, is not in the way.
final class APIDictionary {
    /// An API as the pipeline names it.
    struct API: Hashable {
        var method: String
        /// With its port where that is not the scheme's own: see ``RequestRecord/authority``.
        var host: String
        var template: String
        /// Whether the template is one of the user's own, which nothing is merged with.
        var isGiven = false
    }

    /// An API as it is written.
    struct Entry {
        var id: Int64
        var template: String
        /// Whether other templates have been merged by this one.
        var hasMerged = false
    }

    private struct Row {
        var id: Int64
        var method: String
        var template: String
        var isGiven: Bool
        var mergedInto: Int64?
    }

    private static let cacheLimit = 10_000
    private static let nodesOfAll = 65_536
    private let limits: TemplateLimits
    private let statements: APIStatements
    private let connection: OpaquePointer?
    private var cache: [API: Entry] = [:]
    private var hosts: [String: TemplateTrie] = [:]
    private var nodes = 0
    // What this writer has seen of the table.
    private var dataVersion: Int64 = -1
    private var lastRow: Int64 = -1
    private var merges: Int64 = -1

    /// The APIs of that store.
    init(_ database: Database, limits: TemplateLimits) throws {
        self.limits = limits
        statements = try APIStatements(database)
        connection = database.sqliteConnection
    }

    /// Empties all memory, because a transaction was rolled back and its numbers may mean nothing.
    func forget() {
        cache.removeAll()
        forgetHosts()
        dataVersion = -1
    }

    /// Forgets what is old when another writer has added or merged APIs since the last transaction.
    ///
    /// - Returns: whether there was something to forget.
    /// - Throws: what SQLite failed with.
    func refresh() throws -> Bool {
        let version = try statements.number(statements.dataVersion)
        guard version != dataVersion else { return false }
        dataVersion = version
        let row = try statements.number(statements.lastRow)
        let merges = try statements.number(statements.merges)
        defer { (lastRow, self.merges) = (row, merges) }
        guard row != lastRow || merges != self.merges else { return false }
        cache.removeAll(keepingCapacity: true)
        forgetHosts()
        return true
    }

    /// The row under which an API is counted; a new one where it is new.
    func entry(of api: API) throws -> Entry {
        if let known = cache[api] { return known }
        if cache.count >= Self.cacheLimit { cache.removeAll(keepingCapacity: true) }
        if api.isGiven {
            let entry = Entry(id: try give(api), template: api.template)
            cache[api] = entry
            return entry
        }
        var tree = try take(api.host) ?? load(api.host)
        let outcome = tree.learn(api.template)
        if outcome.hasMerged { try pointToMerged(api.host, tree) }
        keep(tree, of: api.host)
        let id = try row(api.method, api.host, outcome.template)
        // What has no room today may have some after a merge, which empties the memory.
        cache[api] = Entry(id: id, template: outcome.template)
        return Entry(id: id, template: outcome.template, hasMerged: outcome.hasMerged)
    }

    private func keep(_ tree: TemplateTrie, of host: String) {
        if nodes + tree.size > Self.nodesOfAll { forgetHosts() }
        nodes += tree.size
        hosts[host] = tree
    }

    // Taken out and put back, so that it is changed in place.
    private func take(_ host: String) -> TemplateTrie? {
        let tree = hosts.removeValue(forKey: host)
        nodes -= tree?.size ?? 0
        return tree
    }

    private func forgetHosts() {
        hosts.removeAll()
        nodes = 0
    }

    /// The number of a row; of a new one where there is none.
    private func row(_ method: String, _ host: String, _ template: String, isGiven: Bool = false) throws -> Int64 {
        if let row = try find(method, host, template) { return row.id }
        statements.insert.bind(1, method)
        statements.insert.bind(2, host)
        statements.insert.bind(3, template)
        statements.insert.bind(4, isGiven ? 1 : 0)
        try statements.insert.run()
        lastRow = sqlite3_last_insert_rowid(connection)
        return lastRow
    }

    private func find(_ method: String, _ host: String, _ template: String) throws -> (id: Int64, isGiven: Bool)? {
        statements.find.bind(1, method)
        statements.find.bind(2, host)
        statements.find.bind(3, template)
        defer { statements.find.reset() }
        return try statements.find.step() ? (statements.find.int(0), statements.find.int(1) != 0) : nil
    }

    /// The row of a template that the user gave; if it was merged before, it stands for itself again.
    private func give(_ api: API) throws -> Int64 {
        guard let row = try find(api.method, api.host, api.template), !row.isGiven else {
            return try self.row(api.method, api.host, api.template, isGiven: true)
        }
        statements.give.bind(1, row.id)
        try statements.give.run()
        try countMerge()
        _ = take(api.host)
        return row.id
    }

    // MARK: Hosts

    /// The tree of a host's rows.
    private func load(_ host: String) throws -> TemplateTrie {
        let rows = try rows(of: host)
        let targets = Set(rows.compactMap(\.mergedInto))
        var tree = TemplateTrie(limits)
        for row in rows where !row.isGiven || targets.contains(row.id) { tree.restore(row.template) }
        // What several writers have added, each for itself, may be enough for a parameter.
        if rows.contains(where: { !$0.isGiven && $0.mergedInto == nil && tree.template(of: $0.template) != $0.template }
        ) {
            try pointToMerged(host, tree)
        }
        return tree
    }

    private func rows(of host: String) throws -> [Row] {
        statements.ofHost.bind(1, host)
        var rows: [Row] = []
        while try statements.ofHost.step() {
            rows.append(
                Row(
                    id: statements.ofHost.int(0), method: statements.ofHost.text(1),
                    template: statements.ofHost.text(2), isGiven: statements.ofHost.int(3) != 0,
                    mergedInto: statements.ofHost.optionalInt(4)))
        }
        return rows
    }

    /// Points each API of a host to the one that it is now.
    private func pointToMerged(_ host: String, _ tree: TemplateTrie) throws {
        for row in try rows(of: host) where !row.isGiven {
            let template = tree.template(of: row.template)
            let target = template == row.template ? nil : try self.row(row.method, host, template)
            guard target != row.mergedInto else { continue }
            statements.point.bind(1, row.id)
            statements.point.bind(2, target)
            try statements.point.run()
        }
        try countMerge()
        cache.removeAll(keepingCapacity: true)
    }

    private func countMerge() throws {
        try statements.countMerge.run()
        merges += 1
    }
}

/// The statements of ``APIDictionary``, compiled once.
struct APIStatements {
    let find: PreparedStatement
    let insert: PreparedStatement
    let give: PreparedStatement
    let ofHost: PreparedStatement
    let point: PreparedStatement
    let countMerge: PreparedStatement
    let merges: PreparedStatement
    let lastRow: PreparedStatement
    let dataVersion: PreparedStatement

    init(_ database: Database) throws {
        func prepare(_ sql: String) throws -> PreparedStatement { try PreparedStatement(database, sql) }
        find = try prepare("SELECT id, given FROM api WHERE method = ? AND host = ? AND template = ?")
        insert = try prepare("INSERT INTO api(method, host, template, given) VALUES (?, ?, ?, ?)")
        give = try prepare("UPDATE api SET given = 1, merged_into = NULL WHERE id = ?")
        ofHost = try prepare("SELECT id, method, template, given, merged_into FROM api WHERE host = ? ORDER BY id")
        point = try prepare("UPDATE api SET merged_into = ?2 WHERE id = ?1")
        countMerge = try prepare("UPDATE meta SET value = value + 1 WHERE key = 'merges'")
        merges = try prepare("SELECT value FROM meta WHERE key = 'merges'")
        lastRow = try prepare("SELECT coalesce(max(id), 0) FROM api")
        dataVersion = try prepare("PRAGMA data_version")
    }

    func number(_ statement: PreparedStatement) throws -> Int64 {
        defer { statement.reset() }
        return try statement.step() ? statement.int(0) : 0
    }
}
