import Locks
import TestSupport
import Testing
import TrafficModel

@testable import WireweightCommand

@Suite("The two legs of what a proxy passes on")
struct LegJoinerTests {
    private static let proxy = ProcessIdentity(pid: 7, name: "wireweight-proxy")
    private static let device = "192.168.1.23:50123"
    private static let server = LegJoiner.Ends(local: "192.168.1.2:40000", remote: "192.0.2.1:80")

    private static func exchange(
        _ number: Int64, _ direction: TrafficDirection, _ path: String = "/", method: String = "GET",
        version: String = "1.1", status: Int = 200, connection: Int64? = nil, to address: String? = nil
    ) -> Exchange {
        let id = ExchangeID(number)
        let isServed = direction == .served
        return Exchange(
            request: RequestRecord(
                exchange: id, task: id, resendCount: 0, process: proxy, startedAt: Timestamp(nanoseconds: number),
                method: method, scheme: "http", host: "a.test", port: 80, path: path, query: nil, httpVersion: version,
                fields: FieldSection(), size: size(100 + number), direction: direction),
            response: ResponseRecord(
                exchange: id, firstByteAt: Timestamp(nanoseconds: number + 1), status: status, reason: "",
                httpVersion: version, fields: FieldSection(), size: size(1_000 + number)),
            end: ExchangeEnd(
                exchange: id, endedAt: Timestamp(nanoseconds: number + 2), outcome: .completed,
                timings: ExchangeTimings(), connection: ConnectionID(connection ?? (isServed ? 1 : 2)),
                remoteAddress: address ?? (isServed ? device : server.remote)))
    }

    private static func size(_ bytes: Int64) -> WireSize {
        WireSize(body: WireSize.Part(ByteCount(bytes), .captured))
    }

    private static func connection(
        _ number: Int64, _ direction: TrafficDirection, isClosed: Bool = false, payload: Int64 = 0,
        local: String? = nil, remote: String? = nil
    ) -> ConnectionRecord {
        var record = ConnectionRecord(
            connection: ConnectionID(number), process: proxy,
            localAddress: local ?? (direction == .served ? "192.168.1.2:8899" : server.local),
            remoteAddress: remote ?? (direction == .served ? device : server.remote),
            openedAt: Timestamp(nanoseconds: 10), closedAt: isClosed ? Timestamp(nanoseconds: 90) : nil,
            direction: direction)
        record.payloadUp = ByteCount(payload)
        record.payloadDown = ByteCount(2 * payload)
        return record
    }

    /// Each output in words: the number, and the bytes of the request on the server's leg.
    private static func words(_ output: [LegJoiner.Output]) -> [String] {
        output.map { one in
            switch one {
            case .exchange(let exchange):
                let direction = exchange.request.direction.rawValue
                return "\(direction) \(exchange.request.exchange) \(leg(exchange.end))"
            case .event(.request(let request)): return "request \(request.exchange)"
            case .event(.response(let response)): return "response \(response.exchange)"
            case .event(.end(let end)): return "end \(end.exchange) \(leg(end))"
            case .event: return "?"
            }
        }
    }

    private static func leg(_ end: ExchangeEnd?) -> String {
        end?.serverLeg.map { "\($0.request.known.bytes)" } ?? "–"
    }

    /// A joiner that knows one connection of a device and one to a server.
    private final class Joining {
        private var joiner: LegJoiner

        init(now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
            joiner = LegJoiner(now: now)
            joiner.note(LegJoinerTests.server, for: LegJoinerTests.device)
            _ = joiner.take(LegJoinerTests.connection(2, .called))
        }

        func note(_ server: LegJoiner.Ends, for device: String) { joiner.note(server, for: device) }

        func begins(_ request: RequestRecord) -> Bool { joiner.begin(request) }

        func take(_ exchange: Exchange) -> [String] { LegJoinerTests.words(joiner.take(exchange, exchange.end!)) }

        func closes(_ record: ConnectionRecord) -> [LegJoiner.Output] { joiner.take(record) }

        func finish() -> [String] { LegJoinerTests.words(joiner.finish()) }
    }

    @Test("whichever leg ends first, the exchange has both")
    func order() {
        let joiner = Joining()
        #expect(joiner.take(Self.exchange(2, .called)) == [])
        #expect(joiner.take(Self.exchange(1, .served)) == ["served 1 102"])
        #expect(joiner.take(Self.exchange(3, .served)) == ["request 3", "response 3"])
        #expect(joiner.take(Self.exchange(4, .called)) == ["end 3 104"])
    }

    @Test("of a request whose content comes in pieces, the server's leg may be known first")
    func content() {
        for version in ["1.1", "2"] {
            let joiner = Joining()
            let call = Self.exchange(1, .called, "/post", version: version)
            let served = Self.exchange(2, .served, "/post", version: version)
            #expect(!joiner.begins(call.request))
            #expect(joiner.begins(served.request))
            #expect(joiner.take(call) == [])
            #expect(joiner.take(served) == ["served 2 101"])
        }
    }

    @Test("requests of one connection go out in their order, also when they were all there before")
    func pipelined() {
        let joiner = Joining()
        for number in [Int64(1), 2, 3] { _ = joiner.take(Self.exchange(number, .served)) }
        #expect(joiner.take(Self.exchange(4, .called)) == ["end 1 104"])
        #expect(joiner.take(Self.exchange(5, .called)) == ["end 2 105"])
    }

    @Test("over HTTP/2 streams end in any order: those with other targets, and those with the same")
    func streams() {
        let joiner = Joining()
        let first = Self.exchange(1, .served, "/same", version: "2")
        #expect(joiner.begins(first.request))
        #expect(!joiner.begins(Self.exchange(3, .called, "/same", version: "2").request))
        #expect(joiner.take(Self.exchange(6, .called, "/other", version: "2")) == [])
        #expect(joiner.take(Self.exchange(5, .served, "/other", version: "2")) == ["served 5 106"])
        // The second of the same target ends first, on both legs.
        #expect(joiner.take(Self.exchange(4, .called, "/same", version: "2")) == [])
        #expect(joiner.take(Self.exchange(2, .served, "/same", version: "2")) == ["request 2", "response 2"])
        #expect(joiner.take(Self.exchange(3, .called, "/same", version: "2")) == [])
        #expect(joiner.take(first) == ["request 1", "response 1", "end 1 103", "end 2 104"])
    }

    @Test("a device's next server, and a connection whose ends are known late")
    func nextServer() {
        let joiner = Joining()
        let other = LegJoiner.Ends(local: "[::ffff:192.168.1.2]:40001", remote: "[::ffff:192.0.2.9]:80")
        joiner.note(other, for: "[::ffff:192.168.1.23]:50123")
        _ = joiner.take(Self.exchange(1, .served))
        #expect(joiner.take(Self.exchange(2, .called, connection: 9, to: "192.0.2.9:80")) == [])
        let record = Self.connection(9, .called, local: "192.168.1.2:40001", remote: "192.0.2.9:80")
        #expect(Self.words(joiner.closes(record)) == ["end 1 102"])
    }

    @Test("a tunnel ends with its connections, and each leg has what went through it there")
    func tunnel() throws {
        let joiner = Joining()
        #expect(joiner.take(Self.exchange(1, .served, method: "CONNECT")) == ["request 1", "response 1"])
        #expect(joiner.closes(Self.connection(1, .served, isClosed: true, payload: 700)).isEmpty)
        var server = Self.connection(2, .called, isClosed: true, payload: 600)
        server.opening = ConnectionOpening(dns: 4, connect: 10, firstByte: 30)
        let output = joiner.closes(server)
        guard case .event(.end(let end)) = output.first else { return #expect(Bool(false), "\(output)") }
        #expect(end.share?.overhead == ByteFlow(up: ByteCount(700), down: ByteCount(1_400)))
        let leg = try #require(end.serverLeg)
        #expect(leg.end.share?.overhead == ByteFlow(up: ByteCount(600), down: ByteCount(1_200)))
        #expect(leg.request == .nothing && leg.response == nil && leg.end.connection == ConnectionID(2))
        #expect(leg.end.timings == ExchangeTimings(dns: 4, connect: 10, wait: 30, total: 84))
        #expect(leg.startedAt == Timestamp(nanoseconds: 6))
    }

    @Test("what was not passed on has no leg, and is given out when its connection is over")
    func refused() {
        let joiner = Joining()
        _ = joiner.take(Self.exchange(1, .served, status: 502))
        #expect(joiner.closes(Self.connection(2, .called, isClosed: true)).isEmpty)
        #expect(Self.words(joiner.closes(Self.connection(1, .served, isClosed: true))) == ["end 1 –"])
    }

    @Test("a server's connection that is never reported is not waited for")
    func patience() {
        let now = Mutex(ContinuousClock.now)
        let joiner = Joining { now.withLock { $0 } }
        _ = joiner.take(Self.exchange(1, .served))
        #expect(joiner.closes(Self.connection(1, .served, isClosed: true)).isEmpty)
        now.withLock { $0 += .seconds(3) }
        #expect(
            Self.words(joiner.closes(Self.connection(8, .served, isClosed: true, remote: "192.168.1.9:1"))) == [
                "end 1 –"
            ]
        )
    }

    @Test("at the end all is given out, and a call of the proxy that belongs to no device stays one")
    func finish() {
        let joiner = Joining()
        _ = joiner.take(Self.exchange(1, .served))
        _ = joiner.take(Self.exchange(2, .called, connection: 77))
        #expect(joiner.finish() == ["end 1 –", "called 2 –"])
        #expect(joiner.finish().isEmpty)
    }

    /// What became of each exchange: its server's leg, or that the store has it alone.
    private static func results(_ output: [LegJoiner.Output]) -> [String] {
        words(output).filter { !$0.hasPrefix("request") && !$0.hasPrefix("response") }
            .map { $0.hasPrefix("served") ? "end" + $0.dropFirst("served".count) : $0 }.sorted()
    }

    @Test("any traffic has the same legs as if all that waits were looked through", arguments: 1...60)
    func sameLegs(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let now = Mutex(ContinuousClock.now)
        var joiner = LegJoiner { now.withLock { $0 } }
        var linear = LinearLegJoiner { now.withLock { $0 } }
        var output: [LegJoiner.Output] = []
        var expected: [LegJoiner.Output] = []
        func both(_ record: ConnectionRecord) {
            output += joiner.take(record)
            expected += linear.take(record)
        }
        let devices = (1...3).map { "192.168.1.\($0):50000" }
        func server(_ device: Int) -> LegJoiner.Ends {
            LegJoiner.Ends(local: "192.168.1.2:4000\(device)", remote: "192.0.2.\(device + 1):80")
        }
        func connection(_ device: Int, _ direction: TrafficDirection, isClosed: Bool) -> ConnectionRecord {
            let isServed = direction == .served
            return Self.connection(
                Int64(isServed ? 100 + device : 200 + device), direction, isClosed: isClosed, payload: 50,
                local: isServed ? nil : server(device).local, remote: isServed ? devices[device] : server(device).remote
            )
        }
        for device in devices.indices {
            joiner.note(server(device), for: devices[device])
            linear.note(server(device), for: devices[device])
        }
        var open: [Exchange] = []
        var number: Int64 = 0
        for _ in 0..<400 {
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<4:
                let device = Int.random(in: devices.indices, using: &random)
                let version = device == 0 ? "1.1" : "2"
                let path = ["/a", "/b", "/\(number)"].randomElement(using: &random)!
                let method = Int.random(in: 0..<20, using: &random) == 0 ? "CONNECT" : "GET"
                var legs = [TrafficDirection.served, .called]
                if Bool.random(using: &random) { legs.swapAt(0, 1) }
                if Int.random(in: 0..<10, using: &random) == 0 { legs.removeLast() }
                for leg in legs {
                    number += 1
                    let isServed = leg == .served
                    let exchange = Self.exchange(
                        number, leg, path, method: method, version: version,
                        connection: Int64(isServed ? 100 + device : 200 + device),
                        to: isServed ? devices[device] : server(device).remote)
                    #expect(joiner.begin(exchange.request) == linear.begin(exchange.request))
                    open.append(exchange)
                }
            case 4..<9:
                guard !open.isEmpty else { continue }
                let exchange = open.remove(at: Int.random(in: 0..<min(open.count, 12), using: &random))
                #expect(joiner.isCall(exchange.request.exchange) == linear.isCall(exchange.request.exchange))
                output += joiner.take(exchange, exchange.end!)
                expected += linear.take(exchange, exchange.end!)
            default:
                let device = Int.random(in: devices.indices, using: &random)
                both(connection(device, .called, isClosed: false))
                now.withLock { $0 += .milliseconds(100) }
            }
        }
        for exchange in open.shuffled(using: &random).dropLast(5) {
            output += joiner.take(exchange, exchange.end!)
            expected += linear.take(exchange, exchange.end!)
        }
        for device in devices.indices.dropLast() {
            both(connection(device, .called, isClosed: Bool.random(using: &random)))
            both(connection(device, .served, isClosed: true))
        }
        now.withLock { $0 += .seconds(3) }
        both(Self.connection(999, .served, isClosed: true, remote: "192.168.1.99:1"))
        #expect(Self.results(output) == Self.results(expected))
        #expect(Self.results(output + joiner.finish()) == Self.results(expected + linear.finish()))
    }

    @Test("a queue keeps its order however elements come and go", arguments: 1...20)
    func queue(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var queue = OrderedQueue<Int>()
        var plain: [Int] = []
        for _ in 0..<500 {
            if Int.random(in: 0..<3, using: &random) > 0 {
                let element = Int.random(in: 0..<1_000, using: &random)
                queue.insert(element, before: <)
                plain = (plain + [element]).sorted()
            } else if !plain.isEmpty {
                #expect(queue.first == plain.removeFirst())
                queue.removeFirst()
            }
            if plain.count > 40 {
                queue.removeAll { $0 % 2 == 0 }
                plain.removeAll { $0 % 2 == 0 }
            }
            #expect(Array(queue.elements) == plain && queue.count == plain.count && queue.isEmpty == plain.isEmpty)
        }
    }
}
