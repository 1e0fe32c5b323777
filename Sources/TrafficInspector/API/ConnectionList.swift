internal import TrafficModel
internal import TrafficReports

/// A page of the connections.
struct ConnectionList: Sendable {
    let offset: Int
    let limit: Int

    func json(_ reading: any TrafficReading) throws -> JSONValue {
        let all = try reading.connections()
        let some = all.dropFirst(offset).prefix(limit)
        let next = offset + some.count
        return .object([
            .init("connections", .array(some.map(Self.row))), .init("total", .integer(Int64(all.count))),
            .init("cursor", next < all.count ? .string("\(next)") : .null),
        ])
    }

    private static func row(_ connection: ConnectionRecord) -> JSONValue {
        func bytes(_ count: ByteCount?) -> JSONValue { count.map { .integer($0.bytes) } ?? .null }
        return .object([
            .init("id", .integer(connection.connection.rawValue)), .init("local", .text(connection.localAddress)),
            .init("remote", .text(connection.remoteAddress)), .init("process", .text(connection.process.name)),
            .init("pid", .integer(Int64(connection.process.pid))), .init("opened", .moment(connection.openedAt)),
            .init("closed", .moment(connection.closedAt)), .init("sent", bytes(connection.sent)),
            .init("received", bytes(connection.received)), .init("retransmitted", bytes(connection.retransmitted)),
            .init("roundTrip", .milliseconds(connection.roundTrip)),
        ])
    }
}
