import Observing
import Testing

@Suite struct ExchangeOwnershipTests {
    private final class Task: Sendable {}

    @Test func theObserverOfHighestRankReportsATask() {
        let ownership = ExchangeOwnership()
        let task = Task()
        #expect(ownership.claim(task, as: .urlProtocol))
        #expect(ownership.claim(task, as: .taskMetrics))
        #expect(!ownership.claim(task, as: .urlProtocol))
        #expect(!ownership.mayReport(task, as: .urlProtocol))
        #expect(ownership.mayReport(task, as: .taskMetrics))
        #expect(ownership.mayReport(task, as: .libcurl))
    }

    @Test func ofAnyTwoObserversOfATaskExactlyOneReportsIt() {
        for first in ObserverRank.allCases {
            for second in ObserverRank.allCases where second != first {
                let ownership = ExchangeOwnership()
                let task = Task()
                _ = ownership.claim(task, as: first)
                _ = ownership.claim(task, as: second)
                let reporters = [first, second].filter { ownership.mayReport(task, as: $0) }
                #expect(reporters == [max(first, second)])
            }
        }
    }

    @Test func whatCapturesClosestToTheProgramOutranksTheOthers() {
        #expect(ObserverRank.allCases.sorted() == [.urlProtocol, .taskMetrics, .streams, .libcurl])
    }

    @Test func anyObserverMayReportATaskThatNoneHasClaimed() {
        let ownership = ExchangeOwnership()
        #expect(ObserverRank.allCases.map { ownership.mayReport(Task(), as: $0) } == [true, true, true, true])
    }

    @Test func anObserverOfAllTasksSilencesThoseOfLowerRankUntilItLeaves() {
        let ownership = ExchangeOwnership()
        let task = Task()
        ownership.enter(.libcurl)
        #expect(!ownership.claim(task, as: .taskMetrics))
        #expect(!ownership.claim(task, as: .urlProtocol))
        #expect(ownership.isOutranked(.taskMetrics))
        #expect(!ownership.isOutranked(.libcurl))
        ownership.leave(.libcurl)
        #expect(ownership.claim(task, as: .urlProtocol))
        #expect(!ownership.isOutranked(.urlProtocol))
    }

    @Test func twoThatEnteredMustBothLeave() {
        let ownership = ExchangeOwnership()
        ownership.enter(.libcurl)
        ownership.enter(.libcurl)
        ownership.leave(.libcurl)
        #expect(ownership.isOutranked(.taskMetrics))
        ownership.leave(.libcurl)
        ownership.leave(.libcurl)
        #expect(!ownership.isOutranked(.taskMetrics))
    }

    @Test func aReleasedTaskCanBeClaimedByAnObserverOfLowerRank() {
        let ownership = ExchangeOwnership()
        let task = Task()
        #expect(ownership.claim(task, as: .taskMetrics))
        ownership.release(task, as: .urlProtocol)
        #expect(!ownership.claim(task, as: .urlProtocol))
        ownership.release(task, as: .taskMetrics)
        #expect(ownership.claim(task, as: .urlProtocol))
    }

    @Test func claimsOfTasksThatEndedAreForgotten() {
        let ownership = ExchangeOwnership()
        for _ in 0..<10_000 { #expect(ownership.claim(Task(), as: .taskMetrics)) }
        #expect(ownership.claimCount <= 2_048)
        // An address that is used again has no old claim.
        for _ in 0..<1_000 { #expect(ownership.claim(Task(), as: .urlProtocol)) }
    }

    @Test func manyThreadsAgreeOnOneObserver() async {
        let ownership = ExchangeOwnership()
        let tasks = (0..<500).map { _ in Task() }
        let reporters = await withTaskGroup(of: [Int].self) { group in
            for rank in [ObserverRank.urlProtocol, .taskMetrics] {
                group.addTask {
                    for task in tasks { _ = ownership.claim(task, as: rank) }
                    return []
                }
            }
            await group.waitForAll()
            return tasks.map { task in
                [ObserverRank.urlProtocol, .taskMetrics].count { ownership.claim(task, as: $0) }
            }
        }
        #expect(reporters == Array(repeating: 1, count: 500))
    }
}
