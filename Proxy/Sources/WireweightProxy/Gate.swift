import NIOConcurrencyHelpers
import ProxyWire

/// Who may use the proxy, which a person can change while it runs.
final class Gate: Sendable {
    private struct State {
        var reach: Reach
        var asked: [IPAddress] = []
    }

    private let state: NIOLockedValueBox<State>
    /// Called once for each device that asks for the first time.
    private let ask: @Sendable (IPAddress) -> Void
    /// Called for each device that asked, when it is let in.
    private let admitted: @Sendable (IPAddress) -> Void

    init(
        _ reach: Reach, ask: @escaping @Sendable (IPAddress) -> Void,
        admitted: @escaping @Sendable (IPAddress) -> Void
    ) {
        state = NIOLockedValueBox(State(reach: reach))
        self.ask = ask
        self.admitted = admitted
    }

    var reach: Reach { state.withLockedValue { $0.reach } }

    /// Whether this device may use the proxy; if not, its wish is noted.
    func admits(_ client: IPAddress) -> Bool {
        let (isAdmitted, isNew) = state.withLockedValue { state in
            if state.reach.admits(client) { return (true, false) }
            // A crowd must not fill the terminal.
            if state.asked.contains(client) || state.asked.count >= 16 { return (false, false) }
            state.asked.append(client)
            return (false, true)
        }
        if isNew { ask(client) }
        return isAdmitted
    }

    func allow(_ range: AddressRange) {
        let devices = state.withLockedValue { state in
            state.reach.allowed.append(range)
            let devices = state.asked.filter(range.contains)
            state.asked.removeAll(where: range.contains)
            return devices
        }
        for device in devices { admitted(device) }
    }
}
