import TestSupport
import Testing
import TrafficModel
import TrafficPipeline
import WireweightTesting

/// The suite accepts a correct observer, and finds each fault of a faulty one.
@Suite(.oneAtATime, .timeLimit(.minutes(3)))
struct ObserverConformanceTests {
    private func conformance(
        fault: Fault? = nil, patience: Double = 5, bound: MessageBytes = MessageBytes()
    ) -> ObserverConformance {
        ObserverConformance(
            bound: bound, patience: patience,
            storage: { fault == .keepsSecrets ? $0 : TrafficPipeline(to: $0) }
        ) { LogObserver(reportingTo: $0, fault: fault) }
    }

    @Test func aCorrectObserverFollowsEveryRule() async {
        #expect(await conformance().check() == [])
    }

    @Test(arguments: Fault.allCases.filter { $0 != .reconstructsWithinItsMargin })
    func aFaultIsFound(fault: Fault) async {
        let finding = fault.finding
        let bound = MessageBytes(body: 2)
        // Faulty observers never report what the suite waits for, so a long wait would find nothing more.
        let violations = await conformance(fault: fault, patience: 0.5, bound: bound).check([finding.rule])
        #expect(Set(violations.map(\.rule)) == [finding.rule])
        #expect(violations.contains { $0.message.contains(finding.words) }, "\(violations)")
    }

    @Test func aReconstructedSizeMayBeOffByTheBound() async {
        let lenient = conformance(fault: .reconstructsBeyondTheBound, bound: MessageBytes(body: 3))
        #expect(await lenient.check([.evidence]) == [])
    }

    @Test func aReconstructedSizeMayBeOffByItsOwnMargin() async {
        #expect(await conformance(fault: .reconstructsWithinItsMargin).check([.evidence]) == [])
    }

    @Test func anObserverThatReportsNothingDoesNotConform() async {
        let violations = await ObserverConformance(patience: 0.1) { _ in LogObserver(reportingTo: RecordingSink()) }
            .check()
        // An observer that reports nothing breaks none of these.
        let silent: Set<ObserverConformance.Rule> = [.transparency, .silence, .order, .evidence, .times]
        #expect(Set(violations.map(\.rule)) == Set(ObserverConformance.Rule.allCases).subtracting(silent))
    }

    @Test func anObserverThatDoesNotStartIsAViolation() async {
        struct Broken: Error {}
        let violations = await ObserverConformance { _ in throw Broken() }.check([.pairs, .refusal])
        #expect(
            violations.map(\.description) == [
                "pairs, answered: the scenario could not start: Broken()",
                "refusal, refused: the scenario could not start: Broken()",
            ])
    }
}
