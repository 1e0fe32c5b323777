import FleetTables
import TestSupport
import TrafficModel

/// Rows with all sorts of values, the same for the same seed.
struct RandomRows {
    private var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    private mutating func number(_ range: ClosedRange<Int64>) -> Int64 { Int64.random(in: range, using: &generator) }

    private mutating func isTrue() -> Bool { number(0...1) == 1 }

    private mutating func text() -> String {
        ["", "a", "/users/{id}", "héllo \u{1F600}\n'\\", String(repeating: "x", count: 300)]
            .randomElement(using: &generator) ?? ""
    }

    private mutating func part() -> WireSize.Part {
        WireSize.Part(ByteCount(number(0...1 << 40)), Evidence.allCases.randomElement(using: &generator) ?? .unknown)
    }

    private mutating func size() -> WireSize {
        WireSize(
            startLine: part(), fields: part(), cookies: part(), interim: part(), body: part(), framing: part(),
            margin: isTrue() ? ByteCount(number(0...300)) : nil)
    }

    private mutating func moment() -> Timestamp {
        Timestamp(nanoseconds: number(-1_000_000...2_000_000_000_000_000) * 1_000)
    }

    private mutating func optional<Value>(_ value: (inout RandomRows) -> Value) -> Value? {
        isTrue() ? value(&self) : nil
    }

    private mutating func duration() -> Int64? { optional { $0.number(0...1 << 40) * 1_000 } }

    private mutating func network() -> ConnectionNetwork {
        ConnectionNetwork(
            interface: text(), isLoopback: optional { $0.isTrue() }, isCellular: optional { $0.isTrue() },
            isExpensive: optional { $0.isTrue() }, isConstrained: optional { $0.isTrue() },
            isMultipath: optional { $0.isTrue() }, isProxied: optional { $0.isTrue() },
            resolution: optional { ConnectionNetwork.Resolution.all[Int($0.number(0...3))] })
    }

    private mutating func flow() -> ByteFlow {
        ByteFlow(up: ByteCount(number(0...1 << 40)), down: ByteCount(number(0...1 << 40)))
    }

    mutating func origin() -> FleetOrigin {
        var origin = FleetOrigin()
        origin.installation = .random(using: &generator)
        origin.resource.service = text()
        origin.resource.version = text()
        origin.resource.environment = text()
        origin.resource.hostName = text()
        origin.resource.os = text()
        origin.resource.osVersion = text()
        origin.resource.region = text()
        origin.resource.carrier = text()
        origin.run = number(0...9)
        origin.revision = generator.next()
        return origin
    }

    mutating func exchange() -> FleetExchange {
        var request = RequestRecord(
            exchange: .notKept, task: .notKept, resendCount: Int(number(0...3)),
            process: ProcessIdentity(pid: Int32(number(0...99_999)), name: text()), startedAt: moment(),
            sentAt: optional { $0.moment() }, method: text(), scheme: text(), host: text(),
            port: Int(number(0...65_535)), path: text(), query: optional { $0.text() }, template: text(),
            httpVersion: text(), fields: FieldSection(bytes: Array(text().utf8)), size: size(),
            bodyDigest: optional { $0.generator.next() })
        request.direction = isTrue() ? .called : .served
        let response = optional {
            ResponseRecord(
                exchange: .notKept, firstByteAt: $0.moment(), status: Int($0.number(0...599)), reason: $0.text(),
                httpVersion: $0.text(), fields: FieldSection(bytes: Array($0.text().utf8)), size: $0.size(),
                decodedBody: $0.part(), contentType: $0.text(), contentEncoding: $0.text(),
                bodyDigest: $0.optional { $0.generator.next() })
        }
        let failure = ExchangeFailure(.libcurl, code: Int(number(-90...90)), message: text())
        let connection = optional { StoredConnection.ID($0.number(1...1 << 50)) }
        var end = ExchangeEnd(
            exchange: .notKept, endedAt: moment(),
            outcome: [.completed, .cancelled, .timedOut, .abandoned, .incomplete, .failed(failure)]
                .randomElement(using: &generator) ?? .completed,
            timings: ExchangeTimings(
                queue: duration(), dns: duration(), connect: duration(), tls: duration(), send: duration(),
                wait: duration(), receive: duration(), total: duration()),
            connection: connection.map { _ in .notKept }, reusedConnection: isTrue(), remoteAddress: text(),
            share: optional { ConnectionShare(overhead: $0.flow(), packetHeaders: $0.flow()) })
        end.network = optional { $0.network() }
        let exchange = StoredExchange(
            id: StoredExchange.ID(number(1...1 << 50)), task: StoredExchange.ID(number(1...1 << 50)),
            connection: connection, request: request, response: response, end: end)
        return FleetExchange(exchange, origin: origin(), weight: Double(number(1...100)), share: .all)
    }

    mutating func connection() -> FleetConnection {
        let parts = FleetConnection.rareParts.compactMap { name in
            optional { (name.part, $0.flow()) }
        }
        func side(_ rows: inout RandomRows) -> WebSocketLoad.Side {
            WebSocketLoad.Side(
                frames: rows.number(0...99), controlFrames: rows.number(0...9), messages: rows.number(0...9))
        }
        let record = ConnectionRecord(
            connection: .notKept, process: ProcessIdentity(pid: Int32(number(0...9)), name: text()),
            localAddress: text(), remoteAddress: text(), applicationProtocol: text(),
            tls: optional { ConnectionRecord.TLS(version: $0.text(), cipher: $0.text()) },
            openedAt: Timestamp(nanoseconds: number(0...1 << 60)),
            closedAt: optional { Timestamp(nanoseconds: $0.number(0...1 << 60)) },
            payloadUp: optional { ByteCount($0.number(0...1 << 40)) },
            payloadDown: optional { ByteCount($0.number(0...1 << 40)) },
            retransmitted: optional { ByteCount($0.number(0...1 << 40)) },
            segmentsUp: optional { $0.number(0...1 << 40) }, segmentsDown: optional { $0.number(0...1 << 40) },
            roundTrip: optional { $0.number(0...1 << 40) },
            load: ConnectionLoad(
                exchanges: number(0...99), messages: flow(), clearMessages: flow(), http2Control: flow(),
                plaintext: optional { $0.flow() }, parts: Dictionary(uniqueKeysWithValues: parts),
                webSocket: optional { WebSocketLoad(up: side(&$0), down: side(&$0)) }),
            network: optional { $0.network() },
            unseen: optional { UnseenTraffic(reason: .torn, serverName: $0.text()) },
            direction: isTrue() ? .called : .served, handshake: optional { $0.handshake() },
            opening: optional {
                ConnectionOpening(
                    dns: $0.optional { $0.number(0...1 << 40) }, connect: $0.number(0...1 << 40),
                    firstByte: $0.optional { $0.number(0...1 << 40) })
            })
        let stored = StoredConnection(id: StoredConnection.ID(number(1...1 << 50)), record: record)
        return FleetConnection(stored, origin: origin(), weight: Double(number(1...100)), share: .all)
    }

    private mutating func handshake() -> TLSHandshake {
        TLSHandshake(
            serverName: text(), offeredProtocols: Array(["h2", "http/1.1"].prefix(Int(number(0...2)))),
            applicationProtocol: text(), version: text(), cipher: text(), isResumed: optional { $0.isTrue() },
            certificate: optional {
                ServerCertificate(
                    subject: $0.text(), issuer: $0.text(),
                    notBefore: $0.optional { Timestamp(nanoseconds: $0.number(-5...1 << 60)) },
                    notAfter: $0.optional { Timestamp(nanoseconds: $0.number(-5...1 << 60)) }, sha256: $0.text(),
                    chainSize: $0.optional { ByteCount($0.number(0...1 << 30)) })
            })
    }

    mutating func sums() -> FleetSums {
        var row = FleetSums()
        row.origin = origin()
        row.width = [1, 60, 1_440].randomElement(using: &generator) ?? 60
        row.slot = number(-5...1 << 40)
        row.isWhole = isTrue()
        row.kind = number(1...1 << 40)
        row.key = TrafficTotal.Key(
            method: text(), host: text(), template: text(), status: Int(number(0...599)), contentType: text(),
            process: text(), direction: isTrue() ? .called : .served)
        for _ in 0..<number(1...9) { row.sums.add(exchange().exchange.records) }
        return row
    }
}
