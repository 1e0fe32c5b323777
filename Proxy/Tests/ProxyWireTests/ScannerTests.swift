import ProxyWire
import Testing

@Suite("Where headers and bodies end, however they are split")
struct ScannerTests {
    /// How many bytes belong to the body, in pieces of that size; nil if it breaks the rules.
    private func taken(_ length: BodyLength, _ text: String, by size: Int) -> (count: Int, isDone: Bool)? {
        let bytes = Array(text.utf8)
        var scanner = BodyScanner(length)
        var position = 0
        while position < bytes.count, !scanner.isDone {
            let piece = bytes[position..<min(position + size, bytes.count)]
            guard let count = try? Array(piece).withUnsafeBytes({ try scanner.take($0) }) else { return nil }
            position += count
        }
        return (position, scanner.isDone)
    }

    @Test("a body ends where it says")
    func ends() throws {
        for size in 1...9 {
            #expect(try #require(taken(.length(5), "12345GET", by: size)) == (5, true))
            #expect(try #require(taken(.none, "GET", by: size)) == (0, true))
            #expect(try #require(taken(.untilClose, "12345", by: size)) == (5, false))
            let body = "5;a=b\r\n12345\r\n0A \r\n1234567890\r\n0\r\nX: y\r\n\r\n"
            #expect(try #require(taken(.chunked, body + "GET", by: size)) == (body.utf8.count, true))
            #expect(try #require(taken(.chunked, "0\r\n\r\nGET", by: size)) == (5, true))
            #expect(try #require(taken(.chunked, "5\r\n123", by: size)) == (6, false))
        }
    }

    @Test(
        "chunks that two recipients could read differently are none",
        arguments: [
            "5\n12345\r\n", "5\r\n12345\n0\r\n", "5\r\n123456\r\n", "\r\n", ";a\r\n", "-1\r\n", "0x5\r\n", "5 \n",
            "5;a\nb\r\n", "5\r\r\n", "0\r\nA: b\n\r\n", "0\r\n\n", "00000000000000005\r\n", "fffffffffffffffff\r\n",
            "5;\0\r\n",
        ])
    func broken(text: String) {
        for size in 1...4 { #expect(taken(.chunked, text, by: size) == nil) }
    }

    @Test("extensions and trailers without end are refused")
    func endless() {
        #expect(taken(.chunked, "1;" + String(repeating: "a", count: 70_000), by: 1000) == nil)
        let lines = String(repeating: "A: b\r\n", count: 20_000)
        #expect(taken(.chunked, "0\r\n" + lines, by: 1000) == nil)
    }

    @Test("a head ends at its empty line")
    func heads() {
        let strict = "GET / HTTP/1.1\r\nA: b\r\n\r\n"
        for (text, allowsBareLF, count) in [
            (strict + "x", false, strict.utf8.count), (strict + "x", true, strict.utf8.count),
            ("a\n\nb\r\n\r\n", false, 8),
            ("a\n\nx", true, 3), ("a\r\n\nx", true, 4), ("a\n\r\nx", true, 4), ("a\n\r\nx", false, nil),
            ("abc", true, nil),
        ] as [(String, Bool, Int?)] {
            for size in 1...6 {
                let bytes = Array(text.utf8)
                var end = HeadEnd(allowsBareLF: allowsBareLF)
                var found: Int?
                var position = 0
                while found == nil, position < bytes.count {
                    position = min(position + size, bytes.count)
                    found = bytes[..<position].withUnsafeBytes { end.find(in: $0) }
                }
                #expect(found == count, "\(text.debugDescription) \(size)")
            }
        }
    }

    @Test("a response's head says how its body ends")
    func responses() throws {
        func read(_ text: String) -> ResponseHead? { Array(text.utf8).withUnsafeBytes { ResponseHead($0) } }
        let plain = try #require(read("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n"))
        #expect(plain.status == 200 && plain.body == .length(5) && !plain.wantsClose)
        #expect(read("HTTP/1.1 200\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n")?.body == .chunked)
        #expect(read("HTTP/1.0 200 OK\nContent-Length: 5\n\n")?.wantsClose == true)
        #expect(read("HTTP/1.1 204 None\r\nContent-Length: 5\r\n\r\n")?.body == BodyLength.none)
        #expect(read("HTTP/1.1 200 OK\r\n\r\n")?.body == .untilClose)
        #expect(read("HTTP/1.1 200 OK\r\nContent-Length: 2, 2\r\n\r\n")?.body == .length(2))
        #expect(read("HTTP/1.1 200 OK\r\nContent-Length: 2, 3\r\n\r\n")?.body == .untilClose)
        #expect(read("HTTP/1.1 200 OK\r\nContent-Length: ,\r\n\r\n")?.body == .untilClose)
        #expect(read("HTTP/1.1 103 Early\r\n\r\n")?.isInterim == true)
        #expect(read("HTTP/1.1 101 Switching\r\n\r\n")?.isInterim == false)
        #expect(read("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n 2\r\n\r\n")?.body == .untilClose)
        #expect(read("HTTP/1.1 200 OK\r\nA: b\r\n Content-Length: 2\r\n\r\n")?.body == .untilClose)
        #expect(read("HTTP/1.1 200 OK\r\nA: b\r\n\tc\r\nContent-Length: 2\r\n\r\n")?.body == .length(2))
        #expect(read("HTTP/1.1 200\rOK\r\n\r\n")?.status == 200 && read("HTTP/1.1 200OK\r\n\r\n") == nil)
        #expect(read("ICY 200 OK\r\n\r\n") == nil && read("HTTP/1.1 2000 OK\r\n\r\n") == nil)
    }
}
