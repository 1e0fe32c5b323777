import Foundation
import Testing
import TrafficModel
import TrafficStore
import WireweightTesting

/// A store, read through the command as anybody would.
struct Store {
    let path: String

    /// Each line of `exchanges --format ndjson`.
    func exchanges() throws -> [[String: Any]] {
        let ended = try launch([Built.command, "exchanges", path, "--format", "ndjson"])
        guard ended.status == 0 else { throw Failed("\(ended)") }
        return try ended.outputText.split(separator: "\n").map { line in
            guard let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] else {
                throw Failed("not an object: \(line)")
            }
            return object
        }
    }

    /// The totals of `report --format json`.
    func totals() throws -> [String: Any] {
        let ended = try launch([Built.command, "report", path, "--format", "json"])
        let object = try JSONSerialization.jsonObject(with: ended.output) as? [String: Any]
        guard let totals = object?["totals"] as? [String: Any] else { throw Failed("\(ended)") }
        return totals
    }

    /// One line for each exchange: what it was, and its parts.
    func lines(ofProcess name: String? = nil) throws -> [String] {
        Self.lines(of: try exchanges().filter { name == nil || $0["process"] as? String == name })
    }

    /// The same of exchanges that were read before.
    static func lines(of exchanges: [[String: Any]]) -> [String] {
        exchanges.map { exchange in
            let response = exchange["response"] as? [String: Any]
            return line(
                exchange["method"] as? String ?? "", exchange["path"] as? String ?? "",
                up: parts(exchange["request"] as? [String: Any]), down: parts(response))
        }.sorted()
    }

    static func lines(of exchanges: [OriginExchange]) -> [String] {
        exchanges.map { exchange in
            line(
                exchange.method, exchange.parsed?.path ?? "", up: parts(exchange.request),
                down: parts(exchange.response))
        }.sorted()
    }

    private static func line(_ method: String, _ path: String, up: [Int], down: [Int]) -> String {
        "\(method) \(path) up \(up) down \(down)"
    }

    private static func parts(_ size: [String: Any]?) -> [Int] {
        ["startLine", "fields", "cookies", "interim", "body", "framing", "total"].map { size?[$0] as? Int ?? 0 }
    }

    private static func parts(_ bytes: MessageBytes) -> [Int] {
        [bytes.startLine, bytes.fields, bytes.cookies, bytes.interim, bytes.body, bytes.framing, bytes.total]
    }
}

extension Store {
    /// Each connection in the clear whose exchanges have all completed: by the kernel's count it carried their sum.
    ///
    /// - Returns: how many connections there were.
    func expectWhatTheKernelCounted(sourceLocation: SourceLocation) throws -> Int {
        let reader = try StoreReader.open(path)
        let exchanges = Dictionary(grouping: try exchanges()) { $0["connection"] as? Int ?? -1 }
        let connections = try reader.connections()
        for connection in connections {
            let carried = exchanges[Int(connection.id.rawValue)] ?? []
            #expect(!carried.isEmpty, sourceLocation: sourceLocation)
            guard carried.allSatisfy({ $0["outcome"] as? String == "completed" }) else { continue }
            let (sent, received) = (connection.payloadUp?.bytes ?? -1, connection.payloadDown?.bytes ?? -1)
            #expect(sent == Self.sum(carried, "request"), "\(connection)", sourceLocation: sourceLocation)
            #expect(received == Self.sum(carried, "response"), "\(connection)", sourceLocation: sourceLocation)
        }
        return connections.count
    }

    private static func sum(_ exchanges: [[String: Any]], _ message: String) -> Int64 {
        exchanges.reduce(0) { $0 + Int64(($1[message] as? [String: Any])?["total"] as? Int ?? 0) }
    }
}

/// One program run twice against one origin: alone, and metered.
struct Comparison {
    var plain: Ended
    var metered: Ended
    var seenPlain: [OriginExchange]
    var seenMetered: [OriginExchange]
    var summary: [String: Any]
    var lines: [String]

    /// Runs it, and expects that nothing differs and that the meter says what the origin counted; where the address is
    /// the origin's own, that the kernel counted the same.
    ///
    /// `expectedExchanges` is how many there must be in each run, so that nothing is not taken for everything;
    /// `comparesErrors` says whether standard error is the same each time by itself, `comparesParts` whether each part is
    /// compared, and not the sums alone.
    @discardableResult
    static func make(
        _ origin: LoopbackOrigin, address: String? = nil, expectedExchanges: Int? = nil, comparesErrors: Bool = true,
        comparesParts: Bool = true, input: String? = nil, environment: [String: String?] = [:],
        sourceLocation: SourceLocation = #_sourceLocation,
        _ words: (String) throws -> [String]
    ) throws -> Comparison {
        try withFolder { folder in
            let program = try words(address ?? origin.address)
            let (store, report) = (
                folder.appendingPathComponent("db").path, folder.appendingPathComponent("report").path
            )
            let begun = origin.exchanges.count
            let plain = try launch(program, input: input, environment: environment)
            #expect(origin.waitUntilIdle(), sourceLocation: sourceLocation)
            let middle = origin.exchanges.count
            let metered = try launch(
                [Built.command, "run", "--db", store, "--json", "--output", report, "--"] + program, input: input,
                environment: environment)
            #expect(origin.waitUntilIdle(), sourceLocation: sourceLocation)
            let seen = origin.exchanges
            let summary = (try? Data(contentsOf: URL(fileURLWithPath: report))).flatMap {
                try? JSONSerialization.jsonObject(with: $0) as? [String: Any]
            }
            let result = Comparison(
                plain: plain, metered: metered, seenPlain: Array(seen[begun..<middle]),
                seenMetered: Array(seen[middle...]), summary: summary ?? [:], lines: try Store(path: store).lines())
            result.check(expectedExchanges, comparesErrors, comparesParts, sourceLocation)
            if address == nil {
                let connections = try Store(path: store).expectWhatTheKernelCounted(sourceLocation: sourceLocation)
                #expect(connections == Set(result.seenMetered.map(\.connection)).count, sourceLocation: sourceLocation)
            }
            return result
        }
    }

    private func check(
        _ expectedExchanges: Int?, _ comparesErrors: Bool, _ comparesParts: Bool, _ sourceLocation: SourceLocation
    ) {
        #expect(metered.status == plain.status, "\(metered)", sourceLocation: sourceLocation)
        #expect(
            metered.output == plain.output || Self.settled(metered.outputText) == Self.settled(plain.outputText),
            "\(metered.outputText) instead of \(plain.outputText)", sourceLocation: sourceLocation)
        if comparesErrors {
            #expect(
                Self.settled(metered.errorText) == Self.settled(plain.errorText), sourceLocation: sourceLocation)
        }
        #expect(Self.requests(seenMetered) == Self.requests(seenPlain), sourceLocation: sourceLocation)
        if comparesParts { #expect(lines == Store.lines(of: seenMetered), sourceLocation: sourceLocation) }
        if let expectedExchanges {
            #expect(seenMetered.count == expectedExchanges, sourceLocation: sourceLocation)
            #expect(summary["exchanges"] as? Int == expectedExchanges, sourceLocation: sourceLocation)
        }
        let totals = summary["totals"] as? [String: Any]
        #expect(
            totals?["up"] as? Int == seenMetered.reduce(0) { $0 + $1.request.total }, sourceLocation: sourceLocation)
        #expect(
            totals?["down"] as? Int == seenMetered.reduce(0) { $0 + $1.response.total }, sourceLocation: sourceLocation)
    }

    /// What the origin read, byte for byte; in no order, for several connections have none.
    private static func requests(_ exchanges: [OriginExchange]) -> [String] {
        exchanges.map { settled(String(decoding: $0.requestLog.kept, as: UTF8.self)) }.sorted()
    }

    /// Without what is another in each run: addresses in memory, the borders of multipart bodies, and how long curl tried.
    static func settled(_ text: String) -> String {
        text.replacing(/0x[0-9a-f]{8,}/, with: "0x").replacing(/-{24}[0-9a-f]{16}/, with: "-border-")
            .replacing(/after [0-9]+ ms:/, with: "after # ms:")
    }
}
