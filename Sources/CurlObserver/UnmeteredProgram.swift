/// A program that a metered one has started, and that is not metered itself.
package struct UnmeteredProgram: Hashable, Sendable {
    /// Why it is not metered; the raw values are those of machine formats.
    package enum Reason: String, Sendable {
        case isStatic = "static"
        case isGo = "go"
        case setUserID = "setuid"
        case capabilities
        case processor
        case linker
        case environment
    }

    package var path: String
    package var reason: Reason

    package init(path: String, reason: Reason) {
        self.path = path
        self.reason = reason
    }
}

/// How often programs that are not metered were started.
package struct UnmeteredTally: Sendable {
    /// The starts of each program.
    package private(set) var starts: [UnmeteredProgram: Int] = [:]
    /// The starts of programs that are not listed, because there are too many.
    package private(set) var others = 0

    /// The largest number of programs that are listed.
    package static let most = 1_000

    package init() {}

    package mutating func add(_ program: UnmeteredProgram) {
        if starts[program] == nil, starts.count >= Self.most {
            others += 1
        } else {
            starts[program, default: 0] += 1
        }
    }
}
