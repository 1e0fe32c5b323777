import Foundation
import Testing
import TrafficModel

@testable import TrafficExport

@Suite("OpenMetrics and OpenTelemetry")
struct TelemetryTests {
    /// 1 ms, the last microsecond below 2^-10 s, 100 ms, and nothing at all.
    private static let durations: [Int64] = [1_000_000, 976_000, 100_000_000, 0]

    private func store() throws -> Store {
        var events: [TrafficEvent] = []
        for (number, duration) in Self.durations.enumerated() {
            let id = Int64(number + 1)
            events += [
                .request(Sample.request(id)), .response(Sample.response(id, status: number == 2 ? 500 : 200)),
                .end(Sample.end(id, timings: ExchangeTimings(total: duration))),
            ]
        }
        return try Store(events)
    }

    private func samples(_ text: String) -> [String: String] {
        var result: [String: String] = [:]
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            let space = line.lastIndex(of: " ") ?? line.endIndex
            result[String(line[..<space])] = String(line[line.index(after: space)...])
        }
        return result
    }

    @Test("Both formats have the connection overhead, where it is known")
    func beside() throws {
        func store(_ share: ConnectionShare?) throws -> Store {
            var end = Sample.end(1, timings: ExchangeTimings(total: 1_000_000))
            end.share = share
            return try Store([.request(Sample.request(1)), .response(Sample.response(1)), .end(end)])
        }
        let share = ConnectionShare(
            overhead: ByteFlow(up: 800, down: 3_000), packetHeaders: ByteFlow(up: 416, down: 364))
        let known = try store(share)
        let text = samples(try known.export(.openmetrics))
        let labels = "method=\"GET\",host=\"api.test\",template=\"/users/{id}\",traffic=\"called\""
        #expect(text["wireweight_overhead_bytes{\(labels),direction=\"up\"}"] == "800")
        #expect(text["wireweight_overhead_bytes{\(labels),direction=\"down\"}"] == "3000")
        #expect(text["wireweight_packet_header_bytes{\(labels),direction=\"down\"}"] == "364")
        let spans = try known.export(.otlpJSON)
        #expect(spans.contains(#"{"key":"wireweight.request.overhead","value":{"intValue":"800"}}"#))
        #expect(spans.contains(#""name":"wireweight.overhead""#) && spans.contains(#""asInt":"3000""#))
        #expect(
            try known.export(.csv).contains(
                ",overheadUp,overheadDown,sentAt,unattributedMs,errorDomain,failed,network,direction\r\n"))
        #expect(try known.export(.csv).contains(",800,3000,2026-"))
        #expect(try known.export(.csv).hasSuffix(",,false,,called\r\n"))
        let unknown = try store(nil)
        #expect(!(try unknown.export(.openmetrics)).contains("overhead"))
        #expect(!(try unknown.export(.otlpJSON)).contains("overhead"))
        #expect(try unknown.export(.csv).contains(",,,2026-"))
    }

    @Test("the network of a connection is in spans, CSV, NDJSON and HAR, as far as it is known")
    func network() throws {
        func store(_ network: ConnectionNetwork?) throws -> Store {
            let carrier = ConnectionRecord(
                connection: ConnectionID(7), process: Sample.request(1).process, localAddress: "10.0.0.2:5",
                remoteAddress: "10.0.0.1:443", openedAt: Sample.moment(0), network: network)
            return try Store(Sample.exchange() + [.connection(carrier)])
        }
        let cellular = try store(
            ConnectionNetwork(
                isLoopback: false, isCellular: true, isExpensive: true, isConstrained: false, resolution: .https))
        let spans = try cellular.export(.otlpJSON)
        #expect(spans.contains(#"{"key":"network.connection.type","value":{"stringValue":"cell"}}"#))
        #expect(spans.contains(#"{"key":"wireweight.network.expensive","value":{"boolValue":true}}"#))
        #expect(spans.contains(#"{"key":"wireweight.network.constrained","value":{"boolValue":false}}"#))
        #expect(spans.contains(#"{"key":"wireweight.network.resolution","value":{"stringValue":"https"}}"#))
        #expect(!spans.contains("network.multipath") && !spans.contains("network.interface.name"))
        #expect(try cellular.export(.csv).hasSuffix(",\"cellular, expensive\",called\r\n"))
        let member =
            #""network":{"name":"cellular, expensive","interface":null,"loopback":false,"cellular":true,"expensive":true"#
        #expect(try cellular.export(.ndjson).contains(member))
        #expect(try cellular.export(.ndjson).contains(#""multipath":null,"proxied":null,"resolution":"https"}"#))
        #expect(
            try cellular.export(.har).replacing(" ", with: "").replacing("\n", with: "").contains(
                member.replacing(" ", with: "")))

        let wired = try store(ConnectionNetwork(interface: "eth0", isLoopback: false))
        #expect(
            try wired.export(.otlpJSON).contains(#"{"key":"network.interface.name","value":{"stringValue":"eth0"}}"#))
        #expect(!(try wired.export(.otlpJSON)).contains("network.connection.type"))
        let unknown = try store(nil).export(.otlpJSON)
        #expect(!unknown.contains("network.connection.type") && !unknown.contains("wireweight.network"))
    }

    @Test("OpenMetrics has the sums of each API, and ends as it must")
    func openMetrics() throws {
        let text = try store().export(.openmetrics)
        #expect(text.hasSuffix("\n# EOF\n"))
        let samples = samples(text)
        let labels = "method=\"GET\",host=\"api.test\",template=\"/users/{id}\",traffic=\"called\""
        #expect(samples["wireweight_requests{\(labels)}"] == "4")
        #expect(samples["wireweight_failures{\(labels)}"] == "1")
        #expect(samples["wireweight_request_bytes{\(labels),part=\"start_line\"}"] == "96")
        #expect(samples["wireweight_response_bytes{\(labels),part=\"body\"}"] == "2048")
        #expect(samples["wireweight_response_captured_bytes{\(labels)}"] == "2356")
        func seen(_ bound: String) -> String? {
            samples["wireweight_duration_seconds_bucket{\(labels),le=\"\(bound)\"}"]
        }
        #expect(seen("0.0001220703125") == "1")
        #expect(seen("0.0009765625") == "2")
        #expect(seen("0.001953125") == "3")
        #expect(seen("0.0625") == "3")
        #expect(seen("0.125") == "4")
        #expect(seen("128.0") == "4")
        #expect(seen("+Inf") == "4")
    }

    @Test("each family is described once, before its samples, and labels are escaped")
    func families() throws {
        let store = try Store([
            .request(Sample.request(1, host: "a\"b\\c\nd")), .response(Sample.response(1)), .end(Sample.end(1)),
        ])
        let text = try store.export(.openmetrics)
        #expect(text.contains("host=\"a\\\"b\\\\c\\nd\""))
        var described: Set<String> = []
        var last = ""
        for line in text.split(separator: "\n") where line != "# EOF" {
            let words = line.split(separator: " ")
            if words[0] == "#" {
                if words[1] == "TYPE" { #expect(described.insert(String(words[2])).inserted) }
                last = String(words[2])
            } else {
                #expect(line.hasPrefix(last))
            }
        }
        #expect(described.count == 11)
    }

    @Test("sums follow the conditions when there are any, and are the store's own when there are none")
    func conditions() throws {
        let store = try store()
        let some = samples(try store.export(.openmetrics) { $0.filter.status = 500...599 })
        let labels = "method=\"GET\",host=\"api.test\",template=\"/users/{id}\",traffic=\"called\""
        #expect(some["wireweight_requests{\(labels)}"] == "1")
        #expect(some["wireweight_failures{\(labels)}"] == "1")
        let all = try store.export(.openmetrics)
        // A condition that holds for all of them makes the tally add up what the store has added up.
        #expect(try store.export(.openmetrics) { $0.filter.host = "api.test" } == all)
    }

    @Test("the metrics have the semantic conventions' names and the store's own histogram")
    func metrics() throws {
        let lines = try store().export(.otlpJSON) { $0.signal = .metrics }.split(separator: "\n")
        #expect(lines.count == 1)
        let scope = try JSON(String(lines[0]))["resourceMetrics"][0]["scopeMetrics"][0]
        let metrics = Dictionary(
            uniqueKeysWithValues: scope["metrics"].array.map { ($0["name"].string ?? "", $0) })
        let duration = try #require(metrics["http.client.request.duration"])
        #expect(duration["unit"].string == "s")
        #expect(duration["exponentialHistogram"]["aggregationTemporality"].int == 2)
        let point = duration["exponentialHistogram"]["dataPoints"][0]
        #expect(point["count"].string == "4")
        #expect(point["zeroCount"].string == "1")
        #expect(point["scale"].int == 5)
        let counts = point["positive"]["bucketCounts"].array.compactMap { $0.string }.compactMap { Int($0) }
        #expect(counts.reduce(0, +) == 3)
        // 2^-10 s is the upper bound of bucket -321, and 100 ms lie in the one of 2^(-107/32).
        #expect(point["positive"]["offset"].int == -321)
        #expect(counts[0] == 1 && counts.count == -107 + 321 + 1 && counts.last == 1)
        let body = try #require(metrics["http.client.response.body.size"])["histogram"]["dataPoints"][0]
        #expect(body["count"].string == "4")
        #expect(body["sum"].int == 2_048)
        let names = point["attributes"].array.compactMap { $0["key"].string }
        #expect(names == ["http.request.method", "server.address", "url.template"])
        #expect(metrics["wireweight.failures"]?["sum"]["isMonotonic"].value as? Bool == true)
    }

    @Test("a span for each exchange that has ended, with the semantic conventions' attributes")
    func spans() throws {
        var second = Sample.request(2)
        second.task = ExchangeID(1)
        second.resendCount = 1
        let store = try Store(
            Sample.exchange(1) + [
                .request(second), .response(Sample.response(2, status: 503)), .end(Sample.end(2)),
                .request(Sample.request(3)),
                .end(Sample.end(3, .failed(ExchangeFailure(.libcurl, code: 7, message: "no route")))),
                .request(Sample.request(4)),
            ])
        let line = try store.export(.otlpJSON) { $0.signal = .traces }
        let resource = try JSON(line)["resourceSpans"][0]
        let spans = resource["scopeSpans"][0]["spans"].array
        #expect(spans.count == 3)
        func attributes(_ span: JSON) -> [String: String] {
            Dictionary(
                uniqueKeysWithValues: span["attributes"].array.map { attribute in
                    let value = attribute["value"].object?.values.first
                    return (attribute["key"].string ?? "", "\(value ?? "")")
                })
        }
        let first = attributes(spans[0])
        #expect(spans[0]["name"].string == "GET /users/{id}")
        #expect(spans[0]["kind"].int == 3)
        #expect(first["http.request.size"] == "55")
        #expect(first["http.response.size"] == "589")
        #expect(first["http.response.status_code"] == "200")
        #expect(first["server.port"] == "443")
        #expect(first["network.peer.address"] == "10.0.0.1")
        #expect(first["url.full"] == "https://api.test/users/1")
        #expect(first["error.type"] == nil)
        #expect(attributes(spans[1])["http.request.resend_count"] == "1")
        #expect(attributes(spans[1])["error.type"] == "503")
        #expect(spans[1]["status"]["code"].int == 2)
        #expect(attributes(spans[2])["error.type"] == "failed")
        #expect(spans[2]["status"]["message"].string == "no route")
        #expect(spans[0]["traceId"].string == spans[1]["traceId"].string)
        #expect(spans[0]["traceId"].string != spans[2]["traceId"].string)
        #expect(Set(spans.compactMap { $0["spanId"].string }).count == 3)
        #expect(spans.allSatisfy { $0["traceId"].string?.count == 32 && $0["spanId"].string?.count == 16 })
        let begin = Int64(spans[0]["startTimeUnixNano"].string ?? "") ?? 0
        let end = Int64(spans[0]["endTimeUnixNano"].string ?? "") ?? 0
        #expect(end - begin == 85_000_000)
    }

    @Test("messages hold a bounded number of spans and APIs")
    func batches() throws {
        let events: [TrafficEvent] = (1...600).flatMap { number -> [TrafficEvent] in
            var request = Sample.request(Int64(number))
            request.host = "h\(number).test"
            return [.request(request), .end(Sample.end(Int64(number)))]
        }
        let lines = try Store(events).export(.otlpJSON).split(separator: "\n").map { try JSON(String($0)) }
        let metrics = lines.filter { $0["resourceMetrics"].value != nil }
        let spans = lines.filter { $0["resourceSpans"].value != nil }
        #expect(metrics.count == 3 && spans.count == 3)
        #expect(
            spans.map { $0["resourceSpans"][0]["scopeSpans"][0]["spans"].array.count } == [256, 256, 88])
    }
}
