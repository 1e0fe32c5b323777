import GRDB
import TestSupport
import Testing
import TrafficModel

@testable import TrafficStore

/// What one call weighs: by hand, and the same from sums as from rows.
@Suite("The weight of a call") struct WeightTests {
    private func exchange(
        _ id: Int64, at time: Int64, up: Int, down: Int?, _ outcome: ExchangeEnd.Outcome? = .completed
    )
        -> [TrafficEvent]
    {
        var events: [TrafficEvent] = [
            .request(
                Sample.request(
                    id, at: time, size: WireSize(startLine: .captured(20), fields: .captured(up - 20))))
        ]
        if let down {
            events.append(
                .response(
                    Sample.response(
                        id, at: time, size: WireSize(body: WireSize.Part(ByteCount(down), .reported)))))
        }
        if let outcome { events.append(.end(Sample.end(id, at: time, outcome: outcome))) }
        return events
    }

    /// Three calls that ended, one of them without a response; one that runs, one that the meter lost a part of, and one
    /// that sent nothing.
    private func events(at time: Int64 = 0) -> [TrafficEvent] {
        exchange(1, at: time, up: 100, down: 900) + exchange(2, at: time, up: 200, down: 40_000)
            + exchange(3, at: time, up: 300, down: nil, .timedOut)
            + exchange(4, at: time, up: 9_000, down: 9_000, nil)
            + exchange(5, at: time, up: 8_000, down: 8_000, .incomplete)
            + [
                .request(Sample.request(7, at: time, size: .nothing)),
                .end(
                    Sample.end(
                        7, at: time, outcome: .failed(ExchangeFailure(.libcurl, code: 7, message: "refused")))),
            ]
    }

    private func expectWeights(_ total: TrafficTotal?, _ location: SourceLocation = #_sourceLocation) {
        let weights = total?.perCall ?? CallWeights()
        #expect(weights.count == 3, sourceLocation: location)
        let found = weights.named.map {
            [$0.histogram.percentile(0.5), $0.histogram.percentile(0.95), $0.histogram.max]
        }
        #expect(
            found[0].map { $0?.bytes } == [200, 300, 300].map { near($0, found[0][0]) },
            sourceLocation: location)
        #expect(
            found[1].map { $0?.bytes } == [near(900, found[1][0]), 40_000, 40_000],
            sourceLocation: location)
        #expect(
            found[2].map { $0?.bytes } == [near(1_000, found[2][0]), 40_200, 40_200],
            sourceLocation: location)
    }

    /// The value itself if what was found is near enough.
    private func near(_ exact: Int64, _ found: ByteCount?) -> Int64 {
        guard let found, abs(Double(found.bytes - exact)) <= Double(exact) * LatencyHistogram.error
        else {
            return exact
        }
        return found.bytes
    }

    @Test("counts each exchange that has ended, and none that runs or that the meter lost a part of")
    func figures() throws {
        let folder = try Folder()
        let writer = try StoreWriter.open(folder.file())
        try writer.write(events())
        let reader = try StoreReader.open(folder.file())
        for grouping in [TrafficGrouping.api, .host, .method, .process, .direction, .path] {
            let totals = try reader.totals(by: grouping, in: .always)
            #expect(totals.map(\.requests) == [6], "\(grouping)")
            expectWeights(totals.first)
        }
    }

    @Test("survives every tier, a reopened store, and retention that deletes the rows") func tiers()
        throws
    {
        let folder = try Folder()
        let hour: Int64 = 3_600_000
        let writer = try StoreWriter.open(folder.file(), now: { Sample.moment(100 * hour) })
        try writer.write(events())
        try writer.write(exchange(6, at: 99 * hour, up: 1, down: 1))
        try writer.close()
        let again = try StoreWriter.open(folder.file(), now: { Sample.moment(100 * hour) })
        while try again.retain(RetentionPolicy(maxAge: hour * 1_000_000, step: 50)) {}
        let kept = try again.queue.read {
            try Int.fetchOne($0, sql: "SELECT count(*) FROM exchange WHERE id < 6")
        }
        #expect(kept == 0)
        let reader = try StoreReader.open(folder.file())
        let range = TimeRange(until: Sample.moment(98 * hour))
        expectWeights(try reader.totals(by: .host, in: range).first)
        #expect(try reader.totals(by: .host, in: .always).first?.perCall.count == 4)
    }

    @Test("A blob has room for any histogram, and one call takes few bytes") func coding() {
        func decoded(_ weights: CallWeights) -> (CallWeights, Int) {
            let sink = ByteSink()
            weights.append(to: sink)
            var reader = ByteReader(UnsafeRawBufferPointer(start: sink.start, count: sink.count))
            var found = CallWeights()
            found.merge(encoded: &reader)
            #expect(reader.isAtEnd)
            return (found, sink.count)
        }
        var random = SeededGenerator(seed: 5)
        var weights = CallWeights()
        #expect(decoded(weights) == (weights, 0))
        weights.record(ByteFlow(up: 300, down: 20_000))
        #expect(decoded(weights) == (weights, 12))
        weights.record(ByteFlow(up: 300, down: 20_000))
        #expect(decoded(weights) == (weights, 12))
        for round in 0..<300 {
            let down =
                Int64.random(in: 0...1 << 40, using: &random) >> Int64.random(in: 0...41, using: &random)
            weights.record(
                ByteFlow(up: ByteCount(Int64.random(in: 0...9_000, using: &random)), down: ByteCount(down)))
            #expect(decoded(weights).0 == weights, "\(round)")
        }
    }

    @Test("of a store from before is made from the rows where all are there, and else is not known")
    func migration() throws {
        let folder = try Folder()
        let writer = try StoreWriter.open(folder.file("newer.db"))
        try writer.write(events())
        try writer.write(exchange(6, at: 86_400_000 * 3, up: 77, down: 77))
        try writer.close()
        try ReleasedStore.make(from: folder.file("newer.db"), at: folder.file("all.db"))
        // The row of one of the three is gone: the sums of its API have no weights any more, on its day and of all time.
        try ReleasedStore.make(
            from: folder.file("newer.db"), at: folder.file("gone.db"),
            change: "DELETE FROM exchange WHERE id = 2")
        let early = TimeRange(until: Sample.moment(86_400_000))
        let late = TimeRange(since: Sample.moment(86_400_000))
        func weights(_ file: String, _ range: TimeRange) throws -> CallWeights {
            let totals = try StoreReader.open(folder.file(file)).totals(by: .host, in: range)
            #expect(totals.count == 1)
            return totals.reduce(into: CallWeights()) { $0.merge($1.perCall) }
        }
        for range in [early, late, .always] {
            #expect(try weights("all.db", range) == weights("newer.db", range))
            #expect(try weights("all.db", range).count > 0)
        }
        #expect(try weights("gone.db", early).total.percentile(0.5) == nil)
        #expect(try weights("gone.db", early).count == 0)
        #expect(try weights("gone.db", late) == weights("newer.db", late))
        // A writer goes on with such sums: what it adds is weighed.
        let next = try StoreWriter.open(folder.file("gone.db"))
        try next.write(exchange(1, at: 86_400_000 * 4, up: 50, down: 50))
        try next.close()
        #expect(try weights("gone.db", .always).total.max == 100)
    }
}
