import ContentCoding
import FleetTables
import Foundation
import HTTPWire
import RowBinary
import TestSupport
import Testing
import TrafficModel
import TrafficStore

@testable import TrafficShipping

@Suite struct ShipperTests {
    @Test("All exchanges, connections and sums arrive once, and the next time only what is new")
    func everything() throws {
        let rig = try Rig()
        let writer = try rig.writer()
        try writer.write(Traffic.events(300))
        try writer.write([Traffic.connection(1, exchanges: 4, isClosed: true)])
        try rig.ship()
        let reader = try rig.reader()
        #expect(rig.fleet.ordered == (try reader.ended))
        #expect(try rig.fleet.connections.values.map(\.connection) == reader.connections())
        #expect(rig.fleet.totals(isWhole: true) == (try reader.totalsByAPI))
        #expect(rig.fleet.totals(isWhole: false) == (try reader.totalsByAPI))
        #expect(Set(rig.fleet.sums.values.map(\.width)) == [1, 60])
        let origin = try #require(rig.fleet.exchanges.values.first?.origin)
        #expect(origin.installation == (try reader.installation()))
        #expect(origin.resource.service == "shop")
        #expect(rig.fleet.installations[1]?.exchanges == 300)
        let sent = rig.fleet.batches.count
        try rig.ship()
        #expect(rig.fleet.batches.count == sent)
        try writer.write(Traffic.events(20, seed: 2, first: 301))
        try writer.close()
        try rig.ship()
        let later = rig.fleet.batches[sent...].filter { $0.target == "exchange" }
        #expect(later.map(\.count) == [20])
        #expect(rig.fleet.ordered == (try reader.ended))
        #expect(rig.fleet.totals(isWhole: true) == (try reader.totalsByAPI))
    }

    @Test("Whatever fails, is lost or is cut off, nothing is missing and nothing counts twice", arguments: 1...4)
    func trouble(seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        let rig = try Rig()
        let writer = try rig.writer()
        for part in 0..<5 {
            try writer.write(Traffic.events(30, seed: UInt64(part), first: Int64(part) * 30 + 1))
            rig.fleet.mostRows = [9, 50, 10_000].randomElement(using: &generator) ?? 5
            rig.fleet.script = (0..<9).map { _ in
                [.accept, .loseAnswer, .loseAnswer, .fail(.later(after: 2))].randomElement(using: &generator) ?? .accept
            }
            // Another process each time, and some of them are interrupted.
            rig.waits = Int.random(in: 1...6, using: &generator)
            try? rig.ship()
        }
        try writer.close()
        rig.waits = .max
        rig.fleet.script = []
        rig.fleet.mostRows = .max
        try rig.ship()
        let reader = try rig.reader()
        #expect(rig.fleet.ordered == (try reader.ended))
        #expect(rig.fleet.totals(isWhole: true) == (try reader.totalsByAPI))
        #expect(rig.fleet.totals(isWhole: false) == (try reader.totalsByAPI))
        // What was sent under one token was the same each time.
        for (_, batches) in Dictionary(grouping: rig.fleet.batches, by: \.token) {
            #expect(Set(batches.map(\.body)).count == 1)
        }
        #expect(rig.fleet.losses.isEmpty)
    }

    @Test("What goes to the destination itself is not sent, and makes no batch")
    func ownTraffic() throws {
        let rig = try Rig()
        rig.options.excluded = ["b.test"]
        let writer = try rig.writer()
        try writer.write(Traffic.events(40))
        try writer.write([Traffic.connection(1, exchanges: 4, isClosed: true)])
        try rig.ship()
        #expect(rig.fleet.ordered == (try rig.reader().ended.filter { $0.request.host == "a.test" }))
        #expect(Set(rig.fleet.totals(isWhole: true).keys.map(\.host)) == ["a.test"])
        #expect(rig.fleet.installations[1]?.exchanges == Int64(rig.fleet.exchanges.count))
        let sent = rig.fleet.batches.count
        // An upload, its connection, and what they change: the file's overview, its sums.
        try writer.write(Traffic.exchange(41, at: 20_000, host: "b.test", connection: 99))
        try writer.write([Traffic.connection(99, exchanges: 1, isClosed: false)])
        try rig.ship()
        #expect(rig.fleet.batches.count == sent)
        try writer.close()
    }

    @Test("Nothing is sent while it may not be, and everything afterwards")
    func permission() throws {
        let rig = try Rig()
        try rig.fill(10)
        (rig.refusals, rig.waits) = (4, 3)
        try rig.ship()
        #expect(rig.fleet.batches.isEmpty)
        let before = rig.now
        (rig.refusals, rig.waits) = (4, .max)
        try rig.ship()
        #expect(rig.fleet.exchanges.count == 10)
        #expect(rig.now == Timestamp(nanoseconds: before.nanoseconds + 4 * 5_000_000_000))
    }

    @Test("An installation that is not chosen sends sums and no details")
    func cohort() throws {
        let rig = try Rig()
        try rig.fill(4)
        rig.options.cohort = 0
        try rig.ship()
        #expect(rig.fleet.exchanges.isEmpty)
        #expect(rig.fleet.installations[1]?.details == 0)
        #expect(rig.fleet.installations[1]?.sendsSumsAlone == true)
        #expect(rig.fleet.installations[1]?.exchanges == 4)
        #expect(rig.fleet.totals(isWhole: true) == (try rig.reader().totalsByAPI))
    }

    @Test("The share of the installations that are chosen is the one of the options, and so is the weight")
    func shares() {
        var generator = SeededGenerator(seed: 3)
        var options = ShippingOptions()
        (options.cohort, options.details) = (0.25, 0.5)
        #expect(options.weight == 8)
        let installations = (0..<4_000).map { _ in InstallationID(high: generator.next(), low: generator.next()) }
        let chosen = installations.filter { options.share(of: $0) == 0.5 }
        #expect((900...1_100).contains(chosen.count))
        #expect(installations.allSatisfy { chosen.contains($0) || options.share(of: $0) == 0 })
        let tasks = chosen.prefix(40).flatMap { id in (1...50).map { options.includes(task: $0, of: id) } }
        #expect((900...1_100).contains(tasks.count { $0 }))
        #expect(!installations.contains { !chosen.contains($0) && options.includes(task: 1, of: $0) })
        #expect(!options.sendsSumsAlone)
        for (cohort, details) in [(0, 1), (1, 0)] as [(Double, Double)] {
            (options.cohort, options.details) = (cohort, details)
            #expect(options.sendsSumsAlone)
        }
    }

    @Test("What stops for good says why, and goes on from there")
    func stopped() throws {
        let rig = try Rig()
        try rig.fill(50)
        rig.fleet.usual = .fail(.blocked)
        #expect(throws: Shipper.Failure.stopped("it failed")) { try rig.ship() }
        #expect(rig.fleet.batches.count == 1)
        rig.fleet.usual = .fail(.later(after: nil))
        #expect(throws: Shipper.Failure.stopped("it failed")) { try rig.ship() }
        #expect(rig.fleet.batches.count == 8)
        rig.fleet.usual = .accept
        try rig.ship()
        #expect(rig.fleet.batches.prefix(9).map(\.body).allSatisfy { $0 == rig.fleet.batches[0].body })
        #expect(rig.fleet.ordered == (try rig.reader().ended))
    }

    @Test("A batch that is refused is set aside, and its rows are a loss that is sent")
    func refused() throws {
        let rig = try Rig()
        try rig.fill(50)
        rig.options.sums = .hours
        // The first batch has sums, the second exchanges.
        rig.fleet.script = [.accept, .fail(.refused)]
        try rig.ship()
        #expect(rig.fleet.exchanges.isEmpty)
        #expect(rig.fleet.losses["shippingRefused"]?.count == 50)
        #expect(rig.news.contains(.setAside(rows: 50, because: "it failed")))
        #expect(rig.fleet.totals(isWhole: true) == (try rig.reader().totalsByAPI))
    }

    @Test("One row that is too large for the destination is set aside, and all others arrive")
    func tooLarge() throws {
        let rig = try Rig()
        try rig.fill(9)
        rig.fleet.mostRows = 1
        try rig.ship()
        #expect(rig.fleet.exchanges.count == 9)
        rig.fleet.mostRows = 0
        let writer = try rig.writer()
        try writer.write(Traffic.exchange(1, at: 0))
        try writer.close()
        try rig.ship()
        #expect(rig.fleet.exchanges.count == 9)
        #expect(rig.news.contains(.setAside(rows: 1, because: "too large")))
    }

    @Test("Exchanges that run wait, and do not hold up the others")
    func running() throws {
        let rig = try Rig()
        let writer = try rig.writer()
        try writer.write([Traffic.request(1)] + Traffic.exchange(2, at: 5))
        try rig.ship()
        #expect(rig.fleet.exchanges.keys.sorted() == [2])
        try writer.write(Traffic.rest(1))
        try rig.ship()
        #expect(rig.fleet.ordered == (try rig.reader().ended))
        #expect(rig.fleet.exchanges.count == 2)
        #expect(rig.fleet.totals(isWhole: true) == (try rig.reader().totalsByAPI))
        try writer.close()
    }

    @Test("A connection that is open is sent again when it has changed")
    func openConnections() throws {
        let rig = try Rig()
        let writer = try rig.writer()
        try writer.write([Traffic.connection(1, exchanges: 1, isClosed: false)])
        try rig.ship()
        try rig.ship()
        #expect(rig.fleet.batches.filter { $0.target == "connection" }.count == 1)
        try writer.write([Traffic.connection(1, exchanges: 3, isClosed: false)])
        try rig.ship()
        #expect(rig.fleet.connections[1]?.record.load.exchanges == 3)
        try writer.write([Traffic.connection(1, exchanges: 5, isClosed: true)])
        try rig.ship()
        #expect(try rig.fleet.connections.values.map(\.connection) == rig.reader().connections())
        try rig.ship()
        #expect(rig.fleet.batches.filter { $0.target == "connection" }.count == 3)
        try writer.close()
    }

    @Test("Retention that deletes exchanges before they were sent is counted, and said")
    func overtaken() throws {
        let rig = try Rig()
        try rig.fill(30)
        try rig.ship()
        let late = Traffic.moment(40_000_000)
        let writer = try StoreWriter.open(rig.path, now: { late })
        try writer.write(Traffic.events(12, seed: 3, first: 1))
        while try writer.retain(RetentionPolicy(maxAge: 1_000_000_000, maxSize: nil)) {}
        try writer.close()
        try rig.ship()
        #expect(rig.fleet.losses["shippingOvertaken"]?.count == 12)
        #expect(rig.fleet.exchanges.count == 30)
        #expect(rig.fleet.totals(isWhole: true) == (try rig.reader().totalsByAPI))
    }

    @Test("A budget stops at its bytes, and goes on in the next hour")
    func budget() throws {
        let rig = try Rig()
        try rig.fill(200)
        rig.options.bytesPerHour = 1
        #expect(throws: Shipper.Failure.self) { try rig.ship() }
        #expect(rig.fleet.batches.count == 1)
        #expect(throws: Shipper.Failure.self) { try rig.ship() }
        #expect(rig.fleet.batches.count == 1)
        rig.waits = 20
        try rig.ship(follows: true)
        #expect(rig.fleet.ordered == (try rig.reader().ended))
        #expect(rig.news.contains { if case .budget = $0 { true } else { false } })
    }

    @Test("Details are thinned out by task, the same ones each time, and sums are of everything")
    func details() throws {
        let rig = try Rig()
        try rig.fill(2_000)
        rig.options.details = 0.1
        try rig.ship()
        #expect((120...280).contains(rig.fleet.exchanges.count))
        #expect(rig.fleet.exchanges.values.allSatisfy { $0.weight == 10 })
        #expect(rig.fleet.totals(isWhole: true) == (try rig.reader().totalsByAPI))
        let first = Set(rig.fleet.exchanges.keys)
        let store = try ShippingStore.open(rig.path)
        let id = try rig.reader().installation()
        #expect(first == Set((1...2_000).filter { rig.options.includes(task: $0, of: id) }))
        try store.close()
        rig.options.details = 0
        let writer = try rig.writer()
        try writer.write(Traffic.exchange(1, at: 0))
        try writer.close()
        try rig.ship()
        #expect(Set(rig.fleet.exchanges.keys) == first)
        #expect(rig.fleet.totals(isWhole: true) == (try rig.reader().totalsByAPI))
    }

    @Test("Only templates leave unless more is shared")
    func share() throws {
        let rig = try Rig()
        try rig.fill(5)
        rig.options.share = .templates
        try rig.ship()
        #expect(rig.fleet.exchanges.values.allSatisfy { $0.exchange.request.path.isEmpty })
        #expect(rig.fleet.exchanges.values.allSatisfy { $0.exchange.request.template == "/users/{id}" })
        #expect(rig.fleet.exchanges.values.allSatisfy { $0.exchange.request.query == nil })
    }

    @Test("Each level of sharing has its part of an exchange, and not that of the next", arguments: FleetShare.allCases)
    func levels(level: FleetShare) throws {
        let rig = try Rig()
        try rig.fill(20)
        rig.options.share = level
        try rig.ship()
        let ended = try rig.reader().ended
        #expect(rig.fleet.ordered == ended.map(level.reduced))
        #expect(Set(FleetShare.allCases.map { ended.map($0.reduced) }).count == FleetShare.allCases.count)
    }

    @Test("The destination's own host is left out of exchanges and of sums, and does not make more to send")
    func ownUploads() throws {
        let rig = try Rig()
        try rig.fill(40)
        rig.options.excluded = ["b.test"]
        try rig.ship()
        let sent = rig.fleet.batches.count
        #expect(!rig.fleet.exchanges.isEmpty)
        #expect(rig.fleet.exchanges.values.allSatisfy { $0.exchange.request.host == "a.test" })
        #expect(Set(rig.fleet.sums.values.map(\.key.host)) == ["a.test"])
        let writer = try rig.writer()
        try writer.write(Traffic.exchange(1, at: 0, host: "b.test"))
        try writer.close()
        try rig.ship()
        #expect(rig.fleet.batches[sent...].filter { $0.target == "sums" || $0.target == "exchange" }.isEmpty)
    }

    @Test("A template that was merged after rows were sent with it is mapped to the one that is shown")
    func templates() throws {
        let rig = try Rig()
        let writer = try rig.writer()
        for id in Int64(1)...3 {
            try writer.write([Traffic.request(id, path: "/tags/word\(id)x")] + Traffic.rest(id))
        }
        try rig.ship()
        for id in Int64(4)...200 {
            try writer.write([Traffic.request(id, path: "/tags/word\(id)x")] + Traffic.rest(id))
        }
        try writer.close()
        let shown = try Set(rig.reader().totals(by: .api, in: .always).map(\.key.template))
        #expect(shown.count == 1)
        try rig.ship()
        #expect(Set(rig.fleet.templates.keys) == ["/tags/word1x", "/tags/word2x", "/tags/word3x"])
        #expect(Set(rig.fleet.templates.values.map(\.shown)) == shown.compactMapSet)
        let requests = rig.fleet.sums.values.filter(\.isWhole).reduce(0) { $0 + $1.sums.requests }
        #expect(requests == 200)
    }

    @Test("A template that was given is mapped to itself, once")
    func givenTemplates() throws {
        let rig = try Rig()
        let writer = try rig.writer()
        for id in Int64(1)...4 {
            guard case .request(var record) = Traffic.request(id) else { continue }
            (record.template, record.isTemplateGiven) = (id < 3 ? "/users/me" : "/users/{id}", id < 3)
            try writer.write([.request(record)] + Traffic.rest(id))
        }
        try writer.close()
        for _ in 0..<2 { try rig.ship() }
        #expect(
            rig.fleet.templates.values.map { [$0.authority, $0.template, $0.shown] } == [
                ["a.test", "/users/me", "/users/me"]
            ])
        #expect(rig.fleet.batches.filter { $0.target == "template" }.count == 1)
    }

    @Test("Each exchange comes from what was metered when it began, also if that changes within a batch")
    func origins() throws {
        let rig = try Rig()
        for (version, first) in [("1", Int64(1)), ("2", 11), ("3", 21)] {
            let writer = try rig.writer(TrafficResource(service: "shop", version: version))
            try writer.write(Traffic.events(10, first: first))
            try writer.close()
        }
        try rig.ship()
        #expect(rig.fleet.batches.filter { $0.target == "exchange" }.count == 1)
        let versions = rig.fleet.exchanges.sorted { $0.key < $1.key }.map(\.value.origin.resource.version)
        #expect(versions == ["1", "2", "3"].flatMap { [String](repeating: $0, count: 10) })
    }

    @Test("Exchanges are sent with the carrier of their time, which sums do not have, and all with the region")
    func carriers() throws {
        let rig = try Rig()
        let writer = try rig.writer(TrafficResource(service: "shop", carrier: "A"))
        try writer.write(Traffic.events(10, first: 1) + [.carrier("B")] + Traffic.events(5, first: 11))
        try writer.close()
        let state = try ShippingStore.open(rig.path)
        try state.set(TrafficResource(region: "eu", carrier: "C"))
        try state.close()
        try rig.ship()
        let resources = rig.fleet.exchanges.sorted { $0.key < $1.key }.map(\.value.origin.resource)
        #expect(resources.map(\.carrier) == [String](repeating: "A", count: 10) + [String](repeating: "B", count: 5))
        #expect(Set(resources.map(\.region)) == ["eu"])
        let sums = rig.fleet.sums.values.map(\.origin.resource)
        #expect(Set(sums.map(\.carrier)) == [""] && Set(sums.map(\.region)) == ["eu"])
    }

    @Test("More rows than a batch has are several batches, each with a token of its own")
    func largeBatches() throws {
        let batches = RowBatches<FleetLoss>(token: "a")
        let fleet = FakeFleet()
        var row = FleetLoss()
        for count in 1...10_001 {
            (row.reason, row.count) = ("\(count)", Int64(count))
            batches.add(&row)
        }
        let made = batches.end()
        #expect(made.map(\.count) == [5_000, 5_000, 1] && made.map(\.token) == ["a/0", "a/5000", "a/10000"])
        for batch in made { #expect(fleet.send(batch).outcome == .accepted) }
        #expect(fleet.losses.count == 10_001 && fleet.losses.allSatisfy { $0.key == "\($0.value.count)" })
    }

    @Test("Following goes on with what comes, and sends sums once a minute")
    func following() throws {
        let rig = try Rig()
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
        #expect(rig.fleet.exchanges.count == 130)
        #expect(Set(rig.fleet.batches.filter { $0.target == "sums" }.map(\.token)).count == 2)
    }

    @Test("A batch that waits keeps the columns that its rows were cut with")
    func columns() throws {
        let rig = try Rig()
        try rig.fill(10)
        rig.fleet.usual = .fail(.blocked)
        for _ in 1...2 { #expect(throws: Shipper.Failure.self) { try rig.ship() } }
        rig.fleet.usual = .accept
        try rig.ship()
        for batch in rig.fleet.batches {
            #expect(batch.columns == FleetSchema.tables.first { $0.name == batch.target }?.sent)
        }
        #expect(rig.fleet.exchanges.count == 10)
    }

    @Test("A batch of an earlier version is halved by the columns that its rows have")
    func halvesByOwnColumns() throws {
        // Before `run` and others were columns.
        var rows = RowBinaryWriter()
        for (reason, count) in [("queueFull", 7), ("diskFull", 300), ("damaged", 1)] as [(String, Int64)] {
            rows.integer(UInt64(1))
            rows.integer(UInt64(2))
            rows.string(reason)
            rows.integer(count)
        }
        let columns = ["installation", "reason", "count"]
        func batch(_ columns: [String]) -> ShippingBatch {
            ShippingBatch(
                target: "loss", token: "t", count: 3, columns: columns, body: ShippingFormat.compressed(rows.bytes))
        }
        let halves = try #require(ShippingFormat.halves(of: batch(columns)))
        #expect(halves.map(\.columns) == [columns, columns])
        #expect(halves.map(\.count) == [1, 2])
        let contents = halves.compactMap { ZlibContent(of: $0.body, coding: .gzip, limit: 1 << 20)?.bytes }
        #expect(contents.map(\.count) == [34, 65])
        #expect(contents.flatMap(\.self) == rows.bytes)
        // Of a column that this version does not have, the type is not known.
        #expect(ShippingFormat.halves(of: batch(columns + ["mood"])) == nil)
    }

    @Test("Days as the only sums cannot become hours, because both would count")
    func widths() throws {
        let rig = try Rig()
        try rig.fill(10)
        rig.options.sums = .days
        try rig.ship()
        #expect(Set(rig.fleet.sums.values.map(\.width)) == [1_440])
        #expect(rig.fleet.totals(isWhole: true) == (try rig.reader().totalsByAPI))
        rig.options.sums = .hours
        let error = #expect(throws: StoreError.self) { try rig.ship() }
        #expect(error?.message.contains("'--reset'") == true)
        let store = try ShippingStore.open(rig.path)
        let before = try rig.reader().installation()
        try store.reset()
        try store.close()
        #expect(try rig.reader().installation() != before)
        try rig.ship()
        #expect(Set(rig.fleet.sums.values.map(\.width)) == [60, 1_440])
    }
}

extension Set<String?> {
    fileprivate var compactMapSet: Set<String> { Set<String>(compactMap(\.self)) }
}
