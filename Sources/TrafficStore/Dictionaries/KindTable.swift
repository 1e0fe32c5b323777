import GRDB
import GRDBSQLite
internal import TrafficModel

/// The kinds of exchange that have their own sums: a combination of API, program, status, media type and direction.
///
/// Few exchanges differ from the others of their API, so there are few more kinds than APIs, and the sums yield exact
/// reports by each of the five. The number of kinds of an API in a direction is bounded: kinds after that have
/// ``otherType`` as type.
final class KindTable {
    /// Replaces the media types of an API that has too many kinds; real media types have a slash.
    static let otherType = "(other)"
    /// The number of kinds after which new ones of the same API lose their media type.
    static let kindsPerAPI: Int64 = 64

    private static let cacheLimit = 4_096
    // By route and answer, whose rows are known for each exchange; 0 if a place is free. At least half of them are
    // free. Kinds that were served are negative.
    @exclusivity(unchecked) private var kinds = [Int64](repeating: 0, count: 256)
    @exclusivity(unchecked) private var keys = [(route: Int64, answer: Int64)](repeating: (0, 0), count: 256)
    @exclusivity(unchecked) private var count = 0
    private let parts: PreparedStatement
    private let find: PreparedStatement
    private let countOfAPI: PreparedStatement
    private let insert: PreparedStatement
    private let connection: OpaquePointer?

    /// The table of that store.
    init(_ database: Database) throws {
        parts = try PreparedStatement(
            database,
            """
            SELECT t.api, p.name, coalesce(a.status, 0), coalesce(a.type, ''), t.direction
            FROM route t JOIN process p ON p.id = t.process LEFT JOIN answer a ON a.id = ?2 WHERE t.id = ?1
            """)
        find = try PreparedStatement(
            database, "SELECT id FROM kind WHERE api = ? AND process = ? AND status = ? AND type = ? AND direction = ?")
        countOfAPI = try PreparedStatement(database, "SELECT count(*) FROM kind WHERE api = ? AND direction = ?")
        insert = try PreparedStatement(
            database, "INSERT INTO kind(api, process, status, type, direction) VALUES (?, ?, ?, ?, ?)")
        connection = database.sqliteConnection
    }

    /// Clears the cache after a rollback, when its row numbers may no longer be valid.
    func forget() {
        guard count > 0 else { return }
        kinds = [Int64](repeating: 0, count: kinds.count)
        count = 0
    }

    /// The row of a kind, and its direction.
    struct Kind {
        let id: Int64
        let direction: TrafficDirection

        fileprivate init(_ signed: Int64) {
            id = abs(signed)
            direction = signed < 0 ? .served : .called
        }
    }

    /// The kind of the exchanges with that route and that answer; an answer of 0 means none.
    func kind(route: Int64, answer: Int64) throws -> Kind {
        var place = place(route, answer)
        while kinds[place] != 0 {
            if keys[place].route == route, keys[place].answer == answer { return Kind(kinds[place]) }
            place = (place + 1) & (kinds.count - 1)
        }
        let kind = try look(route, answer)
        if count >= Self.cacheLimit { forget() }
        if count * 2 >= kinds.count { grow() }
        put(kind, route, answer)
        count += 1
        return Kind(kind)
    }

    private func put(_ kind: Int64, _ route: Int64, _ answer: Int64) {
        var place = place(route, answer)
        while kinds[place] != 0 { place = (place + 1) & (kinds.count - 1) }
        kinds[place] = kind
        keys[place] = (route, answer)
    }

    private func grow() {
        let before = zip(kinds, keys).filter { $0.0 != 0 }
        kinds = [Int64](repeating: 0, count: kinds.count * 4)
        keys = [(route: Int64, answer: Int64)](repeating: (0, 0), count: kinds.count)
        for (kind, key) in before { put(kind, key.route, key.answer) }
    }

    private func place(_ route: Int64, _ answer: Int64) -> Int {
        let mixed = UInt64(bitPattern: route &* 61 &+ answer) &* 0x9E37_79B9_7F4A_7C15
        return Int(mixed >> 32) & (kinds.count - 1)
    }

    private func look(_ route: Int64, _ answer: Int64) throws -> Int64 {
        parts.bind(1, route)
        parts.bind(2, answer)
        guard try parts.step() else {
            throw StoreError(.corrupt, "the store lacks route \(route); meter into a new file")
        }
        let api = parts.int(0)
        let (process, status, type) = (parts.text(1), parts.int(2), parts.text(3))
        let direction = parts.int(4)
        parts.reset()
        func signed(_ id: Int64) -> Int64 { direction == 0 ? id : -id }
        if let known = try known(api, process, status, type, direction) { return signed(known) }
        countOfAPI.bind(1, api)
        countOfAPI.bind(2, direction)
        let isFull = try countOfAPI.step() && countOfAPI.int(0) >= Self.kindsPerAPI
        countOfAPI.reset()
        let boundedType = isFull && !type.isEmpty ? Self.otherType : type
        if isFull, let known = try known(api, process, status, boundedType, direction) { return signed(known) }
        bind(insert, api, process, status, boundedType, direction)
        try insert.run()
        return signed(sqlite3_last_insert_rowid(connection))
    }

    private func known(
        _ api: Int64, _ process: String, _ status: Int64, _ type: String, _ direction: Int64
    ) throws -> Int64? {
        bind(find, api, process, status, type, direction)
        guard try find.step() else { return nil }
        defer { find.reset() }
        return find.int(0)
    }

    private func bind(
        _ statement: PreparedStatement, _ api: Int64, _ process: String, _ status: Int64, _ type: String,
        _ direction: Int64
    ) {
        statement.bind(1, api)
        statement.bind(2, process)
        statement.bind(3, status)
        statement.bind(4, type)
        statement.bind(5, direction)
    }
}
