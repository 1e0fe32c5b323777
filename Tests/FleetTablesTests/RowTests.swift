import RowBinary
import TestSupport
import Testing
import TrafficModel

@testable import FleetTables

@Suite struct RowTests {
    @Test("A row is read as it was written, whatever is in it", arguments: 1...40)
    func roundTrip(seed: Int) {
        var random = RandomRows(seed: UInt64(seed))
        let exchanges = (1...20).map { _ in random.exchange() }
        let connections = (1...20).map { _ in random.connection() }
        let sums = (1...20).map { _ in random.sums() }
        #expect(read(written(exchanges)) == exchanges)
        #expect(read(written(connections)) == connections)
        #expect(read(written(sums)) == sums)
        var template = FleetTemplate()
        (template.origin, template.method, template.authority) = (random.origin(), "GET", "a.test:8080")
        (template.template, template.shown) = ("/users/jane", "/users/{name}")
        var loss = FleetLoss()
        (loss.origin, loss.reason, loss.count) = (random.origin(), "queueFull", 7)
        var installation = FleetInstallation()
        (installation.origin, installation.firstExchange, installation.seen) = (random.origin(), 12, 1_700_000)
        (installation.details, installation.finest, installation.coarsest) = (0.01, 1, 60)
        installation.exchanges = 99
        #expect(read(written([template])) == [template])
        #expect(read(written([loss])) == [loss])
        #expect(read(written([installation])) == [installation])
        var finding = FleetFinding()
        (finding.origin, finding.weight, finding.rule, finding.remedy) = (
            random.origin(), 100, "redirects", "redirectRemedy"
        )
        finding.key = TrafficTotal.Key(method: "GET", host: "a.test", template: "/users/{id}", direction: .served)
        (finding.isAlarm, finding.isEstimated) = (true, true)
        (finding.bytes, finding.nanoseconds, finding.calls) = (1 << 40, 7_000, 99)
        (finding.examinedCalls, finding.affectedCalls) = (50, 3)
        var host = finding
        host.key = TrafficTotal.Key(host: "b.test")
        var audit = FleetAudit()
        (audit.origin, audit.weight, audit.requests, audit.examined) = (random.origin(), 2, 1_000, 500)
        (audit.findings, audit.first, audit.last) = (2, Timestamp(nanoseconds: 1_000), Timestamp(nanoseconds: 5_000))
        #expect(read(written([finding, host])) == [finding, host])
        #expect(read(written([audit])) == [audit])
    }

    @Test("A row that is cut anywhere is known to be broken, and no number in it is out of bounds")
    func truncated() {
        var random = RandomRows(seed: 5)
        let bytes = written([random.exchange()])
        for length in 0..<bytes.count {
            var reader = RowBinaryReader(Array(bytes.prefix(length)))
            let row = FleetExchange.table.read(&reader)
            #expect(reader.isBroken)
            #expect(row.exchange.request.size.known.bytes >= 0)
        }
        var garbage = RowBinaryReader([UInt8](repeating: 0xFE, count: 4_000))
        let row = FleetConnection.table.read(&garbage)
        #expect(row.record.load.exchanges >= 0)
    }

    @Test("A row is skipped by the types of its columns")
    func skipping() throws {
        var random = RandomRows(seed: 11)
        func check<Row: FleetRow>(_ rows: [Row]) throws {
            let table = try #require(FleetSchema.tables.first { $0.name == Row.table.name })
            let types = try #require(table.types(of: table.sent))
            var reader = RowBinaryReader(written(rows))
            for _ in rows { reader.skip(types) }
            #expect(reader.isAtEnd)
            #expect(!reader.isBroken)
        }
        try check((1...50).map { _ in random.exchange() })
        try check((1...50).map { _ in random.connection() })
        try check((1...50).map { _ in random.sums() })
        try check([FleetInstallation()])
    }

    @Test("Sums of a kind are read from the aggregates' form, which is that of the columns")
    func aggregates() {
        var random = RandomRows(seed: 9)
        let row = random.sums()
        let bytes = written([row])
        // The figures are the last columns of a row.
        var reader = RowBinaryReader(bytes)
        _ = FleetSums.table.read(&reader)
        #expect(reader.isAtEnd)
        let names = FleetSums.table.columns.map(\.name)
        let first = names.firstIndex(of: "requests") ?? 0
        var head = RowBinaryWriter()
        FleetSums.table.write(row, to: &head)
        var skipper = RowBinaryReader(bytes)
        skipper.skip(FleetSums.table.columns[..<first].map(\.type))
        var figures = RowBinaryReader(Array(bytes[skipper.offset...]))
        #expect(FleetSums.readFigures(&figures) == row.sums)
        #expect(figures.isAtEnd)
        #expect(FleetSums.aggregates.hasPrefix("sum(requests), sum(responses), "))
        #expect(FleetSums.aggregates.contains("min(first_us), max(last_us), tupleElement(sumMap(latency_bucket, "))
        #expect(FleetSums.aggregates.hasSuffix("maxIf(weight_total_largest, notEmpty(weight_total_bucket))"))
        #expect(!FleetSums.aggregatesWithoutBuckets.contains("sumMap"))
    }

    @Test("Counts of buckets that are added apart, in any order, give the same sums", arguments: 1...20)
    func buckets(seed: Int) throws {
        var random = RandomRows(seed: UInt64(seed))
        let row = random.sums()
        var apart = row
        var counts: [String: [Int: Int64]] = [:]
        func take(_ name: String, _ path: WritableKeyPath<TrafficSums, LatencyHistogram>) {
            let histogram = row.sums[keyPath: path]
            counts[name] = Dictionary(uniqueKeysWithValues: histogram.buckets.map { (Int($0), $1) })
            apart.sums[keyPath: path] = LatencyHistogram(buckets: [:], zeroCount: histogram.zeroCount)
        }
        func take(_ name: String, _ path: WritableKeyPath<TrafficSums, ByteHistogram>) {
            let histogram = row.sums[keyPath: path]
            let places = histogram.counts.enumerated().map { (histogram.lowest + $0, $1) }
            counts[name] = Dictionary(uniqueKeysWithValues: places.filter { $0.1 > 0 })
            apart.sums[keyPath: path] = ByteHistogram(
                count: histogram.count, least: histogram.least, largest: histogram.largest)
        }
        take("latency", \.latency)
        take("queue", \.phases.queue)
        take("dns", \.phases.dns)
        take("connect", \.phases.connect)
        take("tls", \.phases.tls)
        take("send", \.phases.send)
        take("wait", \.phases.wait)
        take("receive", \.phases.receive)
        take("unattributed", \.phases.unattributed)
        take("weight_up", \.perCall.up)
        take("weight_down", \.perCall.down)
        take("weight_total", \.perCall.total)
        #expect(Set(FleetSums.histograms.map(\.name)) == Set(counts.keys))
        for histogram in FleetSums.histograms {
            for (bucket, count) in try #require(counts[histogram.name]) { histogram.add(&apart, bucket, count) }
        }
        #expect(apart == row)
    }

}

func written<Row: FleetRow>(_ rows: [Row]) -> [UInt8] {
    var writer = RowBinaryWriter()
    for row in rows { Row.table.write(row, to: &writer) }
    return writer.bytes
}

func read<Row: FleetRow>(_ bytes: [UInt8]) -> [Row] {
    var reader = RowBinaryReader(bytes)
    var rows: [Row] = []
    while !reader.isAtEnd, !reader.isBroken { rows.append(Row.table.read(&reader)) }
    #expect(!reader.isBroken)
    return rows
}
