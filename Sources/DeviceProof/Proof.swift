internal import Foundation
internal import TextFormats
internal import TrafficModel
internal import TrafficOrigin
internal import Wireweight

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// Makes each kind of request in each way, against an origin that logs every byte, and compares.
///
/// On Linux it runs in tests. On Apple's systems it is what shows whether metrics and reconstruction are right.
package struct Proof: Sendable {
    /// The comparisons, in the order of the ways and kinds.
    package private(set) var lines: [ProofLine] = []
    /// The metrics that reached the program's own delegate, by way and kind; none on Linux, which collects none.
    var metrics: [JSONValue.Member] = []
    /// The losses that the meters reported, by way.
    var losses: [JSONValue.Member] = []

    /// The names of the kinds.
    package static var kinds: [String] { Kinds.all.map(\.name) }

    /// Makes all requests.
    ///
    /// - Parameter folder: the folder for the stores, which are removed.
    /// - Returns: the comparisons.
    /// - Throws: the errors of the origin and of the stores.
    package static func run(in folder: String) async throws -> Proof {
        let origin = LoopbackOrigin { request in
            if request.path.hasSuffix("/\(EarlyTask.name)") { return Kinds.text }
            return Kinds.kind(of: request.path)?.script(request)
                ?? .respond("404 Not Found", body: .text("no such kind"))
        }
        try origin.start()
        defer { origin.stop() }
        let closed = try ClosedPort()
        var proof = Proof()
        var usual: [String: [CallResult]] = [:]
        var usualEarly = CallResult()
        for way in Way.all {
            let path = "\(folder)/\(way.name).db"
            let task = EarlyTask("\(origin.address)/\(way.name)/\(EarlyTask.name)")
            let monitor = try way.configuration(storedAt: path).map { try TrafficMonitor.start($0) }
            var results: [String: [CallResult]] = [:]
            for kind in Kinds.all {
                let caller = Caller(
                    way, monitor: monitor, address: "\(origin.address)/\(way.name)/\(kind.name)",
                    closedPort: closed.number)
                results[kind.name] = await kind.perform(caller)
                caller.session.finishTasksAndInvalidate()
                let raw = caller.delegate.metrics
                if !raw.isEmpty { proof.metrics.append(.init("\(way.name)/\(kind.name)", .array(raw))) }
            }
            let early = await task.finish()
            // The origin may still write to a client that has left.
            _ = await Task.detached { origin.waitUntilIdle(seconds: 10) }.value
            guard let monitor else {
                usual = results
                usualEarly = early
                continue
            }
            await monitor.flush()
            monitor.stop()
            try proof.compare(way, results, with: usual, store: path, log: origin.exchanges)
            proof.lines.append(Self.same("\(way.name)/\(EarlyTask.name)", [early], [usualEarly]))
        }
        return proof
    }

    private mutating func compare(
        _ way: Way, _ results: [String: [CallResult]], with usual: [String: [CallResult]], store: String,
        log: [OriginExchange]
    ) throws {
        let reading = try StoredTraffic(at: store)
        losses.append(
            .init(
                way.name,
                .object(reading.losses.map { .init($0.reason.description, .integer($0.count)) })))
        for kind in Kinds.all {
            let name = "\(way.name)/\(kind.name)"
            let (before, now) = (usual[kind.name] ?? [], results[kind.name] ?? [])
            lines.append(Self.same(name, now, before))
            let sent = log.filter { $0.parsed?.path.hasPrefix("/\(name)") == true && Self.isOf(kind, $0.target) }
            let recorded = reading.exchanges.filter { Self.isOf(kind, $0.request.path) }
            guard way.includesShared || !kind.usesShared else {
                lines.append(
                    ProofLine(
                        "\(name)/count", recorded.isEmpty ? .notMetered : .differs, expected: "0 exchanges",
                        found: "\(recorded.count) exchanges"))
                continue
            }
            compare(kind, way, sent, recorded)
        }
    }

    /// Whether the program got what it gets without a meter.
    private static func same(_ name: String, _ now: [CallResult], _ before: [CallResult]) -> ProofLine {
        ProofLine(
            "\(name)/same", before == now ? .exact : .differs, expected: before.map(\.text).joined(separator: "; "),
            found: now.map(\.text).joined(separator: "; "))
    }

    /// Whether the second part of the path is the kind's name, and not only begins like it.
    private static func isOf(_ kind: Kind, _ target: String) -> Bool {
        Kinds.kind(of: String(target.prefix { $0 != "?" }))?.name == kind.name
    }

    private mutating func compare(
        _ kind: Kind, _ way: Way, _ sent: [OriginExchange], _ recorded: [StoredExchange]
    ) {
        let name = "\(way.name)/\(kind.name)"
        // Requests that run at the same time are recorded in the order of their start, and arrive in any.
        let pairs = sent.sorted { ($0.target, $0.sequence) < ($1.target, $1.sequence) }
        // What came from a cache reached no wire.
        let wired = recorded.filter { $0.request.size.total != 0 }
            .sorted { ($0.request.path, $0.id) < ($1.request.path, $1.id) }
        lines.append(
            ProofLine(
                "\(name)/count", sent.count == wired.count ? .exact : wired.isEmpty ? .notMetered : .differs,
                expected: "\(sent.count) exchanges", found: "\(wired.count) exchanges"))
        if way.recordsConnections, !sent.isEmpty, sent.count == wired.count {
            lines.append(Self.connections("\(name)/connections", pairs.map(\.connection), wired.map(\.connection)))
        }
        for (number, (truth, record)) in zip(1..., zip(pairs, wired)) {
            lines.append(
                SizeComparison(record.request.size, truth.request, isCut: false).line("\(name)/\(number)/request"))
            guard let response = record.response else {
                if truth.response.total > 0 {
                    lines.append(
                        ProofLine(
                            "\(name)/\(number)/response", kind.completeness == .cut ? .unknown : .differs,
                            expected: "\(truth.response.total) bytes", found: "no response"))
                }
                continue
            }
            lines.append(
                SizeComparison(response.size, truth.response, isCut: kind.completeness == .cut)
                    .line("\(name)/\(number)/response"))
        }
    }

    /// Whether the same exchanges went over the same connections; each is known by its first exchange.
    private static func connections(
        _ name: String, _ truth: [Int], _ recorded: [StoredConnection.ID?]
    ) -> ProofLine {
        func firsts<Connection: Hashable>(_ connections: [Connection]) -> [Int] {
            connections.map { (connections.firstIndex(of: $0) ?? 0) + 1 }
        }
        let (expected, found) = (firsts(truth), firsts(recorded))
        let isKnown = !recorded.contains(nil)
        return ProofLine(
            name, !isKnown ? .unknown : expected == found ? .exact : .differs,
            expected: expected.map(String.init).joined(separator: " "),
            found: isKnown ? found.map(String.init).joined(separator: " ") : "?")
    }
}
