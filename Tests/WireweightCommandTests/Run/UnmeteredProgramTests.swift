import Foundation
import Testing
import WireweightTesting

/// Programs that cannot be metered, started by one that is: they run as ever, and the summary names them.
@Suite("run names the programs that it cannot meter", .enabled(if: Built.isComplete, "needs 'make build'"))
struct UnmeteredProgramTests {
    /// A program that was not metered, as the summary has it.
    private struct Start: Hashable, CustomStringConvertible {
        var name: String
        var reason: String
        var starts: Int
        var description: String { "\(name): \(reason), \(starts)" }
    }

    /// Runs a program with and without the meter, compares what it did, and returns whom the summary names.
    private func starts(
        _ words: [String], environment: [String: String?] = [:], sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> Set<Start> {
        try withFolder { folder in
            let report = folder.appendingPathComponent("report").path
            let plain = try launch(words, environment: environment)
            let metered = try launch(
                [Built.command, "run", "--json", "--output", report, "--"] + words, environment: environment)
            #expect(metered.status == plain.status, sourceLocation: sourceLocation)
            #expect(metered.outputText == plain.outputText, sourceLocation: sourceLocation)
            #expect(metered.errorText == plain.errorText, sourceLocation: sourceLocation)
            let summary =
                try JSONSerialization.jsonObject(
                    with: Data(contentsOf: URL(fileURLWithPath: report))) as? [String: Any]
            let programs = summary?["unmeteredPrograms"] as? [[String: Any]] ?? []
            let unmetered = try #require(summary?["unmetered"] as? String)
            for program in programs { #expect(unmetered.contains(program["explanation"] as? String ?? "?")) }
            return Set(
                programs.map {
                    Start(
                        name: ($0["path"] as? String ?? "").split(separator: "/").last.map(String.init) ?? "",
                        reason: $0["reason"] as? String ?? "", starts: $0["starts"] as? Int ?? 0)
                })
        }
    }

    private static func name(_ path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }

    @Test("in every way to start one; one that could not be started is not named", arguments: ["static", "go"])
    func ways(kind: String) throws {
        let target = try Built.program("started-\(kind)")
        let folder = target.dropLast(Self.name(target).count + 1)
        let found = try starts(
            [try Built.program("starts"), target, Self.name(target)],
            environment: ["PATH": "/nonexistent:\(folder):/usr/bin:/bin"])
        // Nine ways of exec, vfork, both ways to spawn, by the two shells, and one without an environment; and a shell
        // without an environment.
        #expect(
            found == [
                Start(name: Self.name(target), reason: kind, starts: 15),
                Start(name: "memfd:copy (deleted)", reason: kind, starts: 1),
                Start(name: "sh", reason: "environment", starts: 1),
            ])
    }

    @Test("by a shell, by Python, and through a script", .enabled(if: Built.has("python3", "sh")))
    func parents() throws {
        let target = try Built.program("started-static")
        let script = """
            import subprocess, sys
            for way in ({}, {"close_fds": False}, {"start_new_session": True}):
                print(subprocess.run([sys.argv[1], "here"], stdout=subprocess.PIPE, **way))
            try: subprocess.run(["/nonexistent/program"])
            except OSError as error: print(error)
            """
        #expect(
            try starts(["python3", "-c", script, target]).filter { $0.reason == "static" } == [
                Start(name: Self.name(target), reason: "static", starts: 3)
            ])
        #expect(
            try starts(["sh", "-c", "'\(target)' a | cat; nonexistent-program; (\(target) b); exec '\(target)' c"]) == [
                Start(name: Self.name(target), reason: "static", starts: 3)
            ])
        try withFolder { folder in
            let file = folder.appendingPathComponent("script").path
            try "#! \(target)\n".write(toFile: file, atomically: false, encoding: .utf8)
            #expect(chmod(file, 0o755) == 0)
            // The shell may be one that becomes the last program, or not.
            #expect(
                try starts(["sh", "-c", "\(file) a; true"]) == [Start(name: "script", reason: "static", starts: 1)])
        }
    }

    @Test("the program itself, too", arguments: ["static", "go"])
    func itself(kind: String) throws {
        let target = try Built.program("started-\(kind)")
        #expect(try starts([target, "here"]) == [Start(name: Self.name(target), reason: kind, starts: 1)])
    }

    @Test("one that is started without the variables of the tap", .enabled(if: Built.has("env")))
    func environment() throws {
        let target = try Built.program("started")
        let named = Start(name: Self.name(target), reason: "environment", starts: 1)
        #expect(try starts(["env", "-i", target, "here"]) == [named])
        #expect(try starts(["sh", "-c", "unset LD_PRELOAD; exec '\(target)' here"]) == [named])
        #expect(try starts(["env", "A=b", target, "here"]) == [])
        // As the advice has it.
        let keeping = "exec env -i LD_PRELOAD=\"$LD_PRELOAD\" WIREWEIGHT_SOCKET=\"$WIREWEIGHT_SOCKET\" '\(target)' here"
        #expect(try starts(["sh", "-c", keeping]) == [])
    }

    /// Whether the bit that gives a program its owner's rights works here.
    private static let hasSetUserID: Bool = {
        var system = statvfs()
        return getuid() == 0 && statvfs(NSTemporaryDirectory(), &system) == 0 && system.f_flag & 2 == 0
    }()

    @Test("one that gets another user's rights", .enabled(if: hasSetUserID, "needs root"))
    func setUserID() throws {
        let target = try Built.program("started")
        try withFolder { folder in
            let copy = folder.appendingPathComponent("other").path
            try FileManager.default.copyItem(atPath: target, toPath: copy)
            #expect(chown(copy, 1, 1) == 0 && chmod(copy, 0o4755) == 0)
            let shell = ["sh", "-c", "'\(copy)' here; true"]
            #expect(try starts(shell) == [Start(name: "other", reason: "setuid", starts: 1)])
            // The bits mean nothing where the user is the same, or no rights may be gained.
            #expect(chown(copy, 0, 0) == 0 && chmod(copy, 0o4755) == 0)
            #expect(try starts(shell) == [])
            guard Built.has("setpriv") else { return }
            #expect(chown(copy, 1, 1) == 0 && chmod(copy, 0o4755) == 0)
            #expect(try starts(["setpriv", "--no-new-privs", "sh", "-c", "'\(copy)' here; true"]) == [])
        }
    }

    @Test("damaged files are started, or not, as without the meter", arguments: 0..<40)
    func damaged(seed: Int) throws {
        // Each number of the header at its largest, one at a time.
        var bytes = ELFBuilder().bytes
        let place = 16 + seed
        bytes[place] = 0xFF
        if place + 1 < 64 { bytes[place + 1] = 0xFF }
        try withFolder { folder in
            let file = folder.appendingPathComponent("program").path
            // Another process writes it: what a test beside this one starts would keep it open, and "busy", for a moment.
            try Data(bytes.prefix(seed % 3 == 0 ? 100 : bytes.count)).write(to: URL(fileURLWithPath: file + ".bytes"))
            _ = try launch(["cp", file + ".bytes", file])
            #expect(chmod(file, 0o755) == 0)
            // Its own message names the number of a signal, or an error.
            _ = try starts(["sh", "-c", "'\(file)' 2>/dev/null; echo $?"])
        }
    }

    @Test("the text names programs with their starts, and each advice once")
    func text() throws {
        let target = try Built.program("started-static")
        let go = try Built.program("started-go")
        let ended = try launch([
            Built.command, "run", "--", "sh", "-c", "'\(target)'; '\(target)'; '\(go)'; true",
        ])
        let (first, second) = (Self.name(target), Self.name(go))
        #expect(
            ended.errorText == """
                wireweight: nothing was metered: '\(first)' (2 starts) cannot be metered: it is statically linked, so \
                nothing can be loaded into it; '\(second)' cannot be metered: it is a Go program, which makes its system \
                calls itself, so nothing in it can be hooked.
                Use a build that is linked dynamically. The programs that it starts are metered.
                'wireweight proxy -- PROGRAM' meters it from outside: HTTP request by request, HTTPS by connection, or \
                with '--open-tls' request by request, too. The programs that it starts are metered.

                """)
    }

    @Test("beside traffic that was metered", .enabled(if: Built.has("curl")))
    func besideTraffic() throws {
        let origin = try Site.makeOrigin()
        defer { origin.stop() }
        let target = try Built.program("started-static")
        let ended = try launch([
            Built.command, "run", "--", "sh", "-c", "'\(target)'; curl -qsS \(origin.address)/x",
        ])
        #expect(!ended.errorText.contains("nothing was metered"))
        #expect(
            ended.errorText.contains(
                """
                Not metered: '\(Self.name(target))' cannot be metered: it is statically linked, so nothing can be loaded \
                into it.
                Use a build that is linked dynamically. The programs that it starts are metered.

                """))
    }

    /// Sends the start of a TLS handshake, as a library would that the tap does not know.
    private static let handshake = """
        import socket, struct
        name = b"api.example.com"
        names = struct.pack(">HBH", len(name) + 3, 0, len(name)) + name
        extensions = struct.pack(">HH", 0, len(names)) + names
        body = b"\\3\\3" + bytes(range(32)) + b"\\0" + b"\\0\\2\\x13\\1" + b"\\1\\0"
        body += struct.pack(">H", len(extensions)) + extensions
        hello = b"\\1" + struct.pack(">I", len(body))[1:] + body
        record = b"\\x16\\3\\1" + struct.pack(">H", len(hello)) + hello
        server = socket.create_server(("127.0.0.1", 0))
        for _ in range(2):
            client = socket.create_connection(server.getsockname())
            peer, _ = server.accept()
            client.sendall(record + b"\\x17\\3\\3\\0\\5hello")
            peer.recv(1000)
            peer.sendall(b"\\x17\\3\\3\\0\\3bye")
            client.recv(1000)
            client.close()
            peer.close()
        """

    @Test("connections with unknown TLS, by host and with their bytes", .enabled(if: Built.has("python3")))
    func unknownTLS() throws {
        try withFolder { folder in
            let report = folder.appendingPathComponent("report").path
            let ended = try launch([
                Built.command, "run", "--json", "--output", report, "--", "python3", "-c", Self.handshake,
            ])
            #expect(ended.status == 0, "\(ended)")
            let summary =
                try JSONSerialization.jsonObject(
                    with: Data(contentsOf: URL(fileURLWithPath: report))) as? [String: Any]
            let connections = try #require(summary?["unseenConnections"] as? [[String: Any]])
            // The program is both ends.
            #expect(connections.map { $0["direction"] as? String } == ["called", "served"])
            #expect(connections.last?["connections"] as? Int == 2)
            #expect(connections.last?["down"] as? Int == 16)
            #expect(connections.first?["host"] as? String == "api.example.com")
            #expect(connections.first?["reason"] as? String == "tls")
            #expect(connections.first?["connections"] as? Int == 2)
            #expect(connections.first?["down"] as? Int == 16)
            let unmetered = try #require(summary?["unmetered"] as? String)
            #expect(unmetered.hasPrefix("the messages of 2 connections to api.example.com ("))
            #expect(unmetered.contains("; the messages of 2 connections that the program served as api.example.com ("))
            #expect(unmetered.hasSuffix("were not seen: its TLS library is not known to the meter"))
            #expect((summary?["advice"] as? String)?.contains("--open-tls") == true)
        }
    }
}
