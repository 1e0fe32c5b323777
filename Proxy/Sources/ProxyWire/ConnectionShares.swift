/// How many connections clients have, with a limit for all of them together and one for each.
///
/// Each connection has descriptors, whose number is limited: one client must not take those of the others.
package struct ConnectionShares: Sendable {
    package enum Answer: Equatable, Sendable {
        /// It is counted, until ``remove(_:)``.
        case taken
        /// All clients together have the most.
        case full
        /// This client has its share.
        case shareIsTaken
    }

    package let most: Int
    /// The most of one client.
    package let share: Int

    private var counts: [IPAddress: Int] = [:]
    private var count = 0

    package init(most: Int, share: Int) {
        self.most = most
        self.share = share
    }

    /// Counts one more, if there may be; `mayHaveAll` is for a client that has no share of its own.
    package mutating func add(_ client: IPAddress, mayHaveAll: Bool = false) -> Answer {
        guard count < most else { return .full }
        let own = counts[client, default: 0]
        guard mayHaveAll || own < share else { return .shareIsTaken }
        counts[client] = own + 1
        count += 1
        return .taken
    }

    /// Ends a connection that was taken.
    package mutating func remove(_ client: IPAddress) {
        guard let own = counts[client] else { return }
        counts[client] = own == 1 ? nil : own - 1
        count -= 1
    }
}
