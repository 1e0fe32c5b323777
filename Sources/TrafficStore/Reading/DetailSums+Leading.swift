import GRDB
internal import TrafficModel

extension DetailSums {
    /// The totals of the first paths of a range, and the sum of the others.
    ///
    /// The first pass over the rows finds the paths that come first, by one number for each path. The second one adds
    /// up. See ``GroupRanking/leadingPaths(_:in:order:naming:)``.
    func leadingPaths(
        _ most: Int, of direction: TrafficDirection, in range: TimeRange, order: GroupOrder,
        naming: @escaping (String) -> String
    ) throws -> LeadingTotals {
        var names = PathNames(database, connection, naming)
        var ranker = GroupRanker(most, by: order.weight)
        var first = FirstNames(most)
        repeat {
            let rows = try rows(
                of: direction, in: range, hasAnswers: order.needsAnswers, hasEnds: order.needsEnds)
            while try rows.step() {
                let hash = try names.read(rows)
                let exchange = OpenExchange(row: rows, first: Self.firstOfExchange)
                switch order {
                case .size(let size): ranker.add(size(exchange.figures), to: hash)
                case .sum(let value): ranker.add(value(exchange.figures, end(rows, of: exchange)), to: hash)
                case .latest: ranker.add(exchange.startedAt.nanoseconds, to: hash)
                case .percentile(_, let duration):
                    let timings = end(rows, of: exchange).map { end in
                        var timings = end.timings
                        timings.total = end.duration(since: exchange.startedAt)
                        return timings
                    }
                    ranker.add(nanoseconds: timings.flatMap(duration), to: hash)
                case .weight(_, let size):
                    ranker.add(
                        bytes: exchange.figures.weight(end(rows, of: exchange)).map { size($0).bytes }, to: hash)
                case .name:
                    ranker.add(0, to: hash)
                    first.add(names, as: ranker.leader(of: hash))
                }
            }
        } while ranker.endPass()
        let leaders = if case .name = order { first.hashes } else { ranker.leaders }
        return try sums(of: leaders, ranker, &names, direction, in: range)
    }

    private func sums(
        of leaders: [UInt64], _ ranker: borrowing GroupRanker, _ names: inout PathNames,
        _ direction: TrafficDirection, in range: TimeRange
    ) throws -> LeadingTotals {
        var places = Dictionary(uniqueKeysWithValues: leaders.map { ($0, -1) })
        var found: [(name: [UInt8], total: TrafficTotal)] = []
        var others = TrafficSums()
        let rows = try rows(of: direction, in: range)
        while try rows.step() {
            let hash = ranker.leader(of: try names.read(rows))
            let exchange = OpenExchange(row: rows, first: Self.firstOfExchange)
            let end = end(rows, of: exchange)
            guard let place = places[hash] else {
                others.add(exchange.figures, end: end)
                continue
            }
            if place >= 0, found[place].name == names.bytes {
                found[place].total.sums.add(exchange.figures, end: end)
            } else if place >= 0 {
                // Another name with this hash.
                others.add(exchange.figures, end: end)
            } else {
                places[hash] = found.count
                var key = names.key
                key.direction = direction
                found.append((names.bytes, TrafficTotal(key: key)))
                found[found.count - 1].total.sums.add(exchange.figures, end: end)
            }
        }
        return LeadingTotals(rows: found.map(\.total), otherGroups: ranker.groupCount - found.count, others: others)
    }
}

extension GroupOrder {
    /// Whether it depends on statuses.
    fileprivate var needsAnswers: Bool { if case .sum = self { true } else { false } }

    /// Whether it depends on ends.
    fileprivate var needsEnds: Bool {
        switch self {
        case .sum, .percentile, .weight: true
        case .size, .latest, .name: false
        }
    }

    fileprivate var weight: GroupRanker.Weight {
        switch self {
        case .size, .sum, .name: .sum
        case .latest: .maximum
        case .percentile(let share, _), .weight(let share, _): .percentile(share)
        }
    }
}

/// The names of paths, row by row: method, authority and path in one buffer, to be hashed and compared without texts.
struct PathNames {
    private final class Route {
        let method: String
        let authority: String
        let prefix: [UInt8]
        let commonPath: [UInt8]
        let pathStart: [UInt8]

        init(_ route: ReadConnection.Route, _ authority: String) {
            method = route.method
            self.authority = authority
            prefix = Array("\(method) \(authority) ".utf8)
            commonPath = Array(route.commonPath.utf8)
            pathStart = Array(route.pathStart.utf8)
        }
    }

    private let database: Database
    private let connection: ReadConnection
    private let naming: (String) -> String
    private var routes: [Int64: Route] = [:]
    private var route: Route?
    /// The name of the row that was read last.
    private(set) var bytes: [UInt8] = []

    init(_ database: Database, _ connection: ReadConnection, _ naming: @escaping (String) -> String) {
        self.database = database
        self.connection = connection
        self.naming = naming
    }

    /// Reads the name of a row of ``DetailSums/rows(in:)``, and returns its hash.
    mutating func read(_ row: PreparedStatement) throws -> UInt64 {
        let id = row.int(DetailSums.route)
        let route: Route
        if let known = routes[id] {
            route = known
        } else {
            let read = try connection.route(id, database)
            route = Route(read, naming(read.authority))
            // As many as the cache of the connection keeps.
            if routes.count >= 4_096 { routes.removeAll() }
            routes[id] = route
        }
        self.route = route
        bytes.removeAll(keepingCapacity: true)
        bytes.append(contentsOf: route.prefix)
        if !row.isNull(1) {
            bytes.append(contentsOf: route.pathStart)
            bytes.append(contentsOf: row.bytes(1))
        } else if !row.isNull(0) {
            bytes.append(contentsOf: row.bytes(0))
        } else {
            bytes.append(contentsOf: route.commonPath)
        }
        return BlobDictionary.hash(of: bytes)
    }

    /// The key of the row that was read last.
    var key: TrafficTotal.Key {
        let path = bytes.dropFirst(route?.prefix.count ?? 0)
        return TrafficTotal.Key(
            method: route?.method, host: route?.authority, path: String(decoding: path, as: UTF8.self))
    }

    /// By host, path and method, as reports sort by name.
    var ordered: [String] { [key.host ?? "", key.path ?? "", key.method ?? ""] }
}

/// The names that come first among any number of names.
struct FirstNames {
    private let most: Int
    private var names: [UInt64: [String]] = [:]
    private var last: [String]?

    init(_ most: Int) { self.most = most }

    /// Adds a name under the hash by which the ranker knows it.
    mutating func add(_ name: PathNames, as hash: UInt64) {
        if names[hash] != nil { return }
        let ordered = name.ordered
        if let last, !ordered.lexicographicallyPrecedes(last) { return }
        names[hash] = ordered
        guard names.count >= max(1_024, 2 * most) else { return }
        let kept = names.sorted { $0.value.lexicographicallyPrecedes($1.value) }.prefix(most)
        last = kept.last?.value
        names = Dictionary(uniqueKeysWithValues: kept.map { ($0.key, $0.value) })
    }

    /// The hashes of the first names.
    var hashes: [UInt64] {
        names.sorted { $0.value.lexicographicallyPrecedes($1.value) }.prefix(most).map(\.key)
    }
}
