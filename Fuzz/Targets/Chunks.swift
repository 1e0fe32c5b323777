import CHTTPWire
import HTTPWire

extension FuzzTarget {
    /// The reader of chunked bodies, and the tap's body meter.
    static let chunks = FuzzTarget(
        name: "chunks",
        seeds: {
            [
                "5\r\nhello\r\n0\r\n\r\n", "5;a=b\r\nhello\r\n00\r\nTrailer: a\r\n\r\nrest",
                "A\n0123456789\nF\r\n0123456789abcde\r\n0\r\n\r\n", "ffffffffffffffff\r\nabc", "10000000000000000\r\n",
                "3\r\nabcX", "g\r\n", "0\r\n\ra\r\n\r\r\n\n", "5\r\nhel", "",
            ].map { .text($0) }
        },
        run: { input in
            let splits = Splits(input)
            let sums = try splits.sameForAll(ChunkSums.init)
            try mustHold(sums.content.count + Int(sums.framing) == splits.bytes.count, "\(sums) do not add up")
            let meter = try splits.sameForAll(MeterSums.init)
            try mustHold(meter.bytes == splits.bytes.count, "a meter of \(meter.bytes) bytes")
            try mustHold(
                meter.content == sums.content.count && meter.framing == sums.framing, "\(meter) is not \(sums)")
            try mustHold(meter.digest == digest(splits.bytes), "another digest of the same bytes")
            try mustHold(meter.contentDigest == digest(sums.content), "another digest of the same content")

            // Content that is sent in chunks must be read back unchanged.
            let chunked =
                splits.drawn.flatMap { Array("\(String($0.count, radix: 16))\r\n".utf8) + $0 + [13, 10] }
                + Array("0\r\n\r\n".utf8)
            let back = ChunkSums([chunked])
            try mustHold(back.content == splits.bytes && back.isComplete, "chunks do not give back what went in")
        })

    private static func digest(_ bytes: [UInt8]) -> UInt64 {
        var digest = BodyDigest()
        digest.add(bytes)
        return digest.value
    }
}

/// The results of reading a body as chunks.
private struct ChunkSums: Equatable {
    var content: [UInt8]
    var framing: UInt64
    var isComplete: Bool
    var isBroken: Bool

    init(_ pieces: [[UInt8]]) {
        var body = ChunkedBody()
        content = pieces.flatMap { body.add($0) }
        framing = body.framingSize
        isComplete = body.isComplete
        isBroken = body.isBroken
    }
}

/// The results of the tap's body meter.
private struct MeterSums: Equatable {
    var bytes: Int
    var content: Int
    var framing: UInt64
    var digest: UInt64
    var contentDigest: UInt64
    var tails: [UInt8]

    init(_ pieces: [[UInt8]]) {
        var meter = ww_body_meter()
        ww_body_meter_begin(&meter, false)
        for piece in pieces { piece.withUnsafeBufferPointer { ww_body_meter_add(&meter, $0.baseAddress, $0.count) } }
        bytes = Int(meter.bytes)
        content = Int(meter.chunks.content)
        framing = meter.chunks.framing
        digest = withUnsafePointer(to: meter.digest) { ww_xxh3_digest($0) }
        contentDigest = withUnsafePointer(to: meter.content_digest) { ww_xxh3_digest($0) }
        tails = withUnsafeBytes(of: meter.tail) { Array($0) } + withUnsafeBytes(of: meter.content_tail) { Array($0) }
    }
}
