import TestSupport
import Testing

@testable import FleetReading

@Suite("The slots of a range") struct SumsLayoutTests {
    @Test("have each minute of the range once, and others only where no finer slot is shipped")
    func everyMinute() {
        var random = SeededGenerator(seed: 21)
        for (finest, whole) in [(1, 60), (60, 60), (1_440, 1_440), (60, 1_440), (1, 1)] as [(Int64, Int64)] {
            let layout = SumsLayout(finest: finest, whole: whole)
            for _ in 0..<100 {
                let since = Int64.random(in: -5_000...5_000, using: &random)
                let until = since + Int64.random(in: 1...4_000, using: &random)
                var counts: [Int64: Int] = [:]
                for span in layout.spans(since: since, until: until) {
                    #expect(span.width == finest || span.width == whole)
                    let (first, end) = (span.first ?? 0, span.end ?? 0)
                    #expect(first < end)
                    for minute in first * span.width..<end * span.width { counts[minute, default: 0] += 1 }
                }
                let wide = SumsLayout.floor(since, finest) * finest..<SumsLayout.ceiling(until, finest) * finest
                #expect(counts == Dictionary(uniqueKeysWithValues: wide.map { ($0, 1) }))
            }
            #expect(layout.spans(since: whole, until: whole).isEmpty)
            #expect(layout.spans(since: 2 * whole, until: whole).isEmpty)
        }
    }

    @Test("are those of the widest width if the range has no end")
    func open() {
        let layout = SumsLayout(finest: 1, whole: 60)
        typealias Span = SumsLayout.Span
        #expect(layout.spans(since: nil, until: nil) == [Span(width: 60, first: nil, end: nil)])
        #expect(
            layout.spans(since: 61, until: nil)
                == [Span(width: 60, first: 2, end: nil), Span(width: 1, first: 61, end: 120)])
        #expect(
            layout.spans(since: nil, until: -61)
                == [Span(width: 60, first: nil, end: -2), Span(width: 1, first: -120, end: -61)])
    }
}
