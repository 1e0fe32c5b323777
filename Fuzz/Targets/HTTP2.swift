import HTTPWire
import TrafficModel

extension FuzzTarget {
    /// The scanner of HTTP/2 frames; if the byte after the first is odd, the frames are a client's.
    static let http2 = FuzzTarget(
        name: "http2",
        seeds: {
            let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
            let settings = frame(4, payload: [0, 3, 0, 0, 0, 100])
            let padded = frame(0, flags: 8, stream: 1, payload: [3, 1, 2, 3, 4, 0, 0, 0])
            let prioritized = frame(1, flags: 0x2C, stream: 3, payload: [2, 0, 0, 0, 1, 9, 0x82, 0x86, 0, 0])
            return [
                [7, 1] + preface + settings + frame(1, flags: 5, stream: 1, payload: [0x82, 0x86]),
                [7, 0] + settings + frame(1, flags: 4, stream: 1, payload: [0x88]) + padded
                    + frame(1, flags: 5, stream: 1, payload: [0x40]),
                [7, 0] + prioritized + frame(9, flags: 4, stream: 3, payload: [1, 2, 3])
                    + frame(3, stream: 3, payload: [0, 0, 0, 8]),
                [7, 0] + frame(5, flags: 12, stream: 1, payload: [1, 0, 0, 0, 2, 0x82, 0])
                    + frame(0, flags: 8, stream: 1)
                    + frame(0, flags: 8, stream: 1, payload: [200, 1, 2]),
                [7, 0] + frame(8, payload: [0, 0, 1, 0]) + frame(6, payload: [1, 2, 3, 4, 5, 6, 7, 8])
                    + frame(200, stream: 9),
                [7, 0, 0xFF, 0xFF, 0xFF, 0, 0, 0x80, 0, 0, 1, 2, 3],
            ]
        },
        run: { input in
            let isClient = (input.dropFirst().first ?? 0) & 1 == 1
            let splits = Splits([input.first ?? 0] + input.dropFirst(2))
            let sums = try splits.sameForAll { FrameSums($0, ofClient: isClient) }
            try mustHold(sums.bytes == splits.bytes.count, "\(sums.bytes) of \(splits.bytes.count) bytes of frames")
            for (stream, message) in sums.messages {
                let size = message.size(interim: 1, cookieShare: 0.5)
                try mustHold(size.known == message.bytes, "the parts of stream \(stream) do not add up")
                try mustHold(size.cookies.bytes <= size.fields.bytes, "more cookies than fields")
            }
        })

    private static func frame(_ type: UInt8, flags: UInt8 = 0, stream: UInt8 = 0, payload: [UInt8] = []) -> [UInt8] {
        [0, 0, UInt8(payload.count), type, flags, 0, 0, 0, stream] + payload
    }
}

/// The results of scanning frames.
private struct FrameSums: Equatable {
    var messages: [UInt32: HTTP2Message] = [:]
    /// The number of bytes, including those of an incomplete frame header.
    var bytes: Int

    init(_ pieces: [[UInt8]], ofClient: Bool) {
        var scanner = HTTP2Scanner(ofClient: ofClient)
        var sum = ByteCount.zero
        for piece in pieces.flatMap({ scanner.add($0) }) {
            sum += piece.bytes
            messages[piece.stream, default: HTTP2Message()].add(piece)
        }
        bytes = Int(sum.bytes) + scanner.pending
    }
}
