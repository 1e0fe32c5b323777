import TestSupport
import Testing
import TrafficModel

@testable import TrafficPipeline

/// Plants secrets in generated sections and looks for them afterwards.
@Suite struct RedactorPropertyTests {
    /// Occurs in no name, word or mark.
    private static let secret = "Zq7Xw9Zq7Xw9"

    @Test("No planted secret survives, however its line is written", arguments: 0..<40)
    func noSecretSurvives(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        let redactor = Redactor()
        for _ in 0..<50 {
            var text = ""
            for _ in 0..<Int.random(in: 1...8, using: &random) { text += Self.line(&random) }
            let after = redactor.redacted(section(text)).text
            #expect(!after.contains(Self.secret), "\(text.debugDescription) became \(after.debugDescription)")
        }
    }

    @Test("What holds no secret comes back byte for byte", arguments: 0..<10)
    func plainSurvives(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        let lines = [
            "Host: a.example\r\n", "Accept: text/html;q=0.9, */*\r\n", "User-Agent: Mozilla/5.0 (X11; rv:1) x/1\r\n",
            "Content-Type: application/json; charset=utf-8\r\n", "ETag: W/\"abc=\"\r\n", "X: \r\n", "X:\r\n",
            "Cache-Control: max-age=60\n", "Via: 1.1 a,\r\n 1.1 b\r\n", "Location: /a/b?c=d#e\r\n",
            "WWW-Authenticate: Basic realm=\"a b\"\r\n",
        ]
        let text = (0..<20).map { _ in lines.randomElement(using: &random)! }.joined()
        #expect(Redactor().redacted(section(text)).text == text)
    }

    @Test("Any bytes at all are taken without a trap", arguments: 0..<20)
    func anyBytes(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        let alphabet = Array(":=%2fF/@\"';&?#\r\n \tkeytoken{}<>\\,\0é[]".utf8)
        for _ in 0..<100 {
            let bytes = (0..<Int.random(in: 0...120, using: &random)).map { _ in alphabet.randomElement(using: &random)!
            }
            let once = Redactor().redacted(FieldSection(bytes: bytes))
            let lineEnds = { (bytes: [UInt8]) in bytes.count { $0 == 0x0A } }
            #expect(lineEnds(once.bytes) <= lineEnds(bytes))
            var request = makeRequest(
                path: String(decoding: bytes, as: UTF8.self), query: String(decoding: bytes, as: UTF8.self))
            Redactor().redact(&request)
        }
    }

    private static func line(_ random: inout SeededGenerator) -> String {
        let names = [
            "Authorization", "Proxy-Authorization", "Cookie", "Set-Cookie", "X-Api-Key", "X-Auth-Token",
            "Client-Secret",
            "X-Signature", "Db_Password", "appKey", "X-Jwt-Assertion",
        ]
        let items = ["token", "api_key", "apiKey", "client_secret", "sig", "password", "%70assword", "user[pwd]"]
        let end = ["\r\n", "\n", "\r\n", " \r\n"].randomElement(using: &random)!
        let space = ["", " ", "\t", "\r\n ", "\n\t"].randomElement(using: &random)!
        let item = items.randomElement(using: &random)!
        let url: [String] = [
            "https://h/p?a=1&\(item)=\(secret)", "https://\(secret)@h/", "https://u:\(secret)@h/p", "//u:\(secret)@h",
            "/p;\(item)=\(secret)", "/p#\(item)=\(secret)&x=1", "http://h/?u=http%3A%2F%2Fi%2F%3F\(item)%3D\(secret)",
            "http://u:a/\(secret)@h/", "http://h/?u=http%253A%252F%252Fu%253A\(secret)%2540h%252F",
            "/reset-password/\(secret)", "<http://h/?\(item)=\(secret)>; rel=x",
            "http://h/?\(item)='\(secret) \(secret)'",
        ]
        switch Int.random(in: 0..<6, using: &random) {
        case 0:
            let scheme = ["", "Bearer ", "Basic ", "Weird ", "bearer\t"].randomElement(using: &random)!
            return oddCase("Authorization", &random) + ":" + space + scheme + secret + end
        case 1:
            let value = [
                "\(secret)", "a=\(secret); b=\(secret)", "a=\"x; \(secret)\"; Path=/", "a=1; Path=/\(secret)x=1",
                "a=1, b=\(secret); HttpOnly", "\(secret)=", "a=1; Secure, b=\(secret)",
            ].randomElement(using: &random)!
            return oddCase(["Cookie", "Set-Cookie"].randomElement(using: &random)!, &random) + ":" + space + value + end
        case 2:
            return oddCase(names.randomElement(using: &random)!, &random) + [" :", ":"].randomElement(using: &random)!
                + space + secret + "\r\n " + secret + end
        case 3:
            return ["Location", "Referer", "Link", "X-Any"].randomElement(using: &random)! + ":" + space
                + url.randomElement(using: &random)! + end
        case 4:
            return ["Authorization Bearer \(secret)", "\(secret)", "A b: \(secret)", "Host: h\rCookie: \(secret)"]
                .randomElement(using: &random)! + end
        default:
            return "Accept: text/html" + end
        }
    }

    private static func oddCase(_ name: String, _ random: inout SeededGenerator) -> String {
        // Capitals anywhere split words anywhere; only whole words in one case are promised besides.
        switch Int.random(in: 0..<3, using: &random) {
        case 0: name.lowercased()
        case 1: name.uppercased()
        default: name
        }
    }
}
