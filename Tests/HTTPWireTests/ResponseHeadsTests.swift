import HTTPWire
import TestSupport
import Testing
import TrafficModel

/// The headers of all responses to a request: RFC 9112, section 4, and RFC 9110, section 15.2.
@Suite struct ResponseHeadsTests {
    private func heads(_ pieces: String...) -> ResponseHeads { ResponseHeads(pieces.map(bytes)) }

    private let final = "HTTP/1.1 200 OK\r\nA: 1\r\n\r\n"

    @Test func aFinalHeadIsWeighedByItsParts() {
        let heads = heads("HTTP/1.1 404 Not Found\r\nSet-Cookie: a\r\nB: 2\r\n\r\n")
        #expect(heads.final?.status == 404)
        #expect(heads.final?.reason == "Not Found")
        #expect(heads.final?.httpVersion == "1.1")
        #expect(
            heads.size(missing: 0)
                == WireSize(startLine: .captured(24), fields: .captured(23), cookies: .captured(15)))
    }

    @Test func anInterimHeadWithItsEmptyLineIsCaptured() {
        let heads = heads("HTTP/1.1 100 Continue\r\n\r\n", final)
        #expect(heads.interimCount == 1)
        #expect(heads.interimWithoutEnd == 0)
        #expect(heads.size(missing: nil).interim == .captured(25))
        #expect(heads.final?.status == 200)
    }

    @Test func theMissingEndOfAnInterimHeadIsReportedByTheCounter() {
        let heads = heads("HTTP/1.1 100 Continue\r\n", final)
        #expect(heads.interimWithoutEnd == 1)
        #expect(heads.size(missing: 2).interim == .init(25, .reported))
        // An end that is a lone line feed.
        #expect(heads.size(missing: 1).interim == .init(24, .reported))
    }

    @Test func theMissingEndIsReconstructedWhileTheCounterIsNotKnownOrMakesNoSense() {
        let heads = heads("HTTP/1.1 100 Continue\r\n", final)
        #expect(heads.size(missing: nil).interim == .init(25, .reconstructed))
        #expect(heads.size(missing: 17).interim == .init(25, .reconstructed))
        #expect(heads.size(missing: -3).interim == .init(25, .reconstructed))
    }

    /// RFC 8297: 103 Early Hints, any number of them.
    @Test func severalInterimHeadsAddUp() {
        let heads = heads(
            "HTTP/1.1 100 Continue\r\n", "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n", "HTTP/1.1 103 Early Hints\r\n",
            final)
        #expect(heads.interimCount == 3)
        #expect(heads.size(missing: 6).interim == .init(23 + 38 + 26 + 6, .reported))
        #expect(heads.byteCount == 23 + 38 + 26 + 25)
    }

    @Test func headsThatShareAPieceArePartedAtTheStatusLine() {
        let heads = heads("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" + final)
        #expect(heads.interimCount == 1)
        #expect(heads.size(missing: 0).interim == .captured(40))
        #expect(heads.final?.status == 200)
    }

    @Test func aHeadThatGoesOnInTheNextPieceIsOneHead() {
        let heads = heads("HTTP/1.1 200 OK\r\nA: ", "1\r\n", "\r\n")
        #expect(heads.final?.lines.isComplete == true)
        #expect(heads.size(missing: 0) == WireSize(startLine: .captured(17), fields: .captured(8)))
    }

    /// RFC 9110, section 15.2.2: 101 ends HTTP/1.1 on its connection; what follows is another protocol.
    @Test func switchingProtocolsIsFinal() {
        let heads = heads("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n")
        #expect(heads.final?.status == 101)
        #expect(heads.interimCount == 0)
    }

    /// RFC 9113, section 3.1, formerly RFC 7540, section 3.2: a switch to HTTP/2 is answered over HTTP/2.
    @Test func aSwitchThatIsFollowedByAnAnswerCountsWithTheInterimHeads() {
        let switching = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\n\r\n"
        let heads = heads(switching, "HTTP/2 200 \r\na: 1\r\n\r\n")
        #expect(heads.final?.status == 200)
        #expect(heads.interimCount == 1)
        #expect(heads.size(missing: 0).interim.bytes == ByteCount(switching.utf8.count))
    }

    @Test func noByteOfASecondFinalHeadIsLost() {
        let heads = heads(final, "HTTP/1.1 500 Oh\r\n\r\n")
        #expect(heads.final?.status == 500)
        #expect(heads.size(missing: 0).known == ByteCount(final.utf8.count + 19))
    }

    @Test func lineFeedsAloneEndLines() {
        let heads = heads("HTTP/1.1 100 Continue\n\nHTTP/1.0 200 OK\nA: 1\n\n")
        #expect(heads.interimCount == 1)
        #expect(heads.interimWithoutEnd == 0)
        #expect(heads.final?.httpVersion == "1.0")
        #expect(heads.size(missing: 0).known == ByteCount(45))
    }

    /// RFC 9112, section 5.2.
    @Test func aFoldedFieldIsOneField() {
        let heads = heads("HTTP/1.1 200 OK\r\nA: 1\r\n HTTP/1.1 100 is no status line\r\n\r\n")
        #expect(heads.interimCount == 0)
        #expect(heads.final?.lines.fields.values(of: "A") == ["1\r\n HTTP/1.1 100 is no status line"])
    }

    @Test func anEmptyReasonIsNone() {
        #expect(heads("HTTP/1.1 200 \r\n\r\n").final?.reason == "")
        #expect(heads("HTTP/1.1 200\r\n\r\n").final?.status == 200)
        // As the scanner of connections reads them.
        for line in ["HTTP/1.1 200\rOK", "HTTP/1.1 200\tOK", "HTTP/1.1  200\r"] {
            let found = heads(line + "\r\n\r\n")
            var scanner = HTTP1Scanner()
            _ = scanner.add(Array("GET / HTTP/1.1\r\n\r\n".utf8), ofResponse: false)
            let pieces = scanner.add(Array((line + "\r\n\r\n").utf8), ofResponse: true)
            #expect(found.final?.status == 200 && pieces.last?.status == 200, "\(line.debugDescription)")
        }
        #expect(heads("HTTP/1.1 200\r\n\r\n").final?.reason == "")
    }

    /// RFC 9112, section 4: three digits.
    @Test(arguments: ["HTTP/1.1 abc OK\r\n\r\n", "HTTP/1.1 -20 OK\r\n\r\n", "HTTP/1.1 99999999999 OK\r\n\r\n", "HTTP/"])
    func aStatusThatIsNoneIsZero(_ head: String) { #expect(heads(head).final?.status == 0) }

    @Test func aHeadWithoutFieldsHasAnEmptyLine() {
        let heads = heads("HTTP/1.1 200 OK\r\n\r\n")
        #expect(heads.size(missing: 0) == WireSize(startLine: .captured(17), fields: .captured(2)))
    }

    @Test func aCutHeadKeepsWhatCame() {
        let heads = heads("HTTP/1.1 200 OK\r\nA: 1\r\nB")
        #expect(heads.final?.lines.isComplete == false)
        #expect(heads.size(missing: 0).known == 24)
    }

    @Test func headsOfHTTP2AreReconstructed() {
        let heads = heads("HTTP/2 200 \r\nset-cookie: a\r\n\r\n")
        #expect(heads.final?.httpVersion == "2")
        #expect(heads.final?.status == 200)
        #expect(heads.size(missing: 0).startLine == .init(13, .reconstructed))
        #expect(heads.size(missing: 0).cookies == .init(15, .reconstructed))
    }

    /// RFC 9113, section 8.1: trailers come as one more header block, which libcurl shows after the body.
    @Test func trailersBehindTheFinalHeadAreNotFields() {
        let heads = heads("HTTP/2 200 \r\na: 1\r\n\r\n", "grpc-status: 0\r\n", "\r\n")
        #expect(heads.final?.lines.fieldsSize == 8)
        #expect(heads.trailerSize == 18)
    }

    @Test func nothingAndGarbageHaveNoFinalHead() {
        #expect(ResponseHeads([UInt8]()).final == nil)
        #expect(ResponseHeads([[]]).final == nil)
        let garbage = heads("ICY 200 OK\r\n\r\n")
        #expect(garbage.final == nil)
        #expect(garbage.trailerSize == 14)
        #expect(garbage.byteCount == 14)
    }

    /// Whatever comes, each byte is in exactly one part.
    @Test func partsOfRandomHeadsAddUp() {
        var generator = SeededGenerator(seed: 7)
        let words = [
            "HTTP/1.1 200 OK", "HTTP/1.1 100 Continue", "HTTP/1.1 101 X", "HTTP/2 200", "A: 1", "\r\n", "\n", "\r", " ",
            "x",
        ]
        for _ in 0..<2_000 {
            let pieces = (0..<Int.random(in: 0...8, using: &generator)).map { _ in
                bytes((0..<4).map { _ in words.randomElement(using: &generator) ?? "" }.joined())
            }
            let heads = ResponseHeads(pieces)
            let size = heads.size(missing: 0)
            let all = pieces.reduce(0) { $0 + $1.count }
            let invented =
                heads.interimWithoutEnd > 0 && heads.final?.httpVersion.hasPrefix("2") != true
                ? 2 * heads.interimWithoutEnd : 0
            #expect(size.known.bytes + Int64(heads.trailerSize) == Int64(all + invented))
            #expect(heads.byteCount == all)
        }
    }
}
