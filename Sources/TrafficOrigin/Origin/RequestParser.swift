/// Splits a client's bytes into requests, and counts each part.
///
/// It checks other parsers, so it shares no code with them, and it is short enough to verify by reading.
package struct RequestParser: Sendable {
    private enum Phase: Equatable {
        case head
        case identity(left: Int)
        case chunkSize
        case chunk(left: Int)
        case chunkEnd
        case trailers
        case done
    }

    private var phase = Phase.head
    /// The bytes of the current, incomplete line.
    private var line: [UInt8] = []
    private var headBytes: [UInt8] = []
    /// The request; nil until its headers are complete.
    package private(set) var request: OriginRequest?
    /// The bytes so far, part by part.
    package private(set) var bytes = MessageBytes()
    /// The content without its framing.
    package private(set) var body: ByteLog
    /// All bytes of the message.
    package private(set) var raw: ByteLog

    /// Makes a parser at the start of a request, which keeps up to `bodyLimit` bytes of content.
    package init(bodyLimit: Int) {
        body = ByteLog(limit: bodyLimit)
        raw = ByteLog(limit: bodyLimit + 65_536)
    }

    /// The request with the kept part of its content.
    var requestWithBody: OriginRequest? {
        var result = request
        result?.body = body.kept
        result?.bodyCount = body.count
        return result
    }

    /// Whether the request is complete.
    package var isDone: Bool { phase == .done }
    /// Whether any byte of the request has come.
    package var hasBegun: Bool { raw.count > 0 }

    /// Consumes bytes up to the end of the headers or of the request, whichever comes first, and returns their number.
    package mutating func consume(_ input: ArraySlice<UInt8>) -> Int {
        var rest = input
        let hadHead = request != nil
        while !rest.isEmpty, phase != .done, hadHead == (request != nil) {
            switch phase {
            case .identity(let left):
                let taken = takeBody(&rest, left)
                phase = taken == left ? .done : .identity(left: left - taken)
            case .chunk(let left):
                let taken = takeBody(&rest, left)
                phase = taken == left ? .chunkEnd : .chunk(left: left - taken)
            default:
                takeLine(&rest)
            }
        }
        let taken = rest.startIndex - input.startIndex
        raw.append(input.prefix(taken))
        return taken
    }

    private mutating func takeBody(_ rest: inout ArraySlice<UInt8>, _ left: Int) -> Int {
        let piece = rest.prefix(left)
        body.append(piece)
        bytes.body += piece.count
        rest = rest.dropFirst(piece.count)
        return piece.count
    }

    private mutating func takeLine(_ rest: inout ArraySlice<UInt8>) {
        let end = rest.firstIndex(of: 0x0A).map { $0 + 1 } ?? rest.endIndex
        let piece = rest[rest.startIndex..<end]
        rest = rest[end...]
        line.append(contentsOf: piece)
        // Count as the bytes come, so that a request that is cut off inside a line is counted, too.
        bytes.add(piece.count, to: part)
        guard piece.last == 0x0A else { return }
        let isEmpty = line == [0x0A] || line == [0x0D, 0x0A]
        finishLine(isEmpty: isEmpty)
        line.removeAll(keepingCapacity: true)
    }

    private var part: MessagePart {
        guard phase == .head else { return .framing }
        return headBytes.isEmpty ? .startLine : .field
    }

    private mutating func finishLine(isEmpty: Bool) {
        switch phase {
        case .head:
            // Skip empty lines before a request line (RFC 9112, section 2.2).
            if isEmpty, headBytes.isEmpty {
                bytes.startLine -= line.count
                bytes.framing += line.count
                return
            }
            headBytes.append(contentsOf: line)
            if String(decoding: line.prefix(7), as: UTF8.self).lowercased() == "cookie:" { bytes.cookies += line.count }
            if isEmpty { finishHead() }
        case .chunkSize:
            let digits = line.prefix { ($0 >= 0x30 && $0 <= 0x39) || ($0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x66) }
            let size = Int(String(decoding: digits, as: UTF8.self), radix: 16) ?? 0
            phase = size == 0 ? .trailers : .chunk(left: size)
        case .chunkEnd: phase = .chunkSize
        case .trailers: if isEmpty { phase = .done }
        case .identity, .chunk, .done: break
        }
    }

    private mutating func finishHead() {
        let request = OriginRequest(head: headBytes)
        self.request = request
        if request.value(of: "Transfer-Encoding")?.lowercased().contains("chunked") == true {
            phase = .chunkSize
        } else {
            let length = request.value(of: "Content-Length").flatMap { Int($0) } ?? 0
            phase = length > 0 ? .identity(left: length) : .done
        }
    }
}
