import Foundation
import TestSupport
import Testing
import TrafficModel
import TrafficStore
import WireweightTesting

/// What the summary of a run says is what its rows and its ledger know.
@Suite(
    "run claims no more than it knows",
    .enabled(if: Built.isComplete && Built.has("curl"), "needs 'make build' and curl"))
struct CompletenessRunTests {
    private func run(_ words: [String], keeping: Int = 0, _ body: (String, [String: Any]) throws -> Void) throws {
        let origin = try Site.makeOrigin()
        defer { origin.stop() }
        try withFolder { folder in
            let (store, report) = (
                folder.appendingPathComponent("db").path, folder.appendingPathComponent("report").path
            )
            let program =
                ["curl", "-q", "-sS", "-o", "/dev/null"] + words.map { $0.replacing("@", with: origin.address) }
            let ended = try launch(
                [
                    Built.command, "run", "--db", store, "--keep-bodies", "\(keeping)", "--json", "--output", report,
                    "--",
                ] + program)
            #expect(ended.status == 0, "\(ended)")
            let json = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: report)))
            let summary = try #require(json as? [String: Any])
            try body(store, try #require(summary["totals"] as? [String: Any]))
        }
    }

    @Test("a body in answer to HEAD has a name and a sum, in the summary and in the report")
    func surplus() throws {
        try run(["-I", "@/surplus/50000"]) { path, totals in
            let reader = try StoreReader.open(path)
            let connection = try #require(try reader.connections().first)
            let messages = connection.load.messages.down
            let rest = (connection.payloadDown ?? .zero).bytes - messages.bytes
            for totals in [totals, try Store(path: path).totals()] {
                let ledger = try #require(totals["ledger"] as? [String: Any])
                func down(_ name: String) -> Int64 { Int64((ledger[name] as? [String: Any])?["down"] as? Int ?? -1) }
                #expect(down("afterMessage") + down("unaccounted") == rest)
            }
            let text = try launch([Built.command, "report", path]).outputText
            #expect(text.contains("Connection overhead (TLS, HTTP/2): none") == (rest == 0))
            #expect(text.contains("after the end of a response") == (rest != 0))
            let exchange = try #require(try Store(path: path).exchanges().first?["response"] as? [String: Any])
            #expect(exchange["body"] as? Int == 0)
        }
    }

    @Test(
        "a connection that carried TLS alone has its bytes in the summary and in the report",
        .enabled(if: Built.has("python3", "openssl", "stunnel")))
    func withoutExchange() throws {
        let origin = try Site.makeOrigin()
        defer { origin.stop() }
        let front = try TLSFront(originPort: origin.port, version: .tls13)
        defer { front.stop() }
        let port = try #require(URL(string: front.address)?.port)
        let script = """
            import socket, ssl, sys, urllib.request
            urllib.request.urlopen(sys.argv[1]).read()
            context = ssl.create_default_context(cafile=sys.argv[3])
            one = socket.create_connection(("127.0.0.1", int(sys.argv[2])))
            context.wrap_socket(one, server_hostname="127.0.0.1").close()
            """
        try withFolder { folder in
            let store = folder.appendingPathComponent("db").path
            let ended = try launch([
                Built.command, "run", "--db", store, "--", "python3", "-c", script, "\(origin.address)/hello",
                "\(port)", front.certificateFile,
            ])
            #expect(ended.status == 0, "\(ended)")
            let connections = try StoreReader.open(store).connections()
            let carried = connections.filter { $0.tls != nil }.reduce(ByteCount.zero) { sum, one in
                sum + (one.payloadUp ?? .zero) + (one.payloadDown ?? .zero)
            }
            #expect(connections.map { $0.load.exchanges } == [1, 0] && carried > 1_000, "\(connections)")
            let size = String(format: "%.1f KB", Double(carried.bytes) / 1_000)
            let sentence = "1 connection carried no exchange, and \(size) of TLS and other protocols' overhead."
            for text in [ended.errorText, try launch([Built.command, "report", store]).outputText] {
                #expect(text.contains(sentence) && !text.contains("overhead (TLS, HTTP/2): none"), "\(text)")
            }
        }
    }

    @Test("each connection has its network")
    func network() throws {
        try run(["@/hello"]) { path, _ in
            let connection = try #require(try StoreReader.open(path).connections().first)
            #expect(connection.network == ConnectionNetwork(interface: "lo", isLoopback: true))
        }
    }

    @Test("keeping bodies changes no size and no outcome, however large they are")
    func kept() throws {
        let limit = 1_000_000
        let sizes = [0, 1, limit - 1, limit, limit + 1, 20_000_000]
        for keeping in [limit, 30_000_000] {
            try run(sizes.map { "@/fill/\($0)" }, keeping: keeping) { path, totals in
                let reader = try StoreReader.open(path)
                var seen: [Int] = []
                try reader.forEachExchange(matching: ExchangeFilter(), order: .oldestFirst, after: nil) { exchange in
                    let response = try #require(exchange.response)
                    #expect(exchange.end?.outcome == .completed)
                    #expect(response.size.evidence == .captured)
                    seen.append(Int(response.size.body.bytes.bytes))
                    #expect(response.capturedBody?.count ?? 0 <= min(keeping, seen[seen.count - 1]))
                    return true
                }
                #expect(seen == sizes)
                #expect(totals["exact"] as? Bool == true)
                #expect((totals["losses"] as? [Any])?.isEmpty == true)
            }
        }
    }
}
