import TextFormats
import TrafficModel

extension Lockfile {
    /// Reads a file.
    ///
    /// Nothing is guessed: missing, repeated and unknown members are errors.
    ///
    /// - Throws: ``JSONFault`` with the line and the reason.
    package init(text: [UInt8]) throws {
        // A later version may have any members, so the version is read first.
        try LockfileReader(text).checkVersion()
        self = try LockfileReader(text).read()
    }
}

/// Reads a lockfile of ``Lockfile/version`` or an earlier version.
private final class LockfileReader {
    private let json: JSONReader

    init(_ text: [UInt8]) {
        var limits = JSONReader.Limits()
        limits.depth = 16
        limits.string = 1 << 16
        var rest: [UInt8]? = text
        json = JSONReader(limits: limits) {
            defer { rest = nil }
            return rest ?? []
        }
    }

    // MARK: The version

    func checkVersion() throws {
        var version: (value: Int64, line: Int)?
        try json.passByteOrderMark()
        try json.readObject { name in
            guard name == "version" else { return try json.pass() }
            version = (try whole("the version"), json.line)
        }
        try json.finish()
        guard let version else { throw fault("this is not a lockfile: it has no 'version'", line: 1) }
        if version.value > Int64(Lockfile.version) {
            throw fault(
                "version \(version.value) is of a newer wireweight, this one knows version \(Lockfile.version); "
                    + "update wireweight, or move the file away and record it anew", line: version.line)
        }
        if version.value < 1 { throw fault("there is no version \(version.value)", line: version.line) }
    }

    // MARK: The budgets

    func read() throws -> Lockfile {
        var tolerance: Tolerance?
        var budgets: [Budget]?
        var version: Int64 = 1
        try json.passByteOrderMark()
        try readObject("the file", ["version", "tolerance", "apis"]) { name in
            switch name {
            case "version": version = try whole("the version")
            case "tolerance": tolerance = try readTolerance()
            default: budgets = try readBudgets()
            }
        }
        try json.finish()
        return Lockfile(tolerance: tolerance ?? .usual, budgets: budgets ?? [], hasHostsAlone: version == 1)
    }

    private func readBudgets() throws -> [Budget] {
        var budgets: [Budget] = []
        var lines: [Budget.API: Int] = [:]
        try json.readArray {
            _ = try json.kind()
            let line = json.line
            let budget = try readBudget()
            if let earlier = lines.updateValue(line, forKey: budget.api) {
                throw fault("\(budget.api.name) occurs twice, first in line \(earlier); remove one", line: line)
            }
            budgets.append(budget)
        }
        return budgets
    }

    private func readBudget() throws -> Budget {
        var budget = Budget(
            api: Budget.API(method: "", host: "", template: ""), requests: 0, up: PartTotals(), down: PartTotals())
        let names = ["method", "host", "template", "requests", "up", "down"]
        try readObject("an API", names, optional: ["direction", "tolerance", "callP95", "exact"]) { name in
            switch name {
            case "method": budget.api.method = try string()
            case "host": budget.api.host = try string()
            case "template": budget.api.template = try string()
            case "direction":
                let text = try string()
                guard let direction = TrafficDirection(rawValue: text) else {
                    throw json.fault("'\(text.prefix(20))' is not a direction; it is 'called' or 'served'")
                }
                budget.api.direction = direction
            case "tolerance": budget.tolerance = try readTolerance()
            case "callP95": budget.callP95 = ByteCount(try whole("a number of bytes"))
            case "exact":
                guard let value = try json.readFlag() else { throw json.fault("'exact' is true or false") }
                budget.isExact = value
            case "requests": budget.requests = try whole("a number of requests")
            case "up": budget.up = try readParts()
            default: budget.down = try readParts()
            }
        }
        return budget
    }

    private func readParts() throws -> PartTotals {
        var parts = PartTotals()
        _ = try json.kind()
        let line = json.line
        try readObject("a direction", PartTotals.named.map(\.name)) { name in
            guard let part = PartTotals.named.first(where: { $0.name == name }) else { return }
            parts[keyPath: part.path] = ByteCount(try whole("a number of bytes"))
        }
        if parts.cookies > parts.fields {
            throw fault("more bytes of cookies than of fields, of which they are a part", line: line)
        }
        return parts
    }

    private func readTolerance() throws -> Tolerance {
        let text = try string()
        guard let tolerance = Tolerance(text) else {
            throw json.fault("'\(text.prefix(20))' is not a tolerance; \(Tolerance.rule)")
        }
        return tolerance
    }

    // MARK: Values

    /// Reads an object that has all of these members, may have the optional ones, each once, and has no others.
    private func readObject(
        _ what: String, _ names: [String], optional: [String] = [], _ member: (String) throws -> Void
    ) throws {
        _ = try json.kind()
        let line = json.line
        var seen: Set<String> = []
        try json.readObject { name in
            guard names.contains(name) || optional.contains(name) else {
                throw json.fault("\(what) has no member '\(name.prefix(40))'; remove it")
            }
            guard seen.insert(name).inserted else { throw json.fault("'\(name)' occurs twice; remove one") }
            try member(name)
        }
        if let missing = names.first(where: { !seen.contains($0) }) {
            throw fault("\(what) that starts here lacks '\(missing)'", line: line)
        }
    }

    private func string() throws -> String {
        guard let text = try json.readString() else { throw json.fault("null where a string belongs") }
        return text
    }

    private func whole(_ what: String) throws -> Int64 {
        guard let number = try json.readNumber() else { throw json.fault("null where a number belongs") }
        if number < 0 { throw json.fault("\(what) cannot be negative") }
        // Above 2^53, not every integer has a value of its own.
        guard number <= 9_007_199_254_740_992 else { throw json.fault("\(what) cannot be as large as that") }
        guard let value = Int64(exactly: number) else { throw json.fault("\(what) is a whole number") }
        return value
    }

    private func fault(_ reason: String, line: Int) -> JSONFault {
        var fault = json.fault(reason)
        fault.line = line
        return fault
    }
}
