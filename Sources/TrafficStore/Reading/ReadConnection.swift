import Foundation
import GRDB
internal import TrafficModel

/// One connection for reading, with a cache of dictionary rows.
///
/// `@unchecked Sendable`: ``StoreReader`` lends it to one call at a time.
final class ReadConnection: @unchecked Sendable {
    /// What exchanges on one route have in common; a class, because a row takes few of its texts.
    final class Route {
        let process: ProcessIdentity
        let method: String
        /// With its port if that is not the default port of the scheme.
        let authority: String
        let host: String
        let template: String
        let scheme: String
        let port: Int
        let version: String
        let direction: TrafficDirection
        /// The path of a row that has none.
        let commonPath: String
        /// What `path_rest` of a row comes after.
        let pathStart: String

        /// The route in the current row of the statement that finds it.
        fileprivate init(_ row: PreparedStatement) {
            process = ProcessIdentity(pid: Int32(truncatingIfNeeded: row.int(0)), name: row.text(1))
            method = row.text(2)
            authority = row.text(3)
            host = ReadConnection.host(row.text(3), port: row.int(6))
            template = row.text(4)
            scheme = row.text(5)
            port = Int(row.int(6))
            version = row.text(7)
            direction = TrafficDirection(number: row.int(9))
            // Paths were left out by the template that the API had when they were written.
            commonPath = row.text(8)
            pathStart = PathColumns.start(of: commonPath)
        }

        /// The path in two columns of a row: see ``PathColumns``.
        func path(_ row: PreparedStatement, column: Int32) -> String {
            PathColumns.path(row, column: column, start: pathStart, template: commonPath)
        }
    }

    struct Answer {
        var status: Int
        var type: String
        var coding: String
        var reason: String
        var version: String
    }

    let queue: DatabaseQueue
    /// Whether an older version wrote the file; its tables then differ from those that this version reads.
    let isOlder: Bool
    private var decoder: FieldDecoder?
    private var visits: RowVisits?
    // Compiling these statements takes longer than running them.
    private var statements: Statements?
    private var exchangeStatement: PreparedStatement?
    private var listStatements: [String: PreparedStatement] = [:]
    private var bodyStatement: PreparedStatement?
    private var networkStatement: PreparedStatement?
    private var legStatement: PreparedStatement?
    /// Whether there are legs of servers; nil if it is not known of this state yet.
    private var hasLegs: Bool?
    private var routeStatement: PreparedStatement?
    private var routes = ReadCache<Route>()
    // The number of merges of templates at the time when the routes were read.
    private var merges: Int64 = 0
    private var lastState: StoreState?
    private var answers = ReadCache<Answer>()
    private var addresses = ReadCache<String>()
    private var queries = ReadCache<String>()
    private var networks = ReadCache<ConnectionNetwork>()
    /// The connections of this state whose network is not known.
    private var withoutNetwork = ReadCache<Void>()
    private var failures = ReadCache<ExchangeFailure>()

    /// Opens the file: with its log if that is possible, otherwise the file alone.
    init(_ file: StoreFile) throws {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        configuration.busyMode = .timeout(5)
        configuration.prepareDatabase { database in
            try database.execute(sql: "PRAGMA query_only = 1")
        }
        if file.isFolderWritable {
            queue = try DatabaseQueue(path: file.path, configuration: configuration)
        } else if file.hasLog {
            // This works if the writer's shared memory is next to the file.
            configuration.readonly = true
            queue = try DatabaseQueue(path: file.path, configuration: configuration)
        } else {
            configuration.readonly = true
            queue = try DatabaseQueue(path: file.immutableURI, configuration: configuration)
        }
        let migrator = StoreSchema.migrator
        isOlder = try queue.inDatabase { database in
            PatternFunction.add(to: database)
            if try migrator.hasBeenSuperseded(database) { throw file.newerVersion }
            return try !migrator.hasCompletedMigrations(database)
        }
    }

    /// Opens the copy in memory.
    init(_ copy: OlderCopy) throws {
        queue = try copy.connect()
        queue.inDatabase(PatternFunction.add)
        isOlder = false
    }

    /// Runs several reads in one transaction, so that all of them see the same state.
    func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try queue.inDatabase { database in
            let statements = try statements(database)
            try statements.begin.runOnce()
            do {
                let merges = try statements.merges.value()
                // Templates that have been merged since change the routes.
                if merges != self.merges { routes.removeAll() }
                self.merges = merges
                hasLegs = nil
                withoutNetwork.removeAll()
                let value = try body(database)
                try statements.commit.runOnce()
                return value
            } catch {
                if database.isInsideTransaction { try? statements.rollback.runOnce() }
                throw error
            }
        }
    }

    /// A value that changes with each write of another connection.
    func state() throws -> StoreState {
        // Most calls find the file as it was.
        let changes = try queue.inDatabase { try statements($0).changes.value() }
        if let lastState, lastState.changes == changes { return lastState }
        let state = try read { database in
            let statements = try statements(database)
            return StoreState(changes: try statements.changes.value(), generation: try statements.generation.value())
        }
        lastState = state
        return state
    }

    /// The statements that belong to each read.
    private struct Statements {
        let begin: PreparedStatement
        let commit: PreparedStatement
        let rollback: PreparedStatement
        let changes: PreparedStatement
        let merges: PreparedStatement
        let generation: PreparedStatement

        init(_ database: Database) throws {
            begin = try PreparedStatement(database, "BEGIN DEFERRED TRANSACTION")
            commit = try PreparedStatement(database, "COMMIT TRANSACTION")
            rollback = try PreparedStatement(database, "ROLLBACK TRANSACTION")
            changes = try PreparedStatement(database, "PRAGMA data_version")
            merges = try PreparedStatement(database, "SELECT value FROM meta WHERE key = 'merges'")
            generation = try PreparedStatement(database, "SELECT max(value) FROM meta WHERE key = 'generation'")
        }
    }

    private func statements(_ database: Database) throws -> Statements {
        if let statements { return statements }
        let made = try Statements(database)
        statements = made
        return made
    }

    /// A statement of that text, which stays compiled for the next call; reset it in any case, and do not nest its use.
    func kept(_ sql: String, _ database: Database) throws -> PreparedStatement {
        if let known = listStatements[sql] { return known }
        // There are as many texts as ways to filter.
        if listStatements.count >= 8 { listStatements.removeAll() }
        let made = try PreparedStatement(database, sql)
        listStatements[sql] = made
        return made
    }

    /// What visits rows on this connection.
    func visits(_ database: Database) throws -> RowVisits {
        let visits = try visits ?? RowVisits.add(to: database)
        self.visits = visits
        return visits
    }

    /// The statement that finds one exchange by its number.
    func oneExchange(_ database: Database) throws -> PreparedStatement {
        let statement =
            try exchangeStatement
            ?? PreparedStatement(database, ExchangeRow.selection + " WHERE e.id = ?")
        exchangeStatement = statement
        return statement
    }

    /// The request of one exchange, without its body.
    func request(_ id: Int64, _ database: Database) throws -> RequestRecord {
        let rows = try oneExchange(database)
        rows.bind(1, id)
        defer { rows.reset() }
        guard try rows.step() else {
            throw StoreError(.corrupt, "the store lacks exchange \(id); meter into a new file")
        }
        return try ExchangeRow(row: rows, bodies: nil).request(database, self)
    }

    /// The statement that finds one body: see ``ExchangeRow/bodies(_:)``.
    func bodies(_ database: Database) throws -> PreparedStatement {
        let statement = try bodyStatement ?? ExchangeRow.bodies(database)
        bodyStatement = statement
        return statement
    }

    /// Decodes the field lines of a blob.
    func fields(_ blob: UnsafeRawBufferPointer, moment: Timestamp, _ database: Database) throws -> FieldSection {
        if blob.isEmpty { return FieldSection() }
        var reader = ByteReader(blob)
        return try decoder(database).decode(&reader, moment: moment)
    }

    /// The decoder of field lines.
    func decoder(_ database: Database) throws -> FieldDecoder {
        if let decoder { return decoder }
        let made = try FieldDecoder(database)
        decoder = made
        return made
    }

    func route(_ id: Int64, _ database: Database) throws -> Route {
        if let known = routes[id] { return known }
        let find =
            try routeStatement
            ?? PreparedStatement(
                database,
                """
                SELECT p.pid, p.name, a.method, a.host, s.template, t.scheme, t.port, t.version, a.template,
                    t.direction
                FROM route t JOIN api a ON a.id = t.api JOIN shown_api s ON s.id = a.id
                    JOIN process p ON p.id = t.process WHERE t.id = ?
                """)
        routeStatement = find
        find.bind(1, id)
        guard try find.step() else { throw StoreError(.corrupt, "the store lacks route \(id); meter into a new file") }
        let route = Route(find)
        find.reset()
        routes[id] = route
        return route
    }

    fileprivate static func host(_ authority: String, port: Int64) -> String {
        let end = ":\(port)"
        return authority.hasSuffix(end) && !authority.hasPrefix(end) && Authority.split(authority).port != nil
            ? String(authority.dropLast(end.utf8.count)) : authority
    }

    func answer(_ id: Int64, _ database: Database) throws -> Answer {
        if let known = answers[id] { return known }
        let find = try PreparedStatement(
            database, "SELECT status, type, coding, reason, version FROM answer WHERE id = ?")
        find.bind(1, id)
        guard try find.step() else { throw StoreError(.corrupt, "the store lacks answer \(id); meter into a new file") }
        let answer = Answer(
            status: Int(find.int(0)), type: find.text(1), coding: find.text(2), reason: find.text(3),
            version: find.text(4))
        find.reset()
        answers[id] = answer
        return answer
    }

    /// The address of that row; empty if there is no such row.
    func address(_ id: Int64, _ database: Database) throws -> String {
        if let known = addresses[id] { return known }
        let text = try String.fetchOne(database, sql: "SELECT text FROM address WHERE id = ?", arguments: [id]) ?? ""
        addresses[id] = text
        return text
    }

    /// The network of that connection; nil if it is not known, or not known yet.
    func network(_ id: StoredConnection.ID?, _ database: Database) throws -> ConnectionNetwork? {
        guard let id else { return nil }
        if let known = networks[id.rawValue] { return known }
        if withoutNetwork[id.rawValue] != nil { return nil }
        let find =
            try networkStatement
            ?? PreparedStatement(database, "SELECT network, network_flags FROM connection WHERE id = ?")
        networkStatement = find
        find.bind(1, id.rawValue)
        var network: ConnectionNetwork?
        if try find.step() {
            network = ConnectionRow.network(find.optionalText(0), flags: find.int(1))
            find.reset()
        }
        if let network { networks[id.rawValue] = network } else { withoutNetwork[id.rawValue] = () }
        return network
    }

    /// The server's leg of that exchange; nil if there is none, as in most stores.
    func leg(_ exchange: Int64, _ database: Database) throws -> ServerLeg? {
        let has = try hasLegs ?? (kept("SELECT EXISTS(SELECT 1 FROM leg)", database).value() != 0)
        hasLegs = has
        guard has else { return nil }
        let find = try legStatement ?? PreparedStatement(database, LegRow.selection)
        legStatement = find
        find.bind(1, exchange)
        guard try find.step() else { return nil }
        defer { find.reset() }
        return try LegRow(row: find).leg(database, self)
    }

    func query(_ id: Int64, _ database: Database) throws -> String {
        if let known = queries[id] { return known }
        let find = try PreparedStatement(database, "SELECT text FROM query WHERE id = ?")
        find.bind(1, id)
        guard try find.step() else { throw StoreError(.corrupt, "the store lacks query \(id); meter into a new file") }
        let text = find.text(0)
        find.reset()
        queries[id] = text
        return text
    }

    /// The failure of that row; one without a domain if there is no such row.
    func failure(_ id: Int64, _ database: Database) throws -> ExchangeFailure {
        if let known = failures[id] { return known }
        let find = try PreparedStatement(database, "SELECT domain, code, message FROM failure WHERE id = ?")
        find.bind(1, id)
        var failure = ExchangeFailure(.init(""), code: 0)
        if try find.step() {
            failure = ExchangeFailure(.init(find.text(0)), code: Int(find.int(1)), message: find.text(2))
        }
        find.reset()
        failures[id] = failure
        return failure
    }
}
