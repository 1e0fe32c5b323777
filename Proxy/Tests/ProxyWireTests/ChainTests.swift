import ProxyWire
import Testing

@Suite("Upstream proxies")
struct ChainTests {
    private func authority(_ text: String) throws -> Authority { try #require(Authority(text, defaultPort: 80)) }

    @Test("a URL names a proxy, and its credentials are not in its description")
    func urls() throws {
        let proxy = try UpstreamProxy("http://us%65r:p%3ass@Proxy.test:3128/")
        #expect(proxy.description == "http://proxy.test:3128")
        #expect(proxy.authorization == "Proxy-Authorization: Basic dXNlcjpwOnNz\r\n")
        #expect(try UpstreamProxy("http://a:@p:1").authorization == "Proxy-Authorization: Basic YTo=\r\n")
        #expect(try UpstreamProxy("http://ab:@p:1").authorization == "Proxy-Authorization: Basic YWI6\r\n")
        #expect(try UpstreamProxy("p.test").description == "http://p.test:1080")
        #expect(try UpstreamProxy("SOCKS5h://[::1]:9").description == "socks5://[::1]:9")
        #expect(try UpstreamProxy("p.test").authorization == nil)
        #expect(try UpstreamProxy("HTTPS://a:@p.test").description == "https://p.test:443")
        #expect(try UpstreamProxy("https://a:@p.test").authorization == "Proxy-Authorization: Basic YTo=\r\n")
    }

    @Test(
        "what is no URL of a proxy that is known is refused, without its text",
        arguments: [
            ("socks4a://p", .scheme("socks4a")), ("socks4://p", .scheme("socks4")), ("ftp://p", .malformed),
            ("", .malformed), ("http://", .malformed), ("http://p:0", .malformed), ("http://p:x", .malformed),
            ("http://a%3Ab:c@p", .malformed), ("http://a%0d%0aX:c@p", .malformed), ("http://a%4:b@p", .malformed),
            ("socks5://:b@p", .malformed),
        ] as [(String, UpstreamProxy.Refusal)])
    func refusals(text: String, refusal: UpstreamProxy.Refusal) {
        #expect(throws: refusal) { try UpstreamProxy(text) }
    }

    @Test("no_proxy lists hosts, domains, addresses, and ports of them")
    func directHosts() throws {
        let cases: [(String, [String], [String])] = [
            ("*", ["a.test", "1.2.3.4", "[::1]"], []),
            ("", [], ["a.test", "127.0.0.1"]),
            ("local.com", ["local.com", "local.com:80", "www.local.com", "LOCAL.com."], ["www.notlocal.com", "com"]),
            (".local.com,x", ["local.com", "a.b.local.com", "x"], ["ax", "local.com.org"]),
            ("a.test b.test.,\tc.test", ["a.test", "b.test", "x.c.test"], ["d.test"]),
            ("192.168.0.0/16,10.1.2.3", ["192.168.9.9", "10.1.2.3"], ["192.169.0.1", "10.1.2.4", "a.192.168.0.1"]),
            ("::1,2001:db8::/32", ["[::1]", "[2001:db8::5]"], ["[2001:db9::5]", "1.1.1.1"]),
            ("[::1]:90", ["[::1]:90"], ["[::1]:80"]),
            ("[::1]", ["[::1]:90"], ["[::2]:80"]),
            ("a.test:81,1.2.3.4:82", ["a.test:81", "b.a.test:81", "1.2.3.4:82"], ["a.test:80", "1.2.3.4:80"]),
            ("0.1", [], ["10.0.0.1"]),
            ("*.a.test,:,.,/,a:b", [], ["b.a.test", "a"]),
        ]
        for (rules, direct, others) in cases {
            for host in direct { #expect(DirectHosts(rules).contains(try authority(host)), "\(rules): \(host)") }
            for host in others { #expect(!DirectHosts(rules).contains(try authority(host)), "\(rules): \(host)") }
        }
    }

    @Test("the option comes before the environment, whose names are those of curl")
    func environment() throws {
        func chain(_ option: String?, _ environment: [String: String]) throws -> Chain {
            try Chain(option: option) { environment[$0] }
        }
        let target = try authority("a.test:80")
        let all = ["http_proxy": "h:1", "HTTPS_PROXY": "s:2", "all_proxy": "socks5://c:3", "NO_PROXY": "b.test"]
        func ways(_ chain: Chain) -> [String?] {
            [false, true].map { chain.proxy(to: target, isTunnel: $0)?.description }
        }
        #expect(ways(try chain(nil, all)) == ["http://h:1", "http://s:2"])
        #expect(ways(try chain("socks5://o:9", all)) == ["socks5://o:9", "socks5://o:9"])
        #expect(ways(try chain("none", all)) == [nil, nil])
        #expect(try !chain(nil, all).usesTLS)
        #expect(try chain(nil, ["https_proxy": "https://s"]).usesTLS)
        #expect(ways(try chain(nil, ["HTTP_PROXY": "h:1"])) == [nil, nil])
        #expect(ways(try chain(nil, ["ALL_PROXY": "c:3", "http_proxy": ""])) == ["http://c:3", "http://c:3"])
        #expect(try chain(nil, all).proxy(to: try authority("x.b.test"), isTunnel: true) == nil)
        #expect(throws: Chain.Refusal(setting: "https_proxy", reason: .scheme("socks4"))) {
            try chain(nil, ["https_proxy": "socks4://user:secret@p"])
        }
    }

    /// What is sent, and how it ends, if the answers come in pieces of that size.
    private func run(
        _ url: String, _ answers: [UInt8], by size: Int
    ) throws -> (sent: [UInt8], end: UpstreamHandshake.Step, left: [UInt8]) {
        var handshake = UpstreamHandshake(through: try UpstreamProxy(url), to: try authority("a.test:443"))
        var (sent, input) = (handshake.greeting, [UInt8]())
        for begin in stride(from: 0, to: answers.count, by: size) {
            input += answers[begin..<min(begin + size, answers.count)]
            reading: while true {
                let (count, step) = input.withUnsafeBytes { handshake.take($0) }
                input.removeFirst(count)
                switch step {
                case .wait: if count == 0 { break reading }
                case .send(let bytes): sent += bytes
                case .open, .refused:
                    return (sent, step, input + answers[min(begin + size, answers.count)...])
                }
            }
        }
        return (sent, .wait, input)
    }

    @Test("a tunnel is opened by CONNECT or SOCKS, however the answers are split")
    func handshakes() throws {
        let name = [3, 6] + Array("a.test".utf8) + [1, 187]
        for size in 1...40 {
            let connect = try run(
                "http://u:p@p", Array("HTTP/1.1 100 X\r\n\r\nHTTP/1.1 200 OK\r\nA: b\r\n\r\nrest".utf8), by: size)
            #expect(
                String(decoding: connect.sent, as: UTF8.self)
                    == "CONNECT a.test:443 HTTP/1.1\r\nHost: a.test:443\r\n"
                    + "Proxy-Authorization: Basic dTpw\r\n\r\n")
            #expect(connect.end == .open && connect.left == Array("rest".utf8))
            let socks = try run("socks5://p", [5, 0, 5, 0, 0, 1, 9, 9, 9, 9, 0, 80, 7], by: size)
            #expect(socks.sent == [5, 1, 0, 5, 1, 0] + name && socks.end == .open && socks.left == [7])
            let known = try run("socks5://us:p@p", [5, 2, 1, 0, 5, 0, 0, 3, 1, 97, 0, 80], by: size)
            #expect(known.sent == [5, 2, 0, 2, 1, 2] + Array("us".utf8) + [1, 112, 5, 1, 0] + name)
            #expect(known.end == .open && known.left.isEmpty)
            let refusals: [(String, [UInt8], UpstreamRefusal)] = [
                ("http://p", Array("HTTP/1.0 403 No\n\n".utf8), .status(403)),
                ("http://p", Array("SSH-2.0\n\n".utf8), .malformed),
                ("socks5://p", [5, 0xFF], .credentials), ("socks5://p", [5, 2], .credentials),
                ("socks5://p", [72, 84], .malformed),
                ("socks5://u:p@p", [5, 2, 1, 1], .credentials), ("socks5://p", [5, 0, 5, 2], .reply(2)),
                ("socks5://p", [5, 0, 5, 0, 0, 9, 0], .malformed),
            ]
            for (url, answers, refusal) in refusals {
                #expect(try run(url, answers, by: size).end == .refused(refusal), "\(answers)")
            }
        }
        #expect(try run("http://p", Array(repeating: 65, count: 70_000), by: 1000).end == .refused(.malformed))
    }

    @Test("an HTTP proxy gets the whole URL, and the credentials of its own URL alone")
    func absoluteForm() throws {
        func sent(_ text: String, _ authorization: String?) throws -> String {
            try Array(text.utf8).withUnsafeBytes { bytes in
                var all: [UInt8] = []
                try RequestHead(bytes).forEachPiece(of: bytes, to: .proxy(authorization: authorization)) { all += $0 }
                return String(decoding: all, as: UTF8.self)
            }
        }
        let head = "GET http://a.test/b?c HTTP/1.1\r\nHost: a.test\r\nX:  y\r\n"
        #expect(try sent(head + "Proxy-Authorization: z\r\n\r\n", nil) == head + "\r\n")
        #expect(try sent(head + "Proxy-Authorization: z\r\n\r\n", "P: q\r\n") == head + "P: q\r\n\r\n")
        #expect(
            try sent("GET http://a.test HTTP/1.1\r\nHost: b\r\n\r\n", nil)
                == "GET http://a.test HTTP/1.1\r\nHost: a.test\r\n\r\n")
    }
}
