import TestSupport
import Testing
import TrafficModel
import WireweightTesting

@testable import TrafficPipeline

@Suite struct BodyRedactorTests {
    private let redactor = BodyRedactor(names: SecretNames())

    private func covered(_ body: String, type: String = "") -> String? {
        redactor.redacted(Array(body.utf8), type: type, coding: "").map { String(decoding: $0, as: UTF8.self) }
    }

    @Test(
        "JSON keeps its form and its size, and loses what is secret",
        arguments: [
            (#"{"user":"ada","password":"s3c"}"#, #"{"user":"ada","password":"***"}"#),
            (#"{ "refresh_token" : "s3c" , "n":1}"#, #"{ "refresh_token" : "***" , "n":1}"#),
            (#"{"token":12345,"n":-6}"#, #"{"token":11111,"n":-6}"#),
            (#"{"token":null,"secret":true,"n":"a"}"#, #"{"token":null,"secret":true,"n":"a"}"#),
            (
                #"{"credentials":{"id":"abc","keys":["d",{"e":"f"}],"n":7},"x":"y"}"#,
                #"{"credentials":{"id":"***","keys":["*",{"e":"*"}],"n":1},"x":"y"}"#
            ),
            (#"{"a":[{"apiKey":"q\"w"},{"apiKey":""}]}"#, #"{"a":[{"apiKey":"****"},{"apiKey":""}]}"#),
            (#"{"p\u0061ssword":"abc"}"#, #"{"p\u0061ssword":"***"}"#),
            (#"{"p":"{\"token\":\"abc\",\"n\":1}"}"#, #"{"p":"{\"token\":\"***\",\"n\":1}"}"#),
            (#"{"next":"https:\/\/u:pw@h\/?page=2&token=abc"}"#, #"{"next":"https:\/\/****@h\/?page=2&token=***"}"#),
            (
                #"{"query":"mutation { login(password: \"abc\") }"}"#,
                #"{"query":"mutation { login(password: \"***\") }"}"#
            ),
            ("{\"token\":\"abc\"}\n{\"token\":\"de\"}\n", "{\"token\":\"***\"}\n{\"token\":\"**\"}\n"),
            (#"{"token":"cut of"#, #"{"token":"******"#),
            (#"[1,2,{"max":"5"}]"#, #"[1,2,{"max":"5"}]"#),
            (#"{"time":"12:30","url":"/a?page=2"}"#, #"{"time":"12:30","url":"/a?page=2"}"#),
        ])
    func json(body: String, expected: String) {
        #expect(covered(body, type: "application/json") == expected)
    }

    @Test(
        "Forms, parts, elements and lines do, too",
        arguments: [
            ("user=ada&password=s3c&x=1", "user=ada&password=***&x=1"),
            ("user=ada&api%5Fkey=s%20c", "user=ada&api%5Fkey=*****"),
            (
                "--b\r\nContent-Disposition: form-data; name=\"token\"\r\n\r\na\r\nb\r\n--b\r\nname=\"n\"\r\n\r\n1\r\n--b--",
                "--b\r\nContent-Disposition: form-data; name=\"token\"\r\n\r\n****\r\n--b\r\nname=\"n\"\r\n\r\n1\r\n--b--"
            ),
            ("<a><password>abc</password><n>1</n></a>", "<a><password>***</password><n>1</n></a>"),
            ("<input name='csrf_token' type=hidden value='abc'>", "<input name='csrf_token' type=hidden value='***'>"),
            ("<p class=\"key\">text</p>", "<p class=\"key\">text</p>"),
            ("user: ada\npassword: abc def\nn: 1\n", "user: ada\npassword: *******\nn: 1\n"),
            ("plain words; a ratio of 3:1, and https://h/a", "plain words; a ratio of 3:1, and https://h/a"),
            ("", ""),
        ])
    func others(body: String, expected: String) {
        let type = body.hasPrefix("--") ? "multipart/form-data; boundary=b" : ""
        #expect(covered(body, type: type) == expected)
    }

    @Test(
        "A control character that some parser takes for white space hides no secret",
        arguments: [UInt8(0x00), 0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x1F, 0x20])
    func controls(byte: UInt8) {
        let gap = String(decoding: [byte], as: UTF8.self)
        // HTML, section 13.2.5.32: a form feed separates attributes, too.
        let element = "<input\(gap)name='csrf_token'\(gap)value="
        #expect(covered(element + "'abc'>") == element + "'***'>")
        #expect(covered("{\n\"password\"\(gap): \"abc\"}") == "{\n\"password\"\(gap): \"***\"}")
        #expect(covered("x: 1\npassword\(gap):\(gap)abc") == "x: 1\npassword\(gap):\(gap)***")
    }

    @Test("Tokens of a known form are covered wherever they are")
    func looks() {
        let token = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl"
        let stars = String(repeating: "*", count: token.count)
        #expect(covered("{\"t\":\"\(token)\"}") == "{\"t\":\"\(stars)\"}")
        #expect(covered("say \(token), please") == "say \(stars), please")
        let github = "ghp_" + String(repeating: "a1", count: 18)
        #expect(covered("[\"\(github)\"]") == "[\"\(String(repeating: "*", count: 40))\"]")
        for text in ["eyJust.a word", "ghp_short", "key: ", "AKIA", "donkey-and-sk-ill"] {
            #expect(covered(text) == text)
        }
    }

    @Test("A compressed body with a secret is not kept, and neither is one that cannot be decoded")
    func codings() {
        let plain = StoredGzip.encode(Array("{\"n\":1}".utf8))
        let secret = StoredGzip.encode(Array("{\"token\":\"abc\"}".utf8))
        #expect(redactor.redacted(plain, type: "application/json", coding: "gzip") == plain)
        #expect(redactor.redacted(secret, type: "application/json", coding: "gzip") == nil)
        #expect(redactor.redacted(Array(secret.dropLast(12)), type: "application/json", coding: "gzip") == nil)
        #expect(redactor.redacted([1, 2, 3], type: "application/json", coding: "gzip") == nil)
        #expect(redactor.redacted([1, 2, 3], type: "application/json", coding: "br") == nil)
        let image = Array("\u{89}PNG token=abc".utf8)
        #expect(redactor.redacted(image, type: "image/png", coding: "") == image)
    }

    @Test("Any bytes at all keep their number", arguments: 0..<20)
    func anyBytes(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        let alphabet = Array("{}[]\":,\\u0067\"token\"secret key=<>/ name=\"value'&%\r\n-1e9é--".utf8)
        for _ in 0..<200 {
            let bytes = (0..<Int.random(in: 0...90, using: &random)).map { _ in alphabet.randomElement(using: &random)!
            }
            for type in ["application/json", "text/html", "multipart/form-data"] {
                #expect(redactor.redacted(bytes, type: type, coding: "")?.count == bytes.count)
            }
        }
    }

    @Test("A record's body is redacted in the pipeline, unless secrets are kept")
    func records() {
        let body = Array("{\"token\":\"abc\"}".utf8)
        var request = makeRequest(path: "/a")
        request.capturedBody = body
        let asked = Redactor(keepsBodySecrets: true)
        asked.redact(&request)
        #expect(request.capturedBody == body)
        Redactor().redact(&request)
        #expect(request.capturedBody == Array("{\"token\":\"***\"}".utf8))
    }
}
