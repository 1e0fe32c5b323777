import CCurlClient
import CCurlTap
import CurlObserver
import Testing
import TrafficModel
import TrafficPipeline
import WireweightTesting

extension TapTests {
    /// Secrets in HTTP/2's headers are replaced like others.
    @Suite(.serialized) struct Secrets {
        private static let secret = "Zp999q9Lk7Vw3Rt8Xb2"

        /// A field that enters no table (RFC 7541, section 6.2.2).
        private static func field(_ name: String, _ value: String) -> [UInt8] {
            [0, UInt8(name.utf8.count)] + Array(name.utf8) + [UInt8(value.utf8.count)] + Array(value.utf8)
        }

        @Test func headsOfHTTP2LoseTheirSecrets() throws {
            let secret = Self.secret
            let fields =
                [0x88] + Self.field("set-cookie", "sid=\(secret)") + Self.field("x-auth-token", secret)
                + Self.field("link", "</next?sig=\(secret)>")
            let origin = try HTTP2Origin { stream in
                [HTTP2Origin.frame(1, flags: 4, stream, fields), HTTP2Origin.frame(0, flags: 1, stream, [0x2A])]
            }
            defer { origin.stop() }
            let sink = RecordingSink()
            let observer = try CurlObserver(sink: TrafficPipeline(to: sink))
            do {
                let program = Program(base: "http://ada:\(secret)@127.0.0.1:\(origin.port)")
                let easy = program.handle("/a?access_token=\(secret)&page=2")
                // CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE; CURLOPT_COOKIE; CURLOPT_REFERER
                program.set(easy, 84, 5)
                cc_set_text(easy, 10_022, "theme=dark; sid=\(secret)")
                cc_set_text(easy, 10_016, "https://h.test/?token=\(secret)")
                program.perform(easy)
                withExtendedLifetime(program) {}
            }
            observer.stop()
            let request = try #require(sink.requests.first)
            let response = try #require(sink.responses.first)
            #expect(request.httpVersion == "2")
            #expect(request.query?.hasPrefix("access_token=(redacted-") == true)
            let heads = (request.fields.bytes + response.fields.bytes)
            let text = String(decoding: heads, as: UTF8.self)
            for name in ["authorization: Basic [", "sid=[", "token=(", "x-auth-token: [", "sig=("] {
                #expect(text.contains(name + "redacted"), "\(text)")
            }
            #expect(!text.contains(secret))
            #expect(!"\(request.path)\(request.query ?? "")\(request.host)".contains(secret))
        }
    }
}
