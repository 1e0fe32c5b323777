import TestSupport
import Testing
import TrafficModel

@testable import FleetTables

@Suite struct SchemaTests {
    @Test("Each table can be made, and rows go into the columns that are sent")
    func tables() {
        #expect(
            FleetSchema.tables.map(\.name) == [
                "exchange", "connection", "sums", "template", "loss", "installation", "finding", "audit", "total",
            ])
        for table in FleetSchema.tables {
            #expect(Set(table.columns.map(\.name)).count == table.columns.count)
            #expect(table.creation.hasPrefix("CREATE TABLE IF NOT EXISTS \(table.name) (\n    installation UUID,\n"))
            let moment = table.name == "sums" ? ",\n    arrived DateTime DEFAULT now()" : ""
            #expect(
                table.creation.contains(
                    "    received Date DEFAULT today()\(moment)\n) ENGINE = ReplacingMergeTree(revision)"))
        }
        let loss =
            "INSERT INTO loss (installation, service, version, environment, host_name, os, os_version, region, carrier, run, revision, reason, count) FORMAT RowBinary"
        #expect(FleetLoss.table.insertion == loss)
        #expect(FleetSchema.sql.components(of: ";\n") == 9)
    }

    @Test("On a cluster, each table has one for the rows of a shard, where all of an installation are")
    func cluster() throws {
        let cluster = try #require(FleetCluster(name: "my-cluster", database: "fleet"))
        #expect(FleetSchema.sql(on: cluster).components(of: ";\n") == 18)
        for table in FleetSchema.tables {
            let made = table.creations(cluster)
            let columns = table.creation.split(separator: "\n").dropFirst().dropLast()
            #expect(made[0].split(separator: "\n").dropFirst().dropLast() == columns)
            #expect(
                made[0].hasPrefix("CREATE TABLE IF NOT EXISTS `fleet`.\(table.name)_shard ON CLUSTER 'my-cluster' (\n"))
            let engine =
                ") ENGINE = ReplicatedReplacingMergeTree('/wireweight/fleet/\(table.name)/{shard}', '{replica}', revision) "
            #expect(made[0].contains(engine + "PARTITION BY toMonday(received) ORDER BY ("))
            #expect(
                made[1] == """
                    CREATE TABLE IF NOT EXISTS `fleet`.\(table.name) ON CLUSTER 'my-cluster' AS `fleet`.\(table.name)_shard
                    ENGINE = Distributed('my-cluster', 'fleet', '\(table.name)_shard', cityHash64(toString(installation)))
                    """)
        }
        #expect(
            FleetSchema.deletion(afterDays: 3, on: cluster).hasPrefix(
                "ALTER TABLE `fleet`.exchange_shard ON CLUSTER 'my-cluster' MODIFY TTL received + INTERVAL 3 DAY;\n"))
        for name in ["", "a b", "a'b", "a`b", "é"] {
            #expect(FleetCluster(name: name, database: "fleet") == nil)
            #expect(FleetCluster(name: "fleet", database: name) == nil)
        }
    }

    @Test("Everything that a key names is a column")
    func keys() {
        func check<Row>(_ table: FleetTable<Row>) {
            #expect(Set(table.key).isSubset(of: Set(table.columns.map(\.name))))
            #expect(table.key.contains("installation"))
        }
        check(FleetExchange.table)
        check(FleetConnection.table)
        check(FleetSums.table)
        check(FleetTemplate.table)
        check(FleetLoss.table)
        check(FleetInstallation.table)
        check(FleetFinding.table)
        check(FleetAudit.table)
        check(FleetSums.totals)
        #expect(Set(FleetSums.totals.columns.map(\.name)) == Set(FleetSums.table.columns.map(\.name)))
    }

    @Test("What is not shared is not in the row")
    func sharing() {
        var random = RandomRows(seed: 3)
        var exchange = random.exchange().exchange
        exchange.request.path = "/secret-path"
        exchange.request.query = "secret-query"
        exchange.request.fields = FieldSection(bytes: Array("X: secret-header\r\n".utf8))
        exchange.request.capturedBody = Array("secret-body".utf8)
        exchange.end?.remoteAddress = "secret-address"
        exchange.end?.outcome = .failed(ExchangeFailure(.libcurl, code: 6, message: "secret-message"))
        let secrets = [
            "secret-path", "secret-query", "secret-header", "secret-address", "secret-message", "secret-body",
        ]
        // How many of them each level has.
        for (share, count) in zip(FleetShare.allCases, [0, 1, 2, 3, 5]) {
            let row = FleetExchange(exchange, origin: FleetOrigin(), weight: 1, share: share)
            let text = String(decoding: written([row]), as: UTF8.self)
            #expect(secrets.filter { text.contains($0) } == Array(secrets.prefix(count)))
            #expect(row.exchange.request.size == exchange.request.size)
            #expect(row.exchange.end?.outcome.failure?.code == 6)
        }
        #expect(FleetShare.allCases.map(\.name) == ["templates", "paths", "queries", "headers", "all"])
        #expect(FleetShare(name: "headers") == .headers)
        #expect(FleetShare(name: "bodies") == nil)
    }

    @Test("Words are numbers that never change")
    func numbers() {
        let failed = ExchangeEnd.Outcome.failed(ExchangeFailure(.libcurl, code: 1))
        let outcomes: [ExchangeEnd.Outcome] = [.completed, failed, .cancelled, .timedOut, .abandoned, .incomplete]
        #expect(outcomes.map { FleetNumbers.outcome($0) } == [0, 1, 2, 3, 4, 5])
        #expect(FleetNumbers.outcome(200) == .abandoned)
        #expect(FleetNumbers.evidence(.nothing) == 0)
        #expect(FleetNumbers.evidence(.unknown) == 0b11_11_11_11_11_11_00)
    }
}

extension String {
    fileprivate func components(of separator: String) -> Int { split(separator: separator).count }
}
