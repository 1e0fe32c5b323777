/// Work of several clients for a number of workers, of which no client gets more than its share.
///
/// A client over its share waits for its own work alone; others go on.
package struct FairQueue<Client: Hashable, Work> {
    private let workers: Int
    private let share: Int
    private var running: [Client: Int] = [:]
    private var busy = 0
    /// In the order in which they came.
    private var waiting: [(client: Client, work: Work)] = []

    package init(workers: Int, share: Int) {
        self.workers = workers
        self.share = share
    }

    /// The work if it can begin at once; otherwise it waits.
    package mutating func add(_ work: Work, of client: Client) -> Work? {
        guard canBegin(client) else {
            waiting.append((client, work))
            return nil
        }
        begin(client)
        return work
    }

    /// Takes note of the end of a client's work; returns what begins in its place.
    package mutating func end(of client: Client) -> (client: Client, work: Work)? {
        busy -= 1
        let left = running[client, default: 1] - 1
        running[client] = left == 0 ? nil : left
        guard let next = waiting.firstIndex(where: { canBegin($0.client) }) else { return nil }
        begin(waiting[next].client)
        return waiting.remove(at: next)
    }

    private func canBegin(_ client: Client) -> Bool { busy < workers && running[client, default: 0] < share }

    private mutating func begin(_ client: Client) {
        busy += 1
        running[client, default: 0] += 1
    }
}

extension FairQueue: Sendable where Client: Sendable, Work: Sendable {}
