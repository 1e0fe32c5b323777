import Locks
import TrafficModel

/// Makes a proxy's events those of its devices.
///
/// What the proxy has served is the device's: its address, which is all that is known of it, takes the proxy's place. A
/// tunnel is open longer than the exchange that opens it, so that exchange ends, in the events, when the connection does,
/// and what went through the tunnel is its overhead.
final class DeviceSink: ExchangeSink {
    private let output: ExchangeOutput
    /// What the devices' network is called if it is not the one that they are on.
    private let network: String?
    /// The ends of exchanges whose tunnels are open.
    private let tunnels = Mutex<[ConnectionID: ExchangeEnd]>([:])

    init(_ sink: any TrafficSink, network: String? = nil) {
        output = ExchangeOutput(sink)
        self.network = network
    }

    func record(_ event: TrafficEvent) {
        guard case .connection(var record) = event else { return output.sink.record(event) }
        if record.direction == .served {
            record.process = Self.device(record.remoteAddress, through: record.process)
            if let network { record.network = ConnectionNetwork(interface: network) }
        }
        // The device's TLS, not the proxy's own.
        if record.unseen?.reason == .tls { record.unseen?.reason = .passedOn }
        if record.closedAt != nil, let end = tunnels.withLock({ $0.removeValue(forKey: record.connection) }) {
            self.end(end, with: record)
        }
        output.sink.record(.connection(record))
    }

    func record(_ exchange: inout Exchange) {
        if exchange.request.direction == .served, let end = exchange.end, !end.remoteAddress.isEmpty {
            exchange.request.process = Self.device(end.remoteAddress, through: exchange.request.process)
            if let connection = end.connection, Self.opensTunnel(exchange) {
                tunnels.withLock { $0[connection] = end }
                output.sink.record(.request(exchange.request))
                if let response = exchange.response { output.sink.record(.response(response)) }
                return
            }
        }
        output.record(&exchange)
    }

    /// Ends the exchanges whose tunnels have not been closed.
    func finish() {
        let left = tunnels.withLock { tunnels in
            defer { tunnels = [:] }
            return tunnels.values.sorted { $0.exchange.rawValue < $1.exchange.rawValue }
        }
        for end in left { output.sink.record(.end(end)) }
    }

    private static func opensTunnel(_ exchange: Exchange) -> Bool {
        exchange.request.method == "CONNECT" && exchange.response.map { (200..<300).contains($0.status) } ?? false
    }

    private func end(_ end: ExchangeEnd, with record: ConnectionRecord) {
        var end = end
        var share = end.share ?? ConnectionShare()
        if let up = record.payloadUp, let down = record.payloadDown {
            let messages = record.load.messages
            let tunnelled = ByteFlow(
                up: ByteCount(max(0, up.bytes - messages.up.bytes)),
                down: ByteCount(max(0, down.bytes - messages.down.bytes)))
            // Some of it is in the share already, if it came before the exchange had ended.
            share.overhead = ByteFlow(
                up: max(share.overhead.up, tunnelled.up), down: max(share.overhead.down, tunnelled.down))
        }
        end.share = share
        output.sink.record(.end(end))
    }

    /// The device at `address:port`; programs of this machine are one device.
    private static func device(_ peer: String, through proxy: ProcessIdentity) -> ProcessIdentity {
        let address = peer.lastIndex(of: ":").map { peer[..<$0] } ?? peer[...]
        let bare = address.hasPrefix("[") ? address.dropFirst().dropLast() : address
        let isOwn = bare.hasPrefix("127.") || bare == "::1" || bare.hasPrefix("::ffff:127.")
        let name = bare.hasPrefix("::ffff:") ? bare.dropFirst("::ffff:".count) : bare
        return ProcessIdentity(pid: proxy.pid, name: isOwn ? "this computer" : String(name))
    }
}
