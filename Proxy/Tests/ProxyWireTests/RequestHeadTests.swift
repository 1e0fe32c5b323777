import ProxyWire
import Testing

@Suite("Request heads")
struct RequestHeadTests {
    private func read(_ text: String) -> Result<RequestHead, Malformed> {
        Array(text.utf8).withUnsafeBytes { bytes in
            Result { () throws(Malformed) in try RequestHead(bytes) }
        }
    }

    private func sentOn(_ text: String) throws -> String {
        try Array(text.utf8).withUnsafeBytes { bytes in
            var all: [UInt8] = []
            try RequestHead(bytes).forEachPiece(of: bytes) { all += $0 }
            return String(decoding: all, as: UTF8.self)
        }
    }

    @Test("a head in absolute form is sent on with its path, and nothing else changes")
    func absolute() throws {
        let fields = "hOsT:  Example.com\t\r\nAccept: a\r\nACCEPT:b  \r\nConnection: Keep-Alive\r\nX-Empty:\r\n\r\n"
        #expect(
            try sentOn("GET http://example.com/a?b=c HTTP/1.1\r\n\(fields)") == "GET /a?b=c HTTP/1.1\r\n\(fields)")
        #expect(try sentOn("GET http://example.com HTTP/1.0\r\n\r\n") == "GET / HTTP/1.0\r\n\r\n")
        #expect(try sentOn("GET http://example.com?x HTTP/1.1\r\n\r\n") == "GET /?x HTTP/1.1\r\n\r\n")
        #expect(try sentOn("OPTIONS http://example.com HTTP/1.1\r\n\r\n") == "OPTIONS * HTTP/1.1\r\n\r\n")
        #expect(try sentOn("GET / HTTP/1.1\r\nHost: a\r\n\r\n") == "GET / HTTP/1.1\r\nHost: a\r\n\r\n")
    }

    @Test("fields for the proxy stay there, and Host becomes the target's")
    func changed() throws {
        #expect(
            try sentOn(
                "GET http://a.test:81/ HTTP/1.1\r\nProxy-Connection: x\r\nHost: b.test\r\nA: 1\r\n"
                    + "proxy-authorization: y\r\nB: 2\r\n\r\n")
                == "GET / HTTP/1.1\r\nHost: a.test:81\r\nA: 1\r\nB: 2\r\n\r\n")
        #expect(
            try sentOn("GET http://[::1]/ HTTP/1.1\r\nHost: b\r\n\r\n") == "GET / HTTP/1.1\r\nHost: [::1]\r\n\r\n")
        #expect(
            try sentOn("GET http://a:80/ HTTP/1.1\r\nHost: a\r\n\r\n") == "GET / HTTP/1.1\r\nHost: a\r\n\r\n")
    }

    @Test(
        "what two recipients could read differently is refused",
        arguments: [
            ("POST / HTTP/1.1\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n", .lengthAndCoding),
            ("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\nContent-Length: 0\r\n\r\n", .lengthAndCoding),
            ("POST / HTTP/1.1\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n", .contentLength),
            ("POST / HTTP/1.1\r\nContent-Length: 5\r\nContent-Length: 5\r\n\r\n", .contentLength),
            ("POST / HTTP/1.1\r\nContent-Length: 5, 5\r\n\r\n", .contentLength),
            ("POST / HTTP/1.1\r\nContent-Length: +5\r\n\r\n", .contentLength),
            ("POST / HTTP/1.1\r\nContent-Length: 0x5\r\n\r\n", .contentLength),
            ("POST / HTTP/1.1\r\nContent-Length:\r\n\r\n", .contentLength),
            ("POST / HTTP/1.1\r\nContent-Length: 18446744073709551616\r\n\r\n", .contentLength),
            ("POST / HTTP/1.1\r\nTransfer-Encoding: chunked, identity\r\n\r\n", .transferEncoding),
            ("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n", .transferEncoding),
            ("POST / HTTP/1.1\r\nTransfer-Encoding: xchunked\r\n\r\n", .transferEncoding),
            ("POST / HTTP/1.1\r\nTransfer-Encoding: \u{0B}chunked\r\n\r\n", .transferEncoding),
            ("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n", .transferEncoding),
            ("POST / HTTP/1.1\r\nTransfer-Encoding : chunked\r\n\r\n", .fieldName),
            ("POST / HTTP/1.1\r\n Transfer-Encoding: chunked\r\n\r\n", .fieldName),
            ("GET / HTTP/1.1\r\nA: b\r\n c\r\n\r\n", .fieldName),
            ("GET / HTTP/1.1\r\nA: b\r\n\tc: d\r\n\r\n", .fieldName),
            ("GET / HTTP/1.1\r\n: b\r\n\r\n", .fieldName),
            ("GET / HTTP/1.1\r\nAb\r\n\r\n", .fieldName),
            ("GET / HTTP/1.1\r\nA: b\nContent-Length: 5\r\n\r\n", .line),
            ("GET / HTTP/1.1\nHost: a\n\n", .line),
            ("GET / HTTP/1.1\r\nA: b\rContent-Length: 5\r\n\r\n", .fieldValue),
            ("GET / HTTP/1.1\r\nA: b\0c\r\n\r\n", .fieldValue),
            ("GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n", .host),
            ("GET  / HTTP/1.1\r\n\r\n", .requestLine),
            ("GET / x HTTP/1.1\r\n\r\n", .version),
            ("GET\t/ HTTP/1.1\r\n\r\n", .requestLine),
            ("G\u{7F}T / HTTP/1.1\r\n\r\n", .requestLine),
            ("GET /\u{01} HTTP/1.1\r\n\r\n", .target),
            ("GET / HTTP/1.1 \r\n\r\n", .version),
            ("GET / HTTP/1.2\r\n\r\n", .version),
            ("GET / HTTP/2.0\r\n\r\n", .version),
            ("GET /\r\n\r\n", .requestLine),
            ("GET a.test/ HTTP/1.1\r\n\r\n", .target),
            ("GET ftp://a.test/ HTTP/1.1\r\n\r\n", .target),
            ("GET http://u:p@a.test/ HTTP/1.1\r\n\r\n", .target),
            ("GET http:/// HTTP/1.1\r\n\r\n", .target),
            ("GET http://a.test:99999/ HTTP/1.1\r\n\r\n", .target),
            ("GET http://a.test\\@b.test/ HTTP/1.1\r\n\r\n", .target),
            ("CONNECT a.test HTTP/1.1\r\n\r\n", .target),
            ("CONNECT /x HTTP/1.1\r\n\r\n", .target),
        ] as [(String, Malformed)])
    func refused(text: String, reason: Malformed) {
        guard case .failure(let malformed) = read(text) else {
            Issue.record("it was taken")
            return
        }
        #expect(malformed == reason)
    }

    @Test("how the body ends, and whether the connection does")
    func framing() throws {
        let length = try read("POST / HTTP/1.1\r\nContent-Length: 18446744073709551615\r\n\r\n").get()
        #expect(length.body == .length(.max))
        let chunked = try read("POST / HTTP/1.1\r\ntransfer-encoding: gzip ,\tChunked\r\nConnection: a, CLOSE\r\n\r\n")
            .get()
        #expect(chunked.body == .chunked && chunked.wantsClose)
        let old = try read("HEAD / HTTP/1.0\r\n\r\n").get()
        #expect(old.body == .none && old.wantsClose && old.isHEAD)
        let waits = try read("POST / HTTP/1.1\r\nContent-Length: 1\r\nExpect: 100-Continue\r\n\r\n").get()
        #expect(waits.expectsContinue)
        let tunnel = try read("CONNECT [2001:db8::1]:443 HTTP/1.1\r\n\r\n").get()
        guard case .authority(let authority) = tunnel.target else {
            Issue.record("no authority")
            return
        }
        #expect(authority == Authority(host: "2001:db8::1", port: 443) && tunnel.isConnect && tunnel.body == .none)
    }

    @Test("what sets a device up is requested from the proxy itself, by its path, or through it by its name")
    func ownFiles() throws {
        func file(_ line: String, host: String = "10.0.0.1:8899") throws -> OwnFile? {
            try Array("\(line) HTTP/1.1\r\nHost: \(host)\r\n\r\n".utf8).withUnsafeBytes {
                try RequestHead($0).ownFile($0, at: Authority(host: "10.0.0.1", port: 8899))
            }
        }
        for own in OwnFile.allCases {
            #expect(try file("GET \(own.rawValue)") == own)
            #expect(try file("HEAD \(own.rawValue)?x") == own)
            #expect(try file("GET http://WireWeight.local\(own.rawValue)", host: "wireweight.local") == own)
            for line in [
                "POST \(own.rawValue)", "GET \(own.rawValue)/", "GET http://a\(own.rawValue)",
                "GET http://wireweight.local:81\(own.rawValue)", "GET https://wireweight.local\(own.rawValue)",
            ] {
                #expect(try file(line) == nil, "\(line)")
            }
        }
        #expect(try file("GET http://wireweight.local", host: "wireweight.local") == .page)
        #expect(try file("GET *") == nil && file("GET /Proxy.pac") == nil)
        // A client that takes the proxy for a server, and a site whose name leads to the proxy's address.
        for host in ["10.0.0.1", "10.0.0.1:80", "example.com:8899", "10.0.0.1:8899 b", ""] {
            #expect(try file("GET /", host: host) == nil, "\(host)")
            #expect(try file("GET /proxy.pac", host: host) == .autoConfig)
        }
        #expect(
            OwnFile.autoConfig(Authority(host: "fd00::1", port: 8899))
                == "function FindProxyForURL(url, host) { return \"PROXY [fd00::1]:8899\"; }\n")
    }
}
