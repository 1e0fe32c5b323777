import TestSupport
import Testing
import TextFormats
import TrafficModel

@Suite("Filters as text")
struct FilterParserTests {
    private static let now = Timestamp(nanoseconds: 1_763_683_230_000_000_000)

    private func parse(_ text: String) throws -> FilterExpression { try FilterParser.parse(text, now: Self.now) }

    @Test("have terms with keys, negation, several values and words")
    func terms() throws {
        let filter = try parse(#"status:4xx,500,none -path:/health  failed "set cookie" -login cellular:no"#)
        #expect(
            filter.terms == [
                FilterTerm(.status, [.statuses(400...499), .statuses(500...500), .noResponse]),
                FilterTerm(.path, [.text(TextPattern("/health", foldsCase: false))], isNegated: true),
                FilterTerm(.failed, [.flag(true)]), FilterTerm(.text, "set cookie"),
                FilterTerm(.text, [.text(TextPattern("login", foldsCase: true))], isNegated: true),
                FilterTerm(.cellular, [.flag(false)]),
            ])
    }

    @Test("have sizes, durations, times and numbers")
    func numbers() throws {
        let filter = try parse("larger:10k smaller:1.5MB slower:1s since:2h until:2026-11-21 task:17")
        #expect(
            filter.terms.map(\.values) == [
                [.number(10_000)], [.number(1_500_000)], [.number(1_000_000_000)],
                [.moment(Timestamp(nanoseconds: Self.now.nanoseconds - 7_200_000_000_000))],
                [.moment(Timestamp(nanoseconds: 1_795_219_200_000_000_000))], [.number(17)],
            ])
    }

    @Test("have times in the zone of whoever reads them, unless they name one")
    func zones() throws {
        let zone = ClockZone(offset: -18_000, name: "EST")
        for (text, nanoseconds) in [("", 1_795_237_200_000_000_000), ("T00:00Z", 1_795_219_200_000_000_000)] {
            let filter = try FilterParser.parse("since:2026-11-21" + text, now: Self.now, in: zone)
            #expect(filter.terms[0].values == [.moment(Timestamp(nanoseconds: Int64(nanoseconds)))])
        }
    }

    @Test("have wildcards outside quotes, and regular expressions after a tilde")
    func patterns() throws {
        #expect(
            try parse("host:*.example.com").terms[0].values
                == [.text(TextPattern(.wildcard(["", ".example.com"]), foldsCase: true))])
        #expect(try parse(#"path:"/a*""#).terms[0].values == [.text(TextPattern("/a*", foldsCase: false))])
        #expect(try parse(#"path:/a\*\ b"#).terms[0].values == [.text(TextPattern("/a* b", foldsCase: false))])
        let regular = try RegularPattern(#"^/v[12]/\d{1,3}"#, foldsCase: false)
        #expect(
            try parse(#"path:~"^/v[12]/\d{1,3}""#).terms[0].values
                == [.text(TextPattern(.regular(regular), foldsCase: false))])
        #expect(try parse("body:a*b").terms[0].values == [.text(TextPattern("a*b", foldsCase: true))])
    }

    @Test("have words that look like URLs or addresses")
    func words() throws {
        for text in ["https://a.test/x", "127.0.0.1:8080", "a.test:8080", "a,b", "x=1", "a-b", "x-y=1:2"] {
            #expect(try parse(text).terms == [FilterTerm(.text, text)])
        }
    }

    @Test("are the same in small and large letters")
    func letters() throws {
        for text in ["status:NONE,4XX", "FAILED:No", "Direction:Served", "HOST:A.test"] {
            #expect(try parse(text) == parse(text.lowercased()), "\(text)")
        }
    }

    @Test("name the key that another tool's is here, and how to look for a header")
    func otherKeys() {
        func message(_ text: String) -> String? { #expect(throws: FilterMistake.self) { try parse(text) }?.message }
        #expect(message("larger-than:10k")?.contains("did you mean 'larger'?") == true)
        #expect(message("status-code:404")?.contains("did you mean 'status'?") == true)
        #expect(message("domain:a.test")?.contains("did you mean 'host'?") == true)
        #expect(message("X-Request-Id:7")?.contains(#"header:"X-Request-Id: …""#) == true)
    }

    @Test(
        "that are wrong say where and what is possible",
        arguments: [
            ("status:4xx stauts:a", 11, "nearKey"), ("x zyx:a", 2, "key"), ("status:4xx,6", 11, "status"),
            ("status:", 7, "empty"),
            ("a \"b", 2, "quote"), ("\"a\"b", 3, "afterQuote"), ("- a", 0, "nothing"), ("larger:ten", 7, "size"),
            ("slower:1", 7, "duration"), ("since:soon", 6, "moment"), ("task:0", 5, "number"),
            ("direction:up", 10, "direction"), ("failed:maybe", 7, "flag"), ("network:~a", 8, "word"),
            ("path:~a(b", 7, "regular"), ("path:~\"a(b\"", 8, "regular"), ("~", 0, "empty"),
            ("😀 zone:a", 2, "key"), ("hots:a", 0, "nearKey"), ("a larger-than:10k", 2, "nearKey"),
            ("-has_header:a", 1, "nearKey"), ("domain:a", 0, "nearKey"), ("x-request-id:7", 0, "headerKey"),
            ("key2:a", 0, "key"), ("a \"\"", 2, "emptyText"), ("~\"\"", 0, "empty"),
        ])
    func mistakes(text: String, offset: Int, reason: String) {
        let mistake = #expect(throws: FilterMistake.self) { try parse(text) }
        #expect(mistake?.offset == offset)
        #expect(mistake?.reason.rawValue == reason)
        #expect(mistake?.description.hasPrefix("at character \(offset + 1): ") == true)
        #expect(mistake?.caret(in: text) == "  \(text)\n  \(String(repeating: " ", count: offset))^")
    }

    @Test("are read as what was written, whatever the terms", arguments: UInt64(1)...20)
    func roundTrip(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<200 {
            let filter = FilterExpression.random(&generator)
            #expect(try parse(filter.text) == filter, "\(filter.text)")
        }
    }

    @Test("of random characters are refused, or written as what is read as the same", arguments: UInt64(1)...20)
    func randomText(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let pieces = [
            "status:", "path:", "host:", "-", "~", "\"", "\\", ",", "*", " ", "a", "4xx", "é", "(", ")", "[", "]",
            "{2}", "|", "failed", ":", "10k", "2h", "\u{0}", "\n", "has:", "^", "$", ".", "body:",
        ]
        for _ in 0..<500 {
            let text = (0..<Int.random(in: 0...12, using: &generator))
                .map { _ in pieces.randomElement(using: &generator)! }.joined()
            guard let filter = try? parse(text) else { continue }
            #expect(try parse(filter.text) == filter, "\(text) as \(filter.text)")
        }
    }
}
