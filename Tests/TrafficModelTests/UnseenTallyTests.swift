import Testing

@testable import TrafficModel

/// What connections carried unseen, by host and reason.
@Suite("A tally of unseen connections")
struct UnseenTallyTests {
    private func record(
        _ number: Int64, _ host: String, _ reason: UnseenTraffic.Reason? = .tls, up: Int64 = 1, down: Int64 = 2
    ) -> ConnectionRecord {
        var record = ConnectionRecord(
            connection: ConnectionID(number), process: ProcessIdentity(pid: 1, name: "tool"),
            localAddress: "10.0.0.1:5000", remoteAddress: "10.0.0.2:443", openedAt: Timestamp(nanoseconds: 0),
            unseen: reason.map { UnseenTraffic(reason: $0, serverName: host) })
        record.load.parts[.unseen] = ByteFlow(up: ByteCount(up), down: ByteCount(down))
        return record
    }

    @Test("adds up by host and reason, and names the peer's address where there is no host")
    func sums() {
        var tally = UnseenTally()
        for event in [
            record(1, "a", up: 10, down: 20), record(2, "a"), record(3, "a", .http2), record(4, ""),
            record(5, "b", nil),
        ] {
            tally.add(event)
        }
        func sum(_ host: String, _ reason: UnseenTraffic.Reason) -> [Int64]? {
            tally.sums[.init(direction: .called, host: host, reason: reason)].map {
                [Int64($0.connections), $0.bytes.up.bytes, $0.bytes.down.bytes]
            }
        }
        #expect(sum("a", .tls) == [2, 11, 22])
        #expect(sum("a", .http2) == [1, 1, 2])
        #expect(sum("10.0.0.2:443", .tls) == [1, 1, 2])
        #expect(tally.sums.count == 3)
    }

    @Test("counts a connection that has carried exchanges as its last record says, which comes more than once")
    func again() {
        var tally = UnseenTally()
        var tunnel = record(1, "a", up: 10, down: 20)
        tunnel.load.exchanges = 1
        tally.add(record(2, "a"))
        for bytes in [20, 30, 40] as [Int64] {
            tunnel.load.parts[.unseen] = ByteFlow(up: 10, down: ByteCount(bytes))
            tally.add(tunnel)
        }
        let sum = tally.sums[.init(direction: .called, host: "a", reason: .tls)]
        #expect(sum?.connections == 2 && sum?.bytes == ByteFlow(up: 11, down: 42))
        tunnel.unseen = UnseenTraffic(reason: .passedOn, serverName: "b")
        tally.add(tunnel)
        #expect(tally.sums[.init(direction: .called, host: "a", reason: .tls)]?.connections == 1)
        #expect(tally.sums[.init(direction: .called, host: "b", reason: .passedOn)]?.connections == 1)
        tunnel.unseen = nil
        tally.add(tunnel)
        #expect(tally.sums.count == 1)
    }

    @Test("lists a limited number of hosts, and adds up the rest")
    func bound() {
        var tally = UnseenTally()
        for number in 1...Int64(UnseenTally.most + 10) { tally.add(record(number, "host-\(number)")) }
        #expect(tally.sums.count == UnseenTally.most + 1)
        #expect(tally.sums[.init(direction: .called, host: "", reason: .tls)]?.connections == 10)
    }
}
