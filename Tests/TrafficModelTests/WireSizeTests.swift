import Testing
import TrafficModel

@Suite struct WireSizeTests {
    @Test("The total is the sum of the parts, cookies not counted twice")
    func total() {
        let size = WireSize(
            startLine: .captured(16), fields: .captured(100), cookies: .captured(40), interim: .captured(25),
            body: .captured(1_000), framing: .captured(14))
        #expect(size.total == 1_155)
        #expect(size.captured == 1_155)
        #expect(size.evidence == .captured)
    }

    @Test("A size is as sure as its weakest part, and an unknown part leaves no total")
    func evidence() {
        var size = WireSize(startLine: .captured(10), body: .captured(5))
        size.fields = WireSize.Part(20, .reconstructed)
        #expect(size.evidence == .reconstructed)
        #expect(size.total == 35)
        #expect(size.captured == 15)
        size.body = WireSize.Part(99, .unknown)
        #expect(size.body.bytes == .zero)
        #expect(size.evidence == .unknown)
        #expect(size.total == nil)
        #expect(size.known == 30)
        #expect(WireSize.nothing.total == .zero)
        #expect(WireSize.unknown.total == nil)
    }

    @Test("Cookies do not weaken the whole: they are inside the fields")
    func cookiesAside() {
        #expect(WireSize(cookies: .unknown).evidence == .captured)
    }

    @Test("Sums of many sizes keep the parts and the captured share apart")
    func partTotals() {
        var up = PartTotals()
        up.add(WireSize(startLine: .captured(10), fields: WireSize.Part(30, .reconstructed), body: .captured(20)))
        up.add(WireSize(startLine: .captured(40)))
        var total = TrafficTotal(key: TrafficTotal.Key())
        #expect(total.capturedShare == 1)
        total.up = up
        #expect(up.total == 100)
        #expect(total.capturedShare == 0.7)
        var other = total
        other.requests = 3
        other.responses = 1
        other.firstSeen = Timestamp(nanoseconds: 5)
        total.merge(other)
        #expect(total.up.total == 200)
        #expect(total.unanswered == 2)
        #expect(total.firstSeen == Timestamp(nanoseconds: 5))
    }
}
