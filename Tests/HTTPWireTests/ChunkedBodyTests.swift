import HTTPWire
import TestSupport
import Testing

/// RFC 9112, section 7.1.
@Suite struct ChunkedBodyTests {
    private func read(_ pieces: [[UInt8]]) -> (body: ChunkedBody, content: [UInt8]) {
        var body = ChunkedBody()
        var content: [UInt8] = []
        for piece in pieces { content += body.add(piece) }
        return (body, content)
    }

    private func read(_ text: String) -> (body: ChunkedBody, content: [UInt8]) { read([bytes(text)]) }

    @Test(arguments: [
        ("0\r\n\r\n", "", 5),
        ("5\r\nhello\r\n0\r\n\r\n", "hello", 10),
        ("1\r\na\r\n1\r\nb\r\n1\r\nc\r\n0\r\n\r\n", "abc", 20),
        ("000005\r\nhello\r\n00\r\n\r\n", "hello", 16),
        ("A\r\n0123456789\r\na\r\n0123456789\r\n0\r\n\r\n", "01234567890123456789", 15),
        // Section 7.1.1: extensions, also with quoted values that hold what looks like framing.
        ("5;a=b\r\nhello\r\n0;c\r\n\r\n", "hello", 16),
        ("5;a=\"x;y\\\"0\"\r\nhello\r\n0\r\n\r\n", "hello", 21),
        ("5 ; a\r\nhello\r\n0\r\n\r\n", "hello", 14),
        // Section 7.1.2: trailers.
        ("5\r\nhello\r\n0\r\nA: 1\r\nB: 2\r\n\r\n", "hello", 22),
        ("0\r\nA: \r\r\n\r\n", "", 11),
        // Lone line feeds.
        ("5\nhello\n0\n\n", "hello", 6),
        ("5\nhello\r\n0\nA: 1\n\r\n", "hello", 13),
        // Content that looks like framing.
        ("9\r\n\r\n0\r\n\r\nab\r\n0\r\n\r\n", "\r\n0\r\n\r\nab", 10),
    ])
    func wholeBodiesAreContentAndFraming(_ body: String, content: String, framing: UInt64) {
        let result = read(body)
        #expect(text(result.content) == content)
        #expect(result.body.contentSize == UInt64(content.utf8.count))
        #expect(result.body.framingSize == framing)
        #expect(result.body.isComplete)
        #expect(!result.body.isBroken)
    }

    @Test func bytesBehindTheEndAreFraming() {
        let result = read("1\r\na\r\n0\r\n\r\n5\r\nhello")
        #expect(text(result.content) == "a")
        #expect(result.body.framingSize == 10 + 8)
        #expect(result.body.isComplete)
    }

    @Test(
        arguments: [
            ("hello", 0, 5), ("\r\n", 0, 2), (" 5\r\nhello", 0, 9), ("-1\r\n", 0, 4), ("0x5\r\nhello\r\n", 0, 12),
            ("5\r\nhelloX\r\n", 5, 6), ("1\r\na\r\nzz", 1, 7),
            // Seventeen digits, the first of them not zero: no number of 64 bits.
            ("10000000000000000\r\nabc", 0, 22),
        ] as [(String, UInt64, UInt64)])
    func whatBreaksTheRulesIsFramingFromThere(_ body: String, content: UInt64, framing: UInt64) {
        let result = read(body)
        #expect(result.body.contentSize == content)
        #expect(result.body.framingSize == framing)
        // "0x5" is a last chunk with an extension to a lenient reader.
        #expect(result.body.isBroken || body.hasPrefix("0x5"))
        #expect(!result.body.isComplete)
    }

    @Test func sixteenDigitsAreASizeAndItsContentMayNeverEnd() {
        let result = read("ffffffffffffffff\r\nabc")
        #expect(result.body.contentSize == 3)
        #expect(result.body.framingSize == 18)
        #expect(!result.body.isBroken)
        #expect(!result.body.isComplete)
    }

    @Test func leadingZerosAreNotCountedAgainstTheSize() {
        #expect(text(read("00000000000000000000003\r\nabc\r\n0\r\n\r\n").content) == "abc")
    }

    @Test func aCutBodyKeepsWhatCame() {
        let whole = bytes("5;x\r\nhello\r\n3\r\nabc\r\n0\r\nA: 1\r\n\r\n")
        for count in 0..<whole.count {
            let result = read([Array(whole[..<count])])
            #expect(result.body.contentSize + result.body.framingSize == UInt64(count))
            #expect(!result.body.isComplete)
        }
    }

    /// Any two pieces of the same bytes give the same sizes and the same content.
    @Test(arguments: [
        "5\r\nhello\r\n0\r\n\r\n",
        "5;a=\"b\"\r\nhello\r\n1f\r\n0123456789012345678901234567890\r\n0\r\nA: 1\r\nB:\r\n\r\nrest",
        "5\nhello\n0\n\n", "zz", "5\r\nhelloX", "10000000000000000\r\nabc", "0\r\n\r\r\nx\r\n\r\n",
    ])
    func everySplitInTwoReadsTheSame(_ body: String) {
        let all = bytes(body)
        let whole = read([all])
        for cut in 0...all.count {
            let split = read([Array(all[..<cut]), Array(all[cut...])])
            #expect(split.content == whole.content)
            #expect(split.body.contentSize == whole.body.contentSize)
            #expect(split.body.framingSize == whole.body.framingSize)
            #expect(split.body.isComplete == whole.body.isComplete)
            #expect(split.body.isBroken == whole.body.isBroken)
        }
    }

    @Test func randomBodiesReadTheSameInRandomSplits() {
        var generator = SeededGenerator(seed: 42)
        for round in 0..<1_000 {
            var body: [UInt8] = []
            var content: [UInt8] = []
            for _ in 0..<Int.random(in: 0...6, using: &generator) {
                let chunk = (0..<Int.random(in: 1...40, using: &generator)).map { _ in
                    UInt8.random(in: 0...255, using: &generator)
                }
                let end = Bool.random(using: &generator) ? "\r\n" : "\n"
                let note = Bool.random(using: &generator) ? ";n=\"v\"" : ""
                body += bytes(String(chunk.count, radix: 16, uppercase: Bool.random(using: &generator)) + note + end)
                body += chunk + bytes(end)
                content += chunk
            }
            body += bytes("0\r\n" + (Bool.random(using: &generator) ? "T: 1\r\n" : "") + "\r\n")
            let result = read(randomSplit(body, using: &generator))
            #expect(result.content == content, "round \(round)")
            #expect(result.body.framingSize == UInt64(body.count - content.count), "round \(round)")
            #expect(result.body.isComplete, "round \(round)")
        }
    }

    @Test func randomBytesAddUpInRandomSplits() {
        var generator = SeededGenerator(seed: 43)
        let alphabet = bytes("0123456789abcdefF;\r\n\r\n x")
        for round in 0..<3_000 {
            let body = (0..<Int.random(in: 0...60, using: &generator)).map { _ in
                alphabet.randomElement(using: &generator) ?? 0
            }
            let whole = read([body])
            let split = read(randomSplit(body, using: &generator))
            #expect(whole.body.contentSize + whole.body.framingSize == UInt64(body.count), "round \(round)")
            #expect(split.content == whole.content, "round \(round)")
            #expect(split.body.framingSize == whole.body.framingSize, "round \(round)")
            #expect(split.body.isComplete == whole.body.isComplete, "round \(round)")
        }
    }
}
