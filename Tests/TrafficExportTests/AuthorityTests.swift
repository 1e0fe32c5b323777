import Foundation
import Testing
import TrafficModel

@testable import TrafficExport

@Suite("Services and targets in exports")
struct AuthorityTests {
    private func events(
        _ id: Int64, port: Int, method: String = "GET", path: String = "/x", host: String = "127.0.0.1"
    ) -> [TrafficEvent] {
        var request = Sample.request(id, method: method, path: path, host: host)
        (request.scheme, request.port) = ("http", port)
        return [.request(request), .response(Sample.response(id)), .end(Sample.end(id))]
    }

    @Test("two services on one machine are two samples and two points")
    func services() throws {
        let store = try Store(events(1, port: 8123) + events(2, port: 8124) + events(3, port: 80))
        let text = try store.export(.openmetrics)
        for host in ["127.0.0.1:8123", "127.0.0.1:8124", "127.0.0.1"] {
            let labels = "method=\"GET\",host=\"\(host)\",template=\"/x\",traffic=\"called\""
            #expect(text.contains("wireweight_requests{\(labels)} 1\n"), "\(text)")
        }
        let points = try store.export(.otlpJSON).split(separator: "\n").map(String.init).filter { $0.contains("asInt") }
            .joined()
        #expect(points.contains(#"{"key":"server.address","value":{"stringValue":"127.0.0.1"}}"#))
        for port in ["8123", "8124"] {
            #expect(points.contains(#"{"key":"server.port","value":{"intValue":"\#(port)"}}"#))
        }
        #expect(!points.contains("127.0.0.1:8123"))
        // The sums of chosen rows are those of one service, too.
        let chosen = try store.export(.openmetrics) { $0.filter.host = "127.0.0.1:8124" }
        #expect(chosen.contains("127.0.0.1:8124") && !chosen.contains("127.0.0.1:8123"))
    }

    @Test(
        "targets without a path have one URL in every format, and come back from a HAR",
        arguments: [("OPTIONS", "*", "http://h:2"), ("CONNECT", "h:2", "http://h:2")])
    func targets(method: String, path: String, url: String) throws {
        let store = try Store(events(1, port: 2, method: method, path: path, host: "h"))
        let shown = try #require(try store.entries()[0]["request"]["url"].string)
        #expect(shown == url)
        #expect(URL(string: shown)?.host == "h")
        #expect(try store.export(.ndjson).contains("\"url\":\"\(url)\""))
        #expect(try store.export(.csv).contains(",\(url),http,h,2,\(path),,\(path),"))
        #expect(try store.export(.otlpJSON).contains(#"{"key":"url.full","value":{"stringValue":"\#(url)"}}"#))
        #expect(try store.export(.openmetrics).contains("host=\"h:2\",template=\"\(path)\""))
        let back = try Store(imported(try store.export(.har)).events).exchanges[0].request
        #expect(back.path == path)
        #expect(back.url == url)
        #expect(back.template == path)
    }
}
