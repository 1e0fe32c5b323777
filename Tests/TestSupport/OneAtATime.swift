public import Testing

/// Metering is of a whole process, and tests of all suites share one: suites with this trait run one after the other.
public struct OneAtATime: SuiteTrait, TestScoping {
    /// Waits for the other suites, then runs this one.
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        await Turn.shared.take()
        do {
            try await function()
        } catch {
            await Turn.shared.give()
            throw error
        }
        await Turn.shared.give()
    }
}

extension Trait where Self == OneAtATime {
    /// Makes a suite wait for all others that meter, or must not be metered.
    public static var oneAtATime: Self { OneAtATime() }
}

/// Whose turn it is.
private actor Turn {
    static let shared = Turn()
    private var isTaken = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func take() async {
        if isTaken {
            await withCheckedContinuation { waiting.append($0) }
        } else {
            isTaken = true
        }
    }

    func give() {
        if waiting.isEmpty { isTaken = false } else { waiting.removeFirst().resume() }
    }
}
