import Testing
import TrafficModel

@testable import TrafficPipeline

@Suite struct TargetTests {
    @Test func userInfoOfATunnelIsNotKept() {
        var request = RequestRecord(
            exchange: ExchangeID(1), task: ExchangeID(1), resendCount: 0, process: ProcessIdentity(pid: 1, name: "app"),
            startedAt: Timestamp(nanoseconds: 0), method: "CONNECT", scheme: "http", host: "h", port: 2,
            path: "user:word@h:2", query: nil, httpVersion: "1.1", fields: FieldSection(), size: WireSize())
        Redactor().redact(&request)
        #expect(request.path == "h:2")
    }

    @Test(arguments: [
        ("127.0.0.1:8123", 8123, true), ("127.0.0.1:8123", 8124, false), ("127.0.0.1", 8124, true),
    ])
    func filtersKnowPorts(pattern: String, port: Int, isAllowed: Bool) {
        #expect(HostFilter(include: [pattern]).allows("127.0.0.1", port: port) == isAllowed)
    }

    @Test(arguments: ["::1", "[::1]", "[::1]:80"]) func filtersKnowAddressesOfIPv6(pattern: String) {
        #expect(HostFilter(include: [pattern]).allows("[::1]", port: 80))
    }

    @Test func aTallyKnowsTwoServices() {
        let tally = TrafficTally()
        for port in [8123, 8124] {
            let id = ExchangeID(Int64(port))
            tally.record(
                .request(
                    RequestRecord(
                        exchange: id, task: id, resendCount: 0, process: ProcessIdentity(pid: 1, name: "app"),
                        startedAt: Timestamp(nanoseconds: 0), method: "GET", scheme: "http", host: "127.0.0.1",
                        port: port, path: "/x", query: nil, template: "/x", httpVersion: "1.1", fields: FieldSection(),
                        size: WireSize())))
            tally.record(
                .end(
                    ExchangeEnd(
                        exchange: id, endedAt: Timestamp(nanoseconds: 1), outcome: .completed,
                        timings: ExchangeTimings())))
        }
        #expect(tally.totals.compactMap(\.key.host).sorted() == ["127.0.0.1:8123", "127.0.0.1:8124"])
    }
}
