import Foundation
import TestSupport
import Testing
import WireweightTesting

/// Whom the meter trusts, and who may trust it.
@Suite("run keeps to itself", .enabled(if: Built.isComplete && Built.has("curl"), "needs 'make build' and curl"))
struct TrustTests {
    @Test("credentials are weighed, and appear nowhere in the file")
    func secrets() throws {
        let origin = try Site.makeOrigin()
        defer { origin.stop() }
        try withFolder { folder in
            let (store, port) = (folder.appendingPathComponent("db").path, origin.port)
            let host = "127.0.0.1:\(port)"
            let launched = try Launched(
                [Built.command, "run", "--db", store, "--output", "/dev/null", "--", "curl", "-qsS"]
                    + ["-H", "Authorization: Bearer \(Secrets.bearer)", "-H", "Cookie: sid=\(Secrets.cookie)"]
                    + ["-H", "X-Api-Key: \(Secrets.apiKey)", "-H", "Proxy-Authorization: Basic \(Secrets.proxy)"]
                    + ["http://\(host)/cookie?access_token=\(Secrets.token)&x=1&sig=\(Secrets.signature)"]
                    + ["http://user:\(Secrets.password)@\(host)/cookie/b?api_key=\(Secrets.apiKey)"]
                    + ["http://\(host)/slow/700?token=\(Secrets.token)"])
            try waitUntil("the last request") { origin.exchanges.contains { $0.target.hasPrefix("/slow") } }
            usleep(400_000)
            // While it runs most is in the file beside.
            expectNoSecret(in: folder)
            let ended = try launched.wait()
            #expect(ended.status == 0)
            #expect(origin.waitUntilIdle())
            expectNoSecret(in: folder)
            #expect(try Store(path: store).lines() == Store.lines(of: origin.exchanges))
            #expect(origin.exchanges.count == 3)
            // The origin did get them: the sizes above are those of the true values.
            let sent = origin.exchanges.map { String(decoding: $0.requestLog.kept, as: UTF8.self) }.joined()
            for secret in [Secrets.bearer, Secrets.cookie, Secrets.token, Secrets.apiKey, Secrets.signature] {
                #expect(sent.contains(secret))
            }
        }
    }

    private func expectNoSecret(in folder: URL) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        #expect(names.contains("db"))
        let basic = Data("user:\(Secrets.password)".utf8).base64EncodedString()
        for name in names {
            let bytes = (try? Data(contentsOf: folder.appendingPathComponent(name))) ?? Data()
            for secret in Secrets.all + [basic] {
                #expect(bytes.range(of: Data(secret.utf8)) == nil, "\(secret) is in \(name)")
            }
        }
    }

    @Test("the file is its owner's alone")
    func fileMode() throws {
        try withFolder { folder in
            let store = folder.appendingPathComponent("db").path
            #expect(
                try launch([
                    "sh", "-c", "umask 0; exec \"$@\"", "sh", Built.command, "run", "--db", store, "--", "true",
                ]).status == 0)
            let mode = try FileManager.default.attributesOfItem(atPath: store)[.posixPermissions] as? Int
            #expect(mode == 0o600)
        }
    }

    /// Says many things that are not what a tap would say, then ends.
    private static let hostile = """
        import os, random, socket, struct, sys
        path, seed = sys.argv[1], int(sys.argv[2])
        random.seed(seed)
        folder = os.stat(os.path.dirname(path))
        print("folder %o" % (folder.st_mode & 0o7777))
        def frame(kind, body, transfer=1, size=None):
            return struct.pack("<IIQQ", 24 + len(body) if size is None else size, kind, transfer, 5) + body
        def text(value): return struct.pack("<I", len(value)) + value
        hello = frame(1, struct.pack("<IiiIq", 1, 999999, 1, 1, 0) + text(b"/x/hostile") + text(b"libcurl/1"), 0)
        def say(*messages):
            s = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            try:
                s.connect(path)
                for message in messages: s.send(message)
            except OSError: pass
            return s
        kept = [say() for _ in range(100)]
        say(b"x"); say(b"\\0" * 24); say(os.urandom(60000)); say(hello[:30]); say(hello, b"")
        say(frame(2, b""), hello); say(frame(99, b"abc")); say(hello, frame(99, b"abc"))
        for size in (0, 1, 23, 25, 1 << 20, (1 << 32) - 1): say(hello, frame(2, struct.pack("<Q", 1), size=size))
        for length in (0, 1, 1 << 31, (1 << 32) - 1):
            say(frame(1, struct.pack("<IiiIq", 1, 999999, 1, 1, 0) + struct.pack("<I", length) + b"abc"))
        request = struct.pack("<8q", *([-1] * 8)) + struct.pack("<qqII", 1, 0, 1, 2)
        for url in (b"", b"http://", b"http://\\xff\\xfe:99999999/", b"http://a" * 3000, b"ftp://x/y", b"http://[::1/"):
            say(hello, frame(2, struct.pack("<Q", 1)), frame(3, request + text(url) + text(b"1.2.3.4")),
                frame(4, os.urandom(300)), frame(5, b"HTTP/1.1 \\xff\\r\\n" * 50), frame(12, struct.pack("<QII", 1 << 63, 0, 0)))
        for _ in range(1500):
            messages = [hello]
            for _ in range(random.randrange(6)):
                body = os.urandom(random.choice((0, 1, 8, 16, 40, 80, 120, 200, 5000)))
                messages.append(frame(random.randrange(0, 14), body, random.randrange(3),
                                      random.choice((None, None, None, random.randrange(1 << 32)))))
            if random.random() < 0.3:
                broken = bytearray(b"".join(messages))
                for _ in range(4): broken[random.randrange(len(broken))] = random.randrange(256)
                messages = [bytes(broken)]
            say(*messages)
        print("said")
        """

    @Test(
        "whoever talks nonsense on the socket does no harm", .enabled(if: Built.has("python3"), "needs python3"),
        arguments: 1...(Rounds.areAll ? 10 : 2))
    func hostileClient(seed: Int) throws {
        let origin = try Site.makeOrigin()
        defer { origin.stop() }
        try withFolder { folder in
            let store = folder.appendingPathComponent("db").path
            let script = """
                for i in 1 2 3 4 5; do curl -qsS "$1/a/$i" "$1/chunks/$i"; done >&2
                LD_PRELOAD= python3 -c "$2" "$WIREWEIGHT_SOCKET" \(seed)
                curl -qsS "$1/after" "$1/slow/200" >&2; exit 6
                """
            let ended = try launch([
                Built.command, "run", "--db", store, "--json", "--output", "/dev/null", "--", "sh", "-c", script, "sh",
                origin.address, Self.hostile,
            ])
            #expect(ended.status == 6, "\(ended)")
            #expect(ended.outputText == "folder 700\nsaid\n")
            #expect(origin.waitUntilIdle())
            // The program's exchanges are reported as they were; false frames make rows of their own at most.
            let lines = try Store(path: store).lines(ofProcess: "curl")
            #expect(lines == Store.lines(of: origin.exchanges))
            #expect(lines.count == 12)
            if Built.has("sqlite3") {
                #expect(try launch(["sqlite3", store, "PRAGMA integrity_check"]).outputText == "ok\n")
            }
        }
    }

    @Test("the folder is gone afterwards, also that of a command that was killed")
    func folders() throws {
        try withFolder { folder in
            let temporary = folder.path
            func names() throws -> [String] {
                try FileManager.default.contentsOfDirectory(atPath: temporary).filter { $0.hasPrefix("wireweight-") }
            }
            let environment = ["TMPDIR": temporary]
            let first = try Launched([Built.command, "run", "--", "sleep", "20"], environment: environment)
            try waitUntil("the folder") { try names().count == 1 }
            let program = try child(of: first.pid)
            let second = try launch([Built.command, "run", "--", "true"], environment: environment)
            #expect(second.status == 0)
            #expect(try names().count == 1, "one that is in use stays")
            kill(first.pid, SIGKILL)
            _ = try first.wait()
            kill(program, SIGKILL)
            #expect(try names().count == 1)
            #expect(try launch([Built.command, "run", "--", "true"], environment: environment).status == 0)
            #expect(try names().isEmpty)
        }
    }
}
