import TestSupport
import Testing
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
