import Testing

@testable import URLTemplates

/// RFC 9112, sections 3.2.3 and 3.2.4.
@Suite struct TargetTemplateTests {
    @Test(arguments: [
        ("CONNECT", "h:2", "h:2"), ("CONNECT", "Example.com:443", "example.com:443"),
        ("CONNECT", "[::1]:443", "[::1]:443"), ("CONNECT", "10.1.2.3:8443", "10.1.2.3:8443"),
        ("CONNECT", "user:word@h:2", "h:2"), ("CONNECT", "{h}:2", "%7bh%7d:2"),
        ("OPTIONS", "*", "*"), ("GET", "*", "*"),
    ])
    func whatIsNoPathIsItsOwnTemplate(method: String, path: String, template: String) {
        #expect(URLTemplate().template(of: path, method: method) == template)
    }

    /// Whatever digits it happens to have.
    @Test(arguments: [
        "d41d8cd98f00b204e9800998ecf8427e", "00000000000000000000000000000001", "12345678901234567890123456789012",
        "abcdefabcdefabcdefabcdefabcdefab", "0123456789012345678901234567890123456789",
    ])
    func digestsAreAllHashes(digest: String) { #expect(URLTemplate().template(of: "/t/\(digest)") == "/t/{hash}") }

    @Test(arguments: ["1", "12345678", "18446744073709551615"])
    func numbersStayNumbers(number: String) { #expect(URLTemplate().template(of: "/t/\(number)") == "/t/{id}") }
}
