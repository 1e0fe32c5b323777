import GRDB
import GRDBSQLite
internal import TrafficModel
internal import URLTemplates

/// The APIs of a store, and the templates learned from them.
///
/// A template that is not in memory goes through its host's ``TemplateTrie``. If that makes a position a parameter,
/// each API of the host whose template changes is pointed to the API of its new template. The numbers of APIs stay, so
/// that sums and rows need no change. The tree of a host is built from its rows when it is needed, so it includes the
/// APIs that another writer has added, and none from a transaction that was rolled back.
final class APIDictionary {
    /// An API as the pipeline names it.
    struct API: Hashable {
        var method: String
        /// The host, with its port if that is not the default port of the scheme: see ``RequestRecord/authority``.
        var host: String
        var template: String
        /// Whether the template is one of the user's own, which is never merged with others.
        var isGiven = false
    }

    /// An API with its row.
    struct Entry {
        var id: Int64
        var template: String
        /// Whether adding this API has merged other templates.
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
    // The state of the table when this writer last read it.
    private var dataVersion: Int64 = -1
    private var lastRow: Int64 = -1
    private var merges: Int64 = -1

    init(_ database: Database, limits: TemplateLimits) throws {
        self.limits = limits
        statements = try APIStatements(database)
        connection = database.sqliteConnection
    }

    /// Clears all caches after a rollback, when their row numbers may no longer be valid.
    func forget() {
        cache.removeAll()
        forgetHosts()
        dataVersion = -1
    }

    /// Clears the caches if another writer has added or merged APIs since the last transaction.
    ///
    /// - Returns: whether the caches were cleared.
    /// - Throws: the error of SQLite.
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

    /// The row under which an API is counted; a new row if there is none.
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
        // A template without room today may have room after a merge, which empties this cache.
        cache[api] = Entry(id: id, template: outcome.template)
        return Entry(id: id, template: outcome.template, hasMerged: outcome.hasMerged)
    }

    private func keep(_ tree: TemplateTrie, of host: String) {
        if nodes + tree.size > Self.nodesOfAll { forgetHosts() }
        nodes += tree.size
        hosts[host] = tree
    }

    // The tree is taken out of the dictionary and put back later, so that it is changed in place and not copied.
    private func take(_ host: String) -> TemplateTrie? {
        let tree = hosts.removeValue(forKey: host)
        nodes -= tree?.size ?? 0
        return tree
    }

    private func forgetHosts() {
        hosts.removeAll()
        nodes = 0
    }

    /// The number of a row; that of a new one if there is none.
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

    /// The row of a template that the user gave; if it was merged before, the merge is undone.
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

    /// Builds the tree of a host from its rows.
    private func load(_ host: String) throws -> TemplateTrie {
        let rows = try rows(of: host)
        let targets = Set(rows.compactMap(\.mergedInto))
        var tree = TemplateTrie(limits)
        for row in rows where !row.isGiven || targets.contains(row.id) { tree.restore(row.template) }
        // The templates that several writers have added, each on its own, may together be enough for a parameter.
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

    /// Points each API of a host to the API of its present template.
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
