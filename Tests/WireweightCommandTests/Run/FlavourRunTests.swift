import Testing
import WireweightTesting

/// `wireweight run` with the flavour of libcurl that Debian's git, and its pycurl, are linked against.
@Suite(
    "run meters libcurl on GnuTLS",
    .enabled(if: Built.isComplete && Built.hasGnuTLS, "needs 'make build' and libcurl-gnutls.so.4"))
struct FlavourRunTests {
    @Test("in threads of a program that was linked against it")
    func linked() throws {
        let origin = try Site.makeOrigin()
        defer { origin.stop() }
        let comparison = try Comparison.make(origin, expectedExchanges: 80) { address in
            [try Built.program("threads-gnutls"), address, "8", "10"]
        }
        #expect(comparison.metered.outputText == "failures: 0\n")
    }

    private func check(_ ended: Ended) {
        #expect(ended.status == 0)
        let lines = ended.outputText.split(separator: "\n")
        #expect(lines.contains { $0.hasPrefix("OpenSSL/") })
        #expect(lines.contains { $0.hasPrefix("GnuTLS/") })
        #expect(lines.last == "failures: 0")
    }

    @Test("beside OpenSSL's in one process")
    func both() throws {
        let origin = try Site.makeOrigin()
        defer { origin.stop() }
        let comparison = try Comparison.make(origin, expectedExchanges: 20) { address in
            [try Built.program("flavours"), try Built.program("flavours-plugin"), address, "10"]
        }
        check(comparison.metered)
    }

    @Test(
        "the same over TLS", .enabled(if: Built.has("openssl", "stunnel4"), "needs openssl and stunnel4"),
        arguments: TLSFront.Version.allCases)
    func bothOverTLS(_ version: TLSFront.Version) throws {
        let origin = try Site.makeOrigin()
        defer { origin.stop() }
        let front = try TLSFront(originPort: origin.port, version: version)
        defer { front.stop() }
        let comparison = try Comparison.make(origin, address: front.address, expectedExchanges: 20) { address in
            [
                try Built.program("flavours"), try Built.program("flavours-plugin"), address, "10",
                front.certificateFile,
            ]
        }
        check(comparison.metered)
    }
}
