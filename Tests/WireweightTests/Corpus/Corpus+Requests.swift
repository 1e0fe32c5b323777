import WireweightTesting

extension Corpus {
    static let methods: [CorpusCase] = [
        CorpusCase("get", text("hello")),
        CorpusCase("get-query", text("hello")).with { $0.suffix = "?a=1&b=two%20words&c=%C3%A4" },
        CorpusCase("get-completion", text("hello")).with { $0.style = .completion },
        CorpusCase("get-delegate", text("hello")).with { $0.style = .delegate },
        CorpusCase("get-download", .respond(body: .fill(300_000))).with { $0.style = .download },
        CorpusCase("get-contents-of-url", text("hello")).with {
            $0.style = .contentsOfURL
            $0.drivers = .urlSession
        },
        CorpusCase("head", .respond(body: .lengthOnly(12_345))).with { $0.method = "HEAD" },
        CorpusCase("head-without-length", .respond(fields: ["X-A: b"])).with { $0.method = "HEAD" },
        CorpusCase("post-empty", echo).with {
            $0.method = "POST"
            $0.body = .data(0)
        },
        CorpusCase("post", echo).with {
            $0.method = "POST"
            $0.body = .data(500)
        },
        CorpusCase("put", echo).with {
            $0.method = "PUT"
            $0.body = .data(500)
        },
        CorpusCase("patch", echo).with {
            $0.method = "PATCH"
            $0.body = .data(500)
        },
        CorpusCase("delete", text("gone")).with { $0.method = "DELETE" },
        CorpusCase("options", .respond("204 No Content", fields: ["Allow: GET, POST"])).with {
            $0.method = "OPTIONS"
            $0.outcome = .completed(204)
        },
    ]

    static let uploads: [CorpusCase] = [
        CorpusCase("upload-data-delegate", echo).with {
            $0.method = "POST"
            $0.body = .data(100_000)
            $0.style = .delegate
        },
        CorpusCase("upload-data-one-byte", echo).with {
            $0.method = "POST"
            $0.body = .data(1)
            $0.fields = [("Content-Type", "text/plain")]
        },
        CorpusCase("upload-file", echo).with {
            $0.method = "PUT"
            $0.body = .file(70_000)
        },
        CorpusCase("upload-file-empty", echo).with {
            $0.method = "PUT"
            $0.body = .file(0)
        },
        CorpusCase("upload-file-completion", echo).with {
            $0.method = "POST"
            $0.body = .file(200_000)
            $0.style = .completion
        },
        CorpusCase("upload-stream", echo).with {
            $0.method = "PUT"
            $0.body = .stream(70_000)
        },
        CorpusCase("upload-stream-delegate", echo).with {
            $0.method = "POST"
            $0.body = .stream(70_000)
            $0.style = .delegate
        },
        CorpusCase("upload-stream-small", echo).with {
            $0.method = "POST"
            $0.body = .stream(1)
        },
        CorpusCase("upload-slow-reader") { _ in
            Script([.readSome(count: 1), .pause(milliseconds: 60)]) + echo
        }.with {
            $0.method = "POST"
            $0.body = .data(900_000)
        },
        CorpusCase("upload-chunked-by-curl", echo).with {
            $0.method = "POST"
            $0.body = .data(5_000)
            $0.drivers = .curl
            $0.curlArguments = ["-H", "Transfer-Encoding: chunked"]
        },
        CorpusCase("upload-form", echo).with {
            $0.method = "POST"
            $0.body = .data(40)
            $0.fields = [("Content-Type", "application/x-www-form-urlencoded")]
        },
    ]

    static let interims: [CorpusCase] = [
        CorpusCase("continue-curl", echo).with {
            $0.method = "POST"
            $0.body = .data(5_000)
            $0.drivers = .curl
            $0.curlArguments = ["-H", "Expect: 100-continue"]
        },
        CorpusCase("continue-asked-by-application", echo).with {
            $0.method = "POST"
            $0.body = .data(5_000)
            $0.drivers = .urlSession
            $0.fields = [("Expect", "100-continue")]
        },
        CorpusCase("continue-large", echo).with {
            $0.method = "POST"
            $0.body = .data(2_000_000)
        },
        CorpusCase("continue-never-sent", echo).with {
            $0.method = "PUT"
            $0.body = .file(5_000)
            $0.answersExpect = false
        },
        CorpusCase("continue-unasked", .interim("100 Continue") + text("hello")),
        CorpusCase("continue-refused", Script.respond("413 Content Too Large", body: .text("no")).early + .close).with {
            $0.method = "POST"
            $0.body = .data(5_000)
            $0.drivers = .curl
            $0.answersExpect = false
            $0.curlArguments = ["-H", "Expect: 100-continue"]
            $0.outcome = .completed(413)
        },
        CorpusCase("continue-417-retried") { request in
            request.value(of: "Expect") == nil
                ? echo : .respond("417 Expectation Failed", body: .sized([])).early + .close
        }.with {
            $0.method = "PUT"
            $0.body = .file(5_000)
            $0.drivers = .curl
            $0.answersExpect = false
            $0.hops = 2
        },
        CorpusCase(
            "early-hints", .interim("103 Early Hints", fields: ["Link: </a.css>; rel=preload"]) + text("hello")),
        CorpusCase(
            "several-interims",
            .interim("100 Continue") + .interim("102 Processing") + .interim("103 Early Hints", fields: ["Link: </a>"])
                + .interim("103 Early Hints", fields: ["Link: </b>", "Link: </c>"]) + text("hello")),
        CorpusCase(
            "interim-long-before", .interim("103 Early Hints") + .pause(milliseconds: 60) + text("hello")),
        CorpusCase("interim-with-cookie", .interim("103 Early Hints", fields: ["Set-Cookie: a=b"]) + text("hello")),
    ]
}
