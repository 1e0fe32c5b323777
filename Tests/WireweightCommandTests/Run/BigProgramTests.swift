import Foundation
import TestSupport
import Testing
import WireweightTesting

/// Programs of size: git, a Swift program on URLSession, the command itself.
@Suite(
    "run meters git and Swift",
    .enabled(if: Built.isComplete && Rounds.areAll, "runs with 'make integration'"))
struct BigProgramTests {
    /// A repository with some history, served as files and by git's own backend.
    private func withRepository(_ body: (URL) throws -> Void) throws {
        try withFolder { folder in
            let script = """
                set -e; cd "$1"
                export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b
                git init -q -b main work; cd work
                for i in $(seq 60); do head -c $((i * 700)) /dev/urandom >file$i; git add .; git commit -qm $i; done
                git clone -q --bare . ../repository.git; cd ../repository.git
                git repack -adq; git update-server-info
                """
            let made = try launch(["sh", "-c", script, "sh", folder.path])
            guard made.status == 0 else { throw Failed("\(made)") }
            try body(folder)
        }
    }

    private func file(_ root: URL, _ request: OriginRequest) -> Script {
        guard let bytes = try? Data(contentsOf: root.appendingPathComponent(request.path)) else {
            return .respond("404 Not Found", body: .text("no"))
        }
        return .respond(fields: ["Content-Type: application/octet-stream"], body: .sized(Array(bytes)))
    }

    private func backend(_ root: URL, _ request: OriginRequest) -> Script {
        Script([
            .readRequestBody,
            .then { request in
                guard let folder = try? Scratch.makeFolder() else { return .close }
                defer { try? FileManager.default.removeItem(at: folder) }
                let (input, output) = (folder.appendingPathComponent("in"), folder.appendingPathComponent("out"))
                try? Data(request.body).write(to: input)
                let variables: [String: String?] = [
                    "GIT_PROJECT_ROOT": root.path, "GIT_HTTP_EXPORT_ALL": "1", "PATH_INFO": request.path,
                    "QUERY_STRING": request.query ?? "", "REQUEST_METHOD": request.method,
                    "CONTENT_TYPE": request.value(of: "Content-Type") ?? "", "CONTENT_LENGTH": "\(request.bodyCount)",
                    "HTTP_CONTENT_ENCODING": request.value(of: "Content-Encoding") ?? "",
                    "GIT_PROTOCOL": request.value(of: "Git-Protocol") ?? "", "REMOTE_ADDR": "127.0.0.1",
                ]
                _ = try? launch(
                    ["sh", "-c", "git http-backend <\"$1\" >\"$2\"", "sh", input.path, output.path],
                    environment: variables)
                let answer = (try? Data(contentsOf: output)) ?? Data()
                guard let end = answer.range(of: Data("\r\n\r\n".utf8)) else { return .close }
                var status = "200 OK"
                let fields = String(decoding: answer[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
                    .filter { line in
                        guard line.hasPrefix("Status: ") else { return true }
                        status = String(line.dropFirst(8))
                        return false
                    }
                return .respond(
                    status, fields: fields, body: .chunked(Array(answer[end.upperBound...]), sizes: [1_000, 30_000]))
            },
        ])
    }

    @Test("git clone and fetch", .enabled(if: Built.has("git")), arguments: ["dumb", "smart"])
    func git(protocol kind: String) throws {
        try withRepository { folder in
            let origin = LoopbackOrigin(keptBytes: 1 << 24) { request in
                kind == "smart" ? backend(folder, request) : file(folder, request)
            }
            try origin.start()
            defer { origin.stop() }
            // git has libcurl give up on a 404, which it does before it shows the end of the head: the kernel counted
            // those bytes, but not of which part they are.
            let comparison = try Comparison.make(origin, comparesParts: kind == "smart") { address in
                [
                    "sh", "-c",
                    """
                    cd "$1" && rm -rf clone && git clone -q "$2/repository.git" clone && cd clone \
                    && git fetch -q && git rev-parse HEAD && git fsck --strict 2>&1 && git status
                    """, "sh", folder.path, address,
                ]
            }
            #expect(comparison.metered.status == 0, "\(comparison.metered)")
            #expect(comparison.seenMetered.count >= 3)
            #expect(comparison.seenMetered.reduce(0) { $0 + $1.response.total } > 500_000)
        }
    }

    @Test("a Swift program on URLSession", .enabled(if: Built.has("swiftc"), "needs swiftc"))
    func urlSession() throws {
        try withFolder { folder in
            let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent().appendingPathComponent("Programs/fetch.swift").path
            let program = folder.appendingPathComponent("fetch").path
            let made = try Launched(["swiftc", "-O", "-o", program, source]).wait(seconds: 180)
            #expect(made.status == 0, "\(made)")
            let origin = try Site.makeOrigin()
            defer { origin.stop() }
            // Foundation orders its fields anew in each process, so that only the sizes are to be compared.
            let store = folder.appendingPathComponent("db").path
            let plain = try launch([program, origin.address, "5"])
            #expect(origin.waitUntilIdle())
            let middle = origin.exchanges.count
            let metered = try launch([
                Built.command, "run", "--db", store, "--output", "/dev/null", "--", program, origin.address, "5",
            ])
            #expect(origin.waitUntilIdle())
            #expect(plain.status == 0, "\(plain)")
            #expect(metered.status == 0, "\(metered)")
            #expect(metered.outputText == plain.outputText)
            #expect(metered.errorText == plain.errorText)
            let seen = origin.exchanges
            #expect(Store.lines(of: Array(seen[..<middle])) == Store.lines(of: Array(seen[middle...])))
            #expect(try Store(path: store).lines() == Store.lines(of: Array(seen[middle...])))
            #expect(seen.count - middle == 5 * 7 + 5 + 1)
        }
    }

    @Test("the demo, which meters itself: neither meter disturbs the other")
    func demo() throws {
        try withFolder { folder in
            let (store, report) = (folder.appendingPathComponent("db").path, folder.appendingPathComponent("r"))
            let launched = try Launched([
                Built.command, "run", "--db", store, "--json", "--output", report.path, "--", Built.command, "demo",
                "--once",
                "--json",
            ])
            let ended = try launched.wait(seconds: 120)
            #expect(ended.status == 0, "\(ended)")
            let inner = try JSONSerialization.jsonObject(with: ended.output) as? [String: Any]
            let outer = try JSONSerialization.jsonObject(with: Data(contentsOf: report)) as? [String: Any]
            let (origin, totals) = (inner?["origin"] as? [String: Any], outer?["totals"] as? [String: Any])
            #expect(totals?["up"] as? Int == origin?["up"] as? Int)
            #expect(outer?["exchanges"] as? Int == inner?["exchanges"] as? Int)
        }
    }
}
