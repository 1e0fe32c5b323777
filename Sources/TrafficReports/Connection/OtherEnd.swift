package import TextFormats
package import TrafficModel

/// What both ends of a connection report about the same bytes: a proof, if it is the same.
///
/// The ends are never added up: each byte that one sent is a byte that the other received.
package struct OtherEnd: Hashable, Sendable {
    /// A figure that the two ends report differently.
    package struct Difference: Hashable, Sendable {
        /// The name of the figure, such as `messages down`.
        let name: String
        /// The figure of this end.
        let here: Int64
        /// The figure of the other end.
        let there: Int64
    }

    /// The row of the other end: a connection's or an exchange's number.
    let number: Int64
    /// The process at the other end.
    let process: ProcessIdentity
    /// Whether the other end called or served.
    let direction: TrafficDirection
    /// Bytes that both ends report.
    let bytes: ByteFlow
    /// What they report differently; empty if nothing.
    package let differences: [Difference]
    /// Whether one of the ends is still open, so that its figures may still grow.
    let isOpen: Bool

    /// Whether both ends report the same.
    package var isEqual: Bool { differences.isEmpty }

    /// Compares the two rows of a connection.
    package init(of connection: StoredConnection, and other: StoredConnection) {
        number = other.id.rawValue
        process = other.process
        direction = other.direction
        bytes = connection.load.messages
        isOpen = connection.closedAt == nil || other.closedAt == nil
        var figures: [(String, Int64, Int64)] = []
        if let here = connection.payloadUp, let there = other.payloadUp {
            figures.append(("payload up", here.bytes, there.bytes))
        }
        if let here = connection.payloadDown, let there = other.payloadDown {
            figures.append(("payload down", here.bytes, there.bytes))
        }
        let (here, there) = (connection.load, other.load)
        figures += [
            ("messages up", here.messages.up.bytes, there.messages.up.bytes),
            ("messages down", here.messages.down.bytes, there.messages.down.bytes),
            ("exchanges", here.exchanges, there.exchanges),
        ]
        differences = Self.differences(figures)
    }

    /// Compares the two rows of an exchange, part by part as far as both ends know the part.
    package init(of exchange: StoredExchange, and other: StoredExchange) {
        number = other.id.rawValue
        process = other.request.process
        direction = other.request.direction
        bytes = ByteFlow(up: exchange.request.size.known, down: exchange.response?.size.known ?? .zero)
        isOpen = exchange.end == nil || other.end == nil
        var figures: [(String, Int64, Int64)] = []
        func add(_ message: String, _ here: WireSize, _ there: WireSize) {
            for (part, same) in zip(here.namedParts, there.namedParts)
            where part.part.evidence != .unknown && same.part.evidence != .unknown {
                figures.append(("\(message) \(part.name)", part.part.bytes.bytes, same.part.bytes.bytes))
            }
        }
        add("request", exchange.request.size, other.request.size)
        add("response", exchange.response?.size ?? .nothing, other.response?.size ?? .nothing)
        figures.append(("status", Int64(exchange.response?.status ?? 0), Int64(other.response?.status ?? 0)))
        differences = Self.differences(figures)
    }

    private static func differences(_ figures: [(name: String, here: Int64, there: Int64)]) -> [Difference] {
        figures.filter { $0.here != $0.there }.map { Difference(name: $0.name, here: $0.here, there: $0.there) }
    }

    /// The row and the verdict, such as `7, served by python3 (12): the same bytes, 120 up, 4,000 down`.
    package var sentence: String {
        let name = "\(number), \(direction.rawValue) by \(process.name) (\(process.pid))"
        let open = isOpen ? " (still open)" : ""
        if isEqual {
            return "\(name): the same bytes, \(Units.count(bytes.up.bytes)) up, "
                + "\(Units.count(bytes.down.bytes)) down\(open)"
        }
        let list = differences.map { "\($0.name) \(Units.count($0.here)) here, \(Units.count($0.there)) there" }
        return "\(name): not the same: \(list.joined(separator: "; "))\(open)"
    }

    /// The same as JSON; the row's number is a member of that name.
    package func json(_ row: String) -> JSONValue {
        .object([
            .init(row, .integer(number)), .init("direction", .string(direction.rawValue)),
            .init("pid", .integer(Int64(process.pid))), .init("process", .string(process.name)),
            .init("equal", .bool(isEqual)), .init("open", .bool(isOpen)),
            .init(
                "differences",
                .array(
                    differences.map {
                        .object([
                            .init("name", .string($0.name)), .init("here", .integer($0.here)),
                            .init("there", .integer($0.there)),
                        ])
                    })),
        ])
    }
}

extension OtherEnd {
    /// The largest number of exchanges on a connection among which the other end of one is searched.
    private static let most = 10_000

    /// The other end of a connection; nil if it is not in the store.
    package init?(of connection: StoredConnection, in store: any TrafficBrowsing, _ pairs: ConnectionPairs) throws {
        guard let id = pairs[connection.id], let other = try store.connection(id) else { return nil }
        self.init(of: connection, and: other)
    }

    /// The other end of an exchange; nil if it is not in the store.
    ///
    /// It is the exchange with the same method and target on the other end's connection, at the same place among those
    /// that have the same.
    package init?(of exchange: StoredExchange, in store: any TrafficBrowsing, _ pairs: ConnectionPairs) throws {
        guard let connection = exchange.connection, let other = pairs[connection] else { return nil }
        let here = try Self.like(exchange, on: connection, in: store)
        let there = try Self.like(exchange, on: other, in: store)
        guard here.count == there.count, let place = here.firstIndex(of: exchange.id),
            let found = try store.heads(of: [there[place]]).first
        else { return nil }
        self.init(of: exchange, and: found)
    }

    private static func like(
        _ exchange: StoredExchange, on connection: StoredConnection.ID, in store: any TrafficBrowsing
    ) throws -> [StoredExchange.ID] {
        var filter = ExchangeFilter()
        filter.connection = connection
        filter.method = exchange.request.method
        filter.path = exchange.request.path
        var found: [(startedAt: Timestamp, id: StoredExchange.ID)] = []
        try store.forEachHead(matching: filter, order: .oldestFirst, after: nil) { other in
            if other.request.path == exchange.request.path, other.request.query == exchange.request.query {
                found.append((other.request.startedAt, other.id))
            }
            return found.count <= most
        }
        guard found.count <= most else { return [] }
        return found.sorted { ($0.startedAt, $0.id) < ($1.startedAt, $1.id) }.map(\.id)
    }
}
