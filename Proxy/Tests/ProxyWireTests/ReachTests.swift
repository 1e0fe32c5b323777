import ProxyWire
import Testing

@Suite("Who may go where")
struct ReachTests {
    private let device = IPAddress("192.168.1.23")!
    private let own = IPAddress("127.0.0.1")!

    @Test("only programs of this machine and devices that were let in may use the proxy")
    func admits() throws {
        var reach = Reach()
        #expect(reach.admits(own) && reach.admits(IPAddress("::1")!) && reach.admits(IPAddress("::ffff:127.0.0.1")!))
        #expect(!reach.admits(device))
        reach.allowed = [try #require(AddressRange("192.168.1.16/28"))]
        #expect(reach.admits(device) && reach.admits(IPAddress("::ffff:192.168.1.23")!))
        #expect(!reach.admits(IPAddress("192.168.1.32")!) && !reach.admits(IPAddress("fe80::1")!))
        #expect(AddressRange("192.168.1.0/33") == nil && AddressRange("192.168.1") == nil && AddressRange("x/8") == nil)
        #expect(IPAddress("::1\0x") == nil && AddressRange("10.0.0.1\0/8") == nil)
    }

    @Test(
        "a device does not reach this machine, nor anyone a link-local address",
        arguments: [
            ("93.184.216.34", true, true), ("10.0.0.1", true, true), ("127.0.0.1", false, true),
            ("127.9.9.9", false, true),
            ("0.0.0.0", false, true), ("::1", false, true), ("::", false, true), ("::ffff:127.0.0.1", false, true),
            ("169.254.169.254", false, false), ("::ffff:169.254.169.254", false, false), ("fe80::1", false, false),
            ("64:ff9b::7f00:1", false, true), ("64:ff9b::a9fe:a9fe", false, false), ("2002:a9fe:a9fe::1", false, false),
            ("64:ff9b::808:808", true, true), ("fd00:ec2::254", false, false), ("224.0.0.1", false, false),
            ("ff02::1", false, false), ("2001:db8::1", true, true),
        ])
    func permits(address: String, device mayDevice: Bool, own mayOwn: Bool) throws {
        let destination = try #require(IPAddress(address))
        let (client, program) = (Reach.Client(address: device), Reach.Client(address: own))
        #expect(Reach().permits(destination, to: client) == mayDevice)
        #expect(Reach().permits(destination, to: program) == mayOwn)
        if destination.isLinkLocal { #expect(Reach(allowsLinkLocal: true).permits(destination, to: client)) }
    }

    @Test("of this machine's networks, a device reaches the one on which it is")
    func machine() throws {
        let reached = try #require(IPAddress("192.168.1.2"))
        let other = try #require(IPAddress("172.17.0.1"))
        let client = Reach.Client(address: device, reached: reached, machine: [reached, other])
        #expect(Reach().permits(reached, to: client) && !Reach().permits(other, to: client))
        #expect(Reach().permits(other, to: Reach.Client(address: own, reached: own, machine: [reached, other])))
    }

    @Test(
        "devices are shown the addresses at which they reach what listens",
        arguments: [
            ("0.0.0.0", ["192.168.1.2", "172.17.0.1"]),
            ("::", ["192.168.1.2", "172.17.0.1", "2001:db8::2", "fd00::2", "fc12::1"]),
            ("192.168.1.2", ["192.168.1.2"]), ("fd00::2", ["fd00::2"]), ("127.0.0.1", []), ("::1", []),
            ("fe80::2", []), ("169.254.1.2", []),
        ])
    func announced(listening: String, shown: [String]) throws {
        let machine = [
            "127.0.0.1", "::1", "2001:db8::2", "fe80::2", "192.168.1.2", "fd00::2", "169.254.1.2", "fc12::1",
            "172.17.0.1",
            "fec0::1", "ff02::1",
        ].compactMap { IPAddress($0) }
        #expect(try #require(IPAddress(listening)).announced(of: machine).map { "\($0)" } == shown)
    }

    @Test("SOCKS messages are read when all of them has come")
    func socks() {
        func read(_ bytes: [UInt8], _ body: (Bytes) -> SOCKS5.Message) -> SOCKS5.Message { bytes.withUnsafeBytes(body) }
        let greeting: [UInt8] = [5, 2, 1, 0]
        for count in 0..<4 { #expect(read(Array(greeting[..<count]), SOCKS5.greeting) == .incomplete) }
        #expect(read(greeting, SOCKS5.greeting) == .greeting(count: 4, acceptsNoAuthentication: true))
        #expect(read([5, 1, 2], SOCKS5.greeting) == .greeting(count: 3, acceptsNoAuthentication: false))
        let name: [UInt8] = [5, 1, 0, 3, 6] + Array("a.test".utf8) + [1, 187]
        for count in 0..<name.count { #expect(read(Array(name[..<count]), SOCKS5.request) == .incomplete) }
        #expect(read(name, SOCKS5.request) == .connect(count: 13, Authority(host: "a.test", port: 443)))
        #expect(
            read([5, 1, 0, 1, 10, 0, 0, 1, 0, 80], SOCKS5.request)
                == .connect(count: 10, Authority(host: "10.0.0.1", port: 80)))
        let six: [UInt8] = [5, 1, 0, 4, 0x20, 1, 0xD, 0xB8] + [UInt8](repeating: 0, count: 11) + [1, 0, 80]
        #expect(read(six, SOCKS5.request) == .connect(count: 22, Authority(host: "2001:db8:0:0:0:0:0:1", port: 80)))
        #expect(read([5, 2, 0, 1, 10, 0, 0, 1, 0, 80], SOCKS5.request) == .unsupported(.commandNotSupported))
        #expect(read([5, 1, 0, 9, 0, 0], SOCKS5.request) == .unsupported(.addressNotSupported))
        #expect(read([4, 1, 0, 1, 10, 0, 0, 1, 0, 80], SOCKS5.request) == .malformed)
        #expect(read([5, 1, 0, 3, 1, 0, 0, 80], SOCKS5.request) == .unsupported(.failure))
    }
}
