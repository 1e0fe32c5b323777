import TestSupport
import Testing
import TrafficModel

@Suite struct FieldSectionTests {
    private func lines(_ text: String) -> [String] {
        FieldSection(bytes: Array(text.utf8)).lines.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test(
        "A section falls into its lines and loses no byte",
        arguments: [
            ("", []),
            ("A: 1\r\nB: 2\r\n", ["A: 1\r\n", "B: 2\r\n"]),
            ("A: 1\nB: 2\n", ["A: 1\n", "B: 2\n"]),
            ("A: 1\r\n 2\r\n\t3\r\nB: 4\r\n", ["A: 1\r\n 2\r\n\t3\r\n", "B: 4\r\n"]),
            ("A: 1\r\nB: 2", ["A: 1\r\n", "B: 2"]),
            ("A: 1\r\n 2", ["A: 1\r\n 2"]),
            ("no colon\r\nA: 1\r\n", ["no colon\r\n", "A: 1\r\n"]),
            (" A: 1\r\n", [" A: 1\r\n"]),
            ("\r\n\r\n", ["\r\n", "\r\n"]),
            ("A: a\rb\r\n", ["A: a\rb\r\n"]),
        ])
    func falls(text: String, expected: [String]) {
        #expect(lines(text) == expected)
        #expect(lines(text).joined() == text)
    }

    @Test("Values are found whatever the case, in order, without the space around them")
    func values() {
        let section = FieldSection(
            bytes: Array("Via: 1 \r\nX:\r\nvia:2\r\nno colon\r\nVIA : 3\r\n 4\r\nViable: 5\r\n".utf8))
        #expect(section.values(of: "via") == ["1", "2", "3\r\n 4"])
        #expect(section.firstValue(of: "x") == "")
        #expect(section.firstValue(of: "Y") == nil)
    }

    @Test("Generated sections come back whole", arguments: 0..<20)
    func whole(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        let alphabet = Array("A: \t\r\n".utf8)
        let bytes = (0..<500).map { _ in alphabet.randomElement(using: &random)! }
        #expect(FieldSection(bytes: bytes).lines.flatMap(\.self) == bytes)
    }
}
