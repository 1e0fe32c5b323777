import HTTPWire

extension FuzzTarget {
    /// The reader of WebSocket frames, alone and after the responses that end with a 101.
    static let webSocket = FuzzTarget(
        name: "websocket",
        seeds: {
            let switching = Array("HTTP/1.1 101 S\r\nUpgrade: websocket\r\n\r\n".utf8)
            let hello = Array("Hello".utf8)
            let mask: [UInt8] = [0x37, 0xFA, 0x21, 0x3D]
            let frames: [[UInt8]] = [
                [0x81, 0x05] + hello, [0x81, 0x85] + mask + hello, [0x01, 0x03, 1, 2, 3, 0x89, 0x00, 0x80, 0x02, 4, 5],
                [0x82, 0x7E, 0x00, 0x05] + hello, [0x82, 0xFF, 0, 0, 0, 0, 0, 0, 0, 5] + mask + hello,
                [0x88, 0x02, 0x03, 0xE8], [0xC1, 0x07, 0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00], [0x83, 0x00],
                [0x82, 0x7F, 0x80, 0, 0], [0x82, 0x7F, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1],
                [0x89, 0x7E],
            ]
            return frames.map { [7] + $0 } + [
                [7] + switching + frames.joined(), .text("HTTP/1.1 100 C\r\n\r\nHTTP/1.0 101\nupgrade: WEBSOCKET\n\n"),
                .text("HTTP/1.1 101 S\r\nUpgrade: h2c\r\n\r\n"), .text("HTTP/1.1 200 OK\r\n\r\n"),
            ]
        },
        run: { input in
            let splits = Splits(input)
            let sums = try splits.sameForAll(WebSocketSums.init)
            try mustHold(sums.bytes == splits.bytes.count, "\(sums) do not add up")
            try mustHold(
                sums.controlFrames <= sums.frames && sums.messages <= sums.frames - sums.controlFrames,
                "\(sums): more messages than frames that could end them")
            try mustHold(sums.isMalformed || sums.unseparated == 0, "\(sums): no reason why bytes are not taken apart")
            let (head, rest) = try splits.sameForAll(UpgradeSums.init).parts
            try mustHold(
                head + rest.bytes == splits.bytes.count, "\(head) bytes of responses and \(rest) do not add up")
            try mustHold(
                rest == WebSocketSums([Array(splits.bytes[head...])]), "the frames after a response are others")
        })
}

/// The results of reading bytes as frames.
private struct WebSocketSums: Equatable {
    var bytes: Int
    var unseparated: UInt64
    var frames: UInt64
    var controlFrames: UInt64
    var messages: UInt64
    var isMalformed: Bool

    init(_ pieces: [[UInt8]]) {
        var scanner = WebSocketScanner()
        for piece in pieces { scanner.add(piece) }
        self.init(scanner)
    }

    init(_ scanner: WebSocketScanner) {
        bytes = Int(scanner.overhead + scanner.payload + scanner.unseparated)
        unseparated = scanner.unseparated
        frames = scanner.frames
        controlFrames = scanner.controlFrames
        messages = scanner.messages
        isMalformed = scanner.isMalformed
    }
}

/// The results of reading bytes as responses, and as frames after a 101.
private struct UpgradeSums: Equatable {
    var head = 0
    var rest: WebSocketSums
    var isDone: Bool

    var parts: (Int, WebSocketSums) { (head, rest) }

    init(_ pieces: [[UInt8]]) {
        var upgrade = UpgradeScanner()
        var frames = WebSocketScanner()
        for piece in pieces {
            let rest = upgrade.add(piece)
            head += piece.count - rest.count
            frames.add(rest)
        }
        rest = WebSocketSums(frames)
        isDone = upgrade.isDone
    }
}
