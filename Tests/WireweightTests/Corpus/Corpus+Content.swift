import WireweightTesting

extension Corpus {
    private static func coded(_ coding: CodedContent, _ body: Script.Body) -> Script {
        .respond(fields: ["Content-Type: application/json", "Content-Encoding: \(coding.rawValue)"], body: body)
    }

    private static func compressed(_ name: String, _ script: Script) -> CorpusCase {
        CorpusCase(name, script).with { $0.curlArguments = ["--compressed"] }
    }

    static let codings: [CorpusCase] =
        CodedContent.allCases.map { compressed("coded-\($0.rawValue)", coded($0, .sized($0.bytes))) }
        + CodedContent.allCases.map {
            compressed("coded-\($0.rawValue)-chunked", coded($0, .chunked($0.bytes, sizes: [1, 2, 3, 50])))
        } + [
            compressed("coded-gzip-until-close", coded(.gzip, .untilClose(CodedContent.gzip.bytes))),
            compressed("coded-gzip-stored", coded(.gzip, .sized(StoredGzip.encode(Script.pattern(count: 200_000))))),
            compressed("coded-gzip-empty", coded(.gzip, .sized(StoredGzip.encode([])))),
            CorpusCase("coded-identity", .respond(fields: ["Content-Encoding: identity"], body: .text("plain"))).with {
                $0.fields = [("Accept-Encoding", "identity")]
            },
            CorpusCase("coded-gzip-damaged", coded(.gzip, .sized(Array(CodedContent.gzip.bytes.reversed())))).with {
                $0.curlArguments = ["--compressed"]
                $0.outcome = .failed
            },
            CorpusCase("coded-gzip-not-asked", coded(.gzip, .sized(CodedContent.gzip.bytes))).with {
                $0.drivers = .curl
            },
        ]

    private static let odd = Script.pattern(count: 10_007)

    static let framing: [CorpusCase] = [
        CorpusCase("chunked-one", .respond(body: .chunked(odd, sizes: []))),
        CorpusCase("chunked-odd-sizes", .respond(body: .chunked(odd, sizes: [1, 2, 3, 5, 7, 11, 13, 1_023, 4_097]))),
        CorpusCase(
            "chunked-single-bytes",
            .respond(body: .chunked(Array(odd.prefix(300)), sizes: Array(repeating: 1, count: 300)))),
        CorpusCase("chunked-empty", .respond(body: .chunked([]))),
        CorpusCase(
            "chunked-extensions",
            .respond(
                body: .chunked([
                    .init(odd, chunkExtension: ";name=value"),
                    .init([0x21], chunkExtension: ";quoted=\"a;b\""),
                    .init([0x21], chunkExtension: ";flag"),
                ]))),
        CorpusCase(
            "chunked-spelled-sizes",
            .respond(
                body: .chunked([
                    .init(Array(odd.prefix(10)), spelledSize: "0000A"),
                    .init(Array(odd.prefix(175)), spelledSize: "aF"),
                ]))),
        CorpusCase(
            "chunked-trailers", .respond(body: .chunked([.init(odd)], trailers: ["X-Sum: 12345", "X-Other: abc"]))
        ).with { $0.crashesFoundation = "a response with trailers ends the process" },
        CorpusCase("chunked-split-framing") { _ in
            .respond(fields: ["Transfer-Encoding: chunked"]) + .write("5", as: .framing) + .pause(milliseconds: 20)
                + .write("\r", as: .framing) + .pause(milliseconds: 20) + .write("\n", as: .framing)
                + .write("hel", as: .body) + .pause(milliseconds: 20) + .write("lo", as: .body)
                + .write("\r", as: .framing) + .pause(milliseconds: 20) + .write("\n0\r\n", as: .framing)
                + .pause(milliseconds: 20) + .write("\r\n", as: .framing)
        },
        CorpusCase("until-close", .respond(body: .untilClose(odd))),
        CorpusCase("until-close-empty", .respond(body: .untilClose([]))),
        CorpusCase("http10", .respond(version: "HTTP/1.0", body: .untilClose(odd))),
        CorpusCase(
            "http10-with-length",
            .respond(version: "HTTP/1.0", fields: ["Connection: close"], body: .sized(odd)) + .close),
        CorpusCase("http10-asked", .respond(version: "HTTP/1.0", body: .untilClose(odd))).with {
            $0.drivers = .curl
            $0.curlArguments = ["--http1.0"]
        },
        CorpusCase("length-zero", .respond(body: .sized([]))),
        CorpusCase("byte-by-byte") { _ in
            Array("HTTP/1.1 200 OK\r\n".utf8).reduce(Script([])) {
                $0 + Script([.write([.init([$1], as: .startLine)]), .pause(milliseconds: 1)])
            }
                + Array("Content-Length: 2\r\n\r\n".utf8).reduce(Script([])) {
                    $0 + Script([.write([.init([$1], as: .field)]), .pause(milliseconds: 1)])
                } + .write("o", as: .body) + .pause(milliseconds: 10) + .write("k", as: .body)
        },
    ]
}
