import Testing
import TrafficModel

@testable import CaptureVerification

@Suite("A capture beside the meter") struct CaptureVerificationTests {
    @Test("SYN, FIN and empty segments have no payload")
    func plain() {
        var packets = Packets()
        packets.exchange(up: 100, down: 2_000)
        let row = packets.row(Packets.record(sent: 100, received: 2_000))
        #expect(row.verdict == .agrees)
        #expect(row.captured == .init(100, 2_000))
        #expect(row.difference == .init(0, 0))
        #expect(row.note == nil)
    }

    @Test("one byte is a difference, either way", arguments: [(99, 2_000), (101, 2_000), (100, 1_999), (100, 2_001)])
    func oneByte(sent: Int64, received: Int64) {
        var packets = Packets()
        packets.exchange(up: 100, down: 2_000)
        let verification = CaptureVerification([Packets.record(sent: sent, received: received)], against: packets.tally)
        #expect(verification.rows[0].verdict == .differs)
        #expect(verification.rows[0].difference == .init(100 - sent, 2_000 - received))
        #expect(!verification.isPassed)
    }

    @Test("up is from the client, also where the server was metered, and both ends may be in one store")
    func served() {
        var packets = Packets()
        packets.exchange(up: 100, down: 2_000)
        func served(received: Int64) -> StoredConnection {
            var record = Packets.record(
                2, port: 80, sent: received, received: 2_000, local: Packets.server,
                remote: "\(Packets.client):40000")
            record.record.direction = .served
            return record
        }
        let called = Packets.record(sent: 100, received: 2_000)
        let both = CaptureVerification([called, served(received: 100)], against: packets.tally)
        #expect(both.isPassed && both.rows.map(\.verdict) == [.agrees, .agrees] && both.others == 0)
        #expect(both.rows.map(\.captured) == [.init(100, 2_000), .init(100, 2_000)])
        let wrong = packets.row(served(received: 99))
        #expect(wrong.verdict == .differs && wrong.difference == .init(1, 0))
    }

    @Test("a server that closes before it has read all is one that left bytes unread")
    func servedUnread() {
        var packets = Packets()
        packets.handshake()
        packets.up(0, 100)
        packets.down(0, 0, ack: 100, flags: Packets.rst)
        var record = Packets.record(
            port: 80, sent: 60, received: 0, local: Packets.server, remote: "\(Packets.client):40000")
        record.record.direction = .served
        #expect(packets.row(record).verdict == .unread)
    }

    @Test("what is sent again, what is captured twice, and keep-alive probes count once")
    func repeated() {
        var packets = Packets()
        packets.handshake()
        // Before anything was sent, a probe repeats the number of the SYN.
        packets.up(-1, 1)
        for _ in 0..<2 {
            packets.up(0, 100)
            packets.down(0, 1_000, ack: 100)
        }
        // Other borders than the first time, and more.
        packets.down(500, 1_000, ack: 100)
        packets.up(99, 0, ack: 1_500)
        packets.up(99, 1, ack: 1_500)
        packets.down(1_500, ack: 100)
        packets.close(up: 100, down: 1_500)
        packets.down(1_500, ack: 101, flags: Packets.fin)
        #expect(packets.row(Packets.record(sent: 100, received: 1_500)).verdict == .agrees)
    }

    @Test("data within the SYN counts")
    func fastOpen() {
        var packets = Packets()
        packets.up(-1, 60, ack: nil, flags: Packets.syn)
        // The payload's sequence number follows the SYN's.
        packets.down(-1, ack: 60, flags: Packets.syn)
        packets.up(60, 40)
        packets.close(up: 100, down: 0)
        #expect(packets.row(Packets.record(sent: 100, received: 0)).captured == .init(100, 0))
    }

    @Test("the numbers wrap in mid-connection")
    func wraps() {
        var packets = Packets()
        packets.clientStart = .max - 50
        packets.serverStart = .max
        packets.exchange(up: 100, down: 2_000)
        #expect(packets.row(Packets.record(sent: 100, received: 2_000)).verdict == .agrees)
    }

    @Test("a capture that began late proves nothing, even where the sums are the same")
    func lateBegin() {
        var packets = Packets()
        packets.up(0, 100)
        packets.down(0, 2_000, ack: 100)
        packets.close(up: 100, down: 2_000)
        let row = packets.row(Packets.record(sent: 100, received: 2_000))
        #expect(row.verdict == .incomplete)
        #expect(row.captured == .init(100, 2_000))
        #expect(row.note?.contains("its start is not in the capture") == true)

        // Only one of the two SYNs.
        var half = Packets()
        half.down(-1, ack: 0, flags: Packets.syn)
        half.up(0, 100)
        half.down(0, 2_000, ack: 100)
        half.close(up: 100, down: 2_000)
        #expect(half.row(Packets.record(sent: 100, received: 2_000)).verdict == .incomplete)
    }

    @Test("a gap proves nothing, and says how many bytes it takes")
    func gap() {
        var packets = Packets()
        packets.handshake()
        packets.up(0, 100)
        packets.down(0, 1_000, ack: 100)
        packets.down(1_500, 500, ack: 100)
        packets.close(up: 100, down: 2_000)
        let row = packets.row(Packets.record(sent: 100, received: 1_500))
        #expect(row.verdict == .incomplete)
        #expect(row.missing == .init(0, 500))
        #expect(row.note == "the capture lacks 0 B up and 500 B down of it: packets were lost")
    }

    @Test("missing bytes that were acknowledged or that precede the FIN are a gap")
    func lostTail() {
        var acknowledged = Packets()
        acknowledged.handshake()
        acknowledged.up(0, 100)
        acknowledged.down(0, ack: 150)
        #expect(acknowledged.row(Packets.record(sent: 100, received: 0)).missing == .init(50, 0))
        var ended = Packets()
        ended.handshake()
        ended.up(0, 100)
        ended.close(up: 100, down: 70)
        #expect(ended.row(Packets.record(sent: 100, received: 0)).missing == .init(0, 70))
        #expect(ended.row(Packets.record(sent: 100, received: 0)).verdict == .incomplete)
    }

    @Test("a head that was cut makes the connection incomplete")
    func cutHead() {
        var packets = Packets()
        packets.exchange(up: 100, down: 2_000)
        packets.add("ip:tcp\t\(Packets.client)\t\(Packets.server)\t\t\t40000\t80\t\t\t\t")
        #expect(packets.row(Packets.record(sent: 100, received: 2_000)).verdict == .incomplete)
    }

    @Test("a capture that ended early: less is incomplete, all is enough")
    func earlyEnd() {
        var packets = Packets()
        packets.handshake()
        packets.up(0, 100)
        packets.down(0, 1_000, ack: 100)
        #expect(packets.row(Packets.record(sent: 100, received: 2_000)).verdict == .incomplete)
        #expect(packets.row(Packets.record(sent: 100, received: 1_000)).verdict == .agrees)
    }

    @Test("what comes when the program has closed is refused, and was never received")
    func refused() {
        var packets = Packets()
        packets.handshake()
        packets.up(0, 100)
        packets.down(0, 1_000, ack: 100)
        packets.up(100, ack: 1_000, flags: Packets.fin)
        packets.down(1_000, 24, ack: 100)
        packets.up(100, ack: nil, flags: Packets.rst)
        // Still under way.
        packets.down(1_024, 30, ack: 101)
        let row = packets.row(Packets.record(sent: 100, received: 1_000))
        #expect(row.verdict == .agrees)
        #expect(row.captured == .init(100, 1_000))
        #expect(row.refused == 24)
        #expect(row.note == "24 B more came after the program had closed it, and its system refused them")
        // Taken in, it would have been acknowledged.
        #expect(packets.row(Packets.record(sent: 100, received: 1_024)).verdict == .differs)
    }

    @Test("what the program sent when its peer had closed was sent, as the kernel counts it")
    func sentInVain() {
        var packets = Packets()
        packets.handshake()
        packets.up(0, 100)
        packets.down(0, 1_000, ack: 100)
        packets.down(1_000, ack: 100, flags: Packets.fin)
        packets.up(100, 24, ack: 1_001)
        packets.down(1_001, ack: nil, flags: Packets.rst)
        let row = packets.row(Packets.record(sent: 124, received: 1_000))
        #expect(row.verdict == .agrees)
        #expect(row.captured == .init(124, 1_000))
        #expect(row.refused == 0)
        #expect(row.note == nil)
        #expect(packets.row(Packets.record(sent: 100, received: 1_000)).verdict == .differs)
    }

    @Test("what lay unread when the program closed has a word of its own, and is a difference")
    func unread() {
        var packets = Packets()
        packets.handshake()
        packets.up(0, 100)
        packets.down(0, 1_000, ack: 100)
        packets.up(100, ack: 1_000, flags: Packets.rst)
        let verification = CaptureVerification([Packets.record(sent: 100, received: 700)], against: packets.tally)
        #expect(verification.rows[0].verdict == .unread)
        #expect(!verification.isPassed)
        #expect(packets.row(Packets.record(sent: 99, received: 700)).verdict == .differs)
        #expect(packets.row(Packets.record(sent: 100, received: 1_001)).verdict == .differs)

        // Without the program's reset, the reason is unknown.
        var quiet = Packets()
        quiet.exchange(up: 100, down: 1_000)
        #expect(quiet.row(Packets.record(sent: 100, received: 700)).verdict == .differs)
    }

    @Test("a FIN that a reset follows is counted as a byte by the kernel; that has a word of its own, too")
    func reset() {
        var packets = Packets()
        packets.handshake()
        packets.up(0, 100)
        packets.down(0, 1_000, ack: 100)
        packets.down(1_000, ack: 100, flags: Packets.fin)
        packets.up(100, ack: 1_001)
        packets.down(1_001, ack: nil, flags: Packets.rst)
        let row = packets.row(Packets.record(sent: 100, received: 1_001))
        #expect(row.verdict == .reset)
        #expect(row.difference == .init(0, -1))
        #expect(packets.row(Packets.record(sent: 100, received: 1_000)).verdict == .agrees)
        #expect(packets.row(Packets.record(sent: 100, received: 1_002)).verdict == .differs)
    }

    @Test("a reset with a number that its receiver does not expect ends nothing")
    func strayReset() {
        var packets = Packets()
        packets.handshake()
        packets.up(0, 100)
        packets.down(900_000, ack: nil, flags: Packets.rst)
        packets.down(0, 1_000, ack: 100)
        packets.close(up: 100, down: 1_000)
        #expect(packets.row(Packets.record(sent: 100, received: 1_000)).verdict == .agrees)
    }

    @Test("an open connection that differs, and one whose count is unknown")
    func openAndUncounted() {
        var packets = Packets()
        packets.exchange(up: 100, down: 1_000)
        #expect(packets.row(Packets.record(sent: 100, received: 900, closed: nil)).verdict == .open)
        // The own address of an open connection is not known.
        let row = packets.row(Packets.record(sent: 100, received: 1_000, closed: nil, local: nil))
        #expect(row.verdict == .agrees)
        #expect(row.local.text == "10.0.0.1:40000")
        #expect(packets.row(Packets.record(sent: nil, received: nil)).verdict == .uncounted)
        #expect(packets.row(Packets.record(sent: 100, received: nil)).verdict == .uncounted)
    }

    @Test("a port that is used again within milliseconds: each connection finds its own")
    func portReuse() {
        var packets = Packets()
        var records: [StoredConnection] = []
        for number in 0..<20 {
            packets.clientStart = UInt32(1_000 + number * 50)
            packets.serverStart = UInt32(9_000 + number * 33)
            let begin = packets.clock
            packets.exchange(up: 100 + number, down: 1_000 + number)
            records.append(
                Packets.record(
                    Int64(number), sent: Int64(100 + number), received: Int64(1_000 + number), opened: begin + 4,
                    closed: begin + 6))
        }
        // In any order, and with one that was not metered.
        let verification = CaptureVerification(records.dropFirst().reversed(), against: packets.tally)
        #expect(verification.isPassed, "\(verification.rows.filter { $0.verdict != .agrees })")
        #expect(verification.unmetered.map(\.captured) == [.init(100, 1_000)])
    }

    @Test("a SYN that is sent again begins no other connection")
    func repeatedSYN() {
        var packets = Packets()
        packets.up(-1, ack: nil, flags: Packets.syn)
        packets.exchange(up: 100, down: 1_000)
        #expect(packets.tally.connections.count == 1)
        #expect(packets.row(Packets.record(sent: 100, received: 1_000)).verdict == .agrees)
    }

    @Test("the same ends hours apart are not the same connection")
    func otherTime() {
        var packets = Packets()
        packets.exchange(up: 100, down: 1_000)
        let early = Packets.record(sent: 100, received: 1_000, opened: -7_200_000, closed: -7_199_000)
        let late = Packets.record(sent: 100, received: 1_000, opened: 7_200_000, closed: 7_201_000)
        #expect(packets.row(early).verdict == .uncaptured)
        #expect(packets.row(late).verdict == .uncaptured)
        #expect(CaptureVerification([early], against: packets.tally).mismatch?.contains("began at") == true)
        #expect(CaptureVerification([late], against: packets.tally).mismatch?.contains("ended at") == true)
    }

    @Test("another interface: said with what was found there")
    func otherInterface() {
        var packets = Packets()
        packets.exchange(up: 100, down: 1_000)
        let record = Packets.record(sent: 100, received: 1_000, remote: "192.0.2.7:443")
        let verification = CaptureVerification([record], against: packets.tally, facts: .init(interfaces: ["wlan0"]))
        #expect(!verification.isPassed)
        #expect(verification.rows[0].verdict == .uncaptured)
        #expect(verification.others == 1)
        let expected = """
            none of the metered connections is in the capture, which has 1 other connection of that time on wlan0: \
            capture on the interface that leads to 192.0.2.7:443
            """
        #expect(verification.mismatch == expected)
        let empty = CaptureVerification([record], against: CaptureTally())
        #expect(empty.mismatch?.hasPrefix("the capture has no TCP packets") == true)
    }

    @Test("both ends of one machine: the metered end is the one whose port it is")
    func bothWays() {
        var packets = Packets()
        packets.exchange(up: 100, down: 1_000)
        let server = Packets.record(
            port: 80, sent: 1_000, received: 100, local: Packets.server, remote: "\(Packets.client):40000")
        #expect(packets.row(server).verdict == .agrees)
    }

    @Test("connections to the same servers are listed, others counted; neither decides")
    func unmetered() {
        var packets = Packets()
        packets.exchange(up: 100, down: 1_000)
        packets.clientPort = 40_001
        packets.exchange(up: 7, down: 8)
        packets.add("ip:tcp\t10.0.0.1\t10.0.0.9\t\t\t40002\t80\t1\t0\t0\t0x0002")
        let verification = CaptureVerification([Packets.record(sent: 100, received: 1_000)], against: packets.tally)
        #expect(verification.isPassed)
        #expect(verification.unmetered.map(\.local.text) == ["10.0.0.1:40001"])
        #expect(verification.unmetered[0].captured == .init(7, 8))
        #expect(verification.others == 1)
        #expect(verification.ndjson.split(separator: "\n").count == 2)
    }

    @Test("one that does not agree fails the whole, and is listed first")
    func order() {
        var packets = Packets()
        packets.exchange(up: 100, down: 1_000)
        packets.clientPort = 40_001
        packets.exchange(up: 7, down: 8)
        let records = [
            Packets.record(1, sent: 100, received: 1_000),
            Packets.record(2, port: 40_001, sent: 7, received: 9, opened: 12),
        ]
        let verification = CaptureVerification(records, against: packets.tally)
        #expect(!verification.isPassed)
        #expect(verification.rows.map(\.verdict) == [.differs, .agrees])
        #expect(verification.sums.captured == .init(107, 1_008))
        #expect(verification.sums.metered == .init(107, 1_009))
        #expect(verification.conclusion == "1 of 2 metered connections agrees to the byte")
    }

    @Test("no connection at all is no agreement")
    func nothing() { #expect(!CaptureVerification([], against: CaptureTally()).isPassed) }
}
