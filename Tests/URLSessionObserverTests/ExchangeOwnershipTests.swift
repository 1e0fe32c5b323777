import TrafficModel
import Testing

@testable import URLSessionObserver

@Suite struct ExchangeOwnershipTests {
    private final class Task: Sendable {}

    @Test func theStrongestObserverOfATaskTellsOfIt() {
        let ownership = ExchangeOwnership()
        let task = Task()
        #expect(ownership.claim(task, as: .reconstructed))
        #expect(ownership.claim(task, as: .reported))
        #expect(!ownership.claim(task, as: .reconstructed))
        #expect(!ownership.tells(of: task, as: .reconstructed))
        #expect(ownership.tells(of: task, as: .reported))
        #expect(ownership.tells(of: task, as: .captured))
    }

    @Test func aTaskNobodyHasClaimedIsAnybodys() {
        let ownership = ExchangeOwnership()
        #expect(Evidence.allCases.map { ownership.tells(of: Task(), as: $0) } == [true, true, true, true])
    }

    @Test func anObserverOfAllTasksSilencesTheWeakerOnesUntilItLeaves() {
        let ownership = ExchangeOwnership()
        let task = Task()
        ownership.enter(.captured)
        #expect(!ownership.claim(task, as: .reported))
        #expect(!ownership.claim(task, as: .reconstructed))
        #expect(ownership.isOutranked(.reported))
        #expect(!ownership.isOutranked(.captured))
        ownership.leave(.captured)
        #expect(ownership.claim(task, as: .reconstructed))
        #expect(!ownership.isOutranked(.reconstructed))
    }

    @Test func twoThatEnteredMustBothLeave() {
        let ownership = ExchangeOwnership()
        ownership.enter(.captured)
        ownership.enter(.captured)
        ownership.leave(.captured)
        #expect(ownership.isOutranked(.reported))
        ownership.leave(.captured)
        ownership.leave(.captured)
        #expect(!ownership.isOutranked(.reported))
    }

    @Test func aTaskThatWasGivenBackCanBeTakenByAWeakerOne() {
        let ownership = ExchangeOwnership()
        let task = Task()
        #expect(ownership.claim(task, as: .reported))
        ownership.release(task, as: .reconstructed)
        #expect(!ownership.claim(task, as: .reconstructed))
        ownership.release(task, as: .reported)
        #expect(ownership.claim(task, as: .reconstructed))
    }

    @Test func claimsOfTasksThatEndedAreForgotten() {
        let ownership = ExchangeOwnership()
        for _ in 0..<10_000 { #expect(ownership.claim(Task(), as: .reported)) }
        #expect(ownership.claimCount <= 2_048)
        // An address that serves again brings no old claim with it.
        for _ in 0..<1_000 { #expect(ownership.claim(Task(), as: .reconstructed)) }
    }

    @Test func manyThreadsAgreeOnOneTeller() async {
        let ownership = ExchangeOwnership()
        let tasks = (0..<500).map { _ in Task() }
        let tellers = await withTaskGroup(of: [Int].self) { group in
            for rank in [Evidence.reconstructed, .reported] {
                group.addTask {
                    for task in tasks { _ = ownership.claim(task, as: rank) }
                    return []
                }
            }
            await group.waitForAll()
            return tasks.map { task in
                [Evidence.reconstructed, .reported].count { ownership.claim(task, as: $0) }
            }
        }
        #expect(tellers == Array(repeating: 1, count: 500))
    }
}
