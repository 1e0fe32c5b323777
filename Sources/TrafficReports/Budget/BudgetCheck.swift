package import TrafficModel

/// Compares a run with its budgets: what grew, what is new, what vanished.
package struct BudgetCheck: Sendable {
    /// What counts as a breach, besides an exceeded budget.
    package struct Rules: Hashable, Sendable {
        /// Whether an API without a budget is allowed.
        package var allowsNew: Bool
        /// Whether an API that is no longer called is a breach.
        package var forbidsVanished: Bool

        /// The most that the 95th percentile of the bytes of one call may be, of APIs that have no limit of their own.
        package var callP95: ByteCount?

        /// Creates rules; by default a new API is a breach, a vanished one is not, and single calls have no limit.
        package init(allowsNew: Bool = false, forbidsVanished: Bool = false, callP95: ByteCount? = nil) {
            self.allowsNew = allowsNew
            self.forbidsVanished = forbidsVanished
            self.callP95 = callP95
        }
    }

    /// How an API compares with its budget.
    package enum Verdict: String, Hashable, Sendable, CaseIterable {
        /// Above the budget by more than the tolerance.
        case exceeded
        /// The API has no budget.
        case new
        /// The API has a budget, and the run has no such request.
        case vanished
        /// Below the budget by more than the tolerance: worth recording again.
        case smaller
        /// Different, but within the tolerance.
        case within
        /// Equal to the byte.
        case same
    }

    /// The figures that have a budget.
    package enum Figure: String, Hashable, Sendable, CaseIterable {
        /// The number of requests.
        case requests
        /// Bytes of the requests.
        case up
        /// Bytes of the responses.
        case down
        /// The 95th percentile of the bytes of one call, in both directions.
        case callP95

        /// The sums, which are recorded.
        static let sums: [Figure] = [.requests, .up, .down]

        /// The figure; nil if there is none.
        func value(of budget: Budget) -> Int64? {
            switch self {
            case .callP95: budget.callP95?.bytes
            case .requests: budget.requests
            case .up: budget.up.total.bytes
            case .down: budget.down.total.bytes
            }
        }
    }

    /// One API with its budget.
    package struct Row: Hashable, Sendable {
        /// The API that is compared.
        package let api: Budget.API
        /// The recorded budget; nil if the API is new.
        package let budget: Budget?
        /// The run's figures; nil if the API vanished.
        package let run: Budget?
        /// By how much the budget may be exceeded.
        package let tolerance: Tolerance
        /// How the run compares with the budget.
        package let verdict: Verdict
        /// The figures above the tolerance, or above the limit of one call.
        package let exceeded: [Figure]
        /// The most that one call may weigh: the API's own limit or that of the rules; nil if there is none.
        package let callLimit: ByteCount?
        /// Whether this row makes the check fail.
        package let isBreach: Bool

        /// The largest value that a figure may have; nil if it has no budget.
        func limit(of figure: Figure) -> Int64? {
            if figure == .callP95 { return callLimit?.bytes }
            return budget.flatMap { figure.value(of: $0) }.map { tolerance.limit(of: $0) }
        }

        /// The growth in bytes, both directions; negative if there are fewer.
        var growth: Int64 { (run?.total.bytes ?? 0) - (budget?.total.bytes ?? 0) }
    }

    /// The APIs: breaches first, then by growth.
    package let rows: [Row]
    /// What could not be recorded; the run's sums lack it.
    package let losses: [TrafficLoss]
    /// Whether the run has no requests although there are budgets; then nothing was checked.
    package let isEmptyRun: Bool

    /// Whether the check passed: there were requests to check, and no budget is breached.
    package var isPassed: Bool { !isEmptyRun && breaches.isEmpty }

    /// The APIs for which the check fails.
    package var breaches: [Row] { rows.filter(\.isBreach) }

    /// Checks the contents of a store.
    ///
    /// - Throws: errors of the store.
    package init(
        of store: any TrafficReading, in range: TimeRange = .always, against lockfile: Lockfile,
        rules: Rules = Rules()
    ) throws {
        let totals = try store.totals(by: .api, in: range).filter { $0.requests > 0 }
        self.init(totals, against: lockfile, rules: rules, losses: try store.losses())
    }

    init(_ totals: [TrafficTotal], against lockfile: Lockfile, rules: Rules, losses: [TrafficLoss] = []) {
        let run = Self.run(totals, BudgetNames(lockfile))
        let budgets = Dictionary(uniqueKeysWithValues: lockfile.budgets.map { ($0.api, $0) })
        let rows = Set(run.keys).union(budgets.keys).map { api in
            let budget = budgets[api]
            let tolerance = budget.map { lockfile.tolerance(of: $0) } ?? lockfile.tolerance
            return Row(api: api, budget: budget, run: run[api], tolerance: tolerance, rules: rules)
        }
        self.rows = rows.sorted { left, right in
            if left.isBreach != right.isBreach { return left.isBreach }
            if left.verdict != right.verdict { return left.verdict.rank < right.verdict.rank }
            return left.growth.magnitude != right.growth.magnitude
                ? left.growth.magnitude > right.growth.magnitude : left.api < right.api
        }
        self.losses = losses.filter { $0.count > 0 }.sorted { $0.reason.rawValue < $1.reason.rawValue }
        isEmptyRun = totals.isEmpty && !lockfile.budgets.isEmpty
    }
}

extension BudgetCheck {
    /// The sums of a run under the names of their budgets; a sum without a budget keeps the name that would be
    /// recorded.
    fileprivate static func run(_ totals: [TrafficTotal], _ names: BudgetNames) -> [Budget.API: Budget] {
        var sums: [Budget.API: TrafficTotal] = [:]
        for total in totals {
            var api = Budget.API(total.key)
            let budget = names.budget(of: api)
            api = budget?.api ?? api
            if budget == nil { api.host = PortRule.fixed.name(of: api.host) }
            sums[api, default: TrafficTotal(key: total.key)].merge(total)
        }
        return sums.mapValues { Budget($0) }.reduce(into: [:]) { run, entry in
            run[entry.key] = entry.value
            run[entry.key]?.api = entry.key
        }
    }
}

extension BudgetCheck.Row {
    fileprivate init(
        api: Budget.API, budget: Budget?, run: Budget?, tolerance: Tolerance, rules: BudgetCheck.Rules
    ) {
        self.api = api
        self.budget = budget
        self.run = run
        self.tolerance = tolerance
        let callLimit = budget?.callP95 ?? rules.callP95
        self.callLimit = callLimit
        func value(_ figure: BudgetCheck.Figure, _ budget: Budget) -> Int64 { figure.value(of: budget) ?? 0 }
        var exceeded: [BudgetCheck.Figure] = []
        if let budget, let run {
            exceeded = BudgetCheck.Figure.sums.filter { value($0, run) > tolerance.limit(of: value($0, budget)) }
        }
        if let callLimit, let weight = run?.callP95, weight > callLimit { exceeded.append(.callP95) }
        self.exceeded = exceeded
        guard let budget, let run else {
            verdict = budget == nil ? .new : .vanished
            isBreach = !exceeded.isEmpty || (budget == nil ? !rules.allowsNew : rules.forbidsVanished)
            return
        }
        isBreach = !exceeded.isEmpty
        if isBreach {
            verdict = .exceeded
        } else if BudgetCheck.Figure.sums.contains(where: { tolerance.limit(of: value($0, run)) < value($0, budget) }) {
            verdict = .smaller
        } else {
            let isSame = run.requests == budget.requests && run.isSameSize(as: budget)
            verdict = isSame ? .same : .within
        }
    }
}

extension Budget {
    fileprivate func isSameSize(as other: Budget) -> Bool {
        PartTotals.named.allSatisfy {
            up[keyPath: $0.path] == other.up[keyPath: $0.path] && down[keyPath: $0.path] == other.down[keyPath: $0.path]
        }
    }
}

extension BudgetCheck.Verdict {
    fileprivate var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
