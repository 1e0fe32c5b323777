/// The bytes that pass on a connection, made from the bytes of an input.
///
/// The first byte says how the others are split. Blocks follow: a byte whose highest bit means down and whose other
/// bits are a count, and then that number of bytes. An empty block closes the direction.
struct FuzzedConnection {
    /// How blocks are passed to the reader.
    enum Split {
        case whole, drawn, single
    }

    /// Bytes in a direction, or its close.
    struct Step {
        var isDown: Bool
        /// The bytes; nil if the direction is closed.
        var bytes: [UInt8]?
    }

    private let seed: UInt8
    private let blocks: [Step]

    init(_ input: [UInt8]) {
        seed = input.first ?? 0
        var blocks: [Step] = []
        var rest = input.dropFirst()
        while let control = rest.popFirst() {
            let count = Int(control & 0x7F)
            blocks.append(Step(isDown: control & 0x80 != 0, bytes: count == 0 ? nil : Array(rest.prefix(count))))
            rest = rest.dropFirst(count)
        }
        self.blocks = blocks
    }

    /// The number of bytes that pass in a direction.
    func count(isDown: Bool) -> Int {
        blocks.reduce(0) { $1.isDown == isDown ? $0 + ($1.bytes?.count ?? 0) : $0 }
    }

    /// The blocks, split into pieces.
    func steps(_ split: Split) -> [Step] {
        blocks.flatMap { block -> [Step] in
            guard let bytes = block.bytes else { return [block] }
            let splits = Splits([seed] + bytes)
            let pieces =
                switch split {
                case .whole: [bytes]
                case .drawn: splits.drawn
                case .single: splits.single
                }
            return pieces.map { Step(isDown: block.isDown, bytes: $0) }
        }
    }

    /// Makes an input from lines: `>` starts the client's bytes and `<` the server's; `>|` and `<|` close a direction.
    static func input(split: UInt8, _ lines: [String]) -> [UInt8] {
        [split]
            + lines.flatMap { line -> [UInt8] in
                let flag: UInt8 = line.hasPrefix("<") ? 0x80 : 0
                guard line.dropFirst() != "|" else { return [flag] }
                var rest = line.unicodeScalars.dropFirst().map { UInt8($0.value) }[...]
                var blocks: [UInt8] = []
                while !rest.isEmpty {
                    let piece = rest.prefix(127)
                    blocks += [flag | UInt8(piece.count)] + piece
                    rest = rest.dropFirst(127)
                }
                return blocks
            }
    }

    /// The connections that fuzzing starts with.
    static let seeds: [[String]] = [
        [
            ">GET /a HTTP/1.1\r\nHost: h\r\nCookie: a=b\r\n\r\n",
            "<HTTP/1.1 200 OK\r\nContent-Length: 5\r\nSet-Cookie: a=b\r\n\r\nhello", "<|", ">|",
        ],
        [
            ">POST / HTTP/1.1\r\nExpect: 100-continue\r\nTransfer-Encoding: chunked\r\n\r\n", "<HTTP/1.1 100 C\r\n\r\n",
            ">5;a=b\r\nhello\r\n0\r\nT: 1\r\n\r\n",
            "<HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n",
        ],
        [
            ">GET / HTTP/1.1\r\n\r\nHEAD / HTTP/1.1\r\n\r\nGET / HTTP/1.1\r\n\r\n",
            "<HTTP/1.1 204 N\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nHTTP/1.0 200 OK\r\n\r\nabc", "<|",
        ],
        [">CONNECT h:443 HTTP/1.1\r\n\r\n", "<HTTP/1.1 200 OK\r\n\r\n", ">\u{16}\u{03}\u{01}", "<\u{16}\u{03}"],
        [
            ">GET / HTTP/1.1\r\nUpgrade: h2c\r\n\r\n", "<HTTP/1.1 101 S\r\nUpgrade: h2c\r\n\r\n\0\0\0\u{04}\0\0\0\0\0",
            ">PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\u{04}\0\0\0\0\0",
        ],
        [
            ">GET / HTTP/1.1\r\nUpgrade: websocket\r\n\r\n",
            "<HTTP/1.1 101 S\r\nUpgrade: websocket\r\n\r\n\u{81}\u{01}a", ">\u{88}\u{80}\0\0\0\0", ">|", "<|",
        ],
        [
            ">PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\u{06}\u{04}\0\0\0\0\0\0\u{03}\0\0\0\u{64}"
                + "\0\0\u{03}\u{01}\u{05}\0\0\0\u{01}\u{82}\u{86}\u{84}",
            "<\0\0\0\u{04}\0\0\0\0\0\0\0\u{01}\u{01}\u{04}\0\0\0\u{01}\u{88}"
                + "\0\0\u{06}\0\u{09}\0\0\0\u{01}\u{02}abc\0\0\0\0\u{08}\u{07}\0\0\0\0\0\0\0\0\u{01}\0\0\0\0",
        ],
        [
            "<\0\0\u{06}\u{04}\0\0\0\0\0\0\u{03}\0\0\0\u{64}",
            ">PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\u{04}\u{08}\0\0\0\0\0\0\u{01}\0\0",
        ],
        [">GET /\r\n", "<<html>", "<|"], ["<SSH-2.0-x\r\n", ">SSH-2.0-y\r\n"],
        [">\u{16}\u{03}\u{01}\u{02}", "<\u{15}"],
        [
            ">GET / HTTP/1.1\r\nContent-Length: 1, 2\r\n\r\nab",
            "<HTTP/1.1 200 OK\r\nContent-Length:\r\n 3\r\nContent-Length: 3\r\n\r\nabcSURPLUS",
        ],
    ]
}
