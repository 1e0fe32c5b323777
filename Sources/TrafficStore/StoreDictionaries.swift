import GRDB
internal import TrafficModel

/// All that is written once and then told by its number.
final class StoreDictionaries {
    struct API: Hashable {
        var method: String
        var host: String
        var template: String
    }

    struct Route: Hashable {
        var api: Int64
        var process: Int64
        var scheme: String
        var port: Int
        var version: String
    }

    struct Answer: Hashable {
        var status: Int
        var type: String
        var coding: String
        var reason: String
        var version: String
    }

    struct Failure: Hashable {
        var code: Int
        var message: String
    }

    let apis: KeyDictionary<API>
    let routes: KeyDictionary<Route>
    let answers: KeyDictionary<Answer>
    let failures: KeyDictionary<Failure>
    let processes: KeyDictionary<ProcessIdentity>
    let addresses: KeyDictionary<String>
    let fields: FieldEncoder

    /// The dictionaries of that store.
    init(_ database: Database) throws {
        apis = try KeyDictionary(database, table: "api", columns: ["method", "host", "template"]) {
            $0.bind(1, $1.method)
            $0.bind(2, $1.host)
            $0.bind(3, $1.template)
        }
        routes = try KeyDictionary(
            database, table: "route", columns: ["api", "process", "scheme", "port", "version"]
        ) {
            $0.bind(1, $1.api)
            $0.bind(2, $1.process)
            $0.bind(3, $1.scheme)
            $0.bind(4, Int64($1.port))
            $0.bind(5, $1.version)
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
        failures = try KeyDictionary(database, table: "failure", columns: ["code", "message"]) {
            $0.bind(1, Int64($1.code))
            $0.bind(2, $1.message)
        }
        processes = try KeyDictionary(database, table: "process", columns: ["pid", "name"]) {
            $0.bind(1, Int64($1.pid))
            $0.bind(2, $1.name)
        }
        addresses = try KeyDictionary(database, table: "address", columns: ["text"]) { $0.bind(1, $1) }
        fields = try FieldEncoder(database)
    }

    /// Empties all memory, because a transaction was rolled back and its numbers may mean nothing.
    func forget() {
        apis.forget()
        routes.forget()
        answers.forget()
        failures.forget()
        processes.forget()
        addresses.forget()
        fields.forget()
    }

    /// The API and the route of a request.
    func route(of request: RequestRecord) throws -> (api: Int64, route: Int64) {
        let api = try apis.id(
            of: API(method: request.method, host: request.host, template: request.template))
        let process = try processes.id(of: request.process)
        let route = try routes.id(
            of: Route(
                api: api, process: process, scheme: request.scheme, port: request.port,
                version: request.httpVersion))
        return (api, route)
    }

    /// The answer of a response.
    func answer(of response: ResponseRecord) throws -> Int64 {
        try answers.id(
            of: Answer(
                status: response.status, type: response.contentType, coding: response.contentEncoding,
                reason: response.reason, version: response.httpVersion))
    }
}
