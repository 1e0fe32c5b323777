internal import Synchronization
internal import TextFormats
internal import TrafficModel

/// Lists of the exchanges that matched, in their order, so that a page can read any position at once.
final class ExchangeViews: Sendable {
    /// The most exchanges in a view.
    static let limit = 200_000
    /// The most exchanges that are read to make a view.
    static let examinedLimit = 1_000_000
    /// The most views that are kept; the least recently used one is dropped first.
    static let capacity = 8

    /// The matching exchanges of one list, in order.
    struct View: Sendable {
        let ids: [Int64]
        let examined: Int
        let isTruncated: Bool
    }

    private struct State {
        var views: [(name: String, view: View)] = []
        var made: UInt64 = 0
    }

    private let state = Mutex(State())
    private let reading: any TrafficBrowsing
    // Keeps cursors of an earlier server from matching a view of this one.
    private let epoch = UInt32.random(in: .min ... .max)

    init(_ reading: any TrafficBrowsing) { self.reading = reading }

    /// Makes a list and returns its first page, with the position of an exchange if the request names one.
    func page(
        matching filter: ExchangeFilter, _ rest: RestFilter, by order: ExchangeOrdering, limit: Int,
        placing wanted: Int64? = nil
    ) throws -> JSONValue {
        let view = try make(matching: filter, rest, by: order)
        let name = state.withLock { state in
            state.made += 1
            let name = String(UInt64(epoch) << 20 &+ state.made, radix: 36)
            state.views.append((name, view))
            if state.views.count > Self.capacity { state.views.removeFirst() }
            return name
        }
        guard let wanted else { return try page(of: view, name, offset: 0, limit: limit) }
        let place = view.ids.firstIndex(of: wanted)
        return try page(
            of: view, name, offset: 0, limit: limit,
            [.init("index", place.map { .integer(Int64($0)) } ?? .null)])
    }

    /// A page of a list that was made before.
    func page(at cursor: String, limit: Int) throws -> JSONValue {
        let parts = cursor.split(separator: ":")
        guard parts.count == 2, let offset = Int(parts[1]), offset >= 0 else {
            throw Refusal.wrong(.cursor)
        }
        let name = String(parts[0])
        let view = state.withLock { state -> View? in
            guard let index = state.views.firstIndex(where: { $0.name == name }) else { return nil }
            let found = state.views.remove(at: index)
            state.views.append(found)
            return found.view
        }
        guard let view else {
            throw Refusal(status: 410, code: "expired", phrase: .expired)
        }
        return try page(of: view, name, offset: offset, limit: limit)
    }

    private func make(
        matching filter: ExchangeFilter, _ rest: RestFilter, by order: ExchangeOrdering
    ) throws -> View {
        if rest.isEmpty, order.column == .start { return try makeByTime(matching: filter, order) }
        var entries: [(key: ExchangeOrdering.Key, id: Int64)] = []
        var examined = 0
        var isTruncated = false
        try reading.forEachHead(matching: filter, order: .newestFirst, after: nil) { exchange in
            guard entries.count < Self.limit, examined < Self.examinedLimit else {
                isTruncated = true
                return false
            }
            examined += 1
            if rest.isEmpty || rest.matches(exchange) {
                entries.append((order.key(exchange), exchange.id.rawValue))
            }
            return true
        }
        return View(ids: order.sorted(entries), examined: examined, isTruncated: isTruncated)
    }

    // The list that a page shows first; only the moments are read.
    private func makeByTime(matching filter: ExchangeFilter, _ order: ExchangeOrdering) throws -> View {
        let moments = try reading.newest(Self.limit + 1, matching: filter)
        let ids = moments.prefix(Self.limit).sorted { left, right in
            if left.startedAt == right.startedAt { return left.exchange > right.exchange }
            return order.isDescending ? left.startedAt > right.startedAt : left.startedAt < right.startedAt
        }.map(\.exchange.rawValue)
        return View(ids: ids, examined: ids.count, isTruncated: moments.count > Self.limit)
    }

    private func page(
        of view: View, _ name: String, offset: Int, limit: Int, _ more: [JSONValue.Member] = []
    ) throws -> JSONValue {
        let ids = view.ids.dropFirst(offset).prefix(limit)
        // Rows that retention has deleted since are left out.
        let rows = try reading.heads(of: ids.map { StoredExchange.ID($0) }).map { ExchangeSummary($0).json }
        let next = offset + ids.count
        return .object(
            [
                .init("exchanges", .array(rows)), .init("total", .integer(Int64(view.ids.count))),
                .init("offset", .integer(Int64(offset))), .init("view", .string(name)),
                .init("cursor", next < view.ids.count ? .string("\(name):\(next)") : .null),
                .init("examined", .integer(Int64(view.examined))), .init("truncated", .bool(view.isTruncated)),
            ] + more)
    }
}
