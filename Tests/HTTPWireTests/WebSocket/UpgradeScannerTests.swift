import HTTPWire
import TestSupport
import Testing

/// Where HTTP/1.1 ends and WebSocket begins (RFC 6455, section 4.2.2).
@Suite struct UpgradeScannerTests {
    private static let switching =
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n"

    @Test(
        "a 101 that switches to WebSocket ends with its empty line",
        arguments: [
            switching,
            // Names and tokens in any case (RFC 9110, section 7.8), line ends without CR (RFC 9112, section 2.2).
            "HTTP/1.1 101\r\nUPGRADE:WebSocket\r\n\r\n", "HTTP/1.1 101 \nA: b\nupgrade:  webwebsocket\n\n",
            // Interim responses before it (RFC 9110, section 15.2).
            "HTTP/1.1 100 Continue\r\n\r\n" + switching,
            "HTTP/1.1 103 Early Hints\r\nUpgrade: websocket\r\nLink: a\r\n\r\n" + switching,
        ])
    func found(_ head: String) {
        let frames: [UInt8] = [0x81, 0x02, 0x0A, 0x0A]
        let bytes = Array(head.utf8) + frames
        for size in [bytes.count, 1, 2, 3, 7] {
            var scanner = UpgradeScanner()
            var rest: [UInt8] = []
            for start in stride(from: 0, to: bytes.count, by: size) {
                rest += scanner.add(Array(bytes[start..<min(start + size, bytes.count)]))
            }
            #expect(scanner.isDone && rest == frames, "in pieces of \(size)")
        }
    }

    @Test(
        "nothing else leads to WebSocket",
        arguments: [
            "HTTP/1.1 200 OK\r\nUpgrade: websocket\r\n\r\n", "HTTP/1.1 101 Switching\r\nUpgrade: h2c\r\n\r\n",
            "HTTP/1.1 103 Hints\r\nUpgrade: websocket\r\n\r\nHTTP/1.1 101 S\r\nConnection: upgrade\r\n\r\n",
            "HTTP/1.1 101 S\r\nX-Upgrade: websocket\r\n\r\n", "HTTP/1.1 101 S\r\nUpgrade: web socket\r\n\r\n",
            "HTTP/2 101 S\r\n", "\r\n\r\n", "HTTP/1.1 10\r\n\r\n", "\u{16}\u{3}\u{3}", "HTTP/1.1 1O1 S\r\n",
        ])
    func notFound(_ head: String) {
        var scanner = UpgradeScanner()
        #expect(scanner.add(Array(head.utf8) + [0x81, 0x00]).isEmpty)
        #expect(scanner.isOther && !scanner.isDone)
    }

    @Test("a head that is cut is neither")
    func cut() {
        var scanner = UpgradeScanner()
        #expect(scanner.add(Array(Self.switching.utf8.dropLast())).isEmpty)
        #expect(!scanner.isOther && !scanner.isDone)
    }
}
