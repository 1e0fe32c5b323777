package import Testing
import WireweightTesting

/// Makes suites run one after the other, because metering covers the whole process that all suites share.
package struct OneAtATime: SuiteTrait, TestScoping {
    private static let turn = Turn()

    /// Waits for the other suites with this trait, then runs this one.
    package func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await Self.turn.take()
        defer { Self.turn.give() }
        try await function()
    }
}

extension Trait where Self == OneAtATime {
    /// Makes a suite wait for all others that meter or must not be metered.
    package static var oneAtATime: Self { OneAtATime() }
}
