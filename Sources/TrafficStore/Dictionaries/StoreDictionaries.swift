import GRDB
internal import TrafficModel
internal import URLTemplates

/// All values that are written once and then referred to by their row.
final class StoreDictionaries {
    struct Route: Hashable {
        var api: Int64
        var process: Int64
        var scheme: String
        var port: Int
        var version: String
        var direction: TrafficDirection
    }

    struct Answer: Hashable {
        var status: Int
        var type: String
        var coding: String
        var reason: String
        var version: String
    }

    /// A route with everything that writing one of its requests needs.
    final class KnownRoute {
        let key: Route
        /// The API as the pipeline names it.
        let api: APIDictionary.API
        /// The host without its port, as requests name it.
        let host: String
        let process: ProcessIdentity
        let id: Int64
        /// The template of the row, which its paths may equal, and how those begin that have only their rest in the row:
        /// see ``PathColumns``.
        let path: PathColumns.Template
        /// How many queries this route has added to the table of queries.
        @exclusivity(unchecked) var queries = 0

        init(key: Route, api: APIDictionary.API, host: String, template: String, process: ProcessIdentity, id: Int64) {
            self.key = key
            self.api = api
            self.host = host
            self.process = process
            self.id = id
            path = PathColumns.Template(template)
        }

        /// Whether the request has this route.
        func matches(_ request: UnsafePointer<RequestRecord>) -> Bool {
            api.template == request.pointee.template && host == request.pointee.host
                && api.method == request.pointee.method && api.isGiven == request.pointee.isTemplateGiven
                && key.port == request.pointee.port && key.scheme == request.pointee.scheme
                && key.version == request.pointee.httpVersion && key.direction == request.pointee.direction
                && process.pid == request.pointee.process.pid && process.name == request.pointee.process.name
        }
    }

    final class KnownAnswer {
        let key: Answer
        let id: Int64
        /// What sums need of it.
        let figures: AnswerFigures.Answer

        init(key: Answer, id: Int64, figures: AnswerFigures.Answer) {
            self.key = key
            self.id = id
            self.figures = figures
        }

        /// Whether the response has this answer.
        func matches(_ response: UnsafePointer<ResponseRecord>) -> Bool {
            key.status == response.pointee.status && key.type == response.pointee.contentType
                && key.coding == response.pointee.contentEncoding && key.reason == response.pointee.reason
                && key.version == response.pointee.httpVersion
        }
    }

    private final class KnownAddress {
        let text: String
        let id: Int64

        init(_ text: String, id: Int64) {
            self.text = text
            self.id = id
        }
    }

    private static let queriesPerRoute = 48
    private static let queryLimit = 30_000
    private static let longestQuery = 256

    let apis: APIDictionary
    let routes: KeyDictionary<Route>
    let answers: KeyDictionary<Answer>
    let failures: KeyDictionary<ExchangeFailure>
    let processes: KeyDictionary<ProcessIdentity>
    private let addresses: KeyDictionary<String>
    let fields: FieldEncoder
    private let queries: BlobDictionary
    private var addedQueries = 0
    @exclusivity(unchecked) private var knownRoutes = KnownTable<KnownRoute>()
    @exclusivity(unchecked) private var knownAnswers = KnownTable<KnownAnswer>()
    @exclusivity(unchecked) private var knownAddresses = KnownTable<KnownAddress>()

    /// The dictionaries of that store.
    init(_ database: Database, templates: TemplateLimits = TemplateLimits()) throws {
        apis = try APIDictionary(database, limits: templates)
        routes = try KeyDictionary(
            database, table: "route", columns: ["api", "process", "scheme", "port", "version", "direction"]
        ) {
            $0.bind(1, $1.api)
            $0.bind(2, $1.process)
            $0.bind(3, $1.scheme)
            $0.bind(4, Int64($1.port))
            $0.bind(5, $1.version)
            $0.bind(6, $1.direction.number)
        }
        answers = try KeyDictionary(
            database, table: "answer", columns: ["status", "type", "coding", "reason", "version"]
        ) {
            $0.bind(1, Int64($1.status))
            $0.bind(2, $1.type)
            $0.bind(3, $1.coding)
            $0.bind(4, $1.reason)
            $0.bind(5, $1.version)
        }
        failures = try KeyDictionary(database, table: "failure", columns: ["domain", "code", "message"]) {
            $0.bind(1, $1.domain.rawValue)
            $0.bind(2, Int64($1.code))
            $0.bind(3, $1.message)
        }
        processes = try KeyDictionary(database, table: "process", columns: ["pid", "name"]) {
            $0.bind(1, Int64($1.pid))
            $0.bind(2, $1.name)
        }
        addresses = try KeyDictionary(database, table: "address", columns: ["text"]) { $0.bind(1, $1) }
        fields = try FieldEncoder(database)
        queries = try BlobDictionary(database, table: "query", isText: true)
    }

    /// Clears all caches after a rollback, when their row numbers may no longer be valid.
    func forget() {
        apis.forget()
        routes.forget()
        answers.forget()
        failures.forget()
        processes.forget()
        addresses.forget()
        fields.forget()
        queries.forget()
        knownRoutes.removeAll()
        knownAnswers.removeAll()
        knownAddresses.removeAll()
    }

    /// Starts a transaction; from now on, merges of other writers take effect.
    func begin() throws {
        if try apis.refresh() { knownRoutes.removeAll() }
    }

    /// The route of a request; a new one if there is none.
    func route(of record: UnsafePointer<RequestRecord>) throws -> KnownRoute {
        let hash = record.pointee.template.cheapHash &+ record.pointee.host.cheapHash &* 31
        if let known = knownRoutes.find(hash, { $0.matches(record) }) { return known }
        let request = record.pointee
        let name = APIDictionary.API(
            method: request.method, host: request.authority, template: request.template,
            isGiven: request.isTemplateGiven)
        let api = try apis.entry(of: name)
        if api.hasMerged { knownRoutes.removeAll() }
        let process = request.process
        let key = Route(
            api: api.id, process: try processes.id(of: process), scheme: request.scheme,
            port: request.port, version: request.httpVersion, direction: request.direction)
        let known = KnownRoute(
            key: key, api: name, host: request.host, template: api.template, process: process,
            id: try routes.id(of: key))
        knownRoutes.add(known, hash: hash)
        return known
    }

    /// The row of a response's status, type, coding, reason and version; a new one if there is none.
    func answer(of record: UnsafePointer<ResponseRecord>) throws -> KnownAnswer {
        let status = UInt64(truncatingIfNeeded: record.pointee.status)
        let hash = record.pointee.contentType.cheapHash &+ status &* 0x9E37_79B9
        if let known = knownAnswers.find(hash, { $0.matches(record) }) { return known }
        let response = record.pointee
        let key = Answer(
            status: response.status, type: response.contentType, coding: response.contentEncoding,
            reason: response.reason, version: response.httpVersion)
        let known = KnownAnswer(key: key, id: try answers.id(of: key), figures: AnswerFigures.Answer(response))
        knownAnswers.add(known, hash: hash)
        return known
    }

    /// The row of the address of a peer; a new one if there is none.
    func address(_ text: String) throws -> Int64 {
        let hash = text.cheapHash
        if let known = knownAddresses.find(hash, { $0.text == text }) { return known.id }
        let known = KnownAddress(text, id: try addresses.id(of: text))
        knownAddresses.add(known, hash: hash)
        return known.id
    }

    /// The row of a query that occurs often; nil for a route whose queries are always new.
    func query(_ text: UnsafeRawBufferPointer, of route: KnownRoute) throws -> Int64? {
        guard text.count <= Self.longestQuery else { return nil }
        if let known = queries.remembered(text, hash: BlobDictionary.hash(text)) { return known }
        guard route.queries < Self.queriesPerRoute else { return nil }
        return try queries.id(of: text) {
            route.queries += 1
            addedQueries += 1
            return addedQueries <= Self.queryLimit
        }
    }
}
