import Foundation
import TestSupport
import Testing
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
        try compare(exchanges: 3 + 5 + 1 + 1 + 6 + 2 + 1 + 50) { [try Built.program("sockets"), $0] }
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
