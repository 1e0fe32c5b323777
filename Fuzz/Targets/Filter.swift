import TextFormats
import TrafficModel

extension FuzzTarget {
    /// The parser of filters, and the regular expressions in them.
    static let filter = FuzzTarget(
        name: "filter",
        seeds: {
            [
                "status:4xx,5xx method:POST host:*.example.com:8443 larger:10k slower:1s type:image has:set-cookie",
                "header:\"x-request-id: 7\" body:\"…\" -path:/health since:2h cellular:no failed direction:served",
                "api:\"GET /users/{id}\" process:curl path:~\"^/v[12]/\" https://a.test/ -- \"",
                "path:~(a|b)*{2,5}[^x-z]$",
                "until:2026-11-21T10:00 a\\ b \"c\\\"d\" text:x,~y host:~\\d+", "",
            ].map { Array($0.utf8) }
        },
        run: { input in
            let text = String(decoding: input, as: UTF8.self)
            let now = Timestamp(nanoseconds: 1_763_683_230_000_000_000)
            let filter: FilterExpression
            do {
                filter = try FilterParser.parse(text, now: now)
            } catch let error as FilterMistake {
                let count = text.unicodeScalars.count
                try mustHold((0...count).contains(error.offset), "a mistake at \(error.offset) of \(count)")
                try mustHold(!error.caret(in: text).isEmpty, "no mark")
                return
            }
            let again = try? FilterParser.parse(filter.text, now: now)
            // What is written may be longer than what was read.
            if filter.text.unicodeScalars.count <= FilterParser.longest {
                try mustHold(again == filter, "what was read is written as \(filter.text)")
            }
            for term in filter.terms {
                for case .text(let pattern) in term.values { _ = pattern.matches(input, .part) }
            }
        })
}
