import ClickHouse
import FleetTables
import Testing
import TrafficOrigin
import TrafficStore

@testable import TrafficShipping

@Suite struct ClickHouseDestinationTests {
    private let batch = ShippingBatch(target: "loss", token: "id/loss/1/0", count: 1, body: [1, 2, 3])

    private func outcome(of reply: @escaping @Sendable () -> Script) throws -> ShippingSchedule.Outcome {
        let origin = LoopbackOrigin { _ in reply() }
        try origin.start()
        defer { origin.stop() }
        let url = try FleetURL("clickhouse://127.0.0.1:\(origin.port)/fleet")
        return ClickHouseDestination(ClickHouseClient(url, credentials: ClickHouseCredentials())).send(batch).outcome
    }

    @Test("The rows go compressed, with their columns and their token, into their table")
    func accepted() throws {
        let origin = LoopbackOrigin { _ in .respond(body: .text("")) }
        try origin.start()
        defer { origin.stop() }
        let url = try FleetURL("clickhouse://127.0.0.1:\(origin.port)/fleet?service=x")
        let destination = ClickHouseDestination(ClickHouseClient(url, credentials: ClickHouseCredentials()))
        #expect(destination.url == "clickhouse://127.0.0.1:\(origin.port)/fleet")
        #expect(destination.send(batch).outcome == .accepted)
        #expect(origin.waitUntilIdle())
        let request = try #require(origin.exchanges.first?.parsed)
        #expect(request.body == [1, 2, 3])
        #expect(request.value(of: "Content-Encoding") == "gzip")
        #expect(request.target.contains("query=INSERT%20INTO%20"))
        #expect(request.target.contains("os_version"))
        #expect(request.target.contains("insert_deduplication_token=id%2Floss%2F1%2F0"))
    }

    @Test("A batch that an earlier version has cut goes with the columns that its rows have")
    func ownColumns() throws {
        let origin = LoopbackOrigin { _ in .respond(body: .text("")) }
        try origin.start()
        defer { origin.stop() }
        let url = try FleetURL("clickhouse://127.0.0.1:\(origin.port)/fleet")
        let destination = ClickHouseDestination(ClickHouseClient(url, credentials: ClickHouseCredentials()))
        var earlier = batch
        earlier.columns = ["installation", "reason", "count"]
        #expect(destination.send(earlier).outcome == .accepted)
        #expect(origin.waitUntilIdle())
        let target = try #require(origin.exchanges.first?.parsed).target
        #expect(target.contains("%28%60installation%60%2C%20%60reason%60%2C%20%60count%60%29"))
    }

    @Test("Each kind of refusal has its consequence")
    func refusals() throws {
        let code27 = "Code: 27, e.displayText() = DB::Exception: Cannot parse input"
        #expect(try outcome { .respond("413 Payload Too Large", body: .text("")) } == .tooLarge)
        #expect(try outcome { .respond("429 Too Many Requests", body: .text("")) } == .later(after: nil))
        #expect(try outcome { .respond("503 Service Unavailable", body: .text("")) } == .later(after: nil))
        #expect(try outcome { .respond("500 Internal Server Error", body: .text(code27)) } == .refused)
        #expect(try outcome { .respond("400 Bad Request", body: .text("")) } == .refused)
        #expect(try outcome { .respond("401 Unauthorized", body: .text("")) } == .blocked)
        #expect(try outcome { .respond("404 Not Found", body: .text("")) } == .blocked)
        let nobody = try FleetURL("clickhouse://127.0.0.1:1/fleet")
        let destination = ClickHouseDestination(ClickHouseClient(nobody, credentials: ClickHouseCredentials()))
        #expect(destination.send(batch).outcome == .later(after: nil))
    }
}
