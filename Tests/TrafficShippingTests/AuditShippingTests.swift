import FleetTables
import Foundation
import Testing
import TrafficAudit
import TrafficModel
import TrafficStore

@testable import TrafficShipping

@Suite("What an audit of a store has found") struct AuditShippingTests {
    /// A store whose calls fail often enough to be findings.
    private func rig() throws -> Rig {
        let rig = try Rig()
        try rig.fill(400)
        return rig
    }

    /// The findings that came with the newest audit.
    private func newest(_ fleet: FakeFleet) -> [FleetFinding] {
        fleet.findings.filter { $0.origin.revision == fleet.audits.last?.origin.revision }
    }

    @Test("arrives with the figures of the store's own audit")
    func arrives() throws {
        let rig = try rig()
        try rig.ship()
        let audit = try Audit(of: rig.reader())
        #expect(!audit.findings.isEmpty)
        let sent = try #require(rig.fleet.audits.first)
        #expect(rig.fleet.audits.count == 1 && sent.findings == Int64(audit.findings.count) && sent.requests == 400)
        #expect(sent.origin.installation == (try rig.reader().installation()))
        #expect(sent.weight == 1)
        let rows = newest(rig.fleet)
        #expect(rows.map(\.rule) == audit.findings.map(\.rule))
        #expect(rows.map(\.key) == audit.findings.map(\.key))
        #expect(rows.map(\.bytes) == audit.findings.map(\.bytes))
        #expect(rows.map(\.nanoseconds) == audit.findings.map { $0.nanoseconds / 1_000 * 1_000 })
        #expect(rows.map(\.calls) == audit.findings.map(\.calls))
        #expect(rows.map(\.affectedCalls) == audit.findings.map { Int64($0.affectedCalls) })
        #expect(rows.map(\.remedy) == audit.findings.map(\.remedySaid.phrase.rawValue))
    }

    @Test("is looked for again after an hour, if there is something new, whatever the clock does")
    func again() throws {
        let rig = try rig()
        func ship(after seconds: Int64, with exchanges: Int64) throws -> Int {
            rig.now = Timestamp(nanoseconds: rig.now.nanoseconds + seconds * 1_000_000_000)
            let writer = try rig.writer()
            for _ in 0..<exchanges { try writer.write(Traffic.exchange(1, at: 0)) }
            try writer.close()
            try rig.ship()
            return rig.fleet.audits.count
        }
        #expect(try ship(after: 0, with: 0) == 1)
        #expect(try ship(after: 7_200, with: 0) == 1)
        #expect(try ship(after: 0, with: 1) == 2)
        #expect(try ship(after: 3_599, with: 1) == 2)
        #expect(try ship(after: 1, with: 0) == 3)
        #expect(try ship(after: -86_400 * 3_000, with: 1) == 4)
        #expect(rig.fleet.audits.map(\.requests) == [400, 401, 402, 403])
    }

    @Test("is of a cohort, with its weight, if only a cohort sends details")
    func cohort() throws {
        let rig = try rig()
        rig.options.cohort = 0.5
        // Each time another installation, until one was chosen and another was not.
        var seen: [Bool: InstallationID] = [:]
        while seen.count < 2 {
            let store = try ShippingStore.open(rig.path)
            try store.reset()
            try store.close()
            let id = try rig.reader().installation()
            seen[rig.options.isInCohort(id)] = id
            try rig.ship()
        }
        #expect(rig.fleet.audits.contains { $0.origin.installation == seen[true] })
        #expect(!rig.fleet.audits.contains { $0.origin.installation == seen[false] })
        #expect(rig.fleet.audits.allSatisfy { $0.weight == 2 } && rig.fleet.findings.allSatisfy { $0.weight == 2 })
        let other = try self.rig()
        other.options.audits = false
        try other.ship()
        #expect(other.fleet.audits.isEmpty && other.fleet.findings.isEmpty)
    }

    @Test("has no more text than the sums, and is bounded")
    func bounded() throws {
        let rig = try Rig()
        let writer = try rig.writer()
        let secret = "hunter2secret"
        for id in Int64(1)...3_000 {
            let host = id % 60 == 0 ? "x" + String(repeating: "long.", count: 500) + "test" : "host\(id % 60).test"
            let event = Traffic.request(id, at: id * 10, host: host, path: "/\(secret)/\(id)")
            guard case .request(var record) = event else { continue }
            record.template = "/{id}"
            record.fields = FieldSection(
                bytes: Array("host: \(host)\r\ncookie: \(String(repeating: secret, count: 200))\r\n".utf8))
            record.size.cookies = .captured(2_600)
            record.size.fields = .captured(2_700)
            try writer.write([.request(record)] + Traffic.rest(id, at: id * 10, status: 404, connection: id))
        }
        try writer.close()
        rig.options.excluded = ["host7.test", "host8.test:8123"]
        try rig.ship()
        #expect(rig.fleet.findings.count == BatchCutter.mostFindings)
        #expect(rig.fleet.audits.first?.findings == Int64(BatchCutter.mostFindings))
        let hosts = Set(rig.fleet.findings.compactMap(\.key.host))
        #expect(hosts.isDisjoint(with: ["host7.test", "host8.test"]))
        #expect(hosts.allSatisfy { $0.utf8.count <= BatchCutter.longestName })
        #expect(!rig.fleet.findings.contains { "\($0)".contains(secret) })
    }
}
