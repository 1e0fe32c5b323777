import WireweightTesting

/// All cases, each with a path of its own, and the origin that answers them.
enum Corpus {
    /// A case with its number and path.
    struct Entry: Sendable, CustomStringConvertible {
        let number: Int
        let corpusCase: CorpusCase

        /// Its path; redirects lead to paths below it.
        var path: String { "/c/\(String(number + 1_000).dropFirst())-\(corpusCase.name)" }
        /// The request target of its first attempt.
        var target: String { path + corpusCase.suffix }
        var description: String { path }
    }

    /// All of them.
    static let entries: [Entry] = {
        let cases =
            methods + uploads + codings + framing + interims + statuses + fields + redirects + authentication
            + connections + large + faults
        return cases.enumerated().map { Entry(number: $0.offset + 1, corpusCase: $0.element) }
    }()

    /// The path of the case to which a request target belongs, be it of the first attempt or of a later one.
    static func path(ofTarget target: String) -> String {
        "/" + target.prefix { $0 != "?" }.split(separator: "/").prefix(2).joined(separator: "/")
    }

    /// The origin that answers all cases; not yet listening.
    static func origin(keptBytes: Int = 65_536) -> LoopbackOrigin {
        let byPath = Dictionary(uniqueKeysWithValues: entries.map { ($0.path, $0.corpusCase) })
        return LoopbackOrigin(keptBytes: keptBytes) { request in
            guard let corpusCase = byPath[path(ofTarget: request.target)] else {
                return .respond("404 Not Found", body: .text("no such case"))
            }
            let expects = corpusCase.answersExpect && request.value(of: "Expect") == "100-continue"
            return (expects ? .interim("100 Continue") : Script([])) + corpusCase.script(request)
        }
    }

    /// Reads the request's content, then answers with its size.
    static let echo = Script([.then { .respond(body: .text("\($0.bodyCount)")) }])

    /// A response with that text.
    static func text(_ text: String, fields: [String] = ["Content-Type: text/plain"]) -> Script {
        .respond(fields: fields, body: .text(text))
    }
}
