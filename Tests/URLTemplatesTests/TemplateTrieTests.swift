import TestSupport
import Testing

@testable import URLTemplates

@Suite struct TemplateTrieTests {
    /// Words without digits or separators, all different.
    static func words(_ count: Int, from first: Int = 0) -> [String] {
        let syllables = ["ba", "ko", "mi", "ru", "te", "san", "lo", "vi", "der", "quo"]
        return (first..<first + count).map { number in
            "x" + [number / 100 % 10, number / 10 % 10, number % 10].map { syllables[$0] }.joined()
        }
    }

    static func learned(_ paths: [String], _ limits: TemplateLimits = TemplateLimits()) -> TemplateTrie {
        var trie = TemplateTrie(limits)
        for path in paths { _ = trie.learn(path) }
        return trie
    }

    static func templates(of paths: [String], _ limits: TemplateLimits = TemplateLimits()) -> Set<String> {
        let trie = learned(paths, limits)
        return Set(paths.map { trie.template(of: $0) })
    }

    struct Case: Sendable, CustomStringConvertible {
        var description: String
        var paths: [String]
        var templates: Set<String>
    }

    static let cases: [Case] = [
        Case(
            description: "names of users, with words that stay and what rules found",
            paths: words(40).map { "/users/\($0)/posts" }
                + ["/users/me/posts", "/users/latest", "/users/v2", "/users/{id}", "/users"],
            templates: [
                "/users/{user}/posts", "/users/me/posts", "/users/latest", "/users/v2", "/users/{user}", "/users",
            ]),
        Case(
            description: "32 words are names of APIs",
            paths: words(32).map { "/api/\($0)" }, templates: Set(words(32).map { "/api/\($0)" })),
        Case(description: "33 are values", paths: words(33).map { "/api/\($0)" }, templates: ["/api/{api}"]),
        Case(
            description: "12 made-up values are names", paths: (0..<12).map { "/boxes/b\($0)" },
            templates: Set((0..<12).map { "/boxes/b\($0)" })),
        Case(description: "13 are not", paths: (0..<13).map { "/boxes/b\($0)" }, templates: ["/boxes/{box}"]),
        Case(
            description: "owners and repositories",
            paths: words(40).flatMap { owner in
                words(40, from: 200).map { "/repos/\(owner)/\($0)/issues/{id}" }
            }, templates: ["/repos/{repo}/{value}/issues/{id}"]),
        Case(
            description: "segments after values are merged, and are then enough for a parameter",
            paths: words(33).map { "/shops/\($0)/items/i\($0.count)-\($0)-7" },
            templates: ["/shops/{shop}/items/{item}"]),
        Case(
            description: "locales stay, languages are no reason",
            paths: ["en-US", "de-DE", "fr-CA", "pt_BR", "zh-Hant-TW", "es-419"].flatMap { locale in
                words(40).map { "/\(locale)/docs/\($0)" }
            }
                + ["en", "de", "fr", "es", "it", "pl", "cs", "sv", "da", "fi", "nb", "nl", "pt", "ro"].map {
                    "/\($0)/help"
                },
            templates: Set(
                ["en-US", "de-DE", "fr-CA", "pt_BR", "zh-Hant-TW", "es-419"].map { "/\($0)/docs/{doc}" }
                    + ["en", "de", "fr", "es", "it", "pl", "cs", "sv", "da", "fi", "nb", "nl", "pt", "ro"]
                    .map { "/\($0)/help" })),
        Case(
            description: "files keep their endings",
            paths: words(40).flatMap {
                ["/images/\($0).jpg", "/images/\($0).png", "/images/{id}.png", "/images/\($0)"]
            },
            templates: ["/images/{image}.jpg", "/images/{image}.png", "/images/{image}"]),
        Case(
            description: "keys of an object store",
            paths: (0..<40).flatMap { ["/bucket/{id}/{id}/build-\($0)-\($0 + 1)/out.log", "/bucket/latest/out.log"] },
            templates: ["/bucket/{id}/{id}/{value}/out.log", "/bucket/latest/out.log"]),
        Case(
            description: "operations stay, however many",
            paths: words(60).map { "/graphql?operationName=\($0)" },
            templates: Set(words(60).map { "/graphql?operationName=\($0)" })),
        Case(
            description: "operations after values are merged by name",
            paths: words(40).map { "/\($0)/graphql?operationName=Feed" },
            templates: ["/{value}/graphql?operationName=Feed"]),
        Case(
            description: "names that are a rule's are not taken", paths: words(40).map { "/tokens/\($0)" },
            templates: ["/tokens/{value}"]),
        Case(
            description: "singular of names",
            paths: words(40).flatMap { word in
                ["categories", "addresses", "series", "movies", "status", "v1"].map { "/\($0)/\(word)/x" }
            },
            templates: [
                "/categories/{category}/x", "/addresses/{address}/x", "/series/{series}/x", "/movies/{movie}/x",
                "/status/{value}/x", "/v1/{value}/x",
            ]),
    ]

    @Test("Positions with many values become parameters, others do not", arguments: cases)
    func learning(_ item: Case) {
        #expect(Self.templates(of: item.paths) == item.templates)
        // And however often they come again.
        #expect(Self.templates(of: item.paths + item.paths) == item.templates)
    }

    @Test("The same paths give the same templates in any order", arguments: UInt64(1)...4)
    func order(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var paths: [String] = []
        for _ in 0..<1_000 {
            // Few values at some depths and many at others, so that positions become parameters one by another.
            let depth = Int.random(in: 1...5, using: &random)
            let segments = (0..<depth).map { _ -> String in
                switch Int.random(in: 0...9, using: &random) {
                case 0: ["me", "latest", "v2", "en-US", "fr"].randomElement(using: &random)!
                case 1: ["{id}", "{uuid}", "{id}.json", "a.{hash}.js"].randomElement(using: &random)!
                case 2: "b\(Int.random(in: 0...14, using: &random))"
                case 3: Self.words(45).randomElement(using: &random)! + [".png", ""].randomElement(using: &random)!
                default: Self.words(6, from: 500).randomElement(using: &random)!
                }
            }
            paths.append("/" + segments.joined(separator: "/"))
        }
        let limits = TemplateLimits(templates: 100_000)
        let first = Self.learned(paths, limits)
        let expected = Dictionary(paths.map { ($0, first.template(of: $0)) }, uniquingKeysWith: { $1 })
        #expect(Set(expected.values).count < Set(paths).count)
        #expect(first.count == Set(expected.values).count)
        for _ in 0..<4 {
            paths.shuffle(using: &random)
            let again = Self.learned(paths, limits)
            #expect(expected == Dictionary(paths.map { ($0, again.template(of: $0)) }, uniquingKeysWith: { $1 }))
            #expect(again.count == first.count)
        }
    }

    @Test("What is stored brings back the same templates", arguments: UInt64(1)...6)
    func restored(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let paths = (0..<800).map { _ in
            "/" + (0..<3).map { _ in Self.words(50).randomElement(using: &random)! }.joined(separator: "/")
        }
        var trie = TemplateTrie(TemplateLimits(templates: 100_000))
        var told: [String] = []
        for path in paths { told.append(trie.learn(path).template) }
        var again = TemplateTrie(TemplateLimits(templates: 100_000))
        for template in Set(told).sorted() { again.restore(template) }
        for path in paths { #expect(again.template(of: path) == trie.template(of: path)) }
        for template in told { #expect(again.template(of: template) == trie.template(of: template)) }
        #expect(again.count == trie.count)
    }

    @Test func aHostHasNoMoreTemplatesThanItMayAndTheRestIsOne() {
        var trie = TemplateTrie(TemplateLimits(templates: 50))
        var told: Set<String> = []
        // Many APIs of their own: no position has many values.
        for a in Self.words(10) {
            for b in Self.words(10) { told.insert(trie.learn("/\(a)/\(b)").template) }
        }
        #expect(told.count == 51)
        #expect(told.contains(TemplateLimits.overflow))
        #expect(trie.count == 50)
        // A merge makes room.
        for a in Self.words(40) { _ = trie.learn("/\(a)") }
        #expect(trie.learn("/\(Self.words(1)[0])/quite-new").template == "/{value}/quite-new")
    }

    @Test func memoryIsBoundedWhateverComes() {
        var limits = TemplateLimits(templates: 100_000)
        limits.nodes = 1_000
        var trie = TemplateTrie(limits)
        var random = SeededGenerator(seed: 7)
        let words = Self.words(30)
        for _ in 0..<Rounds.few(5_000, all: 20_000) {
            let path = "/" + (0..<6).map { _ in words.randomElement(using: &random)! }.joined(separator: "/")
            _ = trie.learn(path)
        }
        #expect(trie.size <= 1_000)
        var learner = TemplateLearner()
        for host in 0..<70_000 { _ = learner.learn("/x", host: "h\(host)") }
        #expect(learner.learn("/x", host: "one more").template == TemplateLimits.overflow)
        #expect(learner.learn("/x", host: "h0").template == "/x")
    }

    @Test func itIsToldWhenTemplatesThatWereKnownHaveBecomeOthers() {
        var trie = TemplateTrie()
        for word in Self.words(32) { #expect(!trie.learn("/users/\(word)").hasMerged) }
        let outcome = trie.learn("/users/zoe")
        #expect(outcome == TemplateTrie.Outcome(template: "/users/{user}", hasMerged: true))
        #expect(!trie.learn("/users/yann").hasMerged)
    }
}
