internal import TextFormats
package import TrafficModel

/// The budgets of a run's APIs, kept with the code: `traffic.lock.json`.
package struct Lockfile: Hashable, Sendable {
    /// The version of the format.
    package static let version = 2

    /// The tolerance of budgets that have none of their own.
    package var tolerance: Tolerance
    /// The budgets, sorted by API.
    package private(set) var budgets: [Budget]
    /// Whether a host without a port stands for all of its ports, as in version 1.
    package private(set) var hasHostsAlone: Bool

    /// Creates a file of those budgets.
    package init(tolerance: Tolerance, budgets: [Budget], hasHostsAlone: Bool = false) {
        self.tolerance = tolerance
        self.hasHostsAlone = hasHostsAlone
        self.budgets = budgets.sorted { $0.api < $1.api }
    }

    /// Creates budgets from the contents of a store.
    ///
    /// - Parameters:
    ///   - store: the run.
    ///   - range: which requests count.
    ///   - tolerance: for budgets that have none of their own; nil for that of the earlier file, or else the usual one.
    ///   - earlier: the file to replace; tolerances and limits of single APIs are taken over from it.
    ///   - ports: decides which ports are one service.
    /// - Throws: errors of the store.
    package init(
        recording store: any TrafficReading, in range: TimeRange = .always, tolerance: Tolerance? = nil,
        replacing earlier: Lockfile? = nil, ports: PortRule = .fixed
    ) throws {
        let own = earlier.map(BudgetNames.init)
        let budgets = try ports.named(store.totals(by: .api, in: range)).map { total in
            var budget = Budget(total)
            budget.tolerance = own?.budget(of: budget.api)?.tolerance
            // A limit is written by hand; it is not what the run weighed.
            budget.callP95 = own?.budget(of: budget.api)?.callP95
            return budget
        }
        self.init(tolerance: tolerance ?? earlier?.tolerance ?? .usual, budgets: budgets)
    }

    /// By how much a budget may be exceeded.
    package func tolerance(of budget: Budget) -> Tolerance { budget.tolerance ?? tolerance }
}

extension Lockfile {
    /// The file's text: one figure a line, members always in the same order, and a line end after the last.
    ///
    /// Where a host stands for all of its ports, it is of version 1, as only this version says that.
    package var text: String {
        let file = JSONValue.object([
            .init("version", .integer(Int64(hasHostsAlone ? 1 : Self.version))),
            .init("tolerance", .string(tolerance.description)),
            .init("apis", .array(budgets.map(Self.value))),
        ])
        return file.pretty + "\n"
    }

    private static func value(_ budget: Budget) -> JSONValue {
        var members: [JSONValue.Member] = [
            .init("method", .string(budget.api.method)),
            .init("host", .string(budget.api.host)),
            .init("template", .string(budget.api.template)),
        ]
        // A file without the member is of requests that were called, as are files of earlier versions.
        if budget.api.direction == .served { members.append(.init("direction", .string("served"))) }
        if let tolerance = budget.tolerance { members.append(.init("tolerance", .string(tolerance.description))) }
        if let limit = budget.callP95 { members.append(.init("callP95", .integer(limit.bytes))) }
        if !budget.isExact { members.append(.init("exact", .bool(false))) }
        members += [
            .init("requests", .integer(budget.requests)),
            .init("up", budget.up.json),
            .init("down", budget.down.json),
        ]
        return .object(members)
    }
}

/// Finds the budget of an API: the one of its own name, or that of its host at any port.
struct BudgetNames {
    private let budgets: [Budget.API: Budget]
    private let hasHostsAlone: Bool

    /// Takes the budgets of a file.
    init(_ lockfile: Lockfile) {
        budgets = Dictionary(uniqueKeysWithValues: lockfile.budgets.map { ($0.api, $0) })
        hasHostsAlone = lockfile.hasHostsAlone
    }

    /// The budget of an API; nil if it has none.
    func budget(of api: Budget.API) -> Budget? {
        if let own = budgets[api] { return own }
        var any = api
        let host = Authority.split(api.host.replacing(PortRule.anyPort, with: "")).host
        any.host = host + PortRule.anyPort
        if let budget = budgets[any] { return budget }
        any.host = host
        return hasHostsAlone ? budgets[any] : nil
    }
}
