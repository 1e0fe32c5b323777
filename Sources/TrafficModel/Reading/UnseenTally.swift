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

    /// The largest number of hosts that are listed.
    package static let most = 1_000

    package init() {}

    /// Takes the record of a connection that is over; others than unseen ones do not count.
    package mutating func add(_ record: ConnectionRecord) {
        guard let unseen = record.unseen else { return }
        let server = record.direction == .served ? record.localAddress : record.remoteAddress
        var key = Key(
            direction: record.direction, host: unseen.serverName.isEmpty ? server : unseen.serverName,
            reason: unseen.reason)
        if sums[key] == nil, sums.count >= Self.most { key.host = "" }
        sums[key, default: Sum()].connections += 1
        sums[key, default: Sum()].bytes += record.load.parts[.unseen] ?? .zero
    }
}
