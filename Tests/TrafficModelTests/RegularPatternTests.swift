import Testing
import TestSupport

@testable import TrafficModel

@Suite("Regular expressions")
struct RegularPatternTests {
    private func isFound(_ source: String, _ text: String, foldsCase: Bool = false) throws -> Bool {
        let pattern = try RegularPattern(source, foldsCase: foldsCase)
        return Array(text.utf8).withUnsafeBufferPointer(pattern.isFound)
    }

    @Test(
        "are found where they match",
        arguments: [
            ("", "", true), ("a", "bab", true), ("^a", "ba", false), ("a$", "ab", false), ("^$", "", true),
            ("^a.c$", "a😀c", true), ("^a.c$", "a\nc", false), ("^/v[12]/", "/v2/x", true), ("^/v[12]/", "/v3/x", false),
            ("^(ab|cd)+$", "abcdab", true), ("^(ab|cd)+$", "abc", false), ("^a{2,3}$", "aa", true),
            ("^a{2,3}$", "aaaa", false), ("^a{2}$", "aa", true), ("^a{2,}$", "aaaaa", true), ("x{", "x{", true),
            ("^[^/]+$", "a/b", false), ("^[]a]+$", "]a", true), ("[a-]", "-", true), ("^\\d+\\.\\w*$", "12.a_", true),
            ("^\\/v", "/v", true), ("^(?:a|)b$", "b", true), ("a*?b", "aab", true), ("^é+$", "éé", true),
            ("(^|/)u($|/)", "u", true), ("(^|/)u($|/)", "/u/1", true), ("(^|/)u($|/)", "xu", false),
            ("^(a*)*$", "aaab", false), ("(){9}x", "x", true), ("\\s", "a\tb", true), ("\\D", "123", false),
        ])
    func matches(source: String, text: String, isFound: Bool) throws {
        #expect(try self.isFound(source, text) == isFound)
    }

    @Test("ignore the case of letters only if asked to")
    func letterCase() throws {
        #expect(try isFound("^Ab[c-d]$", "aBD", foldsCase: true))
        #expect(try !isFound("^Ab[c-d]$", "aBD"))
    }

    @Test(
        "that are wrong say why and where",
        arguments: [
            ("a(b", "openGroup", 1), ("a)", "closedGroup", 1), ("[a", "openClass", 0), ("[z-a]", "range", 1),
            ("*a", "nothingToRepeat", 0), ("a**", "nothingToRepeat", 2), ("a{3,2}", "count", 1),
            ("a{1", "openBrace", 1),
            ("a{1000}", "count", 1), ("a\\", "escape", 1), ("\\1", "unsupported", 0), ("(?=a)", "unsupported", 0),
            ("\\bx", "unsupported", 0), ("(a{100}){100}", "tooLarge", 0),
            (String(repeating: "(", count: 60), "tooLarge", 50),
        ])
    func mistakes(source: String, reason: String, offset: Int) {
        let mistake = #expect(throws: RegularPattern.Mistake.self) { try RegularPattern(source, foldsCase: false) }
        #expect(mistake?.reason.rawValue == reason)
        #expect(mistake?.offset == offset)
    }

    @Test("take a time that grows with the text alone, whatever they are", .timeLimit(.minutes(1)))
    func boundedTime() throws {
        let text = String(repeating: "a", count: 20_000)
        for source in ["^(a+)+$|b", "^(a|aa)+$|b", "(a*)*b", "(.*a){20}b", "((((){100}){100}){100}){100}b"] {
            _ = try isFound(source, text)
        }
        #expect(try !isFound("(a*)*b", text))
    }

    @Test(
        "are found by a machine where they are found without it, however few states it keeps",
        arguments: [3, 5, 1_000])
    func machine(stateLimit: Int) throws {
        var generator = SeededGenerator(seed: 7)
        let pieces = ["a", "b", "é", ".", "^", "$", "(a|b)", "[^a]", "a{2,3}", "b*", "(ab)+", "\\d", "(^|/)", "a?"]
        let letters = ["a", "b", "A", "/", "1", "é", "\n", "😀"].map { Array($0.utf8) } + [[0xFF], [0xC3]]
        var hits = 0
        for _ in 0..<400 {
            let source = (0...Int.random(in: 0...4, using: &generator)).map { _ in
                pieces.randomElement(using: &generator)!
            }.joined()
            guard let pattern = try? RegularPattern(source, foldsCase: generator.next() & 1 == 0) else { continue }
            let machine = RegularMachine(pattern, stateLimit: stateLimit)
            for _ in 0..<20 {
                let text = (0..<Int.random(in: 0...9, using: &generator)).flatMap { _ in
                    letters.randomElement(using: &generator)!
                }
                text.withUnsafeBufferPointer { bytes in
                    let isFound = pattern.isFound(in: bytes)
                    #expect(machine.isFound(in: bytes) == isFound, "\(source) \(text)")
                    hits += isFound ? 1 : 0
                }
            }
        }
        #expect(hits > 1_000 && hits < 7_000)
    }
}
