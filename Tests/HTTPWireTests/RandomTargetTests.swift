import HTTPWire
import TestSupport
import Testing

@Suite struct RandomTargetTests {
    @Test func randomTextIsTakenApartWithoutACrash() {
        var generator = SeededGenerator(seed: 11)
        let parts = ["http", "://", ":", "/", "?", "#", "@", "[", "]", "a", "80", "\u{301}", "\u{1F600}", " ", "\r\n"]
        for _ in 0..<5_000 {
            let url = (0..<Int.random(in: 0...10, using: &generator)).map { _ in
                parts.randomElement(using: &generator) ?? ""
            }.joined()
            var target = RequestTarget(url: url) ?? RequestTarget(url: "http://h/")
            target?.take(requestLineTarget: url)
            #expect((0...65_535).contains(target?.port ?? -1))
            #expect(target?.path.isEmpty == false)
        }
    }
}
