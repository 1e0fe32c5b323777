import TrafficModel
import WireweightTesting

/// The meter's rows beside the origin's log, exchange by exchange and part by part.
struct Comparison {
    /// One exchange that both have.
    struct Pair {
        let row: StoredExchange
        let origin: OriginExchange
    }

    /// How many exchanges were compared.
    private(set) var exchanges = 0
    /// How many of them agree in each part.
    private(set) var exact = 0
    /// How many were cut off, and agree with the kernel's count of their connection.
    private(set) var cut = 0
    /// How many are listed as unseen, and say that they are estimates.
    private(set) var estimated = 0
    /// What does not agree, in words.
    private(set) var differences: [String] = []

    private let connections: [StoredConnection.ID: StoredConnection]
    /// What the rows say went over each connection.
    private let carried: [StoredConnection.ID: (up: Int64, down: Int64)]

    /// Under TLS the kernel counts records, not messages.
    private let isTLS: Bool

    init(rows: [StoredExchange], connections: [StoredConnection], origin: [OriginExchange], isTLS: Bool = false) {
        self.isTLS = isTLS
        self.connections = Dictionary(uniqueKeysWithValues: connections.map { ($0.id, $0) })
        var carried: [StoredConnection.ID: (up: Int64, down: Int64)] = [:]
        for row in rows {
            guard let connection = row.connection else { continue }
            carried[connection, default: (0, 0)].up += row.request.size.known.bytes
            carried[connection, default: (0, 0)].down += row.response?.size.known.bytes ?? 0
        }
        self.carried = carried
        let sentRows = rows.filter { $0.request.size.known > 0 }.sorted {
            ($0.request.startedAt, $0.id) < ($1.request.startedAt, $1.id)
        }
        let rowsByTarget = Dictionary(grouping: sentRows, by: Self.target)
        let originByTarget = Dictionary(grouping: origin) { "\($0.method) \($0.target)" }
        for target in Set(rowsByTarget.keys).union(originByTarget.keys).sorted() {
            var ours = rowsByTarget[target] ?? []
            let theirs = (originByTarget[target] ?? []).sorted { $0.sequence < $1.sequence }
            // Sent into a connection that the origin had already closed: libcurl says so by sending it again.
            while ours.count > theirs.count, let unread = ours.firstIndex(where: Self.wasSentAgain) {
                ours.remove(at: unread)
            }
            if ours.count != theirs.count {
                differences.append("\(target): \(ours.count) rows, the origin saw \(theirs.count) requests")
            }
            for (row, seen) in zip(ours, theirs) { compare(Pair(row: row, origin: seen), target) }
        }
    }

    private static func target(of exchange: StoredExchange) -> String {
        let request = exchange.request
        return "\(request.method) \(request.path)" + (request.query.map { "?\($0)" } ?? "")
    }

    private static func wasSentAgain(_ row: StoredExchange) -> Bool {
        guard row.response == nil, row.end?.outcome.failure?.code == 52 else { return false }
        return true
    }

    private mutating func compare(_ pair: Pair, _ target: String) {
        exchanges += 1
        let up = pair.row.request.size
        let down = pair.row.response?.size ?? .nothing
        let upAgrees = Self.parts(up) == Self.parts(pair.origin.request)
        let downAgrees = Self.parts(down) == Self.parts(pair.origin.response)
        if upAgrees && downAgrees {
            exact += 1
            return
        }
        let path = Corpus.path(ofTarget: pair.origin.target)
        if isTLS, Corpus.entries.contains(where: { $0.path == path && $0.corpusCase.unseenOverTLS != nil }),
            down.evidence == .reconstructed, upAgrees
        {
            estimated += 1
            return
        }
        // Who was cut off has sent or taken less than the other end wrote, or more than it read; the kernel knows.
        // What libcurl read and did not show is in the sum by the kernel's counter, and says so.
        let isReported = down.evidence == .reported || up.evidence == .reported
        guard pair.row.end?.outcome != .completed || isReported, let id = pair.row.connection,
            let kernel = connections[id],
            let sums = carried[id]
        else {
            differences.append(Self.describe(target, pair, "is not what the origin logged"))
            return
        }
        let taken = pair.origin.response(upTo: Int(down.known.bytes))
        if !downAgrees, !isReported, Self.parts(down) != Self.parts(taken) {
            differences.append(Self.describe(target, pair, "is not the start of what the origin wrote"))
        } else if !isTLS, kernel.payloadUp?.bytes != sums.up || kernel.payloadDown?.bytes != sums.down {
            differences.append(
                Self.describe(
                    target, pair,
                    "adds up to \(sums.up) up and \(sums.down) down, the kernel says \(kernel.payloadUp?.bytes ?? -1) and "
                        + "\(kernel.payloadDown?.bytes ?? -1)"))
        } else {
            cut += 1
        }
    }

    private static func parts(_ size: WireSize) -> [Int64] {
        [size.startLine, size.fields, size.cookies, size.interim, size.body, size.framing].map(\.bytes.bytes)
    }

    private static func parts(_ bytes: MessageBytes) -> [Int64] {
        [bytes.startLine, bytes.fields, bytes.cookies, bytes.interim, bytes.body, bytes.framing].map(Int64.init)
    }

    private static func describe(_ target: String, _ pair: Pair, _ what: String) -> String {
        let end = pair.row.end.map { "\($0.outcome)" } ?? "running"
        return "\(target) (\(end)) \(what): up \(parts(pair.row.request.size)) origin \(parts(pair.origin.request)), "
            + "down \(parts(pair.row.response?.size ?? .nothing)) origin \(parts(pair.origin.response))"
    }
}
