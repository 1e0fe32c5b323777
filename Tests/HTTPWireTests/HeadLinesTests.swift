import HTTPWire
import TestSupport
import Testing
import TrafficModel

/// Start lines and headers of RFC 9112, section 2, whole and as they come in practice.
@Suite struct HeadLinesTests {
    @Test func startLineFieldsAndEmptyLineAddUpToTheHead() {
        let head = HeadLines(bytes("GET / HTTP/1.1\r\nHost: a\r\nAccept: */*\r\n\r\n")[...])
        #expect(text(head.startLine) == "GET / HTTP/1.1")
        #expect(head.startLineSize == 16)
        #expect(text(head.fields.bytes) == "Host: a\r\nAccept: */*\r\n")
        #expect(head.fieldsSize == 24)
        #expect(head.isComplete)
    }

    /// RFC 9112, section 2.2: a recipient may recognise a single LF as a line end.
    @Test func lineFeedsAloneEndLines() {
        let head = HeadLines(bytes("HTTP/1.1 200 OK\nA: 1\n\n")[...])
        #expect(text(head.startLine) == "HTTP/1.1 200 OK")
        #expect(head.startLineSize == 16)
        #expect(head.fieldsSize == 6)
        #expect(head.isComplete)
    }

    @Test func lineEndsMayBeMixed() {
        let head = HeadLines(bytes("HTTP/1.1 200 OK\r\nA: 1\n\r\n")[...])
        #expect(text(head.fields.bytes) == "A: 1\n")
        #expect(head.fieldsSize == 7)
        #expect(head.isComplete)
    }

    /// RFC 9112, section 5.2: obsolete line folding.
    @Test func aFoldedLineIsOneField() {
        let head = HeadLines(bytes("HTTP/1.1 200 OK\r\nA: 1\r\n 2\r\n\t3\r\nB: 4\r\n\r\n")[...])
        #expect(head.fields.lines.map { text($0) } == ["A: 1\r\n 2\r\n\t3\r\n", "B: 4\r\n"])
        #expect(head.size(ofField: "a") == 14)
        #expect(head.fieldsSize == 22)
    }

    @Test(arguments: [
        ("", 0, 0), ("HTT", 3, 0), ("HTTP/1.1 200 OK", 15, 0), ("HTTP/1.1 200 OK\r", 16, 0),
        ("HTTP/1.1 200 OK\r\n", 17, 0), ("HTTP/1.1 200 OK\r\nA", 17, 1), ("HTTP/1.1 200 OK\r\nA: 1\r\n", 17, 6),
        ("HTTP/1.1 200 OK\r\nA: 1\r\n\r", 17, 7),
    ])
    func aCutHeadKeepsWhatCame(_ head: String, startLine: Int, fields: Int) {
        let lines = HeadLines(bytes(head)[...])
        #expect(lines.startLineSize == startLine)
        #expect(lines.fieldsSize == fields)
        #expect(!lines.isComplete)
    }

    @Test func aHeadWithoutFieldsIsComplete() {
        let head = HeadLines(bytes("HTTP/1.1 204 No Content\r\n\r\n")[...])
        #expect(head.fields.bytes == [])
        #expect(head.fieldsSize == 2)
        #expect(head.isComplete)
    }

    @Test func aSliceFromTheMiddleOfAnArrayIsReadAsItStands() {
        let all = bytes("junk" + "HTTP/1.1 200 OK\r\nA: 1\r\n\r\n")
        let head = HeadLines(all[4...])
        #expect(text(head.startLine) == "HTTP/1.1 200 OK")
        #expect(head.fieldsSize == 8)
    }

    /// RFC 6265, section 4.2: any number of cookies; names of fields have no case (RFC 9110, section 5.1).
    @Test func cookieLinesAreWeighedInAnySpelling() {
        let head = HeadLines(
            bytes("HTTP/1.1 200 OK\r\nSet-Cookie: a=1\r\nset-cookie:b=2\r\nX-Set-Cookie: c\r\nSET-COOKIE : d\r\n\r\n")[
                ...])
        #expect(head.size(ofField: "Set-Cookie") == 17 + 16 + 16)
        #expect(head.size(ofField: "Cookie") == 0)
    }

    /// RFC 9110, section 5.5: bytes above 0x7F are opaque.
    @Test func bytesThatAreNoTextKeepTheirSize() {
        let head = HeadLines((bytes("HTTP/1.1 200 OK\r\nA: ") + [0xFF, 0xFE, 0x00] + bytes("\r\n\r\n"))[...])
        #expect(head.fieldsSize == 10)
        #expect(head.fields.bytes.count == 8)
    }

    /// Parts add up to the bytes that were given, wherever these are cut.
    @Test func partsOfEveryPrefixAddUp() {
        let whole = bytes("HTTP/1.1 200 OK\r\nA: 1\r\n B\nC:\r\n\r\n")
        for count in 0...whole.count {
            let head = HeadLines(whole[..<count])
            #expect(head.startLineSize + head.fieldsSize == count)
            #expect(head.isComplete == (count == whole.count))
        }
    }
}
