package import Testing
import WireweightTesting

/// Metering is of a whole process, and tests of all suites share one: suites with this trait run one after the other.
package struct OneAtATime: SuiteTrait, TestScoping {
    private static let turn = Turn()

    /// Waits for the other suites, then runs this one.
    package func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await Self.turn.take()
        defer { Self.turn.give() }
        try await function()
    }
}

extension Trait where Self == OneAtATime {
    /// Makes a suite wait for all others that meter, or must not be metered.
    package static var oneAtATime: Self { OneAtATime() }
}
