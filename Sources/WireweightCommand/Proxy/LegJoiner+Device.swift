import TrafficModel

extension LegJoiner {
    /// What the exchanges have in common that go out in the order in which they came.
    struct Target: Hashable {
        let isConnect: Bool
        /// Nil for HTTP/1, where the order is enough.
        let words: [String]?

        init(_ request: borrowing RequestRecord) {
            isConnect = request.method == "CONNECT"
            let isMultiplexed = request.httpVersion.hasPrefix("2")
            words = isMultiplexed ? [request.method, request.path, request.query ?? ""] : nil
        }
    }

    /// An exchange of a device that has ended.
    struct Served: Sendable {
        var isTunnel: Bool
        var end: ExchangeEnd
    }

    /// A connection of a device, and what is to be joined on it.
    struct Device: Sendable {
        /// Exchanges of one target that have ended, those of the device and those with servers.
        ///
        /// Those that go together are the first ones of both.
        private struct Pending: Sendable {
            var served = OrderedQueue<Served>()
            var called = OrderedQueue<Exchange>()
        }

        private var pending: [Target: Pending] = [:]
        /// Tunnels whose leg is known; their ends wait for those of their connections.
        private var tunnels: [(end: ExchangeEnd, leg: ServerLeg)] = []
        /// The connections to servers that the proxy has opened for it and that are not known to be closed.
        var open: Set<Ends> = []
        /// The last connection to a server that was closed.
        var lastServer: ConnectionRecord?
        /// Its own record, when it was closed.
        var closed: ConnectionRecord?
        var closedAt: ContinuousClock.Instant?

        /// The targets of what is left.
        var targets: [Target] { Array(pending.keys) }

        mutating func add(_ served: Served, _ target: Target) {
            pending[target, default: Pending()].served.insert(served) { $0.end.exchange < $1.end.exchange }
        }

        mutating func add(_ call: Exchange, _ target: Target) {
            pending[target, default: Pending()].called.insert(call) { $0.request.exchange < $1.request.exchange }
        }

        /// Joins what can be joined.
        ///
        /// - Parameters:
        ///   - target: what they have in common.
        ///   - runningServed: the first exchange of any device with that target that runs.
        ///   - runningCalled: the first one with a server.
        /// - Returns: what is complete, and whether something waits for one of those that run.
        mutating func join(
            _ target: Target, runningServed: ExchangeID?, runningCalled: ExchangeID?
        ) -> (output: [Output], isWaiting: Bool) {
            var output: [Output] = []
            // Not by their numbers: of a request whose content comes in pieces, either leg may be known first.
            while let served = pending[target]?.served.first, let call = pending[target]?.called.first {
                if let runningCalled, runningCalled < call.request.exchange { return (output, true) }
                if let runningServed, runningServed < served.end.exchange { return (output, true) }
                pending[target]?.served.removeFirst()
                pending[target]?.called.removeFirst()
                var end = served.end
                if served.isTunnel {
                    tunnels.append((end, ServerLeg(call)))
                } else {
                    end.serverLeg = ServerLeg(call)
                    output.append(.event(.end(end)))
                }
            }
            if let left = pending[target], left.served.isEmpty, left.called.isEmpty { pending[target] = nil }
            return (output, false)
        }

        /// What is left when it is over, in the order of the exchanges; calls of the proxy that belong to none at last.
        var rest: [Output] {
            var ends = tunnels.map { end, leg in
                var end = end
                end.add(tunnelOf: closed)
                end.serverLeg = leg
                end.serverLeg?.end.add(tunnelOf: lastServer)
                return end
            }
            for served in pending.values.flatMap(\.served.elements) {
                var end = served.end
                if served.isTunnel {
                    end.add(tunnelOf: closed)
                    end.serverLeg = lastServer.map(ServerLeg.init(tunnel:))
                }
                ends.append(end)
            }
            let calls = pending.values.flatMap(\.called.elements)
            return ends.sorted { $0.exchange < $1.exchange }.map { .event(.end($0)) }
                + calls.sorted { $0.request.exchange < $1.request.exchange }.map { .exchange($0) }
        }
    }

    /// Exchanges that run, and the first one with each target.
    struct RunningExchanges: Sendable {
        private var targets: [ExchangeID: Target] = [:]
        /// With those that have ended since, until they are the first ones, or most.
        private var orders: [Target: (queue: OrderedQueue<ExchangeID>, count: Int)] = [:]

        mutating func begin(_ exchange: ExchangeID, _ target: Target) {
            guard targets.updateValue(target, forKey: exchange) == nil, target.words != nil else { return }
            orders[target, default: (OrderedQueue(), 0)].queue.insert(exchange, before: <)
            orders[target]?.count += 1
        }

        mutating func end(_ exchange: ExchangeID) {
            guard let target = targets.removeValue(forKey: exchange), target.words != nil else { return }
            orders[target]?.count -= 1
            guard let order = orders[target], order.count > 0 else { return orders[target] = nil }
            if order.queue.count > 2 * order.count + 16 {
                let targets = targets
                orders[target]?.queue.removeAll { targets[$0] == nil }
            }
        }

        func contains(_ exchange: ExchangeID) -> Bool { targets[exchange] != nil }

        mutating func first(_ target: Target) -> ExchangeID? {
            while let first = orders[target]?.queue.first {
                if targets[first] != nil { return first }
                orders[target]?.queue.removeFirst()
            }
            return nil
        }
    }
}
