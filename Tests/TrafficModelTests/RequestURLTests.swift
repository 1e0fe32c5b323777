import Testing

@testable import TrafficModel

/// RFC 9112, section 3.3; RFC 3986, section 3.2.
@Suite struct RequestURLTests {
    private func request(
        _ method: String, _ scheme: String, _ host: String, _ port: Int, _ path: String, _ query: String? = nil
    ) -> RequestRecord {
        RequestRecord(
            exchange: ExchangeID(1), task: ExchangeID(1), resendCount: 0, process: ProcessIdentity(pid: 1, name: "app"),
            startedAt: Timestamp(nanoseconds: 0), method: method, scheme: scheme, host: host, port: port, path: path,
            query: query, httpVersion: "1.1", fields: FieldSection(), size: WireSize())
    }

    @Test(
        arguments: [
            ("GET", "http", "h", 80, "/a", "q=1", "http://h/a?q=1"),
            ("GET", "https", "h", 443, "/a", "", "https://h/a?"),
            ("GET", "http", "h", 443, "/", nil, "http://h:443/"),
            ("GET", "https", "h", 80, "/", nil, "https://h:80/"),
            ("GET", "ws", "h", 80, "/", nil, "ws://h/"), ("GET", "wss", "h", 443, "/", nil, "wss://h/"),
            ("GET", "wss", "h", 80, "/", nil, "wss://h:80/"),
            ("GET", "ftp", "h", 21, "/a", nil, "ftp://h/a"),
            ("GET", "http", "[::1]", 8080, "/", nil, "http://[::1]:8080/"),
            ("GET", "http", "::1", 8080, "/", nil, "http://[::1]:8080/"),
            ("GET", "http", "h", 0, "/a", nil, "http://h/a"),
            ("OPTIONS", "http", "h", 2, "*", nil, "http://h:2"), ("OPTIONS", "https", "h", 443, "*", nil, "https://h"),
            ("CONNECT", "http", "h", 2, "h:2", nil, "http://h:2"),
            ("CONNECT", "https", "h", 443, "h:443", nil, "https://h:443"),
            ("CONNECT", "https", "[::1]", 443, "[::1]:443", nil, "https://[::1]:443"),
            // Nothing of the target can become a part of the host.
            ("GET", "http", "h", 2, "evil.test/x", "y", "http://h:2/evil.test/x?y"),
            ("GET", "http", "h", 2, "@evil.test", nil, "http://h:2/@evil.test"),
            ("GET", "http", "h", 2, "h:2", nil, "http://h:2/h:2"),
            // Nothing was sent.
            ("", "", "", 0, "", nil, ""), ("", "http", "h", 2, "/a", nil, "http://h:2/a"),
        ] as [(String, String, String, Int, String, String?, String)])
    func theURLIsOne(
        method: String, scheme: String, host: String, port: Int, path: String, query: String?, url: String
    ) {
        #expect(request(method, scheme, host, port, path, query).url == url)
    }

    @Test func theAPIIsNamedByItsService() {
        var one = request("GET", "http", "127.0.0.1", 8123, "/x")
        one.template = "/x"
        #expect(one.apiKey == TrafficTotal.Key(method: "GET", host: "127.0.0.1:8123", template: "/x"))
    }

    @Test(
        arguments: [
            ("example.com", "example.com", nil), ("Example.COM:8080", "example.com", 8080), ("[::1]", "[::1]", nil),
            ("[::1]:8080", "[::1]", 8080), ("::1", "[::1]", nil), ("FE80::1", "[fe80::1]", nil), ("h:", "h", nil),
            ("h:x", "h:x", nil), ("h:70000", "h:70000", nil), ("", "", nil), (":80", "", 80),
        ] as [(String, String, Int?)])
    func anAuthorityIsTakenApart(text: String, host: String, port: Int?) {
        let parts = Authority.split(text)
        #expect(parts.host == host)
        #expect(parts.port == port)
    }

    @Test(arguments: [
        ("127.0.0.1", "127.0.0.1:8123", true), ("127.0.0.1:*", "127.0.0.1:8123", true),
        ("127.0.0.1:8123", "127.0.0.1:8123", true), ("127.0.0.1:8124", "127.0.0.1:8123", false),
        ("127.0.0.1", "127.0.0.11", false), ("API.test", "api.test", true), ("api.test:443", "api.test", true),
        ("api.test:8443", "api.test", false), ("::1", "[::1]:80", true), ("[::1]:81", "[::1]:80", false),
    ])
    func aNamedHostStandsForItsPorts(named: String, authority: String, isMeant: Bool) {
        #expect(NamedHost(named).matches(authority) == isMeant)
    }

    @Test(arguments: [
        ("127.0.0.1", true), ("127.1.2.3", true), ("127.evil.test", false), ("[::1]", true), ("localhost", true),
        ("api.localhost", true), ("128.0.0.1", false), ("mylocalhost", false),
    ])
    func theMachineItselfIsKnown(host: String, isItself: Bool) { #expect(Authority.isLoopback(host) == isItself) }
}
