import ContentCoding
import HTTPWire
import PassiveHTTP
import TrafficModel

extension FuzzTarget {
    /// The reader that finds exchanges in connections of HTTP/1 and HTTP/2: see ``FuzzedConnection``.
    static let connections = FuzzTarget(
        name: "connections",
        seeds: { FuzzedConnection.seeds.map { FuzzedConnection.input(split: 7, $0) } },
        run: { input in
            let connection = FuzzedConnection(input)
            let whole = try ConnectionSums(connection, .whole)
            for split in [FuzzedConnection.Split.drawn, .single] {
                let sums = try ConnectionSums(connection, split)
                try mustHold(sums == whole, "in \(split): \(sums); in one: \(whole)")
            }
            let all = ByteFlow(
                up: ByteCount(connection.count(isDown: false)), down: ByteCount(connection.count(isDown: true)))
            try mustHold(whole.bytes.total + whole.held == all, "\(whole) is not \(all)")
            try mustHold(
                whole.ends.up <= whole.bytes.messages.up && whole.ends.down <= whole.bytes.messages.down,
                "more than came: \(whole)")
        })
}

/// The results of reading a connection.
private struct ConnectionSums: Equatable {
    var events: [ConnectionEvent] = []
    var bytes = ConnectionBytes()
    var held = ByteFlow.zero
    /// The bytes of the messages of ended exchanges.
    var ends = ByteFlow.zero

    init(_ connection: FuzzedConnection, _ split: FuzzedConnection.Split) throws {
        var reader = ConnectionReader(decoder: { HPACKDecoder() })
        for step in connection.steps(split) {
            let direction: Direction = step.isDown ? .down : .up
            // All pieces have the same time, because splits have no times.
            let time = Timestamp(nanoseconds: 1)
            let new = step.bytes.map { reader.receive($0, direction, at: time) } ?? reader.end(direction, at: time)
            events += new
        }
        (bytes, held) = (reader.bytes, reader.held)
        var states: [Int: Int] = [:]
        for event in events {
            switch event {
            case .request(let request):
                try mustHold(states.updateValue(1, forKey: request.exchange) == nil, "a second request: \(events)")
            case .response(let response):
                try mustHold(states.updateValue(2, forKey: response.exchange) == 1, "a stray response: \(events)")
            case .end(let end):
                let state = states.updateValue(3, forKey: end.exchange)
                try mustHold(state == 1 || state == 2, "a stray end: \(events)")
                ends += ByteFlow(up: end.request.size.known, down: end.response?.size.known ?? .zero)
                try mustHold(end.request.size.cookies.bytes <= end.request.size.fields.bytes, "cookies: \(events)")
            case .upgrade, .notHTTP: break
            }
        }
    }
}
