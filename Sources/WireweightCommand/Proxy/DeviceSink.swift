import Locks
import TrafficModel

/// Makes a proxy's events those of its devices.
///
/// What the proxy has served is the device's: its address takes the proxy's place, and by what else it is known is an
/// event of its own (``DeviceNames``). The proxy's own exchange with a server becomes the server's leg of the device's. A
/// tunnel is open longer than the exchange that opens it, so that exchange ends, in the events, when the connection does,
/// and what went through the tunnel is its overhead.
final class DeviceSink: ExchangeSink {
    private let output: ExchangeOutput
    /// What the devices' network is called if it is not the one that they are on.
    private let network: String?
    /// What the proxy says of its connections.
    private let channel: ProxyChannel?
    private let legs: Mutex<LegJoiner>
    private let names: DeviceNames
    /// Whether the exchange of a request is recorded; of others nothing is kept.
    private let keeps: @Sendable (RequestRecord) -> Bool

    init(
        _ sink: any TrafficSink, network: String? = nil, channel: ProxyChannel? = nil, legs: LegJoiner = LegJoiner(),
        system: DeviceNames.System = DeviceNames.System(),
        keeps: @escaping @Sendable (RequestRecord) -> Bool = { _ in true }
    ) {
        output = ExchangeOutput(sink)
        self.keeps = keeps
        names = DeviceNames(system: system) { sink.record(.device($0)) }
        self.network = network
        self.channel = channel
        self.legs = Mutex(legs)
    }

    func record(_ event: TrafficEvent) {
        switch event {
        case .connection(var record):
            if record.direction == .served {
                record.process = Self.device(record.remoteAddress, through: record.process)
                if record.process.name != Self.own { names.find(record.process.name) }
                if let network { record.network = ConnectionNetwork(interface: network) }
            }
            // The device's TLS, not the proxy's own.
            if record.unseen?.reason == .tls { record.unseen?.reason = .passedOn }
            give(join { $0.take(record) })
            output.sink.record(.connection(record))
        case .request(let request):
            if legs.withLock({ $0.begin(request) }) { output.sink.record(event) }
        case .response(let response):
            if !legs.withLock({ $0.isCall(response.exchange) }) { output.sink.record(event) }
        case .end, .loss, .device, .carrier: output.sink.record(event)
        // The proxy's own, not a device's.
        case .lookup: return
        }
    }

    func record(_ exchange: inout Exchange) {
        guard let end = exchange.end, !end.remoteAddress.isEmpty else { return output.record(&exchange) }
        if exchange.request.direction == .served {
            exchange.request.process = Self.device(end.remoteAddress, through: exchange.request.process)
            let (name, fields) = (exchange.request.process.name, exchange.request.fields)
            if name != Self.own, keeps(exchange.request) {
                names.hint(fields.firstValue(of: "User-Agent"), of: name)
            }
        }
        let taken = exchange
        give(join { $0.take(taken, end) })
    }

    /// Records what is left: exchanges whose tunnels have not been closed, and those without a leg.
    func finish() {
        give(join { $0.finish() })
        names.finish()
    }

    private func join(_ body: (inout LegJoiner) -> [LegJoiner.Output]) -> [LegJoiner.Output] {
        legs.withLock { legs in
            // The proxy says it before it sends anything on the connection.
            channel?.readLegs { legs.note($0, for: $1) }
            return body(&legs)
        }
    }

    private func give(_ all: [LegJoiner.Output]) {
        for one in all {
            switch one {
            case .exchange(var exchange): output.record(&exchange)
            case .event(let event): output.sink.record(event)
            }
        }
    }

    /// What programs of this machine are called together.
    private static let own = "this computer"

    /// The device at `address:port`; programs of this machine are one device.
    private static func device(_ peer: String, through proxy: ProcessIdentity) -> ProcessIdentity {
        let address = peer.lastIndex(of: ":").map { peer[..<$0] } ?? peer[...]
        let bare = address.hasPrefix("[") ? address.dropFirst().dropLast() : address
        let isOwn = bare.hasPrefix("127.") || bare == "::1" || bare.hasPrefix("::ffff:127.")
        let name = bare.hasPrefix("::ffff:") ? bare.dropFirst("::ffff:".count) : bare
        return ProcessIdentity(pid: proxy.pid, name: isOwn ? own : String(name))
    }
}
