import TestSupport
import Testing
import TextFormats
import TrafficModel

@testable import TrafficStore

@Suite("Names of devices")
struct DeviceNameTests {
    private static let names = [
        DeviceName(address: "192.0.2.7", name: "phone.home", source: .lookup),
        DeviceName(address: "192.0.2.7", name: "iPhone", source: .agent),
        DeviceName(address: "192.0.2.8", name: "02:00:5e:00:00:08", source: .neighbour),
    ]

    private func request(_ id: Int64, of name: String, _ direction: TrafficDirection) -> TrafficEvent {
        var request = Sample.request(id)
        request.process = ProcessIdentity(pid: 1, name: name)
        request.direction = direction
        return .request(request)
    }

    @Test("a name replaces an earlier one of the same source, and a cleared store has none")
    func kept() throws {
        let folder = try Folder()
        let writer = try StoreWriter.open(folder.file())
        let earlier = DeviceName(address: "192.0.2.7", name: "other.home", source: .lookup)
        try writer.write([.device(earlier)])
        try writer.write(Self.names.reversed().map { .device($0) })
        let reader = try StoreReader.open(folder.file())
        #expect(try reader.deviceNames() == Self.names)
        #expect(try FilteredReading(reader, FilterExpression()).deviceNames() == Self.names)
        try writer.clear()
        #expect(try reader.deviceNames() == [])
    }

    @Test(
        "a filter by device takes the address, and the names of what was served",
        arguments: [
            ("192.0.2.7", [1]), ("phone.home", [1]), ("iPhone", [1]), ("02:*", [2]), ("192.0.2.*", [1, 2]),
            ("phone", []), ("iphone", []), ("app", []),
        ] as [(String, [Int64])])
    func filters(pattern: String, found: [Int64]) throws {
        let folder = try Folder()
        let writer = try StoreWriter.open(folder.file())
        try writer.write(
            [
                request(1, of: "192.0.2.7", .served), request(2, of: "192.0.2.8", .served),
                request(3, of: "192.0.2.7", .called), request(4, of: "app", .called),
            ] + Self.names.map { .device($0) })
        var filter = ExchangeFilter()
        filter.expression = try FilterParser.parse("device:\(pattern)", now: Sample.moment(0))
        var ids: [Int64] = []
        try StoreReader.open(folder.file()).forEachExchange(matching: filter, order: .oldestFirst, after: nil) {
            ids.append($0.id.rawValue)
            return true
        }
        #expect(ids == found)
    }
}
