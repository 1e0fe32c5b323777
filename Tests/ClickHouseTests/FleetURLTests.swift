import Testing

@testable import ClickHouse

@Suite("The address of a fleet") struct FleetURLTests {
    @Test("is read with its host, port, database and parameters")
    func reads() throws {
        let url = try FleetURL("clickhouse://Fleet.example.com:8124/traffic?service=shop%20%26%20co&since=7d")
        #expect(url.host == "fleet.example.com")
        #expect(url.port == 8124)
        #expect(!url.isSecure)
        #expect(url.database == "traffic")
        #expect(url.parameters == [.service: "shop & co", .since: "7d"])
        let plain = try FleetURL("clickhouses://[::1]/a%2Fb/")
        #expect(plain.host == "[::1]")
        #expect(plain.port == 8443)
        #expect(plain.isSecure)
        #expect(plain.database == "a/b")
        #expect(plain.parameters.isEmpty)
        #expect(try FleetURL("clickhouse://[fd00::2]:9000/x").port == 9000)
        #expect(try FleetURL("CLICKHOUSE://h/x").port == 8123)
    }

    @Test(
        "is written as it was read",
        arguments: [
            "clickhouse://h:1/d", "clickhouses://h:8443/d?service=a%20b&version=2.3",
            "clickhouse://[::1]:8123/%C3%BC?installation=%27%26%3D&until=2026-11-25",
        ])
    func writes(_ text: String) throws { #expect(try FleetURL(text).description == text) }

    @Test(
        "is refused with the reason",
        arguments: [
            ("clickhouse://h", "it names no database"), ("clickhouse:///d", "it names no host"),
            ("clickhouse://h:0/d", "its port '0'"), ("clickhouse://h:x/d", "its port 'x'"),
            ("clickhouse://h/d?hosts=a", "it has no parameter 'hosts'"), ("clickhouse://h/d?service", "has no value"),
            ("clickhouse://h/d?host=a&host=b", "'host' is given twice"), ("clickhouse://h/d#x", "'#x' has no meaning"),
            ("clickhouse://h/d/e", "a database has no '/'"), ("http://h/d", "it begins with neither"),
            ("clickhouse://h /d", "white space"), ("clickhouse://h\\x/d", "it names no host"),
        ])
    func refuses(_ text: String, _ reason: String) throws {
        let error = try #require(throws: ClickHouseError.self) { try FleetURL(text) }
        #expect(error.code == .badAddress)
        #expect(error.message.contains(reason), "\(error)")
    }

    @Test("with a user in it is refused, and the message does not repeat the password")
    func user() throws {
        let error = try #require(throws: ClickHouseError.self) { try FleetURL("clickhouse://me:hunter2@h/d") }
        #expect(!error.message.contains("hunter2"))
        #expect(error.message.contains("WIREWEIGHT_CLICKHOUSE_PASSWORD"))
    }

    @Test("is distinguished from the name of a file")
    func isMeant() {
        #expect(FleetURL.isMeant(by: "clickhouse://h/d") && FleetURL.isMeant(by: "ClickHouses://"))
        #expect(!FleetURL.isMeant(by: "clickhouse.db") && !FleetURL.isMeant(by: "/clickhouse://h"))
    }
}
