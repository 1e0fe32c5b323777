internal import HTTPWire
internal import TrafficModel

/// A request of HTTP/1, and what has come of its response so far.
struct HTTP1Exchange {
    struct Message {
        var size = WireSize()
        var body = BodyMeter()
        var lastByteAt: Timestamp
        /// Whether no more of it comes.
        var isOver = false
        var isWhole = false

        var end: PassiveEnd.Message {
            PassiveEnd.Message(
                size: size, bodyDigest: body.digest, bodyTail: body.tail, lastByteAt: lastByteAt, isWhole: isWhole)
        }

        mutating func add(content: ArraySlice<UInt8>) {
            size.body = .captured(size.body.bytes.bytes + Int64(content.count))
            body.add(content)
        }

        mutating func add(framing count: Int) {
            size.framing = .captured(size.framing.bytes.bytes + Int64(count))
        }

        mutating func add(interim count: Int) {
            size.interim = .captured(size.interim.bytes.bytes + Int64(count))
        }

        /// Adds the sizes of a header section.
        mutating func add(_ lines: HeadLines, cookies name: String) {
            size.startLine = .captured(lines.startLineSize)
            size.fields = .captured(lines.fieldsSize)
            size.cookies = .captured(lines.size(ofField: name))
        }
    }

    let number: Int
    let startedAt: Timestamp
    var request: Message
    var response: Message?
    /// Whether the event of its request was sent.
    var isAnnounced = false
    var isConnect = false
    /// Its response, if that came before the header section of the request was complete.
    var early: PassiveResponse?

    init(number: Int, startedAt: Timestamp) {
        self.number = number
        self.startedAt = startedAt
        request = Message(lastByteAt: startedAt)
    }

    /// Whether its response has ended.
    var isAnswered: Bool { response?.isOver == true }

    func end(_ reason: PassiveEnd.Reason, at time: Timestamp) -> PassiveEnd {
        PassiveEnd(exchange: number, request: request.end, response: response?.end, endedAt: time, reason: reason)
    }
}
