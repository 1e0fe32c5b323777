import GRDB
package import TrafficModel

/// The resource of the exchanges from one on, until the next.
package struct StoredResource: Hashable, Sendable {
    /// The number of the first of these exchanges.
    package var firstExchange: Int64
    /// The run of the writer that added them.
    package var run: Int64
    /// What was metered.
    package var resource: TrafficResource

    /// The columns of the attributes, each with its place in a resource.
    static let columns: [(name: String, path: any WritableKeyPath<TrafficResource, String> & Sendable)] = [
        ("service", \.service), ("version", \.version), ("environment", \.environment), ("host_name", \.hostName),
        ("os", \.os), ("os_version", \.osVersion), ("region", \.region), ("carrier", \.carrier),
    ]
    private static let names = columns.map(\.name).joined(separator: ", ")

    /// Writes the row, in the open transaction; one for the same first exchange is replaced.
    func write(to database: Database) throws {
        let values = Self.columns.map { resource[keyPath: $0.path] }
        let marks = Array(repeating: "?", count: values.count + 2).joined(separator: ", ")
        try database.execute(
            sql: "INSERT OR REPLACE INTO resource(first_exchange, run, \(Self.names)) VALUES (\(marks))",
            arguments: [firstExchange, run] + StatementArguments(values))
    }

    /// All of a store, in order.
    static func all(_ database: Database) throws -> [StoredResource] {
        let rows = try PreparedStatement(
            database, "SELECT first_exchange, run, \(names) FROM resource ORDER BY 1")
        var all: [StoredResource] = []
        while try rows.step() {
            var resource = TrafficResource()
            for (place, column) in columns.enumerated() { resource[keyPath: column.path] = rows.text(Int32(place + 2)) }
            all.append(StoredResource(firstExchange: rows.int(0), run: rows.int(1), resource: resource))
        }
        return all
    }
}

extension StoreReader {
    /// The resources of a store, in the order of the exchanges that they belong to.
    package func resources() throws -> [StoredResource] { try read { database, _ in try StoredResource.all(database) } }

    package func sources(by grouping: TrafficGrouping) throws -> ExchangeSources {
        if grouping == .installation {
            return ExchangeSources([
                ExchangeSources.Part(firstExchange: 0, name: try installation().description)
            ])
        }
        return ExchangeSources(
            try resources().map {
                ExchangeSources.Part(firstExchange: $0.firstExchange, name: grouping.source(in: $0.resource) ?? "")
            })
    }

    /// The identity of this store in a fleet.
    package func installation() throws -> InstallationID {
        try read { database, _ in
            let text = try String.fetchOne(database, sql: "SELECT installation FROM identity") ?? ""
            guard let id = InstallationID(text) else {
                throw StoreError(
                    .corrupt, "the identity '\(text)' of the store '\(path)' is no UUID; meter into a new file")
            }
            return id
        }
    }
}
