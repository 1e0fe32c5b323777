import TestSupport
import TrafficModel

/// Traffic of all sorts, the same for the same seed, and what it should add up to.
struct RandomTraffic {
    var exchanges: [Exchange] = []
    /// The same as a store should have them.
    var stored: [StoredExchange] { exchanges.map { StoredExchange($0) } }
    var batches: [[TrafficEvent]] = []

    /// Traffic whose phases are multiples of that number of nanoseconds.
    init(seed: UInt64, count: Int, span milliseconds: Int64, unit: Int64 = 1_000) {
        var generator = SeededGenerator(seed: seed)
        var events: [TrafficEvent] = []
        var connections: Int64 = 0
        func number(_ range: ClosedRange<Int64>) -> Int64 { Int64.random(in: range, using: &generator) }
        func part() -> WireSize.Part {
            WireSize.Part(ByteCount(number(0...5_000)), Evidence.allCases.randomElement(using: &generator)!)
        }
        func size() -> WireSize {
            WireSize(
                startLine: part(), fields: part(), cookies: part(), interim: part(), body: part(), framing: part(),
                margin: number(0...3) == 0 ? ByteCount(number(0...300)) : nil)
        }
        for id in 1...Int64(count) {
            let begin = number(0...milliseconds)
            let shape = number(0...9)
            var exchange = Exchange(
                request: Sample.request(
                    id, at: begin, method: ["GET", "POST"].randomElement(using: &generator)!,
                    host: ["a.test", "b.test"].randomElement(using: &generator)!, path: "/x/\(number(1...4))",
                    template: ["/x/{id}", "/y"].randomElement(using: &generator)!, size: size()))
            exchange.request.process = ProcessIdentity(
                pid: Int32(number(1...3)), name: ["app", "tool"].randomElement(using: &generator)!)
            if shape > 1 {
                exchange.response = Sample.response(
                    id, at: begin + 5, status: [200, 204, 304, 404, 500].randomElement(using: &generator)!,
                    type: ["image/png", "text/html", ""].randomElement(using: &generator)!, size: size())
                exchange.response?.contentEncoding = ["", "gzip", "br"].randomElement(using: &generator)!
                exchange.response?.decodedBody = part()
            }
            if shape > 0 {
                exchange.end = Sample.end(
                    id, at: begin + number(0...4_000),
                    outcome: [
                        .completed, .completed, .cancelled, .timedOut, .abandoned, .incomplete,
                        .failed(ExchangeFailure(.libcurl, code: 7, message: "refused")),
                    ].randomElement(using: &generator)!,
                    total: number(0...1) == 0 ? nil : number(0...3_000_000_000) / unit * unit)
                if number(0...1) == 0 { exchange.request.sentAt = Sample.moment(begin + number(0...5)) }
                func phase() -> Int64? { number(0...1) == 0 ? nil : number(0...10_000) * unit }
                exchange.end?.timings.dns = phase()
                exchange.end?.timings.connect = phase()
                exchange.end?.timings.tls = phase()
                exchange.end?.timings.wait = phase()
                let receive = phase()
                exchange.end?.timings.receive = receive
                exchange.end?.timings.queue = receive.map { $0 / 2 / unit * unit }
                exchange.end?.timings.send = receive.map { $0 + unit }
                if number(0...3) > 0 {
                    // Numbered in the order of their first use, as the store does it.
                    let connection = number(max(1, connections - 5)...(connections + 1))
                    connections = max(connections, connection)
                    exchange.end?.connection = ConnectionID(connection)
                }
                exchange.end?.reusedConnection = number(0...1) == 0
                if number(0...2) > 0 {
                    exchange.end?.share = ConnectionShare(
                        overhead: ByteFlow(up: ByteCount(number(0...900)), down: ByteCount(number(0...5_000))),
                        packetHeaders: ByteFlow(up: ByteCount(52 * number(0...9)), down: ByteCount(52 * number(0...90)))
                    )
                }
            }
            events.append(.request(exchange.request))
            exchange.response.map { events.append(.response($0)) }
            exchange.end.map { events.append(.end($0)) }
            // Without a total, the store has the time from start to end.
            let duration = exchange.duration
            exchange.end?.timings.total = duration
            exchanges.append(exchange)
        }
        while !events.isEmpty {
            let count = min(events.count, Int(number(1...70)))
            batches.append(Array(events.prefix(count)))
            events.removeFirst(count)
        }
    }

    /// The totals, computed the slow way.
    func totals(by grouping: TrafficGrouping, in range: TimeRange) -> [TrafficTotal.Key: TrafficTotal] {
        var result: [TrafficTotal.Key: TrafficTotal] = [:]
        for exchange in exchanges where contains(range, exchange.request.startedAt) {
            let key = key(exchange, grouping)
            var total = TrafficTotal(key: key)
            total.requests = 1
            total.responses = exchange.response == nil ? 0 : 1
            let isBad = (exchange.response?.status ?? 0) >= 400
            let isCut = ["failed", "timedOut"].contains(exchange.end?.outcome.name)
            if exchange.end?.outcome == .incomplete {
                total.incomplete = 1
                total.incompleteUnanswered = exchange.response == nil ? 1 : 0
            }
            total.failures = isBad || isCut ? 1 : 0
            total.up.add(exchange.request.size)
            if let response = exchange.response {
                total.down.add(response.size)
                total.notModified = response.status == 304 ? 1 : 0
                let isKnown = response.size.body.evidence != .unknown && response.decodedBody.evidence != .unknown
                if response.contentEncoding != "", isKnown, response.size.body.bytes > 0 {
                    total.encodedBody = response.size.body.bytes
                    total.decodedBody = response.decodedBody.bytes
                }
            }
            if let end = exchange.end {
                let distance = end.endedAt.nanoseconds - exchange.request.startedAt.nanoseconds
                let isSeen = end.outcome != .abandoned && end.outcome != .incomplete
                (end.timings.total ?? (isSeen ? distance : nil)).map { total.latency.record(nanoseconds: $0) }
                if isSeen {
                    total.perCall.record(ByteFlow(up: total.up.total, down: total.down.total))
                }
                end.timings.queue.map { total.phases.queue.record(nanoseconds: $0) }
                end.timings.send.map { total.phases.send.record(nanoseconds: $0) }
                end.timings.unattributed.map { if $0 > 0 { total.phases.unattributed.record(nanoseconds: $0) } }
                end.timings.dns.map { total.phases.dns.record(nanoseconds: $0) }
                end.timings.connect.map { total.phases.connect.record(nanoseconds: $0) }
                end.timings.tls.map { total.phases.tls.record(nanoseconds: $0) }
                end.timings.wait.map { total.phases.wait.record(nanoseconds: $0) }
                end.timings.receive.map { total.phases.receive.record(nanoseconds: $0) }
                total.newConnections = end.connection != nil && !end.reusedConnection ? 1 : 0
                if let share = end.share {
                    total.sharing = 1
                    total.overhead = share.overhead
                    total.packetHeaders = share.packetHeaders
                }
                total.reusedConnections = end.connection != nil && end.reusedConnection ? 1 : 0
            }
            total.firstSeen = exchange.request.startedAt
            total.lastSeen = exchange.request.startedAt
            result[key, default: TrafficTotal(key: key)].merge(total)
        }
        return result
    }

    private func contains(_ range: TimeRange, _ moment: Timestamp) -> Bool {
        (range.since.map { moment >= $0 } ?? true) && (range.until.map { moment < $0 } ?? true)
    }

    private func key(_ exchange: Exchange, _ grouping: TrafficGrouping) -> TrafficTotal.Key {
        let request = exchange.request
        return switch grouping {
        case .api: TrafficTotal.Key(method: request.method, host: request.host, template: request.template)
        case .host: TrafficTotal.Key(host: request.host)
        case .method: TrafficTotal.Key(method: request.method)
        case .process, .device: TrafficTotal.Key(process: request.process.name)
        case .network: TrafficTotal.Key(network: "")
        case .path: TrafficTotal.Key(method: request.method, host: request.host, path: request.path)
        case .status: TrafficTotal.Key(status: exchange.response?.status ?? 0)
        case .type: TrafficTotal.Key(contentType: exchange.response?.contentType ?? "")
        default: TrafficTotal.Key()
        }
    }
}
