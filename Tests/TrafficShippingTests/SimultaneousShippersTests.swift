import FleetTables
import Foundation
import Testing
import TrafficModel
import TrafficStore

@testable import TrafficShipping

@Suite("Two shippers of one store to one destination") struct SimultaneousShippersTests {
    @Test("take what there is once: the second one sees that the first one was faster")
    func turns() throws {
        let rig = try Rig()
        try rig.fill(300)
        try rig.ship()
        let writer = try rig.writer()
        try writer.write(Traffic.events(40, seed: 9, first: 301))
        try writer.close()
        let stores = try (0..<2).map { _ in try ShippingStore.open(rig.path) }
        defer { for store in stores { try? store.close() } }
        let turns = try stores.map { try $0.begin(for: rig.fleet.url) }
        #expect(turns[0].revision < turns[1].revision)
        var cut = ShippingCut()
        cut.nextExchange = 341
        cut.notes = [("exchanges", 340)]
        #expect(try stores[1].take(cut, in: turns[1]))
        #expect(try !stores[0].take(cut, in: turns[0]))
        #expect(try !stores[1].take(cut, in: turns[1]))
        #expect(try stores[0].take(cut, in: stores[0].begin(for: rig.fleet.url)))
    }

    @Test("count each exchange once, and send each")
    func both() throws {
        let rig = try Rig()
        let writer = try rig.writer()
        try writer.write(Traffic.events(200))
        let isShipping = DispatchGroup()
        let fleets = [rig.fleet, FakeFleet()]
        // Whatever the order in which the threads run, the sums are the same.
        var round: Int64 = 0
        while round < 20 {
            round += 1
            try writer.write(Traffic.events(50, seed: UInt64(round), first: 200 + round * 50))
            for fleet in fleets {
                let (path, options) = (rig.path, rig.options)
                DispatchQueue.global().async(group: isShipping) { Self.ship(path, to: fleet, options) }
            }
            isShipping.wait()
        }
        try writer.close()
        try rig.ship()
        let newest = fleets.compactMap { $0.installations[1] }.max { $0.origin.revision < $1.origin.revision }
        #expect(newest?.exchanges == 1_200)
        let sent = Set(fleets.flatMap { $0.exchanges.keys })
        #expect(sent == Set(try rig.reader().ended.map(\.id.rawValue)))
    }

    @Test("count a batch that is refused to both as one loss, and halve it once")
    func refused() throws {
        let rig = try Rig()
        try rig.fill(10)
        rig.fleet.usual = .fail(.blocked)
        #expect(throws: Shipper.Failure.self) { try rig.ship() }
        let store = try ShippingStore.open(rig.path)
        defer { try? store.close() }
        let destination = try store.state(of: rig.fleet.url).destination
        let batch = try #require(try store.pending(for: destination))
        let halves = try #require(ShippingFormat.halves(of: batch))
        try store.replace(batch, of: destination, by: halves)
        try store.replace(batch, of: destination, by: halves)
        let half = try #require(try store.pending(for: destination))
        for _ in 0..<2 { try store.setAside(half, of: destination, because: "it failed") }
        #expect(try store.state(of: rig.fleet.url).refused == half.count)
        let other = try #require(try store.pending(for: destination))
        try store.acknowledge(other, of: destination, hour: 0)
        #expect(try store.pending(for: destination) == nil)
    }

    /// Ships everything, as a process of its own would; each fleet is used by one thread at a time.
    private static func ship(_ path: String, to fleet: FakeFleet, _ options: ShippingOptions) {
        do {
            let store = try ShippingStore.open(path)
            defer { try? store.close() }
            let now = Traffic.moment(3_600_000)
            let surroundings = ShippingSurroundings(now: { now }, random: { 0.5 }, wait: { _ in true }, say: { _ in })
            let shipper = try Shipper(
                from: store, StoreReader.open(path), to: fleet, options, follows: false, surroundings)
            try shipper.run()
        } catch {
            Issue.record(error)
        }
    }
}
