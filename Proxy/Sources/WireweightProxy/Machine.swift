import NIOConcurrencyHelpers
import NIOCore
import ProxyWire

/// The addresses of this machine, which may change while the proxy runs.
final class Machine: Sendable {
    private struct State {
        var addresses: Set<IPAddress> = []
        var asked: NIODeadline?
    }

    private let state = NIOLockedValueBox(State())
    private static let interval = TimeAmount.seconds(10)

    var addresses: Set<IPAddress> {
        state.withLockedValue { state in
            let now = NIODeadline.now()
            if let asked = state.asked, now - asked < Self.interval { return state.addresses }
            state.asked = now
            state.addresses = Set(Self.all())
            return state.addresses
        }
    }

    static func all() -> [IPAddress] {
        ((try? System.enumerateDevices()) ?? []).compactMap { $0.address?.ip }
    }
}
