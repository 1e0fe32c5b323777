import Foundation
import TrafficModel

/// Generates the exchanges of a large program, the same in every run and on every machine.
///
/// It has 1,000 APIs of which few are called often, sizes and durations with long tails, and more traffic by day.
struct ServiceTraffic {
    /// When the first exchange starts: 2026-01-05T00:00:00Z, in nanoseconds since 1970.
    static let begin: Int64 = 1_767_571_200_000_000_000
    /// The number of exchanges that start in an hour, on average over a day.
    static let perHour = 60_000.0

    private var chance = Chance(seed: 4)
    private let apis: [ServiceAPI]
    // The cumulative shares of the APIs.
    private let shares: [Double]
    private var next: Int64 = 1
    private var connections: [String: Open] = [:]
    private var nextConnection: Int64 = 1
    private var closed: [ConnectionRecord] = []
    /// When the last exchange started, in nanoseconds since 1970.
    private(set) var clock = begin
    private var date = (second: Int64.min, line: [UInt8]())

    // An open connection and the number of exchanges that it will still carry.
    private struct Open {
        var record: ConnectionRecord
        var left: Int64

        mutating func carry(up: ByteCount = .zero, down: ByteCount = .zero) {
            record.payloadUp = (record.payloadUp ?? .zero) + up
            record.payloadDown = (record.payloadDown ?? .zero) + down
        }
    }

    /// Makes the traffic of a number of APIs, from the first exchange on.
    init(apis count: Int = 1_000) {
        var chance = self.chance
        apis = (0..<count).map { ServiceAPI($0, &chance) }
        var sum = 0.0
        // Zipf's law: the second API is called half as often as the first, the third a third as often.
        let sums = (1...count).map { rank in
            sum += 1 / Double(rank)
            return sum
        }
        shares = sums.map { $0 / sum }
        self.chance = chance
    }

    /// Returns the next exchange.
    mutating func exchange() -> Exchange {
        let api = apis[pick()]
        let hour = Double((clock - Self.begin) % 86_400_000_000_000) / 3.6e12
        let rate = Self.perHour * (1 - 0.7 * cos(hour / 12 * .pi))
        clock += Int64(-log(1 - chance.share()) / rate * 3.6e12)
        let thing = chance.number(1...api.things)
        let path = path(of: api, thing)
        let query = chance.happens(0.25) ? "page=\(chance.number(1...20))&limit=50" : nil
        let id = ExchangeID(next)
        next += 1
        var request = request(id, api, path, query)
        let wait = chance.around(api.wait, spread: 0.6)
        var timings = ExchangeTimings(queue: chance.around(60_000, spread: 0.4) / 1_000 * 1_000)
        let (connection, isReused) = connect(to: api, &timings)
        connections[api.host]?.carry(up: request.size.known)
        let end = { (outcome: ExchangeEnd.Outcome, total: Int64, timings: ExchangeTimings) in
            var timings = timings
            timings.total = total
            return ExchangeEnd(
                exchange: id, endedAt: Timestamp(nanoseconds: request.startedAt.nanoseconds + total), outcome: outcome,
                timings: timings, connection: ConnectionID(connection), reusedConnection: isReused,
                remoteAddress: "10.0.0.\(connection % 4 + 1):443",
                // The overhead of HTTP/1.1 in TLS: a record each way, and the handshakes of new connections.
                share: ConnectionShare(
                    overhead: isReused ? ByteFlow(up: 22, down: 44) : ByteFlow(up: 780, down: 3_400),
                    packetHeaders: isReused ? ByteFlow(up: 104, down: 156) : ByteFlow(up: 416, down: 364)))
        }
        let setup = (timings.dns ?? 0) + (timings.connect ?? 0) + (timings.tls ?? 0)
        // One in 200 exchanges gets no response.
        if chance.happens(0.005) {
            let isTimeout = chance.happens(0.5)
            let outcome: ExchangeEnd.Outcome =
                isTimeout
                ? .timedOut
                : .failed(ExchangeFailure(.libcurl, code: 56, message: "Recv failure: Connection reset by peer"))
            return Exchange(request: request, end: end(outcome, isTimeout ? 10_000_000_000 : setup + wait, timings))
        }
        timings.send = chance.around(20_000, spread: 0.5) / 1_000 * 1_000
        timings.wait = wait / 1_000 * 1_000
        var response = response(to: id, api, thing, at: request.startedAt.nanoseconds + setup + wait)
        if response.status == 304 { request = withValidator(request) }
        connections[api.host]?.carry(down: response.size.known)
        timings.receive = chance.around(Double(response.size.known.bytes) * 20 + 50_000, spread: 0.5) / 1_000 * 1_000
        let total = setup + wait + (timings.receive ?? 0)
        // One in 400 is cancelled in the middle of the body.
        if chance.happens(0.0025), response.size.body.bytes > 1_000 {
            response.size.body = .captured(response.size.body.bytes.bytes / 2)
            response.decodedBody = .unknown
            return Exchange(request: request, response: response, end: end(.cancelled, total, timings))
        }
        return Exchange(request: request, response: response, end: end(.completed, total, timings))
    }

    private mutating func pick() -> Int {
        let share = chance.share()
        var (low, high) = (0, shares.count - 1)
        while low < high {
            let middle = (low + high) / 2
            if shares[middle] < share { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private mutating func path(of api: ServiceAPI, _ thing: Int64) -> String {
        guard api.template.contains("{id}") else { return api.template }
        let parts = api.template.split(separator: "{id}", omittingEmptySubsequences: false)
        var path = String(parts[0]) + String(thing)
        for part in parts.dropFirst() {
            path += part
            if part == "/history/" { path += String(chance.number(1...50)) }
        }
        return path
    }

    /// Returns the connections that were closed since the last call.
    mutating func takeClosedConnections() -> [ConnectionRecord] {
        defer { closed.removeAll(keepingCapacity: true) }
        return closed
    }

    // The median number of exchanges of a connection is 40.
    private mutating func connect(
        to api: ServiceAPI, _ timings: inout ExchangeTimings
    ) -> (id: Int64, isReused: Bool) {
        if let known = connections[api.host] {
            if known.left > 0 {
                connections[api.host]?.left -= 1
                return (known.record.connection.rawValue, true)
            }
            var record = known.record
            record.closedAt = Timestamp(nanoseconds: clock)
            closed.append(record)
        }
        let id = nextConnection
        nextConnection += 1
        let roundTrip = chance.around(12_000_000, spread: 0.4) / 1_000 * 1_000
        connections[api.host] = Open(
            record: ConnectionRecord(
                connection: ConnectionID(id), process: api.process,
                localAddress: "10.0.1.1:\(20_000 + id % 40_000)", remoteAddress: "10.0.0.\(id % 4 + 1):443",
                openedAt: Timestamp(nanoseconds: clock), payloadUp: .zero, payloadDown: .zero, retransmitted: .zero,
                roundTrip: roundTrip),
            left: chance.around(40, spread: 0.8))
        timings.dns = chance.around(1_500_000, spread: 1) / 1_000 * 1_000
        timings.connect = roundTrip
        timings.tls = chance.around(25_000_000, spread: 0.4) / 1_000 * 1_000
        return (id, false)
    }

    private mutating func request(
        _ id: ExchangeID, _ api: ServiceAPI, _ path: String, _ query: String?
    ) -> RequestRecord {
        let body = api.method == "GET" ? 0 : chance.around(600, spread: 1)
        var fields = api.requestFields
        if body > 0 { fields += Array("Content-Length: \(body)\r\n".utf8) }
        let line = api.method.utf8.count + path.utf8.count + (query.map { $0.utf8.count + 1 } ?? 0) + 12
        return RequestRecord(
            exchange: id, task: id, resendCount: 0, process: api.process, startedAt: Timestamp(nanoseconds: clock),
            method: api.method, scheme: "https", host: api.host, port: 443, path: path, query: query,
            template: api.template, httpVersion: "1.1", fields: FieldSection(bytes: fields),
            size: WireSize(
                startLine: .captured(line), fields: .captured(fields.count + 2), cookies: .captured(api.requestCookies),
                body: .captured(body)),
            bodyDigest: body > 0 ? chance.bits() : nil)
    }

    private func withValidator(_ request: RequestRecord) -> RequestRecord {
        var request = request
        request.fields = FieldSection(
            bytes: request.fields.bytes + Array("If-None-Match: \"0123456789abcdef\"\r\n".utf8))
        request.size.fields = .captured(request.size.fields.bytes.bytes + 35)
        return request
    }

    private mutating func response(
        to id: ExchangeID, _ api: ServiceAPI, _ thing: Int64, at moment: Int64
    ) -> ResponseRecord {
        let roll = chance.share()
        let status = roll < 0.02 ? 404 : roll < 0.025 ? 500 : api.hasValidators && roll < 0.25 ? 304 : 200
        let decoded = status == 304 ? 0 : status == 200 ? chance.around(api.size, spread: 0.9) : 120
        let body = api.coding.isEmpty ? decoded : max(min(decoded, 20), Int64(Double(decoded) / api.ratio))
        var fields = api.responseFields
        fields += dateLine(moment / 1_000_000_000)
        if status != 304 { fields += Array("Content-Length: \(body)\r\n".utf8) }
        if api.hasValidators { fields += Array("ETag: \"0123456789abcdef\"\r\n".utf8) }
        let cookie = api.setsCookie ? "Set-Cookie: visits=[redacted 9 B]; Path=/\r\n" : ""
        fields += Array(cookie.utf8)
        // Resources seldom change, so the same one has the same body.
        let seed = UInt64(thing) &* 0x9E37_79B9_7F4A_7C15 ^ UInt64(api.template.utf8.count) << 48
        let isKnown = api.coding != "br"
        return ResponseRecord(
            exchange: id, firstByteAt: Timestamp(nanoseconds: moment), status: status,
            reason: [200: "OK", 304: "Not Modified", 404: "Not Found"][status] ?? "Internal Server Error",
            httpVersion: "1.1", fields: FieldSection(bytes: fields),
            size: WireSize(
                startLine: .captured(status == 200 ? 17 : 25), fields: .captured(fields.count + 2),
                cookies: .captured(cookie.utf8.count), body: .captured(body)),
            decodedBody: isKnown ? .init(ByteCount(decoded), .reported) : .unknown,
            contentType: api.content.type, contentEncoding: status == 304 ? "" : api.coding,
            bodyDigest: body == 0 ? nil : chance.happens(0.9) ? seed : chance.bits())
    }

    private mutating func dateLine(_ second: Int64) -> [UInt8] {
        if date.second != second {
            var time = time_t(second)
            var parts = tm()
            gmtime_r(&time, &parts)
            var text = [CChar](repeating: 0, count: 64)
            let count = strftime(&text, 64, "Date: %a, %d %b %Y %H:%M:%S GMT\r\n", &parts)
            date = (second, text.prefix(count).map { UInt8(bitPattern: $0) })
        }
        return date.line
    }
}
