import TLSRecords
import Testing

@Suite struct KeyLogTests {
    private static let random = String(repeating: "0a", count: 32)
    private static let secret = String(repeating: "B1", count: 48)
    private static let randomBytes = [UInt8](repeating: 10, count: 32)
    private static let secretBytes = [UInt8](repeating: 0xB1, count: 48)

    @Test("the secrets of a session are found by the random of its ClientHello, however the file is split")
    func lines() {
        let text = """
            # a comment
            CLIENT_HANDSHAKE_TRAFFIC_SECRET \(Self.random) \(Self.secret)
            CLIENT_TRAFFIC_SECRET_0 \(Self.random) \(Self.secret)\r
            SERVER_TRAFFIC_SECRET_0 \(Self.random) \(Self.secret)

            """
        for size in [1, 7, 1_000] {
            var log = KeyLog()
            var rest = Array(text.utf8)[...]
            while !rest.isEmpty {
                log.add(rest.prefix(size))
                rest = rest.dropFirst(size)
            }
            let secrets = log[Self.randomBytes]
            #expect(secrets?.client == Self.secretBytes)
            #expect(secrets?.server == Self.secretBytes)
            #expect(secrets?.master == nil)
            #expect(secrets?.isEnough == true)
        }
    }

    @Test("a line counts once it has ended, and half of TLS 1.3's secrets is not enough")
    func parts() {
        var log = KeyLog()
        log.add("CLIENT_TRAFFIC_SECRET_0 \(Self.random) \(Self.secret)".utf8)
        #expect(log[Self.randomBytes] == nil)
        log.add("\n".utf8)
        #expect(log[Self.randomBytes]?.isEnough == false)
        log.add("CLIENT_RANDOM \(Self.random) \(Self.secret)\n".utf8)
        #expect(log[Self.randomBytes]?.isEnough == true)
    }

    @Test(
        "what is no line of a key log is passed over, and the next line counts",
        arguments: [
            "CLIENT_RANDOM", "CLIENT_RANDOM \(random)", "CLIENT_RANDOM \(random) \(secret)0",
            "CLIENT_RANDOM \(random)00 \(secret)", "CLIENT_RANDOM \(random) \(secret) \(secret)",
            "CLIENT_RANDOM \(random) xy\(secret)", "CLIENT_RANDOM \(random) 00",
            "CLIENT_RANDOM \(random) \(secret)\(secret)", "OTHER \(random) \(secret)", "\u{0}\u{FF}",
            String(repeating: "x", count: 10_000),
        ])
    func others(_ line: String) {
        var log = KeyLog()
        log.add("\(line)\n".utf8)
        #expect(log.count == 0)
        log.add("CLIENT_RANDOM \(Self.random) \(Self.secret)\n".utf8)
        #expect(log[Self.randomBytes]?.master == Self.secretBytes)
    }

    @Test("the first secret of a name stays: a later line cannot replace it")
    func again() {
        var log = KeyLog()
        log.add("CLIENT_RANDOM \(Self.random) \(Self.secret)\n".utf8)
        log.add("CLIENT_RANDOM \(Self.random) \(String(repeating: "c2", count: 48))\n".utf8)
        #expect(log[Self.randomBytes]?.master == Self.secretBytes)
    }

    @Test("of too many sessions the older are forgotten")
    func bounds() {
        func digits(_ number: Int) -> String {
            let short = String(number, radix: 16)
            return String(repeating: "0", count: 64 - short.count) + short
        }
        var log = KeyLog()
        for number in 1...KeyLog.most + 1 { log.add("CLIENT_RANDOM \(digits(number)) \(Self.secret)\n".utf8) }
        #expect(log.count == KeyLog.most / 2 + 1)
        #expect(log[Trace.bytes(digits(1))] == nil)
        #expect(log[Trace.bytes(digits(KeyLog.most + 1))] != nil)
    }
}
