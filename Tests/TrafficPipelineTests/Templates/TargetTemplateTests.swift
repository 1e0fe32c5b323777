import Testing
import TrafficModel

@testable import TrafficPipeline

/// RFC 9112, sections 3.2.3 and 3.2.4.
@Suite struct TargetTemplateTests {
    @Test(arguments: [
        ("CONNECT", "h:2", "h:2"), ("CONNECT", "Example.com:443", "example.com:443"),
        ("CONNECT", "[::1]:443", "[::1]:443"), ("CONNECT", "10.1.2.3:8443", "10.1.2.3:8443"),
        ("CONNECT", "user:word@h:2", "h:2"), ("CONNECT", "{h}:2", "%7bh%7d:2"),
        ("OPTIONS", "*", "*"), ("GET", "*", "*"),
    ])
    func whatIsNoPathIsItsOwnTemplate(method: String, path: String, template: String) {
        #expect(URLTemplate().template(of: path, method: method) == template)
    }

    @Test func userInfoOfATunnelIsNotKept() {
        var request = RequestRecord(
            exchange: ExchangeID(1), task: ExchangeID(1), hop: 0, process: ProcessIdentity(pid: 1, name: "app"),
            startedAt: Timestamp(nanoseconds: 0), method: "CONNECT", scheme: "http", host: "h", port: 2,
            path: "user:word@h:2", query: nil, httpVersion: "1.1", fields: FieldSection(), size: WireSize())
        Redactor().redact(&request)
        #expect(request.path == "h:2")
    }

    /// Whatever digits it happens to have.
    @Test(arguments: [
        "d41d8cd98f00b204e9800998ecf8427e", "00000000000000000000000000000001", "12345678901234567890123456789012",
        "abcdefabcdefabcdefabcdefabcdefab", "0123456789012345678901234567890123456789",
    ])
    func digestsAreAllHashes(digest: String) { #expect(URLTemplate().template(of: "/t/\(digest)") == "/t/{hash}") }

    @Test(arguments: ["1", "12345678", "18446744073709551615"])
    func numbersStayNumbers(number: String) { #expect(URLTemplate().template(of: "/t/\(number)") == "/t/{id}") }

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
                        exchange: id, task: id, hop: 0, process: ProcessIdentity(pid: 1, name: "app"),
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
