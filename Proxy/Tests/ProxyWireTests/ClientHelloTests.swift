import ProxyWire
import Testing

@Suite("What a hello of TLS asks for")
struct ClientHelloTests {
    private static func vector(_ width: Int, _ bytes: [UInt8]) -> [UInt8] {
        (0..<width).reversed().map { UInt8(truncatingIfNeeded: bytes.count >> ($0 * 8)) } + bytes
    }

    private static func hello(name: String?, protocols: [String] = []) -> [UInt8] {
        var extensions: [UInt8] = [0, 23, 0, 0]
        if let name { extensions += [0, 0] + vector(2, vector(2, [0] + vector(2, Array(name.utf8)))) }
        if !protocols.isEmpty {
            extensions += [0, 16] + vector(2, vector(2, protocols.flatMap { vector(1, Array($0.utf8)) }))
        }
        let body =
            [3, 3] + [UInt8](repeating: 7, count: 32) + vector(1, []) + vector(2, [0x13, 1]) + vector(1, [0])
            + vector(2, extensions)
        return [1] + vector(3, body)
    }

    private static func records(_ message: [UInt8], by size: Int) -> [UInt8] {
        stride(from: 0, to: message.count, by: size).flatMap { start in
            [22, 3, 1] + vector(2, Array(message[start..<min(start + size, message.count)]))
        }
    }

    private func find(_ bytes: some Collection<UInt8>) -> ClientHello.Found {
        Array(bytes).withUnsafeBytes { ClientHello.find(in: $0) }
    }

    @Test("name and protocols, however the hello is split")
    func whole() {
        let message = Self.hello(name: "API.Example", protocols: ["h2", "http/1.1"])
        for size in [1, 5, 50, 16_384] {
            let bytes = Self.records(message, by: size)
            guard case .hello(let hello) = find(bytes + [9]) else { Issue.record("\(size): no hello"); continue }
            #expect(hello.serverName == "api.example")
            #expect(hello.protocols == Self.vector(1, Array("h2".utf8)) + Self.vector(1, Array("http/1.1".utf8)))
            for count in 0..<bytes.count { #expect(find(bytes.prefix(count)) == .incomplete) }
        }
        guard case .hello(let hello) = find(Self.records(Self.hello(name: nil), by: 100)) else {
            Issue.record("no hello")
            return
        }
        #expect(hello.serverName == nil && hello.protocols.isEmpty)
    }

    @Test("a name that is none is not taken", arguments: ["127.0.0.1", "a b", "a,DNS:b", "a:443", "", "a\0b", "[::1]"])
    func names(name: String) {
        guard case .hello(let hello) = find(Self.records(Self.hello(name: name), by: 100)) else {
            Issue.record("no hello")
            return
        }
        #expect(hello.serverName == nil)
    }

    @Test("what is no hello passes as something else")
    func others() {
        for text in ["GET / HTTP/1.1\r\n", "SSH-2.0-x", "\u{16}\u{4}"] { #expect(find(text.utf8) == .other) }
        #expect(find([22, 3, 1, 0, 0]) == .other)
        #expect(find([22, 3, 1, 0, 4, 2, 0, 0, 0]) == .other)
        #expect(find([22, 3, 1, 0, 4, 1, 0xFF, 0, 0]) == .other)
        #expect(find([22, 3, 1, 0xFF, 0xFF]) == .other)
    }

    @Test("any bytes have an end, and a changed hello is read within its bounds")
    func changed() {
        var random = SystemRandomNumberGenerator()
        let message = Self.hello(name: "api.example", protocols: ["h2"])
        for _ in 0..<20_000 {
            var bytes = Self.records(message, by: 60)
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            if case .hello(let hello) = find(bytes) { #expect(hello.protocols.count <= bytes.count) }
        }
    }

    @Test("hosts that stay closed")
    func patterns() throws {
        let domain = try #require(HostPattern("*.Bank.example"))
        #expect(domain.matches("www.bank.example") && domain.matches("A.B.bank.example"))
        #expect(!domain.matches("bank.example") && !domain.matches("notbank.example"))
        let host = try #require(HostPattern("bank.example"))
        #expect(host.matches("BANK.example") && !host.matches("www.bank.example"))
        #expect(try #require(HostPattern("::1")).matches("0:0:0:0:0:0:0:1"))
        for text in ["", "*", "*.", "a*b", "a:443", "a b", "*.*.example"] { #expect(HostPattern(text) == nil) }
    }
}
