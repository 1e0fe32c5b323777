import TrafficModel

@testable import WireweightCommand

/// The same as ``LegJoiner`` without its queues.
///
/// It looks through all that waits, and tests compare the two.
struct LinearLegJoiner {
    typealias Output = LegJoiner.Output
    typealias Ends = LegJoiner.Ends

    /// A connection of a device, and what is to be joined on it.
    private struct Device {
        /// Its exchanges that have ended and have no leg yet, in the order of their requests; a tunnel stays.
        var served: [Served] = []
        /// The proxy's exchanges with servers for it, the same.
        var called: [Exchange] = []
        /// The connections to servers that the proxy has opened for it and that are not known to be closed.
        var open: Set<Ends> = []
        /// The last connection to a server that was closed.
        var lastServer: ConnectionRecord?
        /// Its own record, when it was closed.
        var closed: ConnectionRecord?
        var closedAt: ContinuousClock.Instant?
    }

    private struct Served {
        var target: Target
        var isTunnel: Bool
        var end: ExchangeEnd
        /// Of a tunnel, whose end waits for those of its connections.
        var leg: ServerLeg?
    }

    private struct Target: Hashable {
        let isConnect: Bool
        /// Nil for HTTP/1, where the order is enough.
        let words: [String]?

        init(_ request: borrowing RequestRecord) {
            isConnect = request.method == "CONNECT"
            let isMultiplexed = request.httpVersion.hasPrefix("2")
            words = isMultiplexed ? [request.method, request.path, request.query ?? ""] : nil
        }
    }

    /// How long a connection to a server may be open after the device's was closed, until what is left is given out:
    /// some are never reported, as nothing went over them.
    static let patience = Duration.seconds(2)
    private static let mostServers = 100_000

    private var devices: [String: Device] = [:]
    /// The devices' connections for which connections to servers were opened.
    private var owners: [Ends: String] = [:]
    /// The ends of connections to servers.
    private var servers: [ConnectionID: Ends] = [:]
    /// Exchanges with servers on connections whose ends are not known yet.
    private var homeless: [ConnectionID: [Exchange]] = [:]
    /// Exchanges over HTTP/2 that run, which may be earlier than one that has ended.
    private var running: [ExchangeID: Target] = [:]
    private var runningCalls: [ExchangeID: Target] = [:]
    /// Devices' connections on which an exchange that runs may come first.
    private var waiting: Set<String> = []
    private var closing: [String] = []
    private let now: @Sendable () -> ContinuousClock.Instant

    init(now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) { self.now = now }

    // MARK: what is seen

    /// Notes that the proxy has opened a connection to a server for that connection of a device.
    mutating func note(_ server: Ends, for device: String) {
        if owners.count >= Self.mostServers { owners.removeAll() }
        let device = Ends.plain(device)
        owners[server] = device
        devices[device, default: Device()].open.insert(server)
    }

    /// Takes a request that runs; whether it is for the store, and not one of the proxy's own.
    mutating func begin(_ request: borrowing RequestRecord) -> Bool {
        let target = Target(request)
        if request.direction == .called {
            runningCalls[request.exchange] = target
            return false
        }
        if target.words != nil { running[request.exchange] = target }
        return true
    }

    /// Whether a response is one of the proxy's own requests.
    func isCall(_ exchange: ExchangeID) -> Bool { runningCalls[exchange] != nil }

    /// Takes an exchange that has ended.
    mutating func take(_ exchange: Exchange, _ end: ExchangeEnd) -> [Output] {
        exchange.request.direction == .called ? called(exchange, end) : served(exchange, end)
    }

    /// Takes what is known of a connection.
    mutating func take(_ record: ConnectionRecord) -> [Output] {
        record.direction == .called ? called(record) : served(record)
    }

    private mutating func served(_ exchange: Exchange, _ end: ExchangeEnd) -> [Output] {
        let device = Ends.plain(end.remoteAddress)
        running[exchange.request.exchange] = nil
        let isTunnel =
            exchange.request.method == "CONNECT" && exchange.response.map { (200..<300).contains($0.status) } ?? false
        insert(Served(target: Target(exchange.request), isTunnel: isTunnel, end: end), device)
        var exchange = exchange
        // Often the server's leg is there already.
        let joined = join(device)
        if joined.count == 1, case .event(.end(let end)) = joined[0], end.exchange == exchange.request.exchange {
            exchange.end = end
            return [.exchange(exchange)] + goOn()
        }
        var output: [Output] = [.event(.request(exchange.request))]
        if let response = exchange.response { output.append(.event(.response(response))) }
        return output + joined + goOn()
    }

    private mutating func called(_ exchange: Exchange, _ end: ExchangeEnd) -> [Output] {
        runningCalls[exchange.request.exchange] = nil
        guard let connection = end.connection else { return [.exchange(exchange)] }
        guard let ends = servers[connection], let device = owners[ends] else {
            homeless[connection, default: []].append(exchange)
            return []
        }
        devices[device, default: Device()].called.append(exchange)
        return join(device) + goOn()
    }

    private mutating func served(_ record: ConnectionRecord) -> [Output] {
        guard record.closedAt != nil else { return [] }
        let device = Ends.plain(record.remoteAddress)
        if devices[device] != nil {
            devices[device]?.closed = record
            devices[device]?.closedAt = now()
            closing.append(device)
        }
        return goOn()
    }

    private mutating func called(_ record: ConnectionRecord) -> [Output] {
        let ends = Ends(local: record.localAddress, remote: record.remoteAddress)
        guard let device = owners[ends] else { return [] }
        servers[record.connection] = ends
        devices[device, default: Device()].called += homeless.removeValue(forKey: record.connection) ?? []
        let joined = join(device)
        guard record.closedAt != nil else { return joined + goOn() }
        servers[record.connection] = nil
        owners[ends] = nil
        devices[device]?.open.remove(ends)
        devices[device]?.lastServer = record
        return joined + goOn()
    }

    /// Gives out all that is left, at the end.
    mutating func finish() -> [Output] {
        running = [:]
        runningCalls = [:]
        var output = devices.keys.sorted().flatMap { release($0) }
        let left = homeless.values.flatMap(\.self).sorted { Self.comesBefore($0, $1) }
        homeless = [:]
        output += left.map { .exchange($0) }
        return output
    }

    // MARK: joining

    private static func comesBefore(_ one: Exchange, _ other: Exchange) -> Bool {
        one.request.exchange < other.request.exchange
    }

    private mutating func insert(_ served: Served, _ device: String) {
        let number = served.end.exchange
        let place = devices[device]?.served.lastIndex { $0.end.exchange < number }.map { $0 + 1 } ?? 0
        devices[device, default: Device()].served.insert(served, at: place)
    }

    /// Joins what can be joined on a device's connection, and gives out what is complete.
    private mutating func join(_ device: String) -> [Output] {
        guard var state = devices[device], !state.called.isEmpty else { return [] }
        state.called.sort(by: Self.comesBefore)
        var output: [Output] = []
        var left: [Exchange] = []
        waiting.remove(device)
        for call in state.called {
            let target = Target(call.request)
            let number = call.request.exchange
            // Not by their numbers: of a request whose content comes in pieces, either leg may be known first.
            let place = state.served.firstIndex { $0.leg == nil && $0.target == target }
            guard let place, left.allSatisfy({ Target($0.request) != target }) else {
                left.append(call)
                continue
            }
            // One that runs may be on this connection, and earlier.
            if Self.isRunning(target, before: number, in: runningCalls)
                || Self.isRunning(target, before: state.served[place].end.exchange, in: running)
            {
                waiting.insert(device)
                left.append(call)
                continue
            }
            let leg = ServerLeg(call)
            if state.served[place].isTunnel {
                state.served[place].leg = leg
            } else {
                var end = state.served.remove(at: place).end
                end.serverLeg = leg
                output.append(.event(.end(end)))
            }
        }
        state.called = left
        devices[device] = state
        return output
    }

    private static func isRunning(_ target: Target, before number: ExchangeID, in all: [ExchangeID: Target]) -> Bool {
        target.words != nil && all.contains { $0.key < number && $0.value == target }
    }

    /// Tries again where something else had to end first, and gives out what is left of connections that are over.
    private mutating func goOn() -> [Output] {
        var output: [Output] = []
        for device in waiting.sorted() { output += join(device) }
        guard !closing.isEmpty else { return output }
        let time = now()
        for device in closing {
            guard let state = devices[device], let closedAt = state.closedAt else { continue }
            if state.open.isEmpty || time - closedAt > Self.patience { output += release(device) }
        }
        closing.removeAll { devices[$0]?.closedAt == nil }
        return output
    }

    /// Gives out what is left of a device's connection: tunnels, exchanges that were not passed on, and calls of the
    /// proxy that belong to none.
    private mutating func release(_ device: String) -> [Output] {
        waiting.remove(device)
        var output = join(device)
        guard let state = devices.removeValue(forKey: device) else { return output }
        for ends in state.open { owners[ends] = nil }
        for served in state.served {
            var end = served.end
            if served.isTunnel {
                end.add(tunnelOf: state.closed)
                end.serverLeg = served.leg ?? state.lastServer.map(ServerLeg.init(tunnel:))
                if served.leg != nil { end.serverLeg?.end.add(tunnelOf: state.lastServer) }
            }
            output.append(.event(.end(end)))
        }
        return output + state.called.map { .exchange($0) }
    }
}
