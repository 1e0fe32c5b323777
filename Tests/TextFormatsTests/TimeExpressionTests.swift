import Testing
import TextFormats
import TrafficModel

@Suite struct TimeExpressionTests {
    @Test("Durations and times ago are read")
    func expressions() {
        let now = Timestamp(nanoseconds: 1_000_000_000_000)
        #expect(TimeExpression.duration("500ms") == 500_000_000)
        #expect(TimeExpression.duration("1.5s") == 1_500_000_000)
        #expect(TimeExpression.moment("10m", now: now)?.nanoseconds == 400_000_000_000)
        #expect(TimeExpression.moment("2026-01-01", now: now)?.iso8601 == "2026-01-01T00:00:00.000000Z")
        for text in ["", "5", "ms", "-5s", "5 s", "1e3s", "99999999999999999999d", "soon"] {
            #expect(TimeExpression.moment(text, now: now) == nil, "\(text)")
        }
    }
}
