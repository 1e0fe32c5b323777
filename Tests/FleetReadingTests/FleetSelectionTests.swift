import ClickHouse
import Testing
import TrafficModel

@testable import FleetReading

@Suite("The parameters of a fleet's address") struct FleetSelectionTests {
    private static let now = Timestamp(nanoseconds: 1_764_000_000_000_000_000)

    @Test("select rows and a range")
    func selects() throws {
        let url = try FleetURL(
            "clickhouse://h/d?service=it's&platform=linux&installation=61F0C404-5cb3-41e7-907b-a6006ad3dba0&since=2h")
        let selection = try FleetSelection(url, now: Self.now)
        #expect(
            selection.condition.description
                == #"`service` = 'it\'s' AND `os` = 'linux' AND installation = toUUID('61f0c404-5cb3-41e7-907b-a6006ad3dba0')"#
        )
        #expect(selection.range == TimeRange(since: Timestamp(nanoseconds: Self.now.nanoseconds - 7_200_000_000_000)))
        #expect(try FleetSelection(FleetURL("clickhouse://h/d"), now: Self.now).condition.description == "1")
    }

    @Test("narrow another range, and never widen it")
    func range() throws {
        let selection = try FleetSelection(
            FleetURL("clickhouse://h/d?since=2025-01-01&until=2025-02-01"), now: Self.now)
        func moment(_ text: String) throws -> Timestamp {
            try #require(FleetSelection(FleetURL("clickhouse://h/d?since=\(text)"), now: Self.now).range.since)
        }
        let (first, last) = (try moment("2025-01-01"), try moment("2025-02-01"))
        #expect(selection.part(of: .always) == TimeRange(since: first, until: last))
        let (before, inside, after) = (try moment("2024-01-01"), try moment("2025-01-15"), try moment("2026-01-01"))
        #expect(selection.part(of: TimeRange(since: before, until: inside)) == TimeRange(since: first, until: inside))
        #expect(selection.part(of: TimeRange(since: inside, until: after)) == TimeRange(since: inside, until: last))
    }

    @Test("that cannot be read are an error", arguments: ["since=soon", "until=1x", "installation=phone-1"])
    func mistakes(_ parameter: String) throws {
        let error = try #require(throws: ClickHouseError.self) {
            try FleetSelection(FleetURL("clickhouse://h/d?\(parameter)"), now: Self.now)
        }
        #expect(error.code == .badAddress && error.message.contains("'\(parameter)'"))
    }
}
