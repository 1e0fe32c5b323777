import FleetTables
import Testing
import TrafficExport
import TrafficModel
import TrafficOrigin
import TrafficStore

@testable import TrafficShipping

@Suite("A collector of OpenTelemetry") struct CollectorTests {
    private func rig() throws -> Rig {
        let rig = try Rig()
        rig.fleet.format = .telemetry
        return rig
    }

    private func spans(of exchanges: some Sequence<StoredExchange>, _ rig: Rig) throws -> [UInt8] {
        let resource = try #require(try rig.reader().resources().last).resource
        return OTLPRequests.traces(
            of: exchanges.map { ($0, resource) }, instance: try rig.reader().installation())
    }

    private func metrics(
        _ rig: Rig, _ isIncluded: (TrafficTotal) -> Bool = { _ in true }
    ) throws -> [[UInt8]] {
        let resource = try #require(try rig.reader().resources().last).resource
        return OTLPRequests.metrics(
            of: try rig.reader().totals(by: .api, in: .always).filter(isIncluded), resource: resource,
            instance: try rig.reader().installation()
        ).map(\.content)
    }

    private func count(_ target: String, _ rig: Rig) -> Int { rig.fleet.requests[target]?.count ?? 0 }

    /// Writes an exchange of each API, each in an hour of its own.
    private func write(apis: Int64, to rig: Rig) throws {
        let writer = try rig.writer()
        for id in 1...apis { try writer.write(Traffic.exchange(id, at: id * 3_600_000, host: "host\(id).test")) }
        try writer.close()
    }

    @Test("gets each exchange once as a span, and the metrics of a round once, however many hours they are of")
    func round() throws {
        let rig = try rig()
        try write(apis: 300, to: rig)
        try rig.ship()
        #expect(rig.fleet.requests["spans"] == [try spans(of: rig.reader().ended, rig)])
        #expect(rig.fleet.requests["metrics"] == (try metrics(rig)))
        #expect(rig.fleet.batches.filter { $0.target == "metrics" }.map(\.count) == [200, 100])
        #expect(rig.fleet.batches.count == 3)
        try rig.ship()
        #expect(rig.fleet.batches.count == 3)
        let writer = try rig.writer()
        try writer.write(Traffic.exchange(301, at: 0, host: "host1.test"))
        try writer.close()
        try rig.ship()
        #expect(rig.fleet.requests["metrics"]?.suffix(2) == (try metrics(rig))[...])
        #expect(rig.fleet.requests["spans"]?.last == (try spans(of: rig.reader().ended.suffix(1), rig)))
        #expect(rig.fleet.batches.count == 6)
    }

    @Test("gets what comes while shipping follows, and metrics once a minute")
    func following() throws {
        let rig = try rig()
        let writer = try rig.writer()
        try writer.write(Traffic.events(10))
        var next: Int64 = 11
        rig.meanwhile = {
            try writer.write(Traffic.events(10, seed: UInt64(next), first: next))
            next += 10
        }
        rig.waits = 13
        try rig.ship(follows: true)
        try writer.close()
        // Rounds at 0, 5 … 60 seconds.
        #expect(count("spans", rig) == 13 && count("metrics", rig) == 2)
    }

    @Test("gets the halves of a request that is too large, span for span")
    func halves() throws {
        let rig = try rig()
        try rig.fill(7)
        rig.fleet.mostRows = 2
        try rig.ship()
        let ended = try rig.reader().ended
        let parts = [ended[..<1], ended[1..<3], ended[3..<5], ended[5...]]
        #expect(rig.fleet.requests["spans"] == (try parts.map { try spans(of: $0, rig) }))
        rig.fleet.mostRows = 0
        let writer = try rig.writer()
        try writer.write(Traffic.exchange(1, at: 0))
        try writer.close()
        try rig.ship()
        // What cannot be divided is set aside: the metrics, and a single span.
        #expect(rig.news.filter { if case .setAside = $0 { true } else { false } }.count == 2)
        #expect(count("spans", rig) == 4)
    }

    @Test("gets neither spans nor metrics of what is sent to it, and nothing that is not shared")
    func left() throws {
        let rig = try rig()
        try rig.fill(40)
        rig.options.excluded = ["b.test"]
        rig.options.share = .templates
        try rig.ship()
        let ended = try rig.reader().ended.filter { $0.request.host == "a.test" }
        #expect(rig.fleet.requests["spans"] == [try spans(of: ended.map(FleetShare.templates.reduced), rig)])
        #expect(rig.fleet.requests["metrics"] == (try metrics(rig) { $0.key.host == "a.test" }))
        let sent = rig.fleet.batches.count
        let writer = try rig.writer()
        try writer.write(Traffic.exchange(41, at: 0, host: "b.test"))
        try writer.close()
        try rig.ship()
        #expect(rig.fleet.batches.count == sent)
    }

    // MARK: Requests

    private let batch = ShippingBatch(target: "spans", token: "id/spans/1/0", count: 1, body: [1, 2, 3])

    private func outcome(
        of batch: ShippingBatch, _ reply: @escaping @Sendable () -> Script
    ) throws -> ShippingSchedule.Outcome {
        let origin = LoopbackOrigin { _ in reply() }
        try origin.start()
        defer { origin.stop() }
        return try OTLPDestination("otlp+http://127.0.0.1:\(origin.port)", fields: []).send(batch).outcome
    }

    @Test("takes spans and metrics by addresses of their own, with the header fields that were given")
    func accepted() throws {
        let origin = LoopbackOrigin { _ in .respond(body: .text("")) }
        try origin.start()
        defer { origin.stop() }
        let fields = OTLPDestination.fields(environment: [
            "OTEL_EXPORTER_OTLP_HEADERS": "Authorization=Bearer%20a%2Cb, X-Test = 1,none"
        ])
        let destination = try OTLPDestination("otlp+http://127.0.0.1:\(origin.port)/in/", fields: fields)
        #expect(destination.send(batch).outcome == .accepted)
        #expect(destination.send(ShippingBatch(target: "metrics", token: "", count: 1, body: [4])).outcome == .accepted)
        #expect(destination.send(ShippingBatch(target: "loss", token: "", count: 1, body: [5])).outcome == .refused)
        #expect(origin.waitUntilIdle())
        let requests = origin.exchanges.compactMap(\.parsed)
        #expect(requests.map(\.target) == ["/in/v1/traces", "/in/v1/metrics"])
        #expect(requests.map(\.body) == [[1, 2, 3], [4]])
        for (name, value) in [
            ("Content-Type", "application/x-protobuf"), ("Content-Encoding", "gzip"), ("User-Agent", "wireweight"),
            ("Authorization", "Bearer a,b"), ("X-Test", "1"),
        ] { #expect(requests.allSatisfy { $0.value(of: name) == value }) }
    }

    @Test("refuses as OTLP has it")
    func refusals() throws {
        for (status, expected) in [
            ("413 Payload Too Large", .tooLarge), ("401 Unauthorized", .blocked), ("404 Not Found", .blocked),
            ("429 Too Many Requests", .later(after: nil)), ("502 Bad Gateway", .later(after: nil)),
            ("503 Service Unavailable", .later(after: nil)), ("504 Gateway Timeout", .later(after: nil)),
            ("400 Bad Request", .refused), ("500 Internal Server Error", .refused),
        ] as [(String, ShippingSchedule.Outcome)] {
            #expect(try outcome(of: batch) { .respond(status, body: .text("")) } == expected)
        }
        let closed = try OTLPDestination("otlp+http://127.0.0.1:1/", fields: [])
        #expect(closed.send(batch).outcome == .later(after: nil))
        closed.cancel()
    }

    @Test("has an address whose host is the one in reports, and no user, query or control character")
    func addresses() throws {
        for (address, authority) in [
            ("otlp+https://Collector.test/", "collector.test"), ("otlp+https://collector.test:443", "collector.test"),
            ("otlp+http://collector.test:4318/", "collector.test:4318"), ("otlp+http://[::1]:4318/", "[::1]:4318"),
        ] { #expect(try OTLPDestination(address, fields: []).authority == authority) }
        for address in [
            "otlp+https://me:secret@collector.test/", "otlp+https://collector.test/?a=b",
            "otlp+https://collector.test/#a",
            "otlp+https:///", "https://collector.test/",
        ] { #expect(throws: CollectorError.self) { try OTLPDestination(address, fields: []) } }
        for field in [("X-A\n", "1"), ("X-A", "1\r\nX-B: 2")] {
            #expect(throws: CollectorError.self) { try OTLPDestination("otlp+https://a.test/", fields: [field]) }
        }
    }
}
