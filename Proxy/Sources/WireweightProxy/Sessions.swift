import NIOConcurrencyHelpers
import NIOCore
import ProxyWire

/// The sessions that are open.
final class Sessions: Sendable {
    private struct State {
        var open: [ObjectIdentifier: Entry] = [:]
        var refused: [ObjectIdentifier: IPAddress] = [:]
        var ownPort = 0
        var isEnding = false
    }

    private struct Entry: Sendable {
        let loop: any EventLoop
        let finish: @Sendable () -> Void
        let stop: @Sendable () -> Void
    }

    private let state = NIOLockedValueBox(State())

    // Connections that wait to be refused, of all clients and of one: each has a descriptor, which those that are let in
    // may need.
    private static let mostRefused = 100
    private static let share = 20

    var ownPort: Int { state.withLockedValue { $0.ownPort } }
    var count: Int { state.withLockedValue { $0.open.count } }
    var isEnding: Bool { state.withLockedValue { $0.isEnding } }

    func setOwnPort(_ port: Int) { state.withLockedValue { $0.ownPort = port } }

    func add(_ session: ProxySession, on loop: any EventLoop) {
        let bound = NIOLoopBound(session, eventLoop: loop)
        let entry = Entry(
            loop: loop, finish: { bound.value.finish() }, stop: { bound.value.close() })
        state.withLockedValue { $0.open[ObjectIdentifier(session)] = entry }
    }

    /// Notes one whose requests are all refused; false if it should be closed at once, because there are too many.
    func addRefused(_ session: ProxySession, of client: IPAddress) -> Bool {
        state.withLockedValue { state in
            let own = state.refused.values.count(where: { $0 == client })
            guard own < Self.share, state.refused.count < Self.mostRefused else { return false }
            state.refused[ObjectIdentifier(session)] = client
            return true
        }
    }

    func remove(_ session: ProxySession) {
        let id = ObjectIdentifier(session)
        state.withLockedValue { state in
            if state.open.removeValue(forKey: id) == nil { state.refused.removeValue(forKey: id) }
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
