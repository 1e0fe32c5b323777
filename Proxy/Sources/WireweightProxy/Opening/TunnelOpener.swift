import NIOConcurrencyHelpers
import NIOCore
import ProxyTLS
import ProxyWire

/// Which tunnels are opened, and with what.
final class TunnelOpener: Sendable {
    private struct State {
        /// Devices and hosts that have refused our certificate.
        var refused: Set<String> = []
        /// How often a device ended a connection to a host before it sent anything.
        var silent: [String: Int] = [:]
        var said: Set<String> = []
    }

    let contexts: TLSContexts
    private let closed: [HostPattern]
    private let state = NIOLockedValueBox(State())

    private static let most = 10_000

    init(_ contexts: TLSContexts, closed: [HostPattern]) {
        self.contexts = contexts
        self.closed = closed
    }

    func opens(_ host: String, for device: IPAddress?) -> Bool {
        if closed.contains(where: { $0.matches(host) }) { return false }
        return !state.withLockedValue { $0.refused.contains(Self.key(device, host)) }
    }

    /// The device does not trust our certificate for this host, as it may pin another: next time it passes unopened.
    func refused(_ host: String, by device: IPAddress?) {
        let isNew = state.withLockedValue { state in
            if state.refused.count >= Self.most { state.refused.removeAll() }
            return state.refused.insert(Self.key(device, host)).inserted
        }
        guard isNew else { return }
        Desk.say(
            "\(Self.name(device)) refused our certificate for \(host): it is not trusted there, or the app pins its own; "
                + "from now on \(host) passes unopened for it")
    }

    /// The device ended without a word after the handshake, as apps that pin do, and browsers that connect ahead.
    func wasSilent(_ host: String, by device: IPAddress?) {
        let count = state.withLockedValue { state in
            if state.silent.count >= Self.most { state.silent.removeAll() }
            let key = Self.key(device, host)
            guard state.silent[key] != .max else { return 0 }
            state.silent[key, default: 0] += 1
            return state.silent[key, default: 0]
        }
        if count >= 3 { refused(host, by: device) }
    }

    /// It has sent a request: it trusts the certificate.
    func spoke(_ host: String, by device: IPAddress?) {
        state.withLockedValue { $0.silent[Self.key(device, host)] = .max }
    }

    /// Says once for each host why a server is not reached.
    func failed(_ host: String, _ failure: TLSFailure) {
        let isNew = state.withLockedValue { state in state.said.count < 100 && state.said.insert(host).inserted }
        if isNew { Desk.say("\(host): \(failure); the device gets the same failure") }
    }

    private static func key(_ device: IPAddress?, _ host: String) -> String { "\(name(device)) \(host)" }

    private static func name(_ device: IPAddress?) -> String {
        guard let device else { return "a device" }
        return device.isLoopback ? "this computer" : "\(device)"
    }
}
