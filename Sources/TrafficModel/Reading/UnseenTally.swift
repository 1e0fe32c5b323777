/// What connections carried whose messages were not seen, by host and reason.
package struct UnseenTally: Sendable {
    /// Whose messages were not seen, and why.
    package struct Key: Hashable, Sendable {
        /// Which end the program was.
        package var direction: TrafficDirection
        /// The host that the client named, or the server's address; empty for those that are not listed.
        package var host: String
        package var reason: UnseenTraffic.Reason
    }

    package struct Sum: Sendable {
        package var connections = 0
        package var bytes = ByteFlow.zero
    }

    package private(set) var sums: [Key: Sum] = [:]

    /// What those with exchanges have counted as, because their records come again.
    private var counted: [ConnectionID: (key: Key, bytes: ByteFlow)] = [:]

    /// The largest number of hosts that are listed.
    package static let most = 1_000

    package init() {}

    /// Takes the record of a connection; others than unseen ones do not count.
    ///
    /// It replaces an earlier one of the same connection.
    package mutating func add(_ record: ConnectionRecord) {
        if let (key, bytes) = counted.removeValue(forKey: record.connection) { remove(bytes, of: key) }
        guard let unseen = record.unseen else { return }
        let server = record.direction == .served ? record.localAddress : record.remoteAddress
        var key = Key(
            direction: record.direction, host: unseen.serverName.isEmpty ? server : unseen.serverName,
            reason: unseen.reason)
        if sums[key] == nil, sums.count >= Self.most { key.host = "" }
        sums[key, default: Sum()].connections += 1
        let bytes = record.load.parts[.unseen] ?? .zero
        sums[key, default: Sum()].bytes += bytes
        guard record.load.exchanges > 0 else { return }
        if counted.count >= Self.most { counted.removeAll() }
        counted[record.connection] = (key, bytes)
    }

    private mutating func remove(_ bytes: ByteFlow, of key: Key) {
        guard let sum = sums[key] else { return }
        let rest = ByteFlow(
            up: ByteCount(sum.bytes.up.bytes - bytes.up.bytes), down: ByteCount(sum.bytes.down.bytes - bytes.down.bytes)
        )
        sums[key] = sum.connections > 1 ? Sum(connections: sum.connections - 1, bytes: rest) : nil
    }
}
