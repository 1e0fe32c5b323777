import TrafficModel

/// Joins the two legs of each exchange that a proxy passes on: the device's and the server's.
///
/// The proxy says which connection to a server it has opened for which connection of a device. On these, the requests
/// go out in the order in which they came. Over HTTP/2 that holds for requests with the same target; of others the
/// streams end in any order.
struct LegJoiner: Sendable {
    /// What becomes known, for the store.
    enum Output {
        case exchange(Exchange)
        case event(TrafficEvent)
    }

    /// The two ends of a connection to a server, as the proxy sees them.
    struct Ends: Hashable {
        let local: String
        let remote: String

        init(local: String, remote: String) {
            self.local = Self.plain(local)
            self.remote = Self.plain(remote)
        }

        /// A socket for IPv6 shows an address of IPv4 as `[::ffff:10.0.0.1]:80` (RFC 4291, section 2.5.5.2).
        static func plain(_ address: String) -> String {
            let prefix = "[::ffff:"
            guard address.hasPrefix(prefix), address.contains("."), let bracket = address.lastIndex(of: "]") else {
                return address
            }
            return String(address[..<bracket].dropFirst(prefix.count) + address[address.index(after: bracket)...])
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
    /// Exchanges that run, which over HTTP/2 may be earlier than one that has ended.
    private var running = RunningExchanges()
    private var runningCalls = RunningExchanges()
    /// Devices' connections on which an exchange with that target that runs may come first.
    private var waiting: [Target: Set<String>] = [:]
    /// Devices' connections that were closed, the first one first.
    private var closing = OrderedQueue<String>()
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
            runningCalls.begin(request.exchange, target)
            return false
        }
        if target.words != nil { running.begin(request.exchange, target) }
        return true
    }

    /// Whether a response is one of the proxy's own requests.
    func isCall(_ exchange: ExchangeID) -> Bool { runningCalls.contains(exchange) }

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
        let target = Target(exchange.request)
        running.end(exchange.request.exchange)
        let isTunnel =
            exchange.request.method == "CONNECT" && exchange.response.map { (200..<300).contains($0.status) } ?? false
        devices[device, default: Device()].add(Served(isTunnel: isTunnel, end: end), target)
        var exchange = exchange
        // Often the server's leg is there already.
        let joined = join(device, target)
        if joined.count == 1, case .event(.end(let end)) = joined[0], end.exchange == exchange.request.exchange {
            exchange.end = end
            return [.exchange(exchange)] + goOn(target)
        }
        var output: [Output] = [.event(.request(exchange.request))]
        if let response = exchange.response { output.append(.event(.response(response))) }
        return output + joined + goOn(target)
    }

    private mutating func called(_ exchange: Exchange, _ end: ExchangeEnd) -> [Output] {
        let target = Target(exchange.request)
        runningCalls.end(exchange.request.exchange)
        guard let connection = end.connection else { return [.exchange(exchange)] + goOn(target) }
        guard let ends = servers[connection], let device = owners[ends] else {
            homeless[connection, default: []].append(exchange)
            return goOn(target)
        }
        devices[device, default: Device()].add(exchange, target)
        return join(device, target) + goOn(target)
    }

    private mutating func served(_ record: ConnectionRecord) -> [Output] {
        guard record.closedAt != nil else { return [] }
        let device = Ends.plain(record.remoteAddress)
        if devices[device] != nil {
            devices[device]?.closed = record
            devices[device]?.closedAt = now()
            closing.append(device)
        }
        return goOn(closing: device)
    }

    private mutating func called(_ record: ConnectionRecord) -> [Output] {
        let ends = Ends(local: record.localAddress, remote: record.remoteAddress)
        guard let device = owners[ends] else { return [] }
        servers[record.connection] = ends
        var targets: [Target] = []
        for exchange in homeless.removeValue(forKey: record.connection) ?? [] {
            let target = Target(exchange.request)
            devices[device, default: Device()].add(exchange, target)
            if !targets.contains(target) { targets.append(target) }
        }
        let joined = targets.flatMap { join(device, $0) } + targets.flatMap { goOn($0) }
        guard record.closedAt != nil else { return joined + goOn(closing: device) }
        servers[record.connection] = nil
        owners[ends] = nil
        devices[device]?.open.remove(ends)
        devices[device]?.lastServer = record
        return joined + goOn(closing: device)
    }

    /// Gives out all that is left, at the end.
    mutating func finish() -> [Output] {
        running = RunningExchanges()
        runningCalls = RunningExchanges()
        var output = devices.keys.sorted().flatMap { release($0) }
        let left = homeless.values.flatMap(\.self).sorted { $0.request.exchange < $1.request.exchange }
        homeless = [:]
        output += left.map { .exchange($0) }
        return output
    }

    // MARK: joining

    /// Joins what can be joined of a device's exchanges with that target.
    private mutating func join(_ device: String, _ target: Target) -> [Output] {
        // One that runs may be on this connection, and earlier.
        let first = (served: running.first(target), called: runningCalls.first(target))
        guard
            let (output, isWaiting) = devices[device]?.join(
                target, runningServed: first.served, runningCalled: first.called)
        else { return [] }
        if isWaiting {
            waiting[target, default: []].insert(device)
        } else {
            stopWaiting(device, target)
        }
        return output
    }

    private mutating func stopWaiting(_ device: String, _ target: Target) {
        if waiting[target]?.remove(device) != nil, waiting[target]?.isEmpty == true { waiting[target] = nil }
    }

    /// Tries again where something with that target had to end first.
    private mutating func goOn(_ target: Target) -> [Output] {
        let again = waiting[target]?.sorted() ?? []
        return again.flatMap { join($0, target) } + goOn(closing: nil)
    }

    /// Gives out what is left of connections that are over: of those that have waited, and of this one.
    private mutating func goOn(closing device: String?) -> [Output] {
        guard !closing.isEmpty else { return [] }
        var output: [Output] = []
        let time = now()
        while let first = closing.first {
            if let closedAt = devices[first]?.closedAt {
                guard time - closedAt > Self.patience else { break }
                output += release(first)
            }
            closing.removeFirst()
        }
        if let device, devices[device]?.closedAt != nil, devices[device]?.open.isEmpty == true {
            output += release(device)
        }
        return output
    }

    /// Gives out what is left of a device's connection: tunnels, exchanges that were not passed on, and calls of the
    /// proxy that belong to none.
    private mutating func release(_ device: String) -> [Output] {
        let output = (devices[device]?.targets ?? []).flatMap { join(device, $0) }
        guard let state = devices.removeValue(forKey: device) else { return [] }
        for target in state.targets { stopWaiting(device, target) }
        for ends in state.open { owners[ends] = nil }
        return output + state.rest
    }
}
