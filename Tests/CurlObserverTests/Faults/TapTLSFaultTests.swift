import CCurlClient
import CurlObserver
import Foundation
import Locks
import TestSupport
import Testing
import TrafficModel
import WireweightTesting

extension TapTests {
    /// Faults of TLS: certificates that do not hold, and handshakes that are cut.
    @Suite(
        .serialized,
        .enabled(if: ["openssl", "stunnel"].allSatisfy { Tool.path(of: $0) != nil }, "needs openssl and stunnel4"))
    struct TLSFaults {
        private let folder: URL
        private let origin = LoopbackOrigin { _ in
            .respond(fields: ["X-A: 1"], body: .sized(Script.pattern(count: 500)))
        }

        init() throws {
            folder = FileManager.default.temporaryDirectory.appendingPathComponent("tls-faults-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try origin.start()
        }

        private func end() {
            origin.stop()
            try? FileManager.default.removeItem(at: folder)
        }

        /// A certificate that is its own authority, in a folder as `TLSFront` takes it.
        ///
        /// With RSA, whose signatures have always the same size: so have the handshakes.
        private func makeIdentity(_ name: String, host: String, from begin: String, to end: String) throws -> URL {
            let place = folder.appendingPathComponent(name)
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            try Data().write(to: place.appendingPathComponent("index"))
            try """
            [ca]
            default_ca = own
            [own]
            database = \(place.path)/index
            new_certs_dir = \(place.path)
            rand_serial = yes
            default_md = sha256
            policy = any
            x509_extensions = extensions
            [any]
            commonName = supplied
            [req]
            distinguished_name = name
            [name]
            [extensions]
            subjectAltName = \(host)
            basicConstraints = critical,CA:true
            """.write(to: place.appendingPathComponent("config"), atomically: true, encoding: .utf8)
            for words in [
                "req -new -newkey rsa:2048 -nodes -subj /CN=faults -config config -keyout key.pem -out request.pem",
                "ca -batch -selfsign -notext -config config -keyfile key.pem -in request.pem -out certificate.pem "
                    + "-startdate \(begin) -enddate \(end)",
            ] {
                let files = ["config", "key.pem", "request.pem", "certificate.pem"]
                let arguments = words.split(separator: " ").map(String.init).map {
                    files.contains($0) ? place.appendingPathComponent($0).path : $0
                }
                let result = try Tool.run(try #require(Tool.path(of: "openssl")), arguments)
                try #require(result.status == 0, "\(result.errors)")
            }
            return place
        }

        @Sendable private static func perform(_ easy: UnsafeMutableRawPointer?, _ url: String, trusts file: String)
            -> Int32
        {
            cc_set_text(easy, Int32(CC_URL.rawValue), url)
            cc_set_text(easy, Int32(CC_CAINFO.rawValue), file)
            _ = cc_set_long(easy, Int32(CC_TIMEOUT_MS.rawValue), 10_000)
            return cc_perform(easy)
        }

        @Test("A certificate that has expired, is not valid yet, is another host's, or has an unknown issuer")
        func certificates() throws {
            defer { end() }
            let (past, now) = ("20000101000000Z", "20200101000000Z")
            let (soon, far) = ("20900101000000Z", "20991231000000Z")
            let own = "IP:127.0.0.1"
            let identities = try [
                makeIdentity("good", host: own, from: past, to: far),
                makeIdentity("expired", host: own, from: past, to: now),
                makeIdentity("early", host: own, from: soon, to: far),
                makeIdentity("other", host: "DNS:other.example", from: past, to: far),
            ]
            let fronts = try identities.map { try TLSFront(originPort: origin.port, version: .tls13, identity: $0) }
            defer { fronts.forEach { $0.stop() } }
            // The last trusts the others' authority alone.
            let authorities = (fronts + [fronts[1]]).map(\.certificateFile)
            let faults = FaultDifference()
            try faults.compare(5, base: "https://127.0.0.1:1") { _, easy, number in
                let port = fronts[number % fronts.count].port
                return Self.perform(easy, "https://127.0.0.1:\(port)/\(number)", trusts: authorities[number])
            }
            // CURLE_PEER_FAILED_VERIFICATION
            #expect(faults.results == [0, 60, 60, 60, 60])
            try #require(faults.sink.ends.count == 5)
            for (end, result) in zip(faults.sink.ends, faults.results) {
                #expect(FaultDifference.describes(end.outcome, result), "\(end)")
            }
            // No byte of a request went to a server that is not trusted.
            #expect(faults.sink.requests.dropFirst().map(\.size) == Array(repeating: .nothing, count: 4))
            #expect(faults.sink.responses.map(\.size.body) == [.captured(500)])
            #expect(origin.exchanges.count == 2)
        }

        @Test("A handshake and what follows, cut at many bytes", arguments: TLSFront.Version.allCases)
        func cutHandshakes(version: TLSFront.Version) throws {
            defer { end() }
            let identity = try makeIdentity(
                "good", host: "IP:127.0.0.1", from: "20000101000000Z", to: "20991231000000Z")
            let front = try TLSFront(originPort: origin.port, version: version, identity: identity)
            defer { front.stop() }
            let authority = front.certificateFile
            let whole = 2_600
            let step = Rounds.areAll ? 5 : 53
            let count = whole / step
            // By the fault's number: one that is met again is cut where it was.
            let current = Atomic(0)
            let relay = try CuttingRelay(to: front.port) { _ in current.load(ordering: .sequentiallyConsistent) * step }
            defer { relay.stop() }
            let port = relay.port
            let faults = FaultDifference()
            try faults.compare(count, base: "") { _, easy, number in
                current.store(number, ordering: .sequentiallyConsistent)
                return Self.perform(easy, "https://127.0.0.1:\(port)/\(number)", trusts: authority)
            }
            relay.waitUntilClosed()
            // Without the tap, with it, and what had to be met again.
            try #require(relay.sizes.count >= 2 * count)
            let sizes = relay.sizes[count..<2 * count]
            try #require(faults.sink.ends.count == count)
            let connections = Dictionary(uniqueKeysWithValues: faults.sink.connections.map { ($0.connection, $0) })
            var (wrong, told) = ([String](), 0)
            for (index, (end, size)) in zip(faults.sink.ends, sizes).enumerated() {
                if !FaultDifference.describes(end.outcome, faults.results[index]) { wrong.append("\(end)") }
                // A handshake alone is reported, too; there may be nothing only if the relay accepts and passes nothing on.
                guard let record = end.connection.flatMap({ connections[$0] }), let ledger = record.ledger else {
                    wrong.append("\(index): no connection, of \(size), \(end)")
                    continue
                }
                told += 1
                // After a whole response the server sends close_notify to a client that has closed already.
                let isWhole = faults.results[index] == 0
                let down = isWhole ? ledger.down.payload <= size.sent : ledger.down.payload == size.sent
                if !ledger.isClosed || !down || ledger.up.payload > size.received {
                    wrong.append("\(index): \(ledger) of \(size)")
                }
            }
            #expect(wrong.isEmpty, "\(wrong.count): \(wrong.prefix(5).joined(separator: "\n"))")
            #expect(told > 0)
            // Cut in the handshake, cut in the response, and come to its end.
            #expect(Set(faults.results).isSuperset(of: [0, 35]))
        }
    }
}
