import WireweightTesting

extension Corpus {
    /// Answers the case's own path with a redirect to where it says, and anything below it with 200.
    private static func redirect(
        _ name: String, _ status: String, body: Script.Body = .text("moved"),
        to location: @escaping @Sendable (OriginRequest) -> String
    ) -> CorpusCase {
        CorpusCase(name) { request in
            request.path.split(separator: "/").count > 2
                ? Script([.then { .respond(body: .text("arrived with \($0.bodyCount)")) }])
                : Script.respond(status, fields: ["Location: \(location(request))"], body: body)
        }.with {
            $0.hops = 2
            $0.curlArguments = ["-L"]
        }
    }

    /// The same path below, on the host's other name: 127.0.0.1 and localhost are two hosts.
    @Sendable private static func otherHost(_ request: OriginRequest) -> String {
        let host = request.value(of: "Host") ?? ""
        let name = host.hasPrefix("localhost") ? "127.0.0.1" : "localhost"
        return "http://\(name):\(host.split(separator: ":").last ?? "")\(request.path)/next"
    }

    private static let statusLines = [
        "301 Moved Permanently", "302 Found", "303 See Other", "307 Temporary Redirect", "308 Permanent Redirect",
    ]

    static let redirects: [CorpusCase] =
        statusLines.map { line in redirect("redirect-\(line.prefix(3))", line) { "\($0.path)/next" } }
        + statusLines.map { line in
            redirect("redirect-\(line.prefix(3))-other-host", line, to: otherHost).with { $0.worksOverTLS = false }
        } + [
            redirect("redirect-delegate", "302 Found") { "\($0.path)/next" }.with { $0.style = .delegate },
            redirect("redirect-completion-chunked", "302 Found", body: .chunked([.init([0x21])])) { "\($0.path)/next" }
                .with { $0.style = .completion },
            redirect("redirect-post-303", "303 See Other") { "\($0.path)/next" }.with {
                $0.method = "POST"
                $0.body = .data(2_000)
            },
            redirect("redirect-post-307", "307 Temporary Redirect") { "\($0.path)/next" }.with {
                $0.method = "POST"
                $0.body = .data(2_000)
            },
            CorpusCase("redirect-chain") { request in
                let hop = Int(request.path.split(separator: "/").last ?? "") ?? 0
                let base = "/" + request.path.split(separator: "/").prefix(2).joined(separator: "/")
                return hop == 4
                    ? text("arrived")
                    : .respond("302 Found", fields: ["Location: \(base)/\(hop + 1)"], body: .sized([]))
            }.with {
                $0.hops = 5
                $0.curlArguments = ["-L"]
            },
            CorpusCase(
                "redirect-not-followed", .respond("302 Found", fields: ["Location: /elsewhere"], body: .sized([]))
            ).with {
                $0.drivers = .curl
                $0.outcome = .completed(302)
            },
            CorpusCase("redirect-without-location", .respond("302 Found", body: .text("where?"))).with {
                $0.outcome = .completed(302)
                $0.curlArguments = ["-L"]
            },
        ]

    private static let basic: @Sendable (OriginRequest) -> Script = { request in
        request.value(of: "Authorization") == "Basic dXNlcjpwYXNz"
            ? text("welcome")
            : .respond("401 Unauthorized", fields: ["WWW-Authenticate: Basic realm=\"corpus\""], body: .text("who?"))
    }

    static let authentication: [CorpusCase] = [
        CorpusCase("basic-401", script: basic).with {
            $0.style = .delegate
            $0.hasCredential = true
            $0.hops = 2
            $0.curlArguments = ["--anyauth"]
        },
        CorpusCase("basic-preemptive", script: basic).with {
            $0.drivers = .curl
            $0.hasCredential = true
        },
        CorpusCase("basic-in-field", script: basic).with { $0.fields = [("Authorization", "Basic dXNlcjpwYXNz")] },
        CorpusCase("basic-without-credential", script: basic).with {
            $0.outcome = .completed(401)
            $0.crashesFoundation = "a 401 with Basic and no delegate hangs"
        },
    ]

    static let connections: [CorpusCase] = [
        CorpusCase("keep-alive", text("hello")).with { $0.copies = 10 },
        CorpusCase("keep-alive-refused", .respond(fields: ["Connection: close"], body: .text("x")) + .close).with {
            $0.copies = 3
        },
        CorpusCase("keep-alive-uploads", echo).with {
            $0.method = "POST"
            $0.body = .data(3_000)
            $0.copies = 5
        },
        CorpusCase("concurrent-200", .pause(milliseconds: 30) + text("hello")).with {
            $0.copies = 200
            $0.isConcurrent = true
            $0.drivers = .urlSession
        },
        CorpusCase("concurrent-200-curl", .pause(milliseconds: 30) + text("hello")).with {
            $0.copies = 200
            $0.isConcurrent = true
            $0.drivers = .curl
        },
    ]
}
