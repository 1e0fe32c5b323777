import WireweightTesting

extension Corpus {
    private static func status(_ status: String, _ body: Script.Body, fields: [String] = []) -> CorpusCase {
        CorpusCase("status-\(status.prefix(3))", .respond(status, fields: fields, body: body)).with {
            $0.outcome = .completed(Int(status.prefix(3)) ?? 0)
        }
    }

    static let statuses: [CorpusCase] =
        [
            status("201 Created", .text("made"), fields: ["Location: /x"]),
            status("204 No Content", .none),
            status("206 Partial Content", .text("part"), fields: ["Content-Range: bytes 0-3/10"]),
            status("304 Not Modified", .none, fields: ["ETag: \"a\""]).with {
                $0.fields = [("If-None-Match", "\"a\"")]
            },
            status("400 Bad Request", .text("bad")),
            status("404 Not Found", .text("none")),
            status("410 Gone", .none).with { _ in },
            status("429 Too Many Requests", .text("slow down"), fields: ["Retry-After: 1"]),
            status("500 Internal Server Error", .text("oops")),
            status("503 Service Unavailable", .chunked(Array("later".utf8), sizes: [1, 1])),
            status("599 Nobody Knows", .text("x")),
        ].map { corpusCase in
            // Without a length, only the end of the connection ends a 410.
            guard corpusCase.name == "status-410" else { return corpusCase }
            return CorpusCase("status-410", .respond("410 Gone", body: .untilClose([]))).with {
                $0.outcome = .completed(410)
            }
        } + [
            CorpusCase(
                "reason-long", .respond("200 " + String(repeating: "Very ", count: 40) + "Fine", body: .text("x"))),
            CorpusCase("reason-empty", .respond("200 ", body: .text("x"))).with {
                $0.crashesFoundation = "a status line without a reason ends the process"
            },
        ]

    private static func fields(_ name: String, _ lines: [String]) -> CorpusCase {
        CorpusCase("fields-\(name)", text("hello", fields: lines))
    }

    private static let noSpace = "a field without a space after its colon"

    static let fields: [CorpusCase] = [
        fields("none", []),
        fields("duplicated", ["X-A: 1", "X-A: 2", "x-a: 3", "Via: a", "Via: b"]),
        fields("padded-left", ["X-Padded:    left"]),
        fields("padded-right", ["X-Padded: right   "]),
        fields("padded-with-tabs", ["X-Tab:\ttab\t", "X-Padded:    both   \t "]),
        fields("padded-not", ["X-None:tight"]).with { $0.foundationRejects = noSpace },
        fields("empty", ["X-Empty:"]),
        fields("empty-with-space", ["X-Blank: "]),
        fields("empty-with-spaces", ["X-Blank:   "]).with {
            $0.foundationRejects = "a field of nothing but spaces"
        },
        fields("folded", ["X-Folded: one\r\n two\r\n\tthree", "X-After: a"]),
        fields("30-kilobytes", ["X-Long: " + String(repeating: "0123456789", count: 3_000)]),
        fields("many", (1...300).map { "X-\($0): \($0)" }),
        fields("odd-case", ["cOnTeNt-TyPe: text/plain", "X-UPPER: a", "x-lower: b"]),
        fields("utf8", ["X-Name: M\u{fc}ller \u{1f600}"]),
        CorpusCase(
            "fields-bare-line-feeds",
            .write("HTTP/1.1 200 OK\n", as: .startLine) + .write("X-A: 1\nContent-Length: 2\n\n", as: .field)
                + .write("ok", as: .body)
        ).with { $0.foundationRejects = "lines that end with LF alone" },
        fields("set-cookie", ["Set-Cookie: a=b; Path=/; HttpOnly"]),
        fields("set-cookie-spellings", ["set-cookie: a=1", "SET-COOKIE: b=2", "sEt-CoOkIe: d=4"]),
        fields("set-cookie-padded", ["Set-Cookie:    a=1", "set-cookie:   b=2  "]),
        fields("set-cookie-not-padded", ["SET-COOKIE:a=1"]).with { $0.foundationRejects = noSpace },
        fields("set-cookie-expires", ["Set-Cookie: a=b; Expires=Wed, 21 Oct 2037 07:28:00 GMT; Max-Age=100"]),
        CorpusCase("request-cookie", text("hello")).with { $0.fields = [("Cookie", "a=b; c=d")] },
        CorpusCase("request-cookie-from-response", text("hello", fields: ["Set-Cookie: sid=1234567890; Path=/"])).with {
            $0.copies = 3
            $0.curlArguments = ["-c", "/dev/null"]
        },
        CorpusCase("request-fields", text("hello")).with {
            $0.fields = [
                ("X-One", "1"), ("Accept", "application/json"), ("User-Agent", "corpus/1.0"),
                ("X-Spaces", "a  b   c"), ("Accept-Language", "de"),
            ]
        },
        CorpusCase("request-fields-long", text("hello")).with {
            $0.fields = [("X-Long", String(repeating: "0123456789", count: 3_000))]
        },
        CorpusCase("request-field-empty", text("hello")).with {
            $0.drivers = .curl
            $0.curlArguments = ["-H", "X-Empty;"]
        },
        CorpusCase("request-target-long", text("hello")).with {
            $0.suffix = "?q=" + String(repeating: "0123456789", count: 400)
        },
    ]
}
