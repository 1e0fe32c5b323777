import TestSupport
import Testing
import TextFormats
import TrafficModel

@testable import TrafficStore

@Suite struct ResourceTests {
    @Test("A store keeps which exchanges belong to which resource and run")
    func resources() throws {
        let folder = try Folder()
        let first = TrafficResource(service: "shop", version: "1", environment: "test", hostName: "m", os: "linux")
        var second = first
        second.version = "2"
        for (resource, ids) in [(first, [Int64(1), 2]), (second, [3])] {
            let writer = try StoreWriter.open(folder.file(), resource: resource)
            try writer.write(ids.map { .request(Sample.request($0)) })
            try writer.close()
        }
        let reader = try StoreReader.open(folder.file())
        #expect(
            try reader.resources() == [
                StoredResource(firstExchange: 1, run: 1, resource: first),
                StoredResource(firstExchange: 3, run: 2, resource: second),
            ])
    }

    @Test("A run that adds no exchange leaves nothing of its resource")
    func empty() throws {
        let folder = try Folder()
        for version in ["1", "2", "3"] {
            try StoreWriter.open(folder.file(), resource: TrafficResource(version: version)).close()
        }
        #expect(try StoreReader.open(folder.file()).resources().map(\.resource.version) == ["3"])
    }

    private func totals(_ reader: any TrafficBrowsing, _ grouping: TrafficGrouping) throws -> [String: [Int64]] {
        try reader.totals(by: grouping, in: .always).reduce(into: [:]) {
            $0[$1.key.source ?? "none", default: []] += [$1.requests, $1.failures]
        }
    }

    @Test("An exchange goes over the carrier that was named last when it began, also within a batch")
    func carriers() throws {
        let folder = try Folder()
        let writer = try StoreWriter.open(
            folder.file(), resource: TrafficResource(service: "app", region: "eu", carrier: "A"))
        // The second begins over A and ends over B; naming a carrier again changes nothing.
        let second: [TrafficEvent] = [.request(Sample.request(2)), .carrier("B"), .carrier("B")]
        try writer.write(Sample.events(1) + second + Sample.events(3) + [.end(Sample.end(2, outcome: .timedOut))])
        try writer.write([.carrier("B")] + Sample.events(4) + [.carrier("")] + Sample.events(5) + [.carrier("A")])
        try writer.write(Sample.events(6))
        let reader = try StoreReader.open(folder.file())
        #expect(try reader.resources().map(\.firstExchange) == [1, 3, 5, 6])
        #expect(try reader.resources().map(\.resource.carrier) == ["A", "B", "", "A"])
        #expect(try Set(reader.resources().map(\.resource.region)) == ["eu"])
        #expect(try totals(reader, .carrier) == ["A": [3, 1], "B": [2, 0], "": [1, 0]])
        let failed = FilteredReading(reader, try FilterParser.parse("failed", now: Sample.moment(0)))
        #expect(try totals(failed, .carrier) == ["A": [1, 1]])
        try writer.close()
    }

    @Test("A file has totals by all that it says of where its exchanges come from, counted from its rows")
    func sources() throws {
        let folder = try Folder()
        let resource = TrafficResource(
            service: "shop", version: "1", environment: "test", hostName: "m", os: "linux", region: "eu", carrier: "A")
        var later = resource
        (later.version, later.region) = ("2", "us")
        for (resource, ids) in [(resource, [Int64(1), 2]), (later, [3])] {
            let writer = try StoreWriter.open(folder.file(), resource: resource)
            try writer.write(ids.flatMap { Sample.events($0) })
            try writer.close()
        }
        let reader = try StoreReader.open(folder.file())
        for (grouping, name) in [
            (TrafficGrouping.service, "shop"), (.environment, "test"), (.machine, "m"), (.platform, "linux"),
            (.carrier, "A"), (.installation, try reader.installation().description),
        ] {
            #expect(try totals(reader, grouping) == [name: [3, 0]], "\(grouping)")
        }
        #expect(try totals(reader, .version) == ["1": [2, 0], "2": [1, 0]])
        #expect(try totals(reader, .region) == ["eu": [2, 0], "us": [1, 0]])
        #expect(TrafficGrouping.sourceCases.allSatisfy(reader.countsRows))
        #expect(!reader.countsRows(by: .host))
    }

    @Test("A file of before regions and carriers opens, and takes them")
    func earlier() throws {
        let folder = try Folder()
        let writer = try StoreWriter.open(folder.file("newer.db"), resource: TrafficResource(service: "shop"))
        try writer.write(Sample.events(1))
        try writer.close()
        try EarlierStore.make(from: folder.file("newer.db"), at: folder.file(), upTo: "batch-columns")
        let later = try StoreWriter.open(folder.file(), resource: TrafficResource(service: "shop", region: "eu"))
        try later.write([.carrier("A")] + Sample.events(2))
        try later.close()
        let reader = try StoreReader.open(folder.file())
        #expect(try totals(reader, .region) == ["": [1, 0], "eu": [1, 0]])
        #expect(try totals(reader, .carrier) == ["": [1, 0], "A": [1, 0]])
        #expect(try totals(reader, .service) == ["shop": [2, 0]])
    }

    @Test("Each store is an installation of its own, and another one once it was cleared")
    func installation() throws {
        let folder = try Folder()
        let writer = try StoreWriter.open(folder.file())
        let other = try StoreWriter.open(folder.file("other.db"))
        defer { try? other.close() }
        let reader = try StoreReader.open(folder.file())
        let id = try reader.installation()
        #expect(try reader.installation() == id)
        #expect(try StoreReader.open(folder.file("other.db")).installation() != id)
        try writer.clear()
        #expect(try reader.installation() != id)
        try writer.close()
    }
}
