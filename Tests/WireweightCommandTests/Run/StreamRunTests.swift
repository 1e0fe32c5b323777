import Foundation
import TestSupport
import Testing
import TrafficStore
import WireweightTesting

/// `wireweight run` with programs that use no libcurl: their sockets are watched.
@Suite("run meters programs with other HTTP libraries", .enabled(if: Built.isComplete, "needs 'make build'"))
struct StreamRunTests {
    private func compare(
        exchanges: Int, sourceLocation: SourceLocation = #_sourceLocation, _ words: (String) throws -> [String]
    ) throws {
        let origin = try Site.makeOrigin()
        defer { origin.stop() }
        let comparison = try Comparison.make(
            origin, expectedExchanges: exchanges, sourceLocation: sourceLocation, words)
        #expect(comparison.plain.status == 0, "\(comparison.plain)", sourceLocation: sourceLocation)
    }

    @Test("in every way to send, receive and close")
    func sockets() throws {
        try compare(exchanges: 3 + 5 + 1 + 1 + 7 + 4 + 2 + 1 + 50) { [try Built.program("sockets"), $0] }
    }

    @Test("Of a connection whose close nothing can see, the messages remain")
    func left() throws {
        let origin = try Site.makeOrigin()
        defer { origin.stop() }
        try withFolder { folder in
            let store = folder.appendingPathComponent("db").path
            let program = [try Built.program("sockets"), origin.address, "left"]
            let ended = try launch([Built.command, "run", "--db", store, "--"] + program)
            #expect(ended.status == 0, "\(ended)")
            let exchanges = try Store(path: store).exchanges()
            #expect(exchanges.map { $0["outcome"] as? String } == ["cancelled"])
            #expect(exchanges.map { ($0["response"] as? [String: Any])?["total"] as? Int } == [100_000])
        }
    }

    @Test(
        """
        A TLS library inside the executable: by what it exports, by its symbol table, and not without names; if it cannot say \
        which random a session has, by the ClientHello that is sent inside of its call; and none if one function cannot be hooked
        """,
        arguments: [
            ("inner-exported", 3), ("inner", 3), ("inner-stripped", 0), ("inner-silent", 3), ("inner-apart", 0),
            ("inner-half", 0), ("inner-silenthalf", 0),
        ])
    func inner(program: String, exchanges: Int) throws {
        try withFolder { folder in
            let store = folder.appendingPathComponent("db").path
            let words = [try Built.program(program), "3"]
            let plain = try launch(words)
            let ended = try launch([Built.command, "run", "--db", store, "--"] + words)
            #expect(ended.status == 0, "\(ended)")
            #expect(ended.outputText == plain.outputText && plain.outputText == "129\n")
            let lines = try Store(path: store).exchanges()
            for (message, total) in [("request", 40), ("response", 43)] {
                let totals = lines.map { ($0[message] as? [String: Any])?["total"] as? Int }
                #expect(totals == .init(repeating: total, count: exchanges))
            }
            // The ClientHello of another library is all that its connection has.
            let all = try StoreReader.open(store).connections()
            let connections = all.filter { $0.payloadDown?.bytes != 0 }
            #expect(all.count == (["inner-silent", "inner-apart", "inner-silenthalf"].contains(program) ? 3 : 2))
            // The program is its own server. Hello and answer, and five bytes in front of each record.
            let (up, down): (Int64, Int64) = (47 + 5 + 3 * 45, 4 + 5 + 3 * 48)
            #expect(connections.map { $0.payloadUp?.bytes } == [up, up])
            #expect(connections.map { $0.payloadDown?.bytes } == [down, down])
        }
    }

    @Test(
        "Each form in which OpenSSL and GnuTLS send and receive: peeking, early data, corks, packets, files",
        .enabled(if: Built.hasOpenSSL && Built.hasGnuTLSItself))
    func forms() throws {
        try withFolder { folder in
            let store = folder.appendingPathComponent("db").path
            let words = [try Built.program("forms")]
            let plain = try launch(words)
            let ended = try launch([Built.command, "run", "--db", store, "--"] + words)
            #expect(ended.status == 0, "\(ended)")
            #expect(ended.outputText == plain.outputText)
            #expect(plain.outputText == "openssl: 86\nearly: 129\ngnutls: 172\nearly gnutls: 43\n")
            // Its server is ended by a signal, perhaps before it has closed its last connection.
            let lines = try Store(path: store).exchanges().filter { $0["direction"] as? String == "called" }
            let totals = ["request", "response"].map { message in
                lines.map { ($0[message] as? [String: Any])?["total"] as? Int }
            }
            #expect(totals[0] == [39, 39, 39, 39, 39, 39, 39, 39, 100_064, 39])
            #expect(totals[1] == .init(repeating: 43, count: 10))
            let connections = try StoreReader.open(store).connections().filter { $0.direction == .called }
            #expect(connections.map { $0.load.exchanges } == [2, 3, 4, 1])
            #expect(connections.map { $0.tls?.version } == .init(repeating: "TLSv1.3", count: 4))
            #expect(connections.allSatisfy { $0.ledger?.isClosed == true }, "\(connections)")
        }
    }

    @Test("Each way to use a session of OpenSSL by a BIO, as a client and as a server", .enabled(if: Built.hasOpenSSL))
    func bios() throws {
        try withFolder { folder in
            let store = folder.appendingPathComponent("db").path
            let words = [try Built.program("bios")]
            let plain = try launch(words)
            let ended = try launch([Built.command, "run", "--db", store, "--"] + words)
            #expect(ended.status == 0, "\(ended)")
            // How often OpenSSL calls a callback of the program's is part of it.
            #expect(ended.outputText == plain.outputText && plain.outputText.hasPrefix("connect: 86\nbuffer: 86\n"))
            let lines = try Store(path: store).exchanges()
            for direction in ["called", "served"] {
                let own = lines.filter { $0["direction"] as? String == direction }
                for (message, total) in [("request", 38), ("response", 43)] {
                    let totals = own.map { ($0[message] as? [String: Any])?["total"] as? Int }
                    #expect(totals == .init(repeating: total, count: 14), "\(direction)")
                }
            }
            let called = try StoreReader.open(store).connections().filter { $0.direction == .called }
            #expect(called.map { $0.load.exchanges } == .init(repeating: 2, count: 7))
            #expect(called.allSatisfy { $0.ledger?.isClosed == true && $0.tls?.version == "TLSv1.3" }, "\(called)")
        }
    }

    @Test(
        "Messages inside of a known TLS that pass in no known call are said to be unseen, and none to have been",
        arguments: [0, 20])
    func hidden(requests: Int) throws {
        try withFolder { folder in
            let store = folder.appendingPathComponent("db").path
            let words = [try Built.program("inner-hidden"), "\(requests)"]
            let ended = try launch([Built.command, "run", "--db", store, "--"] + words)
            #expect(ended.status == 0 && ended.outputText == "\(requests * 43)\n", "\(ended)")
            let connections = try StoreReader.open(store).connections().filter { $0.direction == .called }
            #expect(connections.map { $0.unseen?.reason } == [requests == 0 ? .nothingSent : .bypassed])
            for connection in connections {
                // Of what has passed in the TLS nothing is known, so it is not said to be overhead.
                let unseen = connection.load.parts[.unseen]
                #expect(unseen?.up == (requests == 0 ? nil : connection.payloadUp))
                #expect(unseen?.down == (requests == 0 ? nil : connection.payloadDown))
            }
            #expect(ended.errorText.contains("in calls that the meter does not see") == (requests > 0), "\(ended)")
        }
    }

    @Test("What a program loads with RTLD_DEEPBIND, and unloads and loads again", .enabled(if: Built.hasOpenSSL))
    func deep() throws {
        try withFolder { folder in
            let store = folder.appendingPathComponent("db").path
            let words = [try Built.program("deep"), try Built.program("deep-extension"), "4"]
            let plain = try launch(words)
            let ended = try launch([Built.command, "run", "--db", store, "--"] + words)
            #expect(ended.status == 0, "\(ended)")
            #expect(ended.outputText == plain.outputText && plain.outputText == .init(repeating: "62 62\n", count: 4))
            // Its server makes some of its calls itself, and is not judged here.
            let lines = try Store(path: store).exchanges().filter { $0["direction"] as? String == "called" }
            for (message, total) in [("request", 58), ("response", 62)] {
                let totals = lines.map { ($0[message] as? [String: Any])?["total"] as? Int }
                #expect(totals == .init(repeating: total, count: 8))
            }
            let connections = try StoreReader.open(store).connections().filter { $0.direction == .called }
            #expect(connections.map { $0.tls != nil } == [false, true, false, true, false, true, false, true])
            #expect(connections.allSatisfy { $0.ledger?.isClosed == true }, "\(connections)")
        }
    }

    @Test(
        "A program that starts the tap itself, a hundred times while its threads go on and fork",
        .enabled(if: Built.hasOpenSSL))
    func within() throws {
        let program = [try Built.program("within"), try Built.program("deep-extension"), "100"]
        // All slots are filled at once, so that they can be compared.
        let ended = try launch(program, environment: ["LD_BIND_NOW": "1"])
        #expect(ended.status == 0, "\(ended)")
        let expected = """
            start 0
            62 62 62
            again 1
            62
            4 begun, 4 ended, 4 closed, 232 up, 248 down
            hooks 0
            62 62 62
            0 begun, 0 ended, 0 closed, 0 up, 0 down
            changed 1
            unloaded 1
            child 0
            1 begun, 1 ended, 0 closed, 18 up, 0 down
            restored 1
            rounds 100, as many hooks each time 1, failed 0, restored 1
            some seen 1

            """
        #expect(ended.outputText == expected)
    }

    @Test("A program that starts the tap itself and uses TLS by BIOs, twice", .enabled(if: Built.hasOpenSSL))
    func biosWithin() throws {
        let plain = try launch([try Built.program("bios")])
        let ended = try launch([try Built.program("bios-within")])
        #expect(ended.status == 0, "\(ended)")
        let asked = plain.outputText.components(separatedBy: "callbacks").first ?? ""
        let found = "changed 1, restored 1\n14 begun, 14 ended, 7 closed, 532 up, 602 down\n"
        #expect(ended.outputText == asked + found + asked + found + asked + "callbacks: 69\n")
    }

    @Test("A program that starts the tap itself, with a TLS library inside it")
    func innerWithin() throws {
        let ended = try launch([try Built.program("inner-within"), "3"])
        #expect(ended.status == 0, "\(ended)")
        #expect(ended.outputText == "3 begun, 3 ended, 1 closed, 120 up, 129 down\n129\n")
    }

    @Test("Detours of functions that begin in all the ways that compilers let them begin")
    func detours() throws {
        let ended = try launch([try Built.program("detours")])
        #expect(ended.status == 0, "\(ended)")
        #expect(ended.outputText.hasSuffix("calls\n"))
    }

    @Test(
        "The handshake with a SOCKS proxy and the line of the PROXY protocol come before the messages",
        .enabled(if: Built.has("python3")))
    func preludes() throws {
        // The other end is not metered.
        let script = #"""
            import socket, subprocess, sys
            server = r'''
            import socket
            one = socket.create_server(("127.0.0.1", 0))
            print(one.getsockname()[1], flush=True)
            for kind in "5", "4", "P":
                peer, _ = one.accept()
                file = peer.makefile("rwb", 0)
                def answer(count, bytes): file.read(count); file.write(bytes)
                if kind == "5": answer(3, b"\x05\x00"); answer(10, b"\x05\x00\x00\x01" + bytes(6))
                if kind == "4": answer(9, b"\x00\x5a" + bytes(6))
                if kind == "P": file.readline()
                for _ in range(2):
                    while file.readline() != b"\r\n": pass
                    file.write(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello")
            '''
            other = subprocess.Popen([sys.executable, "-c", server], env={}, stdout=subprocess.PIPE, text=True)
            port = int(other.stdout.readline())
            request = b"GET /a HTTP/1.1\r\nHost: a.test\r\n\r\n"
            def ask(*steps):
                one = socket.create_connection(("127.0.0.1", port))
                for bytes, count in steps:
                    one.sendall(bytes)
                    while count > 0: count -= len(one.recv(count))
                one.close()
            ask((b"\x05\x01\x00", 2), (b"\x05\x01\x00\x01" + bytes(6), 10), (request, 43), (request, 43))
            ask((b"\x04\x01\x00\x50" + bytes(5), 8), (request, 43), (request, 43))
            line = b"PROXY TCP4 10.0.0.1 10.0.0.2 1 2\r\n"
            ask((line[:20], 0), (line[20:] + request, 43), (request, 43))
            other.wait()
            """#
        try withFolder { folder in
            let store = folder.appendingPathComponent("db").path
            let ended = try launch([Built.command, "run", "--db", store, "--", "python3", "-c", script])
            #expect(ended.status == 0, "\(ended)")
            let exchanges = try Store(path: store).exchanges()
            for (message, total) in [("request", 33), ("response", 43)] {
                let totals = exchanges.map { ($0[message] as? [String: Any])?["total"] as? Int }
                #expect(totals == .init(repeating: total, count: 6))
            }
            // The port is the proxy's, not the server's.
            #expect(exchanges.prefix(4).map { $0["url"] as? String } == .init(repeating: "http://a.test/a", count: 4))
            let listed = try launch([Built.command, "connections", store, "--format", "ndjson"])
            let connections = try listed.outputText.split(separator: "\n").map {
                try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] ?? [:]
            }
            func sides(_ name: String) -> [[Int]] {
                connections.map { connection in
                    let flow = connection[name] as? [String: Any]
                    return [flow?["up"] as? Int ?? -1, flow?["down"] as? Int ?? -1]
                }
            }
            #expect(sides("socksOverhead") == [[13, 12], [9, 8], [0, 0]])
            #expect(sides("proxyProtocolOverhead") == [[0, 0], [0, 0], [34, 0]])
            #expect(sides("unaccounted") == [[0, 0], [0, 0], [0, 0]])
            #expect(sides("payload") == [[79, 98], [75, 94], [100, 86]])
        }
    }

    @Test("Python's urllib", .enabled(if: Built.has("python3")))
    func urllib() throws {
        let script = """
            import sys, urllib.request
            for path in ("/hello/a", "/chunks/x", "/close/x", "/redirect/2", "/coded/gzip", "/fill/300000"):
                print(path, len(urllib.request.urlopen(sys.argv[1] + path).read()))
            print(urllib.request.urlopen(sys.argv[1] + "/echo/x", data=b"q" * 3000).read())
            """
        try compare(exchanges: 9) { ["python3", "-c", script, $0] }
    }

    @Test("The time of a name's lookup, whichever thread made it", .enabled(if: Built.has("python3")))
    func names() throws {
        let origin = try Site.makeOrigin()
        defer { origin.stop() }
        // A name; its connection again; digits; by another thread; an address that was looked up, and once more.
        let script = """
            import asyncio, http.client, socket, sys
            port = int(sys.argv[1].rsplit(":", 1)[1])
            def ask(connection, count):
                for _ in range(count):
                    connection.request("GET", "/hello/a")
                    connection.getresponse().read()
            ask(http.client.HTTPConnection("localhost", port), 2)
            ask(http.client.HTTPConnection("127.0.0.1", port), 1)
            async def stream():
                reader, writer = await asyncio.open_connection("localhost", port)
                writer.write(b"GET /hello/a HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\n\\r\\n")
                await reader.read()
                writer.close()
            asyncio.run(stream())
            address = socket.gethostbyname("localhost")
            ask(http.client.HTTPConnection(address, port), 1)
            ask(http.client.HTTPConnection(address, port), 1)
            """
        try withFolder { folder in
            let store = folder.appendingPathComponent("db").path
            let ended = try launch([
                Built.command, "run", "--db", store, "--", "python3", "-c", script, origin.address,
            ])
            #expect(ended.status == 0, "\(ended)")
            let timings = try Store(path: store).exchanges().map { $0["timings"] as? [String: Any] }
            #expect(timings.map { $0?["dns"] is Double } == [true, false, false, true, true, false], "\(timings)")
            #expect(timings.map { $0?["connect"] is Double } == [true, false, true, true, true, true])
        }
    }

    @Test(
        "A TLS library that the program opened by itself may jump from one of its functions to another",
        .enabled(if: Built.has("python3")))
    func opened() throws {
        // gnutls_record_send jumps to gnutls_record_send2, in the name of a caller that was linked with neither.
        let script = """
            import ctypes
            try: tls = ctypes.CDLL("libgnutls.so.30")
            except OSError: print("True"); raise SystemExit
            session = ctypes.c_void_p()
            tls.gnutls_init(ctypes.byref(session), 2)
            print(tls.gnutls_record_send(session, b"x", 1) < 0)
            """
        let ended = try launch([Built.command, "run", "--", "python3", "-c", script])
        #expect(ended.status == 0, "\(ended)")
        #expect(ended.outputText == "True\n")
    }

    @Test(
        "A program that has no TLS library finds none, wherever it looks", .enabled(if: Built.has("python3")))
    func probing() throws {
        let script = """
            import ctypes, re, sys
            names = set(re.findall(rb"\\0((?:SSL|BIO|PR|gnutls|io_uring|curl)_\\w+)", open(sys.argv[1], "rb").read()))
            print(len(names) > 40, sorted(name for name in names if hasattr(ctypes.CDLL(None), name.decode())))
            """
        // All that the tap exports.
        let words = ["python3", "-c", script, Built.tap]
        let plain = try launch(words)
        let ended = try launch([Built.command, "run", "--"] + words)
        #expect(ended.status == 0 && ended.outputText == plain.outputText, "\(ended)")
        #expect(plain.outputText == "True []\n")
    }

    @Test("and with --only-libcurl it does not", .enabled(if: Built.has("python3")))
    func onlyLibcurl() throws {
        let origin = try Site.makeOrigin()
        defer { origin.stop() }
        let script = "import sys, urllib.request; urllib.request.urlopen(sys.argv[1]).read()"
        let ended = try launch([
            Built.command, "run", "--only-libcurl", "--", "python3", "-c", script, "\(origin.address)/hello/a",
        ])
        #expect(ended.status == 0)
        #expect(ended.errorText.contains("uses a shared libcurl"))
        let watched = try launch([
            Built.command, "run", "--", "python3", "-c", script, "\(origin.address)/hello/a",
        ])
        #expect(watched.errorText.contains("Metered 1 exchange at sockets and TLS libraries."))
    }
}
