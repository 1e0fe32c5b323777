import TestSupport
import Testing

@testable import URLTemplates

@Suite struct HostilePathTests {
    @Test(
        "Hostile paths get a template of bounded length, and the learner keeps its bounds",
        arguments: [
            String(repeating: "a", count: 1 << 20), "/" + String(repeating: "9", count: 1 << 20),
            String(repeating: "/x", count: 10_000), String(repeating: "/", count: 10_000),
            "/" + String(repeating: "%2F", count: 10_000), "/" + String(repeating: "%", count: 10_000),
            "/" + String(repeating: "-", count: 10_000), "/" + String(repeating: "{", count: 10_000),
            "/" + String(repeating: "eyJ.", count: 10_000), "/" + String(repeating: "ab_", count: 3_000) + "Xy1",
            "/a\0b/\0/%00", "/%zz/%/%4", "/{user}/{}/}{", "?", "*", "//", "/.//..", "/\u{FFFD}\u{301}/é",
            "/users/{user}.json", "/(other paths)", "/…", "/%2F%2f%", "/" + String(repeating: "1,", count: 5_000) + "1",
        ])
    func hostile(path: String) {
        let template = URLTemplate().template(of: path, query: "operationName=\0&query=%&variables")
        #expect(template.utf8.count <= 512)
        #expect(template != TemplateLimits.overflow)
        var learner = TemplateLearner()
        let outcome = learner.learn(template, host: "h")
        #expect(outcome.template == template && !outcome.hasMerged)
    }

    @Test func bracesOfAPathAreNotThoseOfATemplate() {
        #expect(URLTemplate().template(of: "/users/{user}") == "/users/%7Buser%7D")
        #expect(URLTemplate().template(of: "/{id}/42") == "/%7Bid%7D/{id}")
        #expect(URLTemplate().template(of: "/a%2F{b}%2F42") == "/a%2F%7Bb%7D%2F{id}")
        #expect(URLTemplate().template(of: "/x={b},12345") == "/x=%7Bb%7D,{id}")
    }

    @Test("Whatever the bytes, a template of a template's path is bounded and does not trap", arguments: 0..<20)
    func random(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        let alphabet = Array("/%2Fé{}@.-_=,:;()'~+aZ09xeyJ\0 ".unicodeScalars)
        for _ in 0..<500 {
            var path = "/"
            for _ in 0..<Int.random(in: 0...120, using: &random) {
                path.unicodeScalars.append(alphabet.randomElement(using: &random)!)
            }
            let template = URLTemplate().template(of: path, query: path)
            #expect(template.utf8.count <= 512)
            _ = TemplatePattern.first(of: [], matching: path)
        }
    }
}
