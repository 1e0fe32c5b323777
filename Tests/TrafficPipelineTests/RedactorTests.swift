import Testing
import TrafficModel

@testable import TrafficPipeline

@Suite struct RedactorTests {
    private let redactor = Redactor()

    @Test(
        "A field line loses its secret and nothing else",
        arguments: [
            ("Host: a.example\r\nAccept: */*\r\n", "Host: a.example\r\nAccept: */*\r\n"),
            ("Authorization: Bearer abc.def\r\n", "Authorization: Bearer [redacted 7 B]\r\n"),
            ("authorization:Basic dXNlcg==\r\n", "authorization:Basic [redacted 8 B]\r\n"),
            ("AUTHORIZATION :  Hunter2 \r\n", "AUTHORIZATION :  [redacted 7 B] \r\n"),
            ("Authorization: s3cret word\r\n", "Authorization: [redacted 11 B]\r\n"),
            ("Proxy-Authorization:\r\n Basic x=\r\n", "Proxy-Authorization:\r\n Basic [redacted 2 B]\r\n"),
            ("Authorization: Bearer a\r\n\tb\r\n", "Authorization: Bearer [redacted 5 B]\r\n"),
            ("Cookie: a=1; b=22\r\n", "Cookie: a=[redacted 1 B]; b=[redacted 2 B]\r\n"),
            ("Cookie: lone; c2VjcmV0=\r\n", "Cookie: [redacted 4 B]; [redacted 9 B]\r\n"),
            (#"Cookie: a="x;y=z"; b=1"# + "\r\n", "Cookie: a=[redacted 12 B]\r\n"),
            (
                "Set-Cookie: sid=xyz; Path=/app; Max-Age=60; HttpOnly; SameSite=Lax; Secure\r\n",
                "Set-Cookie: sid=[redacted 3 B]; Path=/app; Max-Age=60; HttpOnly; SameSite=Lax; Secure\r\n"
            ),
            (
                "set-cookie: a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT\r\n",
                "set-cookie: a=[redacted 1 B]; Expires=Wed, 21 Oct 2026 07:28:00 GMT\r\n"
            ),
            (
                "Set-Cookie: a=1; Path=/, b=xyz; Odd\r\n",
                "Set-Cookie: a=[redacted 1 B]; Path=[redacted 8 B]; [redacted 3 B]\r\n"
            ),
            ("X-API-Key: abc\n", "X-API-Key: [redacted 3 B]\n"),
            ("x-aPi-kEy: abc", "x-aPi-kEy: [redacted 3 B]"),
            ("X-Session-Id: 1\r\n", "X-Session-Id: [redacted 1 B]\r\n"),
            ("Keep-Alive: timeout=5\r\nKeywords: a\r\n", "Keep-Alive: timeout=5\r\nKeywords: a\r\n"),
            ("no colon here\r\nA: b\r\n", "[redacted 13 B]\r\nA: b\r\n"),
            ("Foo Bar: x\r\n", "[redacted 10 B]\r\n"),
            ("Foo: a\rCookie: b\r\n", "Foo: [redacted 11 B]\r\n"),
            ("Foo: a\r\n Cookie: b=1\r\n", "Foo: [redacted 15 B]\r\n"),
            ("Foo: a\r\n b\r\n", "Foo: a\r\n b\r\n"),
            ("Location: https://u:p@h.example/x?a=1\r\n", "Location: https://(redacted-3-B)@h.example/x?a=1\r\n"),
            ("Location: //u:p@h/\r\n", "Location: //(redacted-3-B)@h/\r\n"),
            ("Location: https://u:p/w@h/\r\n", "Location: https://(redacted-5-B)@h/\r\n"),
            ("Location: https://h:8080/@me\r\n", "Location: https://h:8080/@me\r\n"),
            ("Location: /cb?code=abc&state=1\r\n", "Location: /cb?code=(redacted-3-B)&state=1\r\n"),
            ("Referer: http://h/?a=1&api_key=k%26k&b=2\r\n", "Referer: http://h/?a=1&api_key=(redacted-5-B)&b=2\r\n"),
            (
                "Referer: http://h/?u=http%3A%2F%2Fi%2F%3Ftoken%3Dabc%26b%3D1\r\n",
                "Referer: http://h/?u=http%3A%2F%2Fi%2F%3Ftoken%3D(redacted-3-B)%26b%3D1\r\n"
            ),
            (
                "Link: <https://h/p?sig=abc>; rel=\"next\"\r\n",
                "Link: <https://h/p?sig=(redacted-3-B)>; rel=\"next\"\r\n"
            ),
            (#"X-Data: {"token":"abc","n":1}"# + "\r\n", #"X-Data: {"token":"(redacted-3-B)","n":1}"# + "\r\n"),
            (#"X-Data: password="a b"c d"# + "\r\n", "X-Data: password=(redacted-6-B) d\r\n"),
            (#"X-Data: password="a b"# + "\r\n", "X-Data: password=(redacted-4-B)\r\n"),
            (":authority: h\r\n:path: /?key=abc\r\n", ":authority: h\r\n:path: /?key=(redacted-3-B)\r\n"),
        ])
    func fields(line: String, expected: String) {
        #expect(redactor.redacted(section(line)).text == expected)
    }

    @Test(
        "A query loses the values of items that are named like a secret",
        arguments: [
            ("a=1&b=2", "a=1&b=2"),
            ("token=abc&page=2", "token=(redacted-3-B)&page=2"),
            ("token=abc;def&page=2", "token=(redacted-7-B)&page=2"),
            ("api%5Fkey=abc", "api%5Fkey=(redacted-3-B)"),
            ("user[password]=x+y", "user[password]=(redacted-3-B)"),
            ("code=abc&zipcode=12345&error_code=7", "code=(redacted-3-B)&zipcode=12345&error_code=7"),
            ("AWSAccessKeyId=AK&X-Amz-Signature=ff", "AWSAccessKeyId=(redacted-2-B)&X-Amz-Signature=(redacted-2-B)"),
            ("token=&page=2", "token=&page=2"),
            ("keyword=tea&monkeys=3&author=x", "keyword=tea&monkeys=3&author=x"),
            ("next=http://u:p@h/&b=1", "next=http://(redacted-3-B)@h/&b=1"),
            (
                "v=%257B%2522secret%2522%253A%2522abc%2522%257D",
                "v=%257B%2522secret%2522%253A%2522(redacted-3-B)%2522%257D"
            ),
        ])
    func query(query: String, expected: String) {
        var request = makeRequest(query: query)
        redactor.redact(&request)
        #expect(request.query == expected)
    }

    @Test(
        "A path loses secret parameters, and tokens after a word for one",
        arguments: [
            ("/a;jsessionid=abc/b", "/a;jsessionid=(redacted-3-B)/b"),
            ("/reset-password/9f8e7d6c5b4a", "/reset-password/(redacted-12-B)"),
            ("/tokens/42", "/tokens/42"),
            ("/sessions/current", "/sessions/current"),
            ("/keys/abcdefghijklmnopqrstuvwxyzabcdefgh/x", "/keys/(redacted-34-B)/x"),
        ])
    func path(path: String, expected: String) {
        var request = makeRequest(path: path)
        redactor.redact(&request)
        #expect(request.path == expected)
    }

    @Test("User info in a host and a URL in an error message are replaced")
    func hostAndMessage() {
        var request = makeRequest(host: "user:pass@h.example")
        redactor.redact(&request)
        #expect(request.host == "h.example")
        var end = makeEnd(
            1, .failed(ExchangeFailure(.libcurl, code: 6, message: "no host in http://u:p@h/?token=abc here")))
        redactor.redact(&end)
        #expect(
            end.outcome
                == .failed(
                    ExchangeFailure(
                        .libcurl, code: 6, message: "no host in http://(redacted-3-B)@h/?token=(redacted-3-B) here")))
    }

    @Test("Names given by the user count as words")
    func extraNames() {
        let redactor = Redactor(names: SecretNames(extra: ["PIN"]))
        #expect(redactor.redacted(section("X-Pin: 1\r\nSpin: 2\r\n")).text == "X-Pin: [redacted 1 B]\r\nSpin: 2\r\n")
    }

    @Test("A name of several words is secret as a whole, whatever its letters' case")
    func extraWholeNames() {
        let redactor = Redactor(names: SecretNames(extra: ["X-Tenant"]))
        #expect(
            redactor.redacted(section("x-tenant: 1\r\nX-TENANT: 22\r\nTenant: 3\r\nX-Tenants: 4\r\n")).text
                == "x-tenant: [redacted 1 B]\r\nX-TENANT: [redacted 2 B]\r\nTenant: 3\r\nX-Tenants: 4\r\n")
    }

    @Test(
        "Names are distinguished by their words",
        arguments: [
            ("apiKey", true), ("APIKey", true), ("api_key", true), ("x.auth", true), ("accessTOKEN", true),
            ("password2", true), ("userPass", true), ("dbpass", true), ("PHPSESSID", true), ("oauth_verifier", true),
            ("key", true), ("k", false), ("keyboard", false), ("author", false), ("authority", false),
            ("www-authenticate", false), ("design", false), ("etag", false), ("passenger", false), ("", false),
        ])
    func names(name: String, isSecret: Bool) {
        #expect(SecretNames().contains(name) == isSecret)
    }

    @Test("Every secret word is found in lower case, in capitals and as a word of a longer name")
    func everyWord() {
        let names = SecretNames()
        let words = (SecretNames.alwaysWords + SecretNames.parts + SecretNames.ends).map {
            String(decoding: $0, as: UTF8.self)
        }
        for word in words {
            let capital = word.prefix(1).uppercased() + word.dropFirst()
            for name in [word, word.uppercased(), "x-\(word)", "\(word)_id", "a\(capital)Of", "x[\(word)]", "\(word)2"]
            {
                let isSecret = names.contains(name)
                #expect(isSecret, "\(name)")
            }
        }
        // A word of the user's own may be none that the quick check knows.
        for name in ["zz9", "X-ZZ9", "aZz9Of"] {
            let isSecret = SecretNames(extra: ["zz9"]).contains(name)
            #expect(isSecret, "\(name)")
        }
    }
}
