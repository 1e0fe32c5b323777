import FleetTables
import Testing
import TrafficModel
import TrafficStore

@testable import TrafficShipping

/// What is sent of the devices that a proxy has served.
@Suite struct DeviceNumbersTests {
    private static let devices = ["192.168.1.23", "fe80::1c2a:3bff:fe4d%en0", "192.168.1.24"]

    @Test("The address of a device leaves only if all is shared", arguments: FleetShare.allCases)
    func addresses(share: FleetShare) throws {
        let rig = try Rig()
        let writer = try rig.writer()
        for (place, name) in (Self.devices + ["this computer"]).enumerated() {
            for pid in Int32(1)...2 { try writer.write(Self.events(of: name, pid: pid, at: 2 * place + Int(pid))) }
        }
        try writer.close()
        rig.options.share = share
        try rig.ship()
        var names = (1...3).map { "device \(2 * $0 - 1)" } + ["this computer"]
        if share == .all { names = Self.devices + ["this computer"] }
        #expect(rig.fleet.ordered.map(\.request.process.name) == names.flatMap { [$0, $0] })
        #expect(rig.fleet.ordered.map(\.request.process.pid) == [1, 2, 1, 2, 1, 2, 1, 2])
        let connections = rig.fleet.connections.values.map(\.record.process.name).sorted()
        #expect(connections == names.flatMap { [$0, $0] }.sorted())
        #expect(Set(rig.fleet.sums.values.map(\.key.process)) == Set(names))
    }

    private static func events(of name: String, pid: Int32, at number: Int) throws -> [TrafficEvent] {
        let process = ProcessIdentity(pid: pid, name: name)
        return Traffic.exchange(Int64(number), at: 0, connection: Int64(number)).map { event in
            guard case .request(var request) = event else { return event }
            (request.process, request.direction) = (process, .served)
            return .request(request)
        }
            + [Traffic.connection(Int64(number), exchanges: 1, isClosed: true)].map { event in
                guard case .connection(var record) = event else { return event }
                (record.process, record.direction) = (process, .served)
                return .connection(record)
            }
    }

    @Test(
        "An address is known from the name of a program",
        arguments: [
            ("10.0.0.1", true), ("255.255.255.255", true), ("::1", true), ("fd00::2", true),
            ("2001:db8:0:0:0:0:0:1", true), ("fe80::1%eth0", true), ("::ffff:10.0.0.1", true), ("curl", false),
            ("", false), ("node", false), ("a.b.c.d", false), ("1.2.3", false), ("this computer", false),
            ("cafe", false), ("app:1", false), ("a::b helper", false), ("php8.2", false), ("1.2.3.4 beta", false),
        ])
    func isAddress(text: String, expected: Bool) {
        #expect(DeviceNumbers.isAddress(text) == expected)
        #expect(DeviceNumbers(["10.0.0.1": 7]).shown("10.0.0.1") == "device 7")
        #expect(DeviceNumbers([:]).shown("10.0.0.1") == "device")
        #expect(DeviceNumbers(nil).shown("10.0.0.1") == "10.0.0.1")
    }
}
