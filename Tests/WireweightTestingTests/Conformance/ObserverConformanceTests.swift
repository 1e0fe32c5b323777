import TestSupport
import Testing
import TrafficModel
import TrafficPipeline
import WireweightTesting

/// The suite lets an observer pass that is right, and finds each fault in one that is not.
@Suite(.oneAtATime, .timeLimit(.minutes(3)))
struct ObserverConformanceTests {
    private func conformance(
        fault: Fault? = nil, patience: Double = 5, bound: MessageBytes = MessageBytes()
    ) -> ObserverConformance {
        ObserverConformance(
            bound: bound, patience: patience,
            storage: { fault == .keepsSecrets ? $0 : TrafficPipeline(to: $0) }
        ) { LogObserver(telling: $0, fault: fault) }
    }

    @Test func anObserverThatIsRightKeepsEveryRule() async {
        #expect(await conformance().check() == [])
    }

    @Test(arguments: Fault.allCases.filter { $0 != .reconstructsWithinItsMargin })
    func aFaultIsFound(fault: Fault) async {
        let finding = fault.finding
        let bound = MessageBytes(body: 2)
        // Nothing more is told in those cases; there is no sense in waiting long for it.
        let violations = await conformance(fault: fault, patience: 0.5, bound: bound).check([finding.rule])
        #expect(Set(violations.map(\.rule)) == [finding.rule])
        #expect(violations.contains { $0.message.contains(finding.words) }, "\(violations)")
    }

    @Test func aBoundIsWhatAReconstructionMayBeOff() async {
        let lenient = conformance(fault: .reconstructsBeyondTheBound, bound: MessageBytes(body: 3))
        #expect(await lenient.check([.evidence]) == [])
    }

    @Test func aMarginIsWhatASizeItselfSaysItMayBeOff() async {
        #expect(await conformance(fault: .reconstructsWithinItsMargin).check([.evidence]) == [])
    }

    @Test func anObserverThatTellsNothingDoesNotConform() async {
        let violations = await ObserverConformance(patience: 0.1) { _ in LogObserver(telling: RecordingSink()) }.check()
        // What it would have to tell for these is nothing.
        let silent: Set<ObserverConformance.Rule> = [.transparency, .silence, .order, .evidence, .times]
        #expect(Set(violations.map(\.rule)) == Set(ObserverConformance.Rule.allCases).subtracting(silent))
    }

    @Test func anObserverThatDoesNotStartIsAViolation() async {
        struct Broken: Error {}
        let violations = await ObserverConformance { _ in throw Broken() }.check([.pairs, .refusal])
        #expect(
            violations.map(\.description) == [
                "pairs, answered: it could not be begun: Broken()", "refusal, refused: it could not be begun: Broken()",
            ])
    }
}
