internal import Locks
internal import TextFormats
internal import TrafficModel

/// Lists of the exchanges that matched, in their order, so that a page can read any position at once.
final class ExchangeViews: Sendable {
    /// The most exchanges in a view.
    static let limit = 200_000
    /// The most views that are kept; the least recently used one is dropped first.
    static let capacity = 8

    /// The matching exchanges of one list, in order.
    struct View: Sendable {
        var ids: [Int64] = []
        var isTruncated = false
        /// The share of the store that has been searched.
        var searched = 1.0
        var search: Search?
    }

    /// What is left of a search.
    struct Search: Sendable {
        let filter: ExchangeFilter
        let order: ExchangeOrdering
        /// The numbers that were to be searched at first.
        var all: ClosedRange<StoredExchange.ID>?
        var rest: ClosedRange<StoredExchange.ID>?
        /// What was found: its moments if the list is sorted by time, or else what it is sorted by.
        var moments: [ExchangeMoment] = []
        var entries: [(key: ExchangeOrdering.Key, id: Int64)] = []
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
    ///
    /// With a duration it searches about as long; ``more(of:limit:placing:for:)`` then continues.
    func page(
        matching filter: ExchangeFilter, by order: ExchangeOrdering, limit: Int, placing wanted: Int64? = nil,
        for duration: Duration? = nil
    ) throws -> JSONValue {
        let view =
            if let duration {
                try part(of: View(search: Search(filter: filter, order: order)), for: duration)
            } else {
                try make(matching: filter, by: order)
            }
        let name = state.withLock { state in
            state.made += 1
            let name = String(UInt64(epoch) << 20 &+ state.made, radix: 36)
            state.views.append((name, view))
            if state.views.count > Self.capacity { state.views.removeFirst() }
            return name
        }
        return try page(of: view, name, limit: limit, placing: wanted)
    }

    /// Continues the search of a list for a time, and returns its first page.
    func more(of name: String, limit: Int, placing wanted: Int64?, for duration: Duration) throws -> JSONValue {
        let view = try part(of: view(name), for: duration)
        state.withLock { state in
            guard let index = state.views.firstIndex(where: { $0.name == name }) else { return }
            state.views[index].view = view
        }
        return try page(of: view, name, limit: limit, placing: wanted)
    }

    /// A page of a list that was made before.
    func page(at cursor: String, limit: Int) throws -> JSONValue {
        let parts = cursor.split(separator: ":")
        guard parts.count == 2, let offset = Int(parts[1]), offset >= 0 else {
            throw Refusal.wrong(.cursor)
        }
        let name = String(parts[0])
        return try page(of: view(name), name, offset: offset, limit: limit)
    }

    // The view becomes the one that was used last.
    private func view(_ name: String) throws -> View {
        let view = state.withLock { state -> View? in
            guard let index = state.views.firstIndex(where: { $0.name == name }) else { return nil }
            let found = state.views.remove(at: index)
            state.views.append(found)
            return found.view
        }
        guard let view else {
            throw Refusal(status: 410, code: "expired", phrase: .expired)
        }
        return view
    }

    private func part(of view: View, for duration: Duration) throws -> View {
        guard var search = view.search else { return view }
        var view = view
        let found = view.ids.count
        let part = try reading.newest(Self.limit + 1 - found, matching: search.filter, in: search.rest, for: duration)
        search.all = search.all ?? part.searched
        search.rest = part.rest
        if search.order.column == .start {
            search.moments += part.moments
            view.isTruncated = search.moments.count > Self.limit
            search.moments = Array(search.moments.prefix(Self.limit))
            view.ids = Self.sorted(search.moments, search.order)
        } else {
            search.entries += try reading.heads(of: part.moments.map(\.exchange)).map {
                (search.order.key($0), $0.id.rawValue)
            }
            view.isTruncated = search.entries.count > Self.limit
            search.entries = Array(search.entries.prefix(Self.limit))
            view.ids = search.order.sorted(search.entries)
        }
        view.search = search.rest == nil ? nil : search
        view.searched = Self.share(of: search)
        return view
    }

    private static func share(of search: Search) -> Double {
        guard let all = search.all, let rest = search.rest else { return 1 }
        func count(_ range: ClosedRange<StoredExchange.ID>) -> Double {
            Double(range.upperBound.rawValue - range.lowerBound.rawValue) + 1
        }
        // Only what is complete is all of it.
        return min(0.999, max(0, 1 - count(rest) / count(all)))
    }

    private func make(matching filter: ExchangeFilter, by order: ExchangeOrdering) throws -> View {
        if order.column == .start { return try makeByTime(matching: filter, order) }
        var entries: [(key: ExchangeOrdering.Key, id: Int64)] = []
        var isTruncated = false
        try reading.forEachHead(matching: filter, order: .newestFirst, after: nil) { exchange in
            guard entries.count < Self.limit else {
                isTruncated = true
                return false
            }
            entries.append((order.key(exchange), exchange.id.rawValue))
            return true
        }
        return View(ids: order.sorted(entries), isTruncated: isTruncated)
    }

    // The list that a page shows first; only the moments are read.
    private func makeByTime(matching filter: ExchangeFilter, _ order: ExchangeOrdering) throws -> View {
        let moments = try reading.newest(Self.limit + 1, matching: filter)
        let ids = Self.sorted(Array(moments.prefix(Self.limit)), order)
        return View(ids: ids, isTruncated: moments.count > Self.limit)
    }

    // Without the keys of other columns, which take three times as long for 200,000 exchanges.
    private static func sorted(_ moments: [ExchangeMoment], _ order: ExchangeOrdering) -> [Int64] {
        moments.sorted { left, right in
            if left.startedAt == right.startedAt { return left.exchange > right.exchange }
            return order.isDescending ? left.startedAt > right.startedAt : left.startedAt < right.startedAt
        }.map(\.exchange.rawValue)
    }

    private func page(
        of view: View, _ name: String, limit: Int, placing wanted: Int64?
    ) throws -> JSONValue {
        guard let wanted else { return try page(of: view, name, offset: 0, limit: limit) }
        let place = view.ids.firstIndex(of: wanted)
        return try page(
            of: view, name, offset: 0, limit: limit,
            [.init("index", place.map { .integer(Int64($0)) } ?? .null)])
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
                .init("examined", .integer(Int64(view.ids.count))), .init("truncated", .bool(view.isTruncated)),
                .init("searched", .share(view.searched)),
            ] + more)
    }
}
