import HTTPWire
import PassiveHTTP
import TestSupport
import TrafficModel

/// What passes on a connection, and what the reader makes of it, as text.
///
/// Lines that begin with `>` are the client's bytes and those with `<` the server's; `>|` and `<|` close a direction. All bytes of
/// a line pass at one time, which is the line's number.
struct ConnectionPlay {
    /// How the bytes of a line are handed over.
    enum Split: Hashable, CaseIterable, Sendable {
        case whole, single, threes, random
    }

    private(set) var events: [ConnectionEvent] = []
    private(set) var reader: ConnectionReader
    private(set) var given = ByteFlow.zero

    init(
        _ lines: [String], split: Split = .whole, seed: UInt64 = 1, reader: ConnectionReader = ConnectionReader()
    ) {
        self.init(
            lines.map { line in
                // Scalars up to U+00FF are bytes.
                let bytes = line.unicodeScalars.dropFirst().map { UInt8($0.value) }
                return (line.hasPrefix("<") ? .down : .up, line.dropFirst() == "|" ? nil : bytes)
            }, split: split, seed: seed, reader: reader)
    }

    init(
        _ steps: [(direction: Direction, bytes: [UInt8]?)], split: Split = .whole, seed: UInt64 = 1,
        reader: ConnectionReader = ConnectionReader()
    ) {
        self.reader = reader
        var random = SeededGenerator(seed: seed)
        for (index, step) in steps.enumerated() {
            let time = Timestamp(nanoseconds: Int64(index + 1))
            guard let bytes = step.bytes else {
                events += self.reader.end(step.direction, at: time)
                continue
            }
            if step.direction == .up {
                given.up += ByteCount(bytes.count)
            } else {
                given.down += ByteCount(bytes.count)
            }
            var rest = bytes[...]
            while !rest.isEmpty {
                let count =
                    switch split {
                    case .whole: rest.count
                    case .single: 1
                    case .threes: 3
                    case .random: Int.random(in: 1...40, using: &random)
                    }
                events += self.reader.receive(Array(rest.prefix(count)), step.direction, at: time)
                rest = rest.dropFirst(count)
            }
        }
    }

    /// Whether each byte is in one part, and the messages are what the ends say.
    var closes: Bool { reader.bytes.total + reader.held == given }

    /// The events, a line for each.
    var text: [String] { events.map(Self.text) }

    static func text(_ event: ConnectionEvent) -> String {
        switch event {
        case .request(let request):
            let stream = request.stream.map { "/\($0)" } ?? ""
            let words = [request.method, request.target, request.authority, request.httpVersion]
            return "\(request.exchange)\(stream)> \(words.joined(separator: " ")) @\(request.startedAt.nanoseconds)"
                + (request.isPushed ? " pushed" : "") + (request.isWhole ? "" : " cut")
        case .response(let response):
            return
                "\(response.exchange)< \(response.status) \(response.httpVersion) @\(response.firstByteAt.nanoseconds)"
                + (response.isWhole ? "" : " cut")
        case .end(let end):
            let response = end.response.map { text($0) } ?? "nothing"
            return
                "\(end.exchange). \(end.reason) @\(end.endedAt.nanoseconds) up \(text(end.request)), down \(response)"
        case .upgrade(let exchange, let name): return "\(exchange)^ \(name)"
        case .notHTTP: return "no HTTP"
        }
    }

    /// Start line, fields with their cookies, interim responses, content, framing; and when the last byte came.
    static func text(_ message: PassiveEnd.Message) -> String {
        let size = message.size
        let cookies =
            size.cookies.evidence == .unknown ? "(?)" : size.cookies.bytes > 0 ? "(\(size.cookies.bytes))" : ""
        return "\(size.startLine.bytes)+\(size.fields.bytes)\(cookies)+\(size.interim.bytes)+\(size.body.bytes)"
            + "+\(size.framing.bytes)@\(message.lastByteAt.nanoseconds)" + (message.isWhole ? "" : " cut")
    }
}
