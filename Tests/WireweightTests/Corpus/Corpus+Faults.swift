import WireweightTesting

extension Corpus {
    static let large: [CorpusCase] = [
        CorpusCase("large-down", .respond(body: .fill(50_000_000))).with { $0.style = .delegate },
        CorpusCase("large-down-chunked", .respond(body: .fillChunks(count: 5_000, size: 10_000))).with {
            $0.style = .delegate
        },
        CorpusCase("large-up", echo).with {
            $0.method = "PUT"
            $0.body = .file(50_000_000)
        },
        CorpusCase("large-up-stream", echo).with {
            $0.method = "PUT"
            $0.body = .stream(50_000_000)
        },
    ]

    /// Half a body, and then what the case wants.
    private static let half = Script.respond(body: .lengthOnly(20_000)) + Script([.fill(count: 10_000)])

    static let faults: [CorpusCase] = [
        CorpusCase("truncated", half + .close).with { $0.outcome = .failed },
        CorpusCase("truncated-delegate", half + .close).with {
            $0.outcome = .failed
            $0.style = .delegate
        },
        CorpusCase(
            "truncated-chunked",
            .respond(fields: ["Transfer-Encoding: chunked"]) + .write("64\r\n", as: .framing)
                + .write("half", as: .body)
                + .close
        ).with { $0.outcome = .failed },
        CorpusCase(
            "truncated-head", .write("HTTP/1.1 200 OK\r\n", as: .startLine) + .write("X-Half: ", as: .field) + .close
        )
        .with {
            // To curl the end of the connection ends the head, too.
            $0.crashesFoundation = "a head that is cut by the end of the connection ends the process"
            $0.unseenOverTLS = "libcurl shows whole lines of a head, and the kernel counts TLS records"
        },
        CorpusCase("closed-without-response", .close).with { $0.outcome = .failed },
        CorpusCase("reset-before-head", .reset).with {
            $0.outcome = .failed
            $0.worksOverTLS = false
        },
        CorpusCase("reset-in-head", .write("HTTP/1.1 200 OK\r\nX", as: .startLine) + .reset).with {
            $0.outcome = .failed
            $0.worksOverTLS = false
        },
        CorpusCase("reset-in-body", half + .reset).with {
            $0.outcome = .failed
            $0.worksOverTLS = false
        },
        CorpusCase("reset-in-upload", Script([.readSome(count: 10_000), .reset])).with {
            $0.method = "POST"
            $0.body = .data(2_000_000)
            // It fails to write, or to read, whichever comes first.
            $0.hasRacingErrors = true
            $0.outcome = .failed
            $0.worksOverTLS = false
        },
        CorpusCase("cancelled-in-body", half + .hold).with {
            $0.style = .delegate
            $0.cancel = .afterBytes(5_000)
            $0.outcome = .cancelled
            $0.drivers = .urlSession
        },
        CorpusCase(
            "cancelled-in-large-body",
            .respond(body: .lengthOnly(50_000_000)) + Script([.fill(count: 5_000_000)]) + .hold
        ).with {
            $0.style = .delegate
            $0.cancel = .afterBytes(1_000_000)
            $0.outcome = .cancelled
            $0.drivers = .urlSession
        },
        CorpusCase("cancelled-at-head", half + .hold).with {
            $0.style = .delegate
            $0.cancel = .afterHead
            $0.outcome = .cancelled
            $0.drivers = .urlSession
        },
        CorpusCase("cancelled-before-head", .hold).with {
            $0.style = .delegate
            $0.cancel = .afterMilliseconds(150)
            $0.outcome = .cancelled
            $0.drivers = .urlSession
        },
        CorpusCase("cancelled-in-upload", Script([.readSome(count: 10_000), .pause(milliseconds: 500)]) + echo).with {
            $0.method = "POST"
            $0.body = .data(20_000_000)
            $0.style = .delegate
            $0.cancel = .afterMilliseconds(300)
            $0.outcome = .cancelled
            $0.drivers = .urlSession
        },
        CorpusCase("given-up-by-writer", .respond(body: .fill(5_000_000))).with {
            $0.drivers = .curl
            $0.curlArguments = ["-o", "/dev/full"]
            $0.outcome = .failed
        },
        CorpusCase("timeout-before-head", .hold).with {
            $0.timeoutMilliseconds = 1_000
            $0.outcome = .timedOut
        },
        CorpusCase("timeout-after-head", .respond(body: .lengthOnly(100)) + .hold).with {
            $0.timeoutMilliseconds = 1_000
            $0.outcome = .timedOut
        },
        CorpusCase("timeout-in-body", half + .hold).with {
            $0.timeoutMilliseconds = 1_000
            $0.outcome = .timedOut
            $0.style = .delegate
        },
        CorpusCase("refused", .hold).with {
            $0.target = .closedPort
            $0.hops = 0
            $0.outcome = .failed
            $0.worksOverTLS = false
        },
    ]
}
