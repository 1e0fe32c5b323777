import Testing

@testable import Diagnosis

/// What the self-test says on Apple platforms, where it cannot try.
@Suite struct AppleCapabilityTests {
    private let all = SelfTest.Capability.onApplePlatforms

    @Test("It names each kind of task that gets no delegate, and that it is counted")
    func tasks() throws {
        let left = try #require(all.first { $0.subject == "tasks that cannot get a delegate" })
        #expect(left.level == .blind)
        for kind in ["background sessions", "AVFoundation", "before the start", "iOS 18.4", "'transfer not tapped'"] {
            #expect(left.explanation.contains(kind), "\(kind)")
        }
        #expect(left.advice != nil)
    }

    @Test("It says that web views are neither metered nor counted, and what helps")
    func webViews() throws {
        let other = try #require(all.first { $0.explanation.contains("Web views") })
        #expect(other.level == .blind)
        #expect(other.explanation.contains("neither metered nor counted"))
        #expect(other.advice?.contains("wireweight proxy") == true)
    }
}
