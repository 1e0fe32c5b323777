import Foundation
import Observing
import Testing
import TrafficModel
import WireweightTesting

@testable import URLSessionObserver

@Suite struct TransactionConnectionsTests {
    private static let end = Timestamp(nanoseconds: 90_000_000_000)
    private static let path = TransactionPath(
        localAddress: "10.0.0.2", localPort: 50_001, remoteAddress: "192.0.2.1", remotePort: 443)

    private var connections = TransactionConnections()
    private let numbers = IdentifierSource()

    private mutating func collect(_ transactions: [PlainTransaction]) -> RecordingSink {
        let sink = RecordingSink()
        let events = TransactionRecords.events(
            of: transactions, outcome: .completed, process: ProcessIdentity(pid: 7, name: "app"), endedAt: Self.end,
            connections: &connections, nextExchange: numbers.nextExchange, nextConnection: numbers.nextConnection)
        for event in events { sink.record(event) }
        return sink
    }

    private func transaction(
        at seconds: Double, isReused: Bool = false, over path: TransactionPath = path
    ) -> PlainTransaction {
        var transaction = PlainTransaction("https://example.com/", status: 200)
        transaction.count(up: 100, 10, down: 200, 1_000, 1_000)
        transaction.fetchStartDate = Date(timeIntervalSince1970: seconds)
        if !isReused { transaction.connectStartDate = Date(timeIntervalSince1970: seconds + 0.25) }
        transaction.requestStartDate = Date(timeIntervalSince1970: seconds + 0.5)
        transaction.isReusedConnection = isReused
        transaction.networkProtocolName = "H2"
        transaction.path = path
        return transaction
    }

    @Test(
        arguments: [
            (TransactionPath(), nil),
            // Apple's metrics of what opened no connection have properties all the same.
            (TransactionPath(localAddress: "", isCellular: true), nil),
            (
                path,
                ConnectionNetwork(
                    isLoopback: false, isCellular: false, isExpensive: false, isConstrained: false, isMultipath: false,
                    isProxied: false)
            ),
            (
                TransactionPath(
                    localAddress: "10.0.0.2", localPort: 1, remoteAddress: "192.0.2.1", remotePort: 2, isCellular: true,
                    isExpensive: true, isConstrained: false, isMultipath: true, isProxied: true,
                    domainResolution: 4),
                ConnectionNetwork(
                    isLoopback: false, isCellular: true, isExpensive: true, isConstrained: false, isMultipath: true,
                    isProxied: true, resolution: .https)
            ),
            (
                TransactionPath(localAddress: "::1", remoteAddress: "::1", isConstrained: true),
                ConnectionNetwork(
                    isLoopback: true, isCellular: false, isExpensive: false, isConstrained: true, isMultipath: false,
                    isProxied: false)
            ),
            (
                TransactionPath(remoteAddress: "::ffff:127.0.0.9"),
                ConnectionNetwork(
                    isLoopback: true, isCellular: false, isExpensive: false, isConstrained: false, isMultipath: false,
                    isProxied: false)
            ),
            (
                TransactionPath(localAddress: "10.0.0.2", remoteAddress: "10.0.0.2"),
                ConnectionNetwork(
                    isLoopback: true, isCellular: false, isExpensive: false, isConstrained: false, isMultipath: false,
                    isProxied: false)
            ),
            // Without our own address it is not known whether the other one is this machine's.
            (
                TransactionPath(remoteAddress: "10.0.0.2"),
                ConnectionNetwork(
                    isCellular: false, isExpensive: false, isConstrained: false, isMultipath: false, isProxied: false)
            ),
            // Numbers that no system has today are not known.
            (
                TransactionPath(localAddress: "10.0.0.2", remoteAddress: "192.0.2.1", domainResolution: 5),
                ConnectionNetwork(
                    isLoopback: false, isCellular: false, isExpensive: false, isConstrained: false, isMultipath: false,
                    isProxied: false)
            ),
        ] as [(TransactionPath, ConnectionNetwork?)])
    func whatTheSystemReportsIsTheNetwork(path: TransactionPath, network: ConnectionNetwork?) {
        #expect(path.network == network)
    }

    @Test func networksHaveAKindWhereItIsKnown() {
        #expect(ConnectionNetwork(isLoopback: true).kind == .loopback)
        #expect(ConnectionNetwork(isLoopback: false, isCellular: true).kind == .cellular)
        #expect(ConnectionNetwork(interface: "wlan0", isLoopback: false, isCellular: false).kind == nil)
    }

    @Test func endsAreAddressesWithPorts() {
        let path = TransactionPath(localAddress: "fe80::1", localPort: 80, remoteAddress: "[::1]", remotePort: 443)
        #expect(path.local == "[fe80::1]:80")
        #expect(path.remote == "[::1]:443")
        #expect(TransactionPath(remoteAddress: "10.0.0.1").remote == "10.0.0.1")
        #expect(TransactionPath(remotePort: 443).remote == "")
    }

    @Test mutating func aConnectionHasWhatItsTransactionsCarried() throws {
        let first = collect([transaction(at: 1), transaction(at: 2, isReused: true)])
        #expect(first.ends.map(\.connection) == [ConnectionID(1), ConnectionID(1)])
        #expect(first.connections.count == 1)
        let second = collect([transaction(at: 3, isReused: true)])
        let record = try #require(second.connections.first)
        #expect(record.connection == ConnectionID(1))
        #expect(record.process == ProcessIdentity(pid: 7, name: "app"))
        #expect(record.localAddress == "10.0.0.2:50001")
        #expect(record.remoteAddress == "192.0.2.1:443")
        #expect(record.applicationProtocol == "h2")
        #expect(record.tls == ConnectionRecord.TLS())
        #expect(record.openedAt == Timestamp(nanoseconds: 1_000_000_000))
        #expect(record.closedAt == nil)
        #expect(record.network?.isCellular == false)
        #expect(record.load == ConnectionLoad(exchanges: 3, messages: ByteFlow(up: 330, down: 3_600)))
        // The kernel's count is not known.
        #expect(record.payloadUp == nil && record.ledger == nil)
    }

    @Test mutating func theOpenerMayBeReportedLast() {
        let later = collect([transaction(at: 2, isReused: true)])
        let opener = collect([transaction(at: 1)])
        #expect(later.ends.map(\.connection) == [ConnectionID(1)])
        #expect(opener.ends.map(\.connection) == [ConnectionID(1)])
        #expect(opener.connections.first?.openedAt == Timestamp(nanoseconds: 1_000_000_000))
    }

    @Test mutating func endsThatComeRoundAgainAreAnotherConnection() {
        #expect(collect([transaction(at: 1)]).ends.first?.connection == ConnectionID(1))
        #expect(collect([transaction(at: 5)]).ends.first?.connection == ConnectionID(2))
        #expect(collect([transaction(at: 6, isReused: true)]).ends.first?.connection == ConnectionID(2))
    }

    @Test mutating func anOpenerAfterAnUnknownConnectionWithTheSameEndsIsNotItsOwn() {
        #expect(collect([transaction(at: 1, isReused: true)]).ends.first?.connection == ConnectionID(1))
        #expect(collect([transaction(at: 5)]).ends.first?.connection == ConnectionID(2))
    }

    @Test mutating func whatCameFromTheCacheOrNowhereHasNoConnection() {
        var cached = transaction(at: 1)
        cached.fetchType = .cache
        let sink = collect([cached, transaction(at: 2, over: TransactionPath(isCellular: true))])
        #expect(sink.ends.map(\.connection) == [nil, nil])
        #expect(sink.connections.isEmpty)
    }

    @Test mutating func otherEndsAreOtherConnections() {
        var other = Self.path
        other.localPort = 50_002
        let sink = collect([transaction(at: 1), transaction(at: 2, over: other), transaction(at: 3, isReused: true)])
        #expect(sink.ends.map(\.connection?.rawValue) == [1, 2, 1])
        #expect(sink.connections.map(\.load.exchanges) == [2, 1])
    }

    @Test mutating func memoryIsBoundedAndTheNewestAreKept() {
        connections = TransactionConnections(limit: 10)
        for port in 1...100 {
            var path = Self.path
            path.localPort = port
            _ = collect([transaction(at: Double(port), over: path)])
            #expect(connections.count <= 10)
        }
        var path = Self.path
        path.localPort = 100
        let sink = collect([transaction(at: 101, isReused: true, over: path)])
        #expect(sink.ends.first?.connection == ConnectionID(100))
    }

    @Test mutating func tlsIsThatOfAnyTransactionOnTheConnection() {
        let agreed = ConnectionRecord.TLS(version: "TLSv1.3", cipher: "TLS_AES_128_GCM_SHA256")
        var first = transaction(at: 1)
        first.tls = agreed
        #expect(collect([first]).connections.map(\.tls) == [agreed])
        #expect(collect([transaction(at: 2, isReused: true)]).connections.map(\.tls) == [agreed])
        let other = TransactionPath(localAddress: "10.0.0.2", localPort: 50_002, remoteAddress: "192.0.2.1")
        #expect(collect([transaction(at: 3, over: other)]).connections.map(\.tls) == [ConnectionRecord.TLS()])
    }
}
