import GRDB
internal import TrafficModel

/// One connection's part of the work of ``LeadingPaths``.
final class PathScan {
    /// Work that several scans share.
    typealias Work = @Sendable (PathScan) throws -> Sums

    /// A path that came among the first.
    struct Leader: Sendable {
        var name: [UInt8]
        /// The first exchange that has it.
        var first: Int64
        var total: TrafficTotal
    }

    /// What a scan has added up.
    struct Sums: Sendable {
        /// The paths of each leading hash; two only if their names have the same hash.
        var leaders: [[Leader]] = []
        var others = TrafficSums()
    }

    private static let valuesAtOnce = 4_096

    private let paths: LeadingPaths
    private let database: Database
    private let visits: RowVisits
    private let names: PathNames
    private let answers: AnswerFigures
    @exclusivity(unchecked) private var values: [GroupRanker.Value] = []

    init(_ paths: LeadingPaths, _ database: Database, _ connection: ReadConnection) throws {
        self.paths = paths
        self.database = database
        visits = try connection.visits(database)
        names = PathNames(database, connection, paths.direction, paths.naming)
        answers = try AnswerFigures(database)
        values.reserveCapacity(Self.valuesAtOnce)
    }

    /// Ranks the exchanges of ranges that no other scan reads.
    func rank(_ ranges: SharedRanges) throws -> Sums {
        switch paths.order {
        case .size(let size):
            let columns = PathRow.columns(of: size)
            let places = Int32(PathRow.ofName.count)..<Int32(PathRow.ofName.count + columns.count)
            try rank(PathRow.ofName + columns, ranges) { row, hash in
                // What is unknown is NULL.
                let sum = places.isEmpty ? 1 : places.reduce(0) { $0 &+ max(0, row.int($1)) }
                return GroupRanker.Value(sum, in: hash)
            }
        case .latest:
            let started = Int32(PathRow.ofName.count)
            try rank(PathRow.ofName + [.started], ranges) { row, hash in
                GroupRanker.Value(Timestamp(microseconds: row.int(started)).nanoseconds, in: hash)
            }
        case .name:
            var first = FirstNames(paths.most)
            let weight = paths.order.weight
            try rank(PathRow.ofName, ranges) { [names] _, hash in
                first.add(names, as: weight.leader(of: hash))
                return GroupRanker.Value(0, in: hash)
            }
            paths.add(first)
        case .sum(let value):
            try rank(PathRow.ofSums, ranges) { [answers] row, hash in
                let figures = try PathRow.figures(row, answers)
                return GroupRanker.Value(value(figures, PathRow.end(row, since: figures.startedAt)), in: hash)
            }
        case .percentile(_, let duration):
            try rank(PathRow.ofSums, ranges) { row, hash in
                let startedAt = Timestamp(microseconds: row.int(PathRow.started))
                return GroupRanker.Value(
                    nanoseconds: PathRow.end(row, since: startedAt).flatMap { duration($0.timings) }, in: hash)
            }
        case .weight(_, let size):
            try rank(PathRow.ofSums, ranges) { [answers] row, hash in
                let figures = try PathRow.figures(row, answers)
                let weight = figures.weight(PathRow.end(row, since: figures.startedAt))
                return GroupRanker.Value(bytes: weight.map { size($0).bytes }, in: hash)
            }
        }
        return Sums()
    }

    private func rank(
        _ columns: [ExchangeColumn], _ ranges: SharedRanges,
        _ value: (RowVisits.Row, UInt64) throws -> GroupRanker.Value
    ) throws {
        try visit(columns, ranges) { row in
            guard let hash = try names.read(row) else { return }
            values.append(try value(row, hash))
            if values.count == Self.valuesAtOnce { passOn() }
        }
        passOn()
    }

    private func passOn() {
        paths.add(values)
        values.removeAll(keepingCapacity: true)
    }

    /// Adds up the exchanges of ranges that no other scan reads.
    func sums(of leaders: HashIndex, _ ranges: SharedRanges) throws -> Sums {
        var sums = Sums(leaders: Array(repeating: [], count: leaders.count))
        let weight = paths.order.weight
        let others = ManySums()
        try visit(PathRow.ofSums, ranges) { row in
            guard let hash = try names.read(row) else { return }
            let figures = try PathRow.figures(row, answers)
            let end = PathRow.end(row, since: figures.startedAt)
            guard let place = leaders.place(of: weight.leader(of: hash)) else {
                return others.add(figures, end)
            }
            var index = 0
            while index < sums.leaders[place].count, !names.isLast(sums.leaders[place][index].name) { index += 1 }
            if index == sums.leaders[place].count {
                sums.leaders[place].append(
                    Leader(name: names.bytes, first: row.int(PathRow.id), total: TrafficTotal(key: names.key)))
            }
            sums.leaders[place][index].total.sums.add(figures, end)
        }
        sums.others = others.sums
        return sums
    }

    private func visit(
        _ columns: [ExchangeColumn], _ ranges: SharedRanges, _ body: (RowVisits.Row) throws -> Void
    ) throws {
        var query = paths.query
        let parameters = query.addRange()
        let statement = try query.statement(
            database, "SELECT \(RowVisits.name)(\(ExchangeColumn.selection(columns))) FROM exchange e")
        while let range = ranges.next() {
            statement.bind(parameters - 1, range.lowerBound)
            statement.bind(parameters, range.upperBound)
            try visits.visit(statement, body)
        }
    }
}

extension PathScan.Sums {
    /// What several scans have added up; of paths with the same hash, the one with the first exchange leads.
    static func merged(_ parts: [PathScan.Sums]) -> (leaders: [TrafficTotal], others: TrafficSums) {
        var all = parts[0]
        for part in parts.dropFirst() {
            all.others.merge(part.others)
            for (place, leaders) in part.leaders.enumerated() {
                for leader in leaders { all.add(leader, at: place) }
            }
        }
        var found: [TrafficTotal] = []
        for leaders in all.leaders {
            guard let first = leaders.min(by: { $0.first < $1.first }) else { continue }
            found.append(first.total)
            for leader in leaders where leader.first != first.first { all.others.merge(leader.total.sums) }
        }
        return (found, all.others)
    }

    private mutating func add(_ leader: PathScan.Leader, at place: Int) {
        guard let index = leaders[place].firstIndex(where: { $0.name == leader.name }) else {
            return leaders[place].append(leader)
        }
        leaders[place][index].first = min(leaders[place][index].first, leader.first)
        leaders[place][index].total.sums.merge(leader.total.sums)
    }
}
