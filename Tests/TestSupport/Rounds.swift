import Foundation

/// How long tests that repeat themselves go on.
package enum Rounds {
    /// Whether tests run at their full length, as continuous integration asks for by `WIREWEIGHT_INTEGRATION=1`.
    package static let areAll = ProcessInfo.processInfo.environment["WIREWEIGHT_INTEGRATION"] != nil

    /// Returns the number of rounds: few for those who wait for a result, all at full length.
    package static func few(_ few: Int, all: Int) -> Int { areAll ? all : few }
}
