import HTTPWire
import Testing

/// URLs as libcurl shows them, and the targets of request lines (RFC 9112, section 3.2).
@Suite struct RequestTargetTests {
    struct Case: Sendable {
        var url: String
        var scheme = "http"
        var host = "h"
        var port = 80
        var path = "/"
        var query: String?
    }

    @Test(arguments: [
        Case(url: "http://h"), Case(url: "http://h/"), Case(url: "HTTP://H/", path: "/"),
        Case(url: "https://h/", scheme: "https", port: 443), Case(url: "http://h:8080/a", port: 8080, path: "/a"),
        Case(url: "https://h:80", scheme: "https", port: 80),
        // RFC 3986, section 3.2.3: the port may be empty.
        Case(url: "http://h:/a", path: "/a"),
        Case(url: "http://h?x=1", query: "x=1"), Case(url: "http://h/?", query: ""),
        Case(url: "http://h/a?b?c=/d", path: "/a", query: "b?c=/d"),
        Case(url: "http://h/%7Eu%2f/%C3%BC?q=%20", path: "/%7Eu%2f/%C3%BC", query: "q=%20"),
        Case(url: "http://h/a#f?g", path: "/a"), Case(url: "http://h#f"),
        Case(url: "http://h/a?b=http://x/y", path: "/a", query: "b=http://x/y"),
        // RFC 3986, section 3.2.2: the brackets belong to the address.
        Case(url: "http://[::1]/", host: "[::1]"),
        Case(url: "http://[2001:DB8::1]:81/a", host: "[2001:db8::1]", port: 81, path: "/a"),
        // RFC 3986, section 3.2.1: user info is no part of the host.
        Case(url: "http://u:p@h/a", path: "/a"), Case(url: "http://u:p@h:81/@b", port: 81, path: "/@b"),
        Case(url: "http://u:p%40@[::1]:82", host: "[::1]", port: 82), Case(url: "http://a@b@h/"),
        // A byte is a byte: a combining accent does not hide the mark before it.
        Case(url: "http://h/\u{301}a?\u{301}b", path: "/\u{301}a", query: "\u{301}b"),
        Case(url: "http://h/a#\u{301}", path: "/a"),
        Case(url: "http://h:99999999999999999999/"), Case(url: "http://h:-5/"), Case(url: "http://h:+81/"),
        Case(url: "ftp://h/a", scheme: "ftp", port: 21, path: "/a"),
    ])
    func urlsAreTakenApartWithoutAChange(_ expected: Case) {
        let target = RequestTarget(url: expected.url)
        #expect(target?.scheme == expected.scheme)
        #expect(target?.host == expected.host)
        #expect(target?.port == expected.port)
        #expect(target?.path == expected.path)
        #expect(target?.query == expected.query)
    }

    @Test(arguments: ["", "h", "h:80/a", "://h", "//h/a", "/a?b=http://x", "h/a?b=http://x", "mailto:a@b"])
    func whatHasNoSchemeIsNoURL(_ url: String) { #expect(RequestTarget(url: url) == nil) }

    private func taken(_ line: String, from url: String = "https://h:8443/seen?q") -> RequestTarget? {
        var target = RequestTarget(url: url)
        target?.take(requestLineTarget: line)
        return target
    }

    /// RFC 9112, section 3.2.1.
    @Test func originFormReplacesPathAndQuery() {
        #expect(taken("/sent?x=1") == RequestTarget(url: "https://h:8443/sent?x=1"))
        #expect(taken("/sent") == RequestTarget(url: "https://h:8443/sent"))
        #expect(taken("/\u{301}?\u{301}")?.query == "\u{301}")
    }

    /// RFC 9112, section 3.2.2: to a proxy.
    @Test func absoluteFormReplacesAll() {
        #expect(taken("http://other:81/a?b") == RequestTarget(url: "http://other:81/a?b"))
    }

    /// RFC 9112, sections 3.2.3 and 3.2.4.
    @Test func authorityAndAsteriskAreThePath() {
        #expect(taken("h:8443")?.path == "h:8443")
        #expect(taken("h:8443")?.query == nil)
        #expect(taken("*")?.path == "*")
        #expect(taken("*")?.host == "h")
    }

    /// RFC 9112, section 3.2.3: where the tunnel leads is what the target says.
    @Test(arguments: [
        ("other:8443", "other", 8443, "other:8443"), ("[::1]:443", "[::1]", 443, "[::1]:443"),
        ("EXAMPLE.com:443", "example.com", 443, "EXAMPLE.com:443"), ("", "h", 8443, "/seen"), ("odd", "h", 8443, "odd"),
    ])
    func connectNamesTheHost(line: String, host: String, port: Int, path: String) {
        var target = RequestTarget(url: "https://h:8443/seen")
        target?.take(requestLineTarget: line, of: "CONNECT")
        #expect(target?.host == host)
        #expect(target?.port == port)
        #expect(target?.path == path)
        #expect(target?.scheme == "https")
    }

    @Test(arguments: [
        ("http://h", 80), ("https://h", 443), ("ws://h", 80), ("WSS://h", 443), ("http://h:/", 80),
        ("https://h:80", 80),
        ("http://[::1]", 80), ("http://[::1]:8080/a", 8080),
    ])
    func aPortThatIsNotNamedIsTheSchemesOwn(url: String, port: Int) { #expect(RequestTarget(url: url)?.port == port) }

    @Test(arguments: [
        ("http://h", false), ("http://h:1#f", false), ("http://h/", true), ("http://h?", true), ("http://h/a", true),
    ])
    func urlsNameAPathOrNone(url: String, isThere: Bool) { #expect(RequestTarget.namesPath(url) == isThere) }

    @Test func anEmptyTargetChangesNothing() { #expect(taken("") == RequestTarget(url: "https://h:8443/seen?q")) }
}
