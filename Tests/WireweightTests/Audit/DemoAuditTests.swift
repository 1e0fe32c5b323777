import Foundation
import TestSupport
import Testing
import TrafficModel
import TrafficAudit
import TrafficStore
import Wireweight
import WireweightTesting

@testable import WireweightCommand

/// The demo's own traffic, metered and audited.
@Suite("The demo under audit", .serialized, .oneAtATime)
struct DemoAuditTests {
    /// The APIs of the clean part.
    private static let clean: Set<String> = [
        "GET /users", "POST /users", "DELETE /users/{id}", "GET /articles/{id}", "POST /session",
    ]

    /// Meters rounds of the demo; hands over what was kept.
    private func meter(
        _ parts: [DemoClient.Part], rounds: Int, bodies: TrafficMonitor.Configuration.Bodies = .none
    ) async throws -> Audit {
        let file = TemporaryFile()
        let origin = DemoAPI.origin()
        try origin.start()
        defer { origin.stop() }
        var configuration = TrafficMonitor.Configuration(store: file.path)
        configuration.bodies = bodies
        let monitor = try TrafficMonitor.start(configuration)
        defer { monitor.stop() }
        let base = try #require(URL(string: origin.address + "/"))
        for round in 1...rounds {
            _ = await DemoClient.run(base: base, round: round, parts: parts) { _, _ in }
        }
        _ = origin.waitUntilIdle()
        await monitor.flush()
        return try Audit(of: StoreReader.open(file.path))
    }

    @Test("no rule finds anything in the clean part, however often it is repeated")
    func cleanPart() async throws {
        let audit = try await meter([.clean], rounds: 3)
        #expect(audit.examined.map(\.requests) == [3 * 66])
        #expect(audit.examined.map(\.exchanges) == [3 * 66])
        #expect(audit.findings.isEmpty, "\(audit.table())")
    }

    @Test("where bodies are kept, what coding saves is measured by compressing them")
    func keptBodies() async throws {
        let audit = try await meter([.untidy], rounds: 1, bodies: .first(bytes: 65_536))
        let reports = try #require(
            audit.findings.first { $0.rule == "text-without-coding" && $0.key.template == "/reports/{id}" })
        #expect(reports.basis == .measured)
        #expect(reports.source.hasPrefix("8 kept bodies compressed"))
        // Eight times 20,000 letters in the order of the alphabet, of which next to nothing is left.
        #expect((155_000..<160_000).contains(reports.bytes))
    }

    @Test("the untidy part shows what an audit is for, and nothing is said of the clean one")
    func wholeDemo() async throws {
        let audit = try await meter(DemoClient.Part.allCases, rounds: 1)
        #expect(audit.examined.map(\.requests) == [200])
        let expected: Set<String> = [
            "text-without-coding", "upload-without-coding", "failed-calls", "identical-requests", "redirects",
            "tiny-chunks", "oversized-request-fields",
        ]
        #expect(expected.isSubset(of: Set(audit.findings.map(\.rule))), "\(audit.table())")
        for finding in audit.findings {
            let api = "\(finding.key.method ?? "") \(finding.key.template ?? "")"
            #expect(!Self.clean.contains(api), "\(finding.rule)")
            #expect(!finding.evidence.isEmpty)
        }
    }
}
