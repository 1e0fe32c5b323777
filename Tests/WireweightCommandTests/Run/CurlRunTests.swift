import Foundation
import Testing
import WireweightTesting

/// `wireweight run -- curl …`: the metered bytes are the origin's, and curl notices nothing.
@Suite("run meters curl", .enabled(if: Built.isComplete && Built.has("curl"), "needs 'make build' and curl"))
struct CurlRunTests {
    /// Command lines without the address, which stands for `@`.
    static let commandLines: [(words: String, exchanges: Int)] = [
        ("-sS @/hello", 1),
        ("-sS @/a @/b @/c", 3),
        ("-sS @/item/[1-20]", 20),
        ("-sSL @/redirect/5", 6),
        ("-sSL -b none @/cookie @/cookie @/hello", 3),
        ("-sS -H Cookie:a=1;b=2 @/cookie @/cookie", 2),
        ("-sS -T FILE @/echo/put", 1),
        ("-sS -T FILE -H Transfer-Encoding:chunked @/echo/put-chunked", 1),
        ("-sS -d a=1 -d b=2 @/echo/form", 1),
        ("-sS --data-binary @FILE @/echo/post", 1),
        ("-sS -F file=@FILE -F name=value -H Expect: @/echo/multipart", 1),
        ("-sS --data-binary @FILE -H Expect:100-continue @/echo/expect", 1),
        ("-sS --compressed @/coded/gzip @/coded/br @/coded/zstd @/coded/deflate", 4),
        ("-sS @/coded/gzip", 1),
        ("-sS -0 @/close @/hello", 2),
        ("-sS @/close", 1),
        ("-sS @/chunks @/interim", 2),
        ("-sSI @/hello", 1),
        ("-sSi -X DELETE @/hello", 1),
        ("-sS -v @/hello @/chunks", 2),
        ("-sS -v -L @/redirect/2", 3),
        ("-sS --trace - @/hello", 1),
        ("-sS --trace-ascii - -d x=1 @/echo/traced", 1),
        ("-sS --fail-early --fail-with-body @/status/500 @/hello", 1),
        ("-sS -w %{size_header},%{size_download},%{size_upload},%{num_connects}\\n @/hello @/chunks", 2),
        ("-sS -u user:pass @/hello", 1),
        ("-sS @/fill/3000000 -o /dev/null", 1),
        ("-sS -r 0-9 --http1.1 @/hello --next -sS -d x @/echo/next", 2),
        ("-sS --max-time 2 @/stall", 1),
    ]

    @Test("byte for byte as the origin counted, with the same output, errors and status", arguments: commandLines)
    func commandLine(_ line: (words: String, exchanges: Int)) throws {
        try withFolder { folder in
            let file = folder.appendingPathComponent("upload")
            try Data(Script.pattern(count: 100_000)).write(to: file)
            let origin = try Site.makeOrigin()
            defer { origin.stop() }
            let isCut = line.words.contains("stall")
            try Comparison.make(origin, expectedExchanges: line.exchanges, comparesErrors: !isCut) { address in
                ["curl", "-q"]
                    + line.words.split(separator: " ").map { word in
                        let word = word.hasPrefix("@/") ? address + word.dropFirst() : String(word)
                        return word.replacing("FILE", with: file.path)
                    }
            }
        }
    }

    @Test("verbose mode that a callback sets begins at once, as it does without the meter")
    func verboseModeOfACallback() throws {
        let program = try Built.program("talkative")
        let origin = try Site.makeOrigin()
        defer { origin.stop() }
        try Comparison.make(origin, expectedExchanges: 1) { [program, "\($0)/hello"] }
    }

    @Test("without digests: every size as with them")
    func withoutDigests() throws {
        let origin = try Site.makeOrigin()
        defer { origin.stop() }
        try withFolder { folder in
            func rows(_ options: [String]) throws -> [[String: Any]] {
                let store = folder.appendingPathComponent("db\(options.count)").path
                let words = [
                    "curl", "-qsS", "-d", "a=1", "\(origin.address)/echo/1", "--next", "-qsS",
                    "\(origin.address)/chunks",
                ]
                let run = [Built.command, "run", "--db", store, "--output", "/dev/null"] + options + ["--"] + words
                #expect(try launch(run).status == 0)
                return try Store(path: store).exchanges()
            }
            let (with, without) = (try rows([]), try rows(["--no-digests"]))
            #expect(with.count == 2 && without.count == 2)
            var digests = 0
            for (with, without) in zip(with, without) {
                for message in ["request", "response"] {
                    let with = try #require(with[message] as? [String: Any])
                    let without = try #require(without[message] as? [String: Any])
                    if with["bodyDigest"] is String { digests += 1 }
                    #expect(without["bodyDigest"] is NSNull)
                    for part in ["startLine", "body", "framing"] {
                        #expect(without[part] as? Int == with[part] as? Int)
                    }
                }
            }
            #expect(digests == 3)
        }
    }

    @Test("transfers in parallel")
    func parallel() throws {
        let origin = try Site.makeOrigin()
        defer { origin.stop() }
        try withFolder { folder in
            let bodies = folder.appendingPathComponent("#1").path
            try Comparison.make(origin, expectedExchanges: 200, comparesErrors: false) { address in
                ["curl", "-qsSZ", "--parallel-max", "40", "\(address)/hello/[1-200]", "-o", bodies]
            }
        }
    }

    @Test(
        "the same over TLS", .enabled(if: Built.has("openssl", "stunnel4"), "needs openssl and stunnel4"),
        arguments: TLSFront.Version.allCases)
    func overTLS(_ version: TLSFront.Version) throws {
        let origin = try Site.makeOrigin()
        defer { origin.stop() }
        let front = try TLSFront(originPort: origin.port, version: version)
        defer { front.stop() }
        let comparison = try Comparison.make(origin, address: front.address, expectedExchanges: 8) { address in
            let urls = ["/redirect/2", "/chunks", "/coded/gzip", "/interim", "/fill/300000"].map { address + $0 }
            return ["curl", "-qsSL", "--compressed", "--cacert", front.certificateFile, "-d", "x=1"] + [
                "\(address)/echo"
            ]
                + ["--next", "-qsSL", "--compressed", "--cacert", front.certificateFile] + urls
        }
        #expect(comparison.plain.status == 0)
    }

    @Test("with --fail curl hangs up in mid-response: nothing is counted that did not come")
    func fails() throws {
        let origin = try Site.makeOrigin()
        defer { origin.stop() }
        try withFolder { folder in
            let store = folder.appendingPathComponent("db").path
            let ended = try launch([
                Built.command, "run", "--db", store, "--output", "/dev/null", "--", "curl", "-qsSf",
                "\(origin.address)/status/404",
            ])
            #expect(ended.status == 22)
            #expect(ended.errorText == "curl: (22) The requested URL returned error: 404\n")
            #expect(origin.waitUntilIdle())
            let seen = try #require(origin.exchanges.first)
            let exchange = try #require(try Store(path: store).exchanges().first)
            let (request, response) = (exchange["request"] as? [String: Any], exchange["response"] as? [String: Any])
            #expect(request?["total"] as? Int == seen.request.total)
            let down = try #require(response?["total"] as? Int)
            // libcurl gives up on the empty line, which its debug function does not get to see.
            #expect([seen.response.total - 2, seen.response.total - 4, seen.response.total].contains(down))
            #expect(exchange["outcome"] as? String == "failed")
            #expect(response?["status"] as? Int == 404)
        }
    }

    @Test("a port that refuses: the attempt is a row, and nothing was sent")
    func refused() throws {
        let closed = try ClosedPort()
        try withFolder { folder in
            let store = folder.appendingPathComponent("db").path
            let words = ["curl", "-qsS", "http://127.0.0.1:\(closed.number)/x"]
            let plain = try launch(words)
            let metered = try launch([Built.command, "run", "--db", store, "--output", "/dev/null", "--"] + words)
            #expect(metered.status == plain.status)
            #expect(metered.status == 7)
            #expect(Comparison.settled(metered.errorText) == Comparison.settled(plain.errorText))
            let exchanges = try Store(path: store).exchanges()
            #expect(exchanges.map { $0["outcome"] as? String } == ["failed"])
            #expect((exchanges.first?["request"] as? [String: Any])?["total"] as? Int == 0)
            #expect(exchanges.first?["response"] is NSNull)
        }
    }
}
