internal import TextFormats
internal import TrafficModel
internal import TrafficReports

/// A page of the connections, the newest first.
struct ConnectionList: Sendable {
    /// The last connection of the page before; nil for the first page.
    let after: Int?
    let limit: Int
    /// Only connections of this direction; nil for all.
    let direction: TrafficDirection?

    func json(_ reading: any TrafficBrowsing) throws -> JSONValue {
        var page: [StoredConnection] = []
        var hasMore = false
        let last = after.map { StoredConnection.ID(Int64($0)) }
        try reading.forEachConnection(order: .newestFirst, after: last) { connection in
            if let direction, connection.direction != direction { return true }
            hasMore = page.count == limit
            if !hasMore { page.append(connection) }
            return !hasMore
        }
        return .object([
            .init("connections", .array(page.map(Self.row))),
            .init("total", after == nil ? .integer(try reading.connectionCount()) : .null),
            .init("cursor", hasMore ? .text(page.last?.id.description) : .null),
        ])
    }

    private static func row(_ connection: StoredConnection) -> JSONValue {
        func bytes(_ count: ByteCount?) -> JSONValue { count.map { .integer($0.bytes) } ?? .null }
        return .object(
            [
                .init("id", .integer(connection.id.rawValue)),
                .init("local", .text(connection.localAddress)), .init("remote", .text(connection.remoteAddress)),
                .init("process", .text(connection.process.name)),
                .init("pid", .integer(Int64(connection.process.pid))), .init("opened", .moment(connection.openedAt)),
                .init("closed", .moment(connection.closedAt)),
                .init("retransmitted", bytes(connection.retransmitted)),
                .init("roundTrip", .milliseconds(connection.roundTrip)),
            ] + ConnectionLine(connection).members(named: ConnectionLine.ledgerNames))
    }
}
