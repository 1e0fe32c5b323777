import ClickHouse
import FleetTables
import Foundation
import TestSupport
import Testing
import TrafficModel

@testable import FleetReading

private let address = ProcessInfo.processInfo.environment["WIREWEIGHT_FLEET_TEST"]

/// With a real ClickHouse, as ``FleetReaderTests``, and a database for each test.
@Suite("Sums of made-up installations", .enabled(if: address != nil), .serialized) struct DetailSumsTests {
    /// A reader of a database that has what these installations send.
    private func reader(
        _ name: String, _ installations: [(exchanges: [StoredExchange], weight: Double, details: Double)]
    ) throws -> FleetReader {
        let url = try #require(address).replacingOccurrences(of: "/records", with: "/\(name)")
        let credentials = ClickHouseCredentials()
        try ClickHouseClient(FleetURL(#require(address)), credentials: credentials)
            .run("CREATE DATABASE \(name: name)")
        let client = ClickHouseClient(try FleetURL(url), credentials: credentials)
        for (number, sent) in installations.enumerated() {
            var origin = FleetOrigin()
            origin.installation = InstallationID(high: 21, low: UInt64(number))
            origin.resource.carrier = "carrier \(number)"
            origin.revision = 1
            let loader = FleetLoader(client: client, origin: origin, weight: sent.weight, details: sent.details)
            try loader.makeTables()
            var store = FakeStore()
            store.exchanges = sent.exchanges
            try loader.load(store)
        }
        return try FleetReader(client, now: Timestamp(nanoseconds: 0))
    }

    private func exchange(_ number: Int64, _ random: inout SeededGenerator) -> StoredExchange {
        func bytes() -> Int64 { Int64.random(in: 0...1 << Int64.random(in: 0...40, using: &random), using: &random) }
        func some(_ value: Int64) -> Int64? { Bool.random(using: &random) ? value : nil }
        func part() -> WireSize.Part {
            WireSize.Part(ByteCount(bytes()), Evidence.allCases.randomElement(using: &random) ?? .unknown)
        }
        func size() -> WireSize {
            Bool.random(using: &random)
                ? .nothing
                : WireSize(
                    startLine: part(), fields: part(), cookies: part(), interim: part(), body: part(), framing: part())
        }
        func duration() -> Int64? { some(bytes() * 1_000) }
        func flow() -> ByteFlow { ByteFlow(up: ByteCount(bytes()), down: ByteCount(bytes())) }
        let started = Timestamp(nanoseconds: 1_795_255_200_000_000_000 + bytes() * 1_000)
        var request = RequestRecord(
            exchange: .notKept, task: .notKept, resendCount: 0, process: ProcessIdentity(pid: 1, name: "app"),
            startedAt: started, method: "GET", scheme: "http", host: "a.example", port: 80,
            path: "/\(Int.random(in: 0...2, using: &random))", query: nil, httpVersion: "1.1", fields: FieldSection(),
            size: size())
        request.direction = Bool.random(using: &random) ? .called : .served
        var response: ResponseRecord?
        if some(0) != nil {
            response = ResponseRecord(
                exchange: .notKept, firstByteAt: started,
                status: [0, 200, 304, 404].randomElement(using: &random) ?? 0,
                reason: "", httpVersion: Bool.random(using: &random) ? "0.9" : "1.1", fields: FieldSection(),
                size: size(), decodedBody: part(), contentEncoding: Bool.random(using: &random) ? "gzip" : "")
        }
        let outcomes: [ExchangeEnd.Outcome] = [
            .completed, .cancelled, .timedOut, .abandoned, .incomplete,
            .failed(ExchangeFailure(.libcurl, code: 7, message: "")),
        ]
        let connection = some(3).map { StoredConnection.ID($0) }
        var end = ExchangeEnd(
            exchange: .notKept, endedAt: Timestamp(nanoseconds: started.nanoseconds + bytes() * 1_000 - 1_000_000),
            outcome: outcomes.randomElement(using: &random) ?? .completed,
            timings: ExchangeTimings(
                queue: duration(), dns: duration(), connect: duration(), tls: duration(), send: duration(),
                wait: duration(), receive: duration(), total: duration()),
            connection: connection.map { _ in .notKept }, reusedConnection: Bool.random(using: &random),
            share: some(0).map { _ in ConnectionShare(overhead: flow(), packetHeaders: flow()) })
        if some(0) != nil {
            end.network = ConnectionNetwork(
                interface: Bool.random(using: &random) ? "wlan0" : "", isCellular: some(0).map { _ in true })
        }
        // Tasks of two exchanges.
        return StoredExchange(
            id: StoredExchange.ID(number), task: StoredExchange.ID((number + 1) / 2), connection: connection,
            request: request, response: response, end: end)
    }

    private func exchanges(_ count: Int64, seed: UInt64) -> [StoredExchange] {
        var random = SeededGenerator(seed: seed)
        return (1...count).map { exchange($0, &random) }
    }

    private func sums(
        _ exchanges: [StoredExchange], by grouping: TrafficGrouping
    ) -> [TrafficTotal.Key: TrafficSums] {
        exchanges.reduce(into: [:]) { $0[$1.key(by: grouping), default: TrafficSums()].add($1.records) }
    }

    @Test("are those of a store of the same exchanges, whatever these are, over any number of installations")
    func arithmetic() throws {
        let all = [exchanges(700, seed: 1), exchanges(700, seed: 2)]
        let fleet = try reader("arithmetic", all.map { ($0, 1, 1) })
        for grouping in [TrafficGrouping.path, .network] {
            let wanted = sums(all.flatMap(\.self), by: grouping)
            let found = try fleet.totals(by: grouping, in: .always)
            #expect(found.count == wanted.count)
            for total in found {
                #expect(total == TrafficTotal(key: total.key, sums: wanted[total.key] ?? TrafficSums()))
            }
        }
        #expect(try Set(fleet.totals(by: .carrier, in: .always)) == Set(carriers(all)))
    }

    /// The sums of each installation, which has a carrier of its own.
    private func carriers(_ installations: [[StoredExchange]]) -> [TrafficTotal] {
        installations.enumerated().flatMap { number, exchanges in
            sums(exchanges, by: .direction).map { key, sums in
                TrafficTotal(
                    key: TrafficTotal.Key(source: "carrier \(number)", direction: key.direction), sums: sums)
            }
        }
    }

    @Test("have each number in its own bucket, also at the ends of buckets")
    func ends() throws {
        var random = SeededGenerator(seed: 6)
        let sample = exchange(1, &random)
        var all: [StoredExchange] = []
        for number in (ExchangeFigures.sizes.least + ExchangeFigures.durations.least).flatMap({ [$0 - 1, $0] })
        where number < 1 << 42 {
            var exchange = sample
            exchange.id = StoredExchange.ID(Int64(all.count + 1))
            exchange.request.size = WireSize(body: .captured(number))
            exchange.response = nil
            exchange.end?.outcome = .completed
            exchange.end?.timings = ExchangeTimings(wait: number * 1_000, total: number * 1_000)
            all.append(exchange)
        }
        #expect(all.count > 4_000)
        let found = try reader("ends", [(all, 1, 1)]).totals(by: .path, in: .always)
        #expect(found.map(\.sums) == [sums(all, by: .direction).values.first])
    }

    @Test("are estimates with their deviation where a share of the tasks was sent, by some of the installations")
    func estimates() throws {
        // A share of 0.4 of the tasks, and one of two installations: each exchange stands for five.
        let all = [exchanges(300, seed: 3), exchanges(40, seed: 4)]
        let fleet = try reader("estimates", all.map { ($0, 5, 0.4) })
        for grouping in [TrafficGrouping.path, .network] {
            let found = try fleet.totals(by: grouping, in: .always)
            #expect(found.count == sums(all.flatMap(\.self), by: grouping).count)
            for total in found {
                let mine = all.map { $0.filter { $0.key(by: grouping) == total.key } }
                var wanted = TrafficSums()
                for exchange in mine.flatMap(\.self) { for _ in 0..<5 { wanted.add(exchange.records) } }
                #expect(total.sums == wanted)
                var (requests, bytes) = (0.0, 0.0)
                for exchanges in mine {
                    let tasks = Dictionary(grouping: exchanges, by: \.task).values.map { task in
                        (
                            Double(task.count),
                            Double(sums(task, by: .direction).values.reduce(0) { $0 + $1.bytes.bytes })
                        )
                    }
                    func variance(_ values: [Double]) -> Double {
                        let sum = 2.5 * values.reduce(0, +)
                        return 2 * (2 - 1) * sum * sum + 2 * 2.5 * (2.5 - 1) * values.reduce(0) { $0 + $1 * $1 }
                    }
                    requests += variance(tasks.map(\.0))
                    bytes += variance(tasks.map(\.1))
                }
                let error = try #require(total.error)
                #expect(error.counted == Int64(mine.joined().count))
                #expect(abs(error.requestVariance / requests - 1) < 1e-9)
                #expect(abs(error.byteVariance / bytes - 1) < 1e-9)
            }
        }
        let counted = carriers(all).map { ($0.key, $0.requests) }
        let found = try fleet.totals(by: .carrier, in: .always).map { ($0.key, $0.error?.counted ?? 0) }
        #expect(Dictionary(uniqueKeysWithValues: found) == Dictionary(uniqueKeysWithValues: counted))
    }

    @Test("are by templates that are learned over all installations, except those that were given")
    func templates() throws {
        func requests(_ numbers: ClosedRange<Int64>, _ path: (Int64) -> String) -> [StoredExchange] {
            var random = SeededGenerator(seed: 5)
            return numbers.map {
                var exchange = exchange($0, &random)
                (exchange.request.direction, exchange.request.template) = (.called, path($0))
                return exchange
            }
        }
        func word(_ number: Int64) -> String {
            String([number / 6, number % 6].map { Character(UnicodeScalar(UInt8(0x61 + $0))) }) + "tag"
        }
        // Each has too few words for a parameter; a fleet needs more than 32.
        let halves = [1...17, 18...32] as [ClosedRange<Int64>]
        let first = requests(halves[0]) { "/tags/\(word($0))" } + requests(100...101) { _ in "/tags/special" }
        let second = requests(halves[1]) { "/tags/\(word($0))" } + requests(200...201) { _ in "/few/\(word(1))" }
        let few = try reader("templates", [(first, 1, 1), (second, 1, 1)])
        let given = TrafficTotal.Key(method: "GET", host: "a.example", template: "/tags/special")
        func counts(_ reader: FleetReader) throws -> [String: Int64] {
            Dictionary(
                uniqueKeysWithValues: try reader.totals(by: .api, in: .always).map {
                    ($0.key.template ?? "", $0.requests)
                })
        }
        // The 33rd word is the one that is given to one of them.
        #expect(try counts(few) == ["/tags/{tag}": 34, "/few/\(word(1))": 2])
        var row = FleetTemplate()
        row.origin.installation = InstallationID(high: 21, low: 0)
        (row.method, row.authority, row.template, row.shown) = ("GET", "a.example", "/tags/special", "/tags/special")
        try FleetLoader(client: few.client, origin: row.origin).insert([row])
        var expected = Dictionary(uniqueKeysWithValues: (Int64(1)...32).map { ("/tags/\(word($0))", Int64(1)) })
        (expected["/few/\(word(1))"], expected["/tags/special"]) = (2, 2)
        #expect(try counts(few) == expected)
        let third = requests(33...34) { "/tags/\(word($0))" }
        let enough = try reader("more_templates", [(first, 1, 1), (second, 1, 1), (third, 1, 1)])
        try FleetLoader(client: enough.client, origin: row.origin).insert([row])
        #expect(try counts(enough) == ["/tags/{tag}": 34, "/tags/special": 2, "/few/\(word(1))": 2])
        // Of one installation, its own are shown.
        var address = enough.client.url
        address.parameters = [.installation: row.origin.installation.description]
        let client = ClickHouseClient(address, credentials: ClickHouseCredentials())
        let one = try FleetReader(client, now: Timestamp(nanoseconds: 0))
        #expect(try counts(one).keys.contains("/tags/\(word(1))") && counts(one)[given.template ?? ""] == 2)
    }

    @Test("name the responses whose type is not their API's usual one")
    func hijacked() throws {
        func response(
            _ number: Int64, _ template: String, _ type: String, _ status: Int = 200,
            _ direction: TrafficDirection = .called
        ) -> StoredExchange {
            var random = SeededGenerator(seed: 5)
            var exchange = exchange(number, &random)
            (exchange.request.direction, exchange.request.template) = (direction, template)
            exchange.response = ResponseRecord(
                exchange: .notKept, firstByteAt: exchange.request.startedAt, status: status, reason: "",
                httpVersion: "1.1", fields: FieldSection(), size: .nothing, contentType: type)
            return exchange
        }
        let many = (1...20).map { response($0, "/users/{id}", "application/json") }
        let both = (21...40).map { response($0, "/logo", $0 % 2 == 0 ? "image/png" : "image/webp") }
        let few = [response(41, "/rare", "text/html"), response(42, "/rare", "application/json")]
        let wrong = [
            response(43, "/users/{id}", "text/html"), response(44, "/users/{id}", "text/html", 404),
            response(45, "/users/{id}", ""), response(46, "/rare", "text/html", 511),
        ]
        // Just enough responses for a usual type, one too few, just the share that it needs, and a little less.
        let ten = (50...59).map { response($0, "/ten", "text/css") } + [response(60, "/ten", "text/html", 511)]
        let nine = (61...69).map { response($0, "/nine", "text/css") } + [response(70, "/nine", "text/html", 511)]
        let share = (71...80).map { response($0, "/share", $0 == 80 ? "text/html" : "text/css") }
        let less = (81...99).map { response($0, "/less", $0 > 97 ? "text/html" : "text/css") }
        let other = [
            response(100, "/users/{id}", "text/html", 300), response(101, "/users/{id}", "text/html", 200, .served),
        ]
        let fleet = try reader(
            "hijacked", [(many, 1, 1), (both + few + wrong + ten + nine + share + less + other, 1, 1)])
        let found = try fleet.totals(by: .hijacked, in: .always)
        func key(_ template: String, _ usual: String?) -> TrafficTotal.Key {
            TrafficTotal.Key(
                method: "GET", host: "a.example", template: template, contentType: "text/html", source: usual)
        }
        let counts = Dictionary(uniqueKeysWithValues: found.map { ($0.key, $0.requests) })
        #expect(
            counts == [
                TrafficTotal.Key(): 92, TrafficTotal.Key(direction: .served): 1,
                key("/users/{id}", "application/json"): 1, key("/rare", nil): 1, key("/ten", "text/css"): 1,
                key("/nine", nil): 1, key("/share", "text/css"): 1,
            ])
    }
}
