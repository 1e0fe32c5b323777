import ContentCoding
import PassiveHTTP
import Testing
import TrafficModel

/// The bytes of an origin's connections, read passively: two meters that share no way must agree.
struct PassiveComparison {
    private var requests: [PassiveRequest] = []
    private var responses: [Int: PassiveResponse] = [:]
    private var ends: [Int: PassiveEnd] = [:]

    /// Reads the connections, one exchange numbered after the other.
    init(_ origin: HTTP2Origin) throws {
        for steps in origin.steps {
            let base = requests.count
            var reader = ConnectionReader(decoder: { HPACKDecoder() })
            var events: [ConnectionEvent] = []
            for (index, step) in steps.enumerated() {
                let time = Timestamp(nanoseconds: Int64(index))
                // In two pieces, so that frames are cut.
                for piece in [step.bytes.prefix(step.bytes.count / 2), step.bytes.dropFirst(step.bytes.count / 2)] {
                    events += reader.receive(Array(piece), step.isSent ? .down : .up, at: time)
                }
            }
            let over = Timestamp(nanoseconds: Int64(steps.count))
            events += reader.end(.down, at: over) + reader.end(.up, at: over)
            let bytes = steps.reduce(ByteFlow.zero) {
                let count = ByteCount($1.bytes.count)
                return $0 + ($1.isSent ? ByteFlow(down: count) : ByteFlow(up: count))
            }
            #expect(reader.bytes.total + reader.held == bytes)
            for event in events {
                switch event {
                case .request(let request): requests.append(request)
                case .response(let response): responses[base + response.exchange] = response
                case .end(let end): ends[base + end.exchange] = end
                case .upgrade, .notHTTP: Issue.record("\(event)")
                }
            }
        }
    }

    /// Compares with what the tap says.
    func check(_ tapped: [RequestRecord], _ answers: [ExchangeID: WireSize]) throws {
        try #require(tapped.count == requests.count)
        for (index, (record, request)) in zip(tapped, requests).enumerated() {
            let end = try #require(ends[index + 1])
            #expect(request.method == record.method)
            #expect(request.target.hasPrefix(record.path))
            #expect(request.httpVersion == record.httpVersion)
            #expect(end.request.size.startLine == record.size.startLine)
            #expect(end.request.size.fields == record.size.fields)
            #expect(end.request.size.body == record.size.body)
            // Frames that follow the end of the stream are the connection's for one and the stream's for the other.
            let framing = end.request.size.framing.bytes.bytes - record.size.framing.bytes.bytes
            #expect(abs(framing) % 13 == 0, "\(end.request.size), \(record.size)")
            guard let answer = answers[record.exchange] else { continue }
            let received = try #require(end.response?.size)
            #expect(received.evidence == .captured)
            #expect(received.known == answer.known)
            // libcurl has shown the 101 alone, because the stream was reset.
            guard answer.startLine.bytes == 0 else { continue }
            #expect(received.interim.bytes == answer.interim.bytes)
            #expect(received.fields.bytes == answer.fields.bytes)
            #expect(received.body == answer.body)
            #expect(received.framing.bytes == answer.framing.bytes)
            #expect((responses[index + 1] != nil) == (received.fields.bytes > 0))
        }
    }
}
