import NIOConcurrencyHelpers
import NIOCore
import ProxyWire

/// The sessions that are open.
final class Sessions: Sendable {
    private struct State {
        var open: [ObjectIdentifier: Entry] = [:]
        var shares: ConnectionShares
        /// Connections that wait to be refused: each has a descriptor, which those that are let in may need.
        var refused: [ObjectIdentifier: IPAddress] = [:]
        var refusedShares = ConnectionShares(most: 100, share: 20)
        /// Clients of which was said that they have their share.
        var crowds: Set<IPAddress> = []
        var ownPort = 0
        var isEnding = false
    }

    private struct Entry: Sendable {
        let client: IPAddress
        let loop: any EventLoop
        let finish: @Sendable () -> Void
        let stop: @Sendable () -> Void
    }

    private let state: NIOLockedValueBox<State>
    /// The most connections, of all clients and of one device.
    let most: Int
    let share: Int

    init(most: Int) {
        self.most = most
        share = max(1, most / 2)
        state = NIOLockedValueBox(State(shares: ConnectionShares(most: most, share: share)))
    }

    var ownPort: Int { state.withLockedValue { $0.ownPort } }
    var count: Int { state.withLockedValue { $0.open.count } }
    var isEnding: Bool { state.withLockedValue { $0.isEnding } }

    func setOwnPort(_ port: Int) { state.withLockedValue { $0.ownPort = port } }

    /// Notes one, unless there are too many.
    func add(_ session: ProxySession, of client: IPAddress, on loop: any EventLoop) -> ConnectionShares.Answer {
        let bound = NIOLoopBound(session, eventLoop: loop)
        let entry = Entry(
            client: client, loop: loop, finish: { bound.value.finish() }, stop: { bound.value.close() })
        return state.withLockedValue { state in
            // The programs of this machine are many clients with one address.
            let answer = state.shares.add(client, mayHaveAll: client.isLoopback)
            if answer == .taken { state.open[ObjectIdentifier(session)] = entry }
            return answer
        }
    }

    /// Notes a client that wants more than its share; whether it is the first time.
    func noteCrowd(_ client: IPAddress) -> Bool {
        state.withLockedValue { state in
            // Addresses without end must fill neither the memory nor the terminal.
            state.crowds.count < 1000 && state.crowds.insert(client).inserted
        }
    }

    /// Notes one whose requests are all refused; false if it should be closed at once, because there are too many.
    func addRefused(_ session: ProxySession, of client: IPAddress) -> Bool {
        state.withLockedValue { state in
            guard state.refusedShares.add(client) == .taken else { return false }
            state.refused[ObjectIdentifier(session)] = client
            return true
        }
    }

    func remove(_ session: ProxySession) {
        let id = ObjectIdentifier(session)
        state.withLockedValue { state in
            if let entry = state.open.removeValue(forKey: id) {
                state.shares.remove(entry.client)
            } else if let client = state.refused.removeValue(forKey: id) {
                state.refusedShares.remove(client)
            }
        }
    }

    /// Ends those that are idle at once, the others when their exchange is over, and all of them after this time.
    func end(within time: TimeAmount) async {
        let entries = state.withLockedValue { state in
            state.isEnding = true
            return Array(state.open.values)
        }
        for entry in entries { entry.loop.execute(entry.finish) }
        try? await Task.sleep(for: .milliseconds(100))
        if count > 0 {
            let seconds = time.nanoseconds / 1_000_000_000
            Desk.say("waiting up to \(seconds) s for \(count) connection\(count == 1 ? "" : "s") to finish")
        }
        let deadline = NIODeadline.now() + time
        while count > 0, NIODeadline.now() < deadline { try? await Task.sleep(for: .milliseconds(20)) }
        for entry in state.withLockedValue({ Array($0.open.values) }) { entry.loop.execute(entry.stop) }
        while count > 0, NIODeadline.now() < deadline + .seconds(1) { try? await Task.sleep(for: .milliseconds(5)) }
    }
}
