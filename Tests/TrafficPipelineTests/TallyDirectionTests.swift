import Testing
import TrafficModel

@testable import TrafficPipeline

/// The sums of a run keep what was called and what was served apart.
@Suite struct TallyDirectionTests {
    @Test func oneAPIHasTwoTotals() {
        let tally = TrafficTally()
        for id in Int64(1)...9 {
            var request = makeRequest(id, host: "api.test", path: "/a")
            request.template = "/a"
            request.direction = id <= 3 ? .served : .called
            tally.record(.request(request))
            if id == 9 { continue }
            tally.record(.response(makeResponse(id)))
            tally.record(.end(makeEnd(id)))
        }
        let totals = tally.totals.reduce(into: [:]) { $0[$1.key.direction] = $1.requests }
        #expect(totals == [.called: 5, .served: 3] && tally.totals.count == 2)
        #expect(tally.progress.mapValues(\.exchanges) == [.called: 5, .served: 3])
        #expect(tally.progress.mapValues(\.running) == [.called: 1, .served: 0])
    }

    @Test func ledgersAreOfOneDirection() {
        let tally = TrafficTally()
        for (id, direction) in [(1, TrafficDirection.called), (2, .served), (3, .served)] {
            tally.record(
                .connection(
                    ConnectionRecord(
                        connection: ConnectionID(Int64(id)), process: ProcessIdentity(pid: 1, name: "app"),
                        localAddress: "", remoteAddress: "", openedAt: Timestamp(nanoseconds: 1),
                        closedAt: Timestamp(nanoseconds: 2), payloadUp: 10, payloadDown: 0, direction: direction)))
        }
        #expect(tally.ledgerCoverage(of: .called).unclosed == 1)
        #expect(tally.ledgerCoverage(of: .served).unclosed == 2)
    }
}
