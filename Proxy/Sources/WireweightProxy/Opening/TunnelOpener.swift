import NIOConcurrencyHelpers
import NIOCore
import ProxyTLS
import ProxyWire

/// Which tunnels are opened, and with what.
final class TunnelOpener: Sendable {
    private struct State {
        var refusals = CertificateRefusals()
        var said: Set<String> = []
    }

    let contexts: TLSContexts
    private let closed: [HostPattern]
    private let state = NIOLockedValueBox(State())

    init(_ contexts: TLSContexts, closed: [HostPattern]) {
        self.contexts = contexts
        self.closed = closed
    }

    func opens(_ host: String, for device: IPAddress?) -> Bool {
        if closed.contains(where: { $0.matches(host) }) { return false }
        return !state.withLockedValue { $0.refusals.contains(host, by: Self.name(device)) }
    }

    /// Learns from a connection whether the device takes our certificate for this host.
    func note(_ sign: CertificateRefusals.Sign, of host: String, by device: IPAddress?) {
        let device = Self.name(device)
        switch state.withLockedValue({ $0.refusals.note(sign, of: host, by: device) }) {
        case nil: break
        case .refused:
            Desk.say(
                "\(device) refused our certificate for \(host): it is not trusted there, or the app pins its own; "
                    + "from now on \(host) passes unopened for it")
        case .silent(let count):
            Desk.say(
                "\(device) has ended \(count) connections to \(host) and sent nothing: it connects ahead, as browsers do, "
                    + "or its app pins a certificate; if it does not work, '--closed \(host)' leaves the host unopened"
            )
        }
    }

    /// Learns that a server does not go on without a certificate, which only the device has.
    func noteWanting(_ host: String) {
        guard state.withLockedValue({ $0.refusals.noteWanting(host) }) else { return }
        Desk.say(
            "\(host) wants a certificate of its client, which only the app has: this connection has failed; from now on "
                + "\(host) passes unopened")
    }

    /// Says once for each host why a server is not reached.
    func failed(_ host: String, _ failure: TLSFailure) {
        let isNew = state.withLockedValue { state in state.said.count < 100 && state.said.insert(host).inserted }
        if isNew { Desk.say("\(host): \(failure); the device gets the same failure") }
    }

    private static func name(_ device: IPAddress?) -> String {
        guard let device else { return "a device" }
        return device.isLoopback ? "this computer" : "\(device)"
    }
}
