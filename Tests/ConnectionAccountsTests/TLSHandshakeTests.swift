import ConnectionAccounts
import Foundation
import Testing
import TrafficModel

/// What is in the clear as TLS begins, from its bytes.
@Suite struct TLSHandshakeTests {
    // Made with pyca/cryptography: of "api.example.com" by "R11" of Let's Encrypt, and one with DNS names alone.
    private static let named = """
        MIIBbjCCARSgAwIBAgIBATAKBggqhkjOPQQDAjAzMQswCQYDVQQGEwJVUzEWMBQGA1UECgwNTGV0J3MgRW5jcnlwdDEMMAoGA1UEAwwDUjEx\
        MB4XDTI2MDEzMTEyMDAwMVoXDTQ5MTIzMTIzNTk1OVowGjEYMBYGA1UEAwwPYXBpLmV4YW1wbGUuY29tMFkwEwYHKoZIzj0CAQYIKoZIzj0D\
        AQcDQgAE7tycDDCrR+0f1HpUI0Ak5KKT1nim5I/YdG3Vmrggf2ARIi+LepSKhzIyr6tASzFiQs5FhCwCanUlItPFcJQnAaMyMDAwDAYDVR0T\
        AQH/BAIwADAgBgNVHREEGTAXhwQKAAABgg9hcGkuZXhhbXBsZS5jb20wCgYIKoZIzj0EAwIDSAAwRQIhAILR3UP9UfvdhQnSGyAJk/pB2o3d\
        lrQBbde+bdwH8iWMAiA2nv5/8vDLul1KyM3s/WrdYOevki96MqMKm7nMTyecRg==
        """
    private static let nameless = """
        MIIBTDCB8qADAgECAgEBMAoGCCqGSM49BAMCMBcxFTATBgNVBAoMDFNpZ25lcnMgR21iSDAgFw05OTAyMjgwMDAwMDBaGA8yMDUxMDMwMTAw\
        MDAwMFowEzERMA8GA1UECgwIw5xuw69xdWUwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAATu3JwMMKtH7R/UelQjQCTkopPWeKbkj9h0bdWa\
        uCB/YBEiL4t6lIqHMjKvq0BLMWJCzkWELAJqdSUi08VwlCcBozEwLzAMBgNVHRMBAf8EAjAAMB8GA1UdEQQYMBaHBAoAAAGCBmEudGVzdIIG\
        Yi50ZXN0MAoGCCqGSM49BAMCA0kAMEYCIQCZE7mVWfUSByFV2iH1F8Nq4THLn+4U8e9NVbFOcsAHYgIhAK31BWuHkkz0CCEKemE9pNPozNrP\
        AqwA6AZt/gExrKFD
        """

    private static func bytes(_ text: String) throws -> [UInt8] { Array(try #require(Data(base64Encoded: text))) }

    private static func moment(_ text: String) throws -> Timestamp {
        let date = try #require(ISO8601DateFormatter().date(from: text))
        return Timestamp(nanoseconds: Int64(date.timeIntervalSince1970) * 1_000_000_000)
    }

    @Test func aCertificateNamesItsOwnerItsSignerAndItsTimes() throws {
        let named = ServerCertificate(der: try Self.bytes(Self.named), chainSize: 3_000)
        #expect(
            named
                == ServerCertificate(
                    subject: "api.example.com", issuer: "R11 (Let's Encrypt)",
                    notBefore: try Self.moment("2026-01-31T12:00:01Z"),
                    notAfter: try Self.moment("2049-12-31T23:59:59Z"),
                    sha256: "9a92a70eb799294a6bd6ef3ee1090314e28ad31c73604b1b302a83d66ea67e45", chainSize: 3_000))
        let nameless = ServerCertificate(der: try Self.bytes(Self.nameless), chainSize: nil)
        #expect(
            nameless
                == ServerCertificate(
                    subject: "a.test", issuer: "Signers GmbH", notBefore: try Self.moment("1999-02-28T00:00:00Z"),
                    notAfter: try Self.moment("2051-03-01T00:00:00Z"),
                    sha256: "b1cd332e5e9d87d8d044c272d141fb783e3ca38557ced117072cae5d1ebddef7", chainSize: nil))
    }

    @Test func aCertificateThatIsCutOrBrokenHasWhatCouldBeRead() throws {
        let whole = try Self.bytes(Self.named)
        for count in whole.indices {
            // Values are nested, so a cut is in all of those around it.
            let cut = ServerCertificate(der: Array(whole[..<count]), chainSize: nil)
            #expect(cut.subject.isEmpty && cut.issuer.isEmpty && cut.notAfter == nil && cut.sha256.utf8.count == 64)
        }
        for index in whole.indices {
            for value in [UInt8(0), 0x30, 0x80, 0xFF] {
                var broken = whole
                broken[index] = value
                #expect(ServerCertificate(der: broken, chainSize: nil).subject.utf8.count <= 3 * whole.count)
            }
        }
    }

    @Test(
        "a digest is that of FIPS 180-4",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
        ])
    func digests(text: String, digest: String) { #expect(SHA256.hexadecimal(of: text.utf8) == digest) }

    @Test func theNumbersOnTheWireHaveNames() {
        func handshake(_ offered: [UInt8], _ chosen: [UInt8] = [], version: UInt16 = 0, cipher: UInt16 = 0)
            -> TLSHandshake
        {
            TLSHandshake(
                serverName: "a.test", offered: offered, chosen: chosen, version: version, cipher: cipher,
                isResumed: nil, certificate: [], chainSize: 0)
        }
        let offered = Array("\u{2}h2\u{8}http/1.1".utf8) + [2, 0x0A, 0x2C, 1, 0x25, 9, 0x68]
        let older = handshake(offered, Array("h2".utf8), version: 0x0303, cipher: 0xC02F)
        #expect(
            older
                == TLSHandshake(
                    serverName: "a.test", offeredProtocols: ["h2", "http/1.1", "%0A%2C", "%25"],
                    applicationProtocol: "h2", version: "TLSv1.2", cipher: "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256"))
        #expect(handshake([]) == TLSHandshake(serverName: "a.test"))
    }
}
