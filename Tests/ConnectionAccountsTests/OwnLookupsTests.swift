import Testing
import TrafficModel

@testable import ConnectionAccounts

/// The lookups in the messages of a program that asks resolvers itself.
@Suite struct OwnLookupsTests {
    private let process = ProcessIdentity(pid: 1, name: "app")

    private func message(_ id: UInt8, _ flags: UInt16 = 0x100, name: String = "h", records: [UInt8] = []) -> [UInt8] {
        var bytes = DNSMessageTests.header(flags, records: records.isEmpty ? 0 : 1)
        (bytes[0], bytes[1]) = (0, id)
        return bytes + DNSMessageTests.name(name) + [0, 1, 0, 1] + records
    }

    private func datagram(
        _ bytes: [UInt8], socket: UInt64 = 1, at time: UInt64, size: Int64? = nil
    ) -> OwnLookups.Passage {
        OwnLookups.Passage(
            socket: socket, resolver: "192.0.2.53", size: size ?? Int64(bytes.count), bytes: bytes, monotonic: time)
    }

    private func record(
        _ name: String = "h", at start: Int64 = 500, duration: Int64, up: Int64, queries: Int64 = 1
    ) -> LookupRecord {
        LookupRecord(
            process: process, name: name, source: .dns, recordType: "A", resolver: "192.0.2.53",
            startedAt: Timestamp(nanoseconds: start), duration: duration, queries: queries, bytesUp: ByteCount(up),
            bytesDown: .zero)
    }

    @Test func aQuestionAndItsAnswer() {
        var lookups = OwnLookups()
        let question = message(7)
        #expect(lookups.send(datagram(question, at: 10), process: process, at: Timestamp(nanoseconds: 500)) == [])
        // An answer to another question, on another socket, and to another name.
        #expect(lookups.receive(datagram(message(8, 0x8180), at: 11)) == nil)
        #expect(lookups.receive(datagram(message(7, 0x8180), socket: 2, at: 11)) == nil)
        #expect(lookups.receive(datagram(message(7, 0x8180, name: "i"), at: 11)) == nil)
        #expect(lookups.receive(datagram(question, at: 11)) == nil)
        let answer = message(7, 0x8180, records: DNSMessageTests.record(type: 1, [192, 0, 2, 1]))
        var expected = record(duration: 40, up: Int64(question.count))
        expected.answers = 1
        expected.addresses = ["192.0.2.1"]
        expected.bytesDown = ByteCount(1_400)
        #expect(lookups.receive(datagram(answer, at: 50, size: 1_400)) == expected)
        // The same again answers nothing.
        #expect(lookups.receive(datagram(answer, at: 60)) == nil)
        #expect(lookups.endAll(at: 70) == [])
    }

    @Test func oneThatIsSentAgain() {
        var lookups = OwnLookups()
        let question = message(7)
        for time in [10, 20, 30] as [UInt64] {
            _ = lookups.send(datagram(question, at: time), process: process, at: Timestamp(nanoseconds: 500))
        }
        var expected = record(duration: 90, up: 3 * Int64(question.count), queries: 3)
        expected.error = "NXDOMAIN"
        expected.bytesDown = ByteCount(Int64(question.count))
        #expect(lookups.receive(datagram(message(7, 0x8183), at: 100)) == expected)
    }

    /// What did not fit into a datagram is asked again in a connection: that is the same lookup.
    @Test func aTruncatedAnswer() {
        var lookups = OwnLookups()
        let question = message(7)
        func send(_ id: UInt8, _ name: String = "h", socket: UInt64, at time: UInt64) -> [LookupRecord] {
            let passed = datagram(message(id, name: name), socket: socket, at: time)
            return lookups.send(passed, process: process, at: Timestamp(nanoseconds: 500))
        }
        #expect(send(7, socket: 1, at: 10).isEmpty)
        #expect(lookups.receive(datagram(message(7, 0x8380), at: 30, size: 100)) == nil)
        #expect(lookups.end(1, at: 31).isEmpty)
        #expect(send(7, socket: 2, at: 40).isEmpty)
        let answer = message(7, 0x8180, records: DNSMessageTests.record(type: 1, [192, 0, 2, 1]))
        var expected = record(duration: 90, up: 2 * Int64(question.count), queries: 2)
        expected.answers = 1
        expected.addresses = ["192.0.2.1"]
        expected.bytesDown = ByteCount(1_500)
        #expect(lookups.receive(datagram(answer, socket: 2, at: 100, size: 1_400)) == expected)

        // Two that are not asked again: one is given up after a while, one at the end.
        #expect(send(8, socket: 3, at: 200).isEmpty)
        #expect(lookups.receive(datagram(message(8, 0x8380), socket: 3, at: 210, size: 100)) == nil)
        let given = send(9, socket: 4, at: 5_000_000_211)
        var cut = record(duration: 10, up: Int64(question.count))
        cut.bytesDown = ByteCount(100)
        #expect(given == [cut])
        #expect(lookups.receive(datagram(message(9, 0x8380), socket: 4, at: 5_000_000_221, size: 100)) == nil)
        #expect(lookups.endAll(at: 6_000_000_000) == [cut])
        #expect(lookups.endAll(at: 6_000_000_000).isEmpty)
    }

    @Test func thoseWithoutAnAnswer() {
        var lookups = OwnLookups()
        func ask(_ id: UInt8, _ name: String, socket: UInt64) -> [LookupRecord] {
            let passed = datagram(message(id, name: name), socket: socket, at: 10)
            return lookups.send(passed, process: process, at: Timestamp(nanoseconds: 500))
        }
        #expect(ask(1, "a", socket: 1).isEmpty && ask(2, "b", socket: 1).isEmpty && ask(1, "c", socket: 2).isEmpty)
        // The number is used again for another name.
        let given = ask(1, "d", socket: 2)
        #expect(given.map(\.name) == ["c"] && given.map(\.error) == ["no answer"])
        let over = lookups.end(1, at: 30, "ECONNREFUSED")
        #expect(over.map(\.name) == ["a", "b"])
        #expect(over.allSatisfy { $0.error == "ECONNREFUSED" && $0.duration == 20 && $0.bytesDown == .zero })
        #expect(lookups.endAll(at: 50).map(\.name) == ["d"])
    }

    @Test func noMoreThanTheLimitWait() {
        var lookups = OwnLookups(limit: 2)
        var ended: [String] = []
        for id in 1...5 as ClosedRange<UInt8> {
            let passed = datagram(message(id, name: "n\(id)"), at: UInt64(id))
            ended += lookups.send(passed, process: process, at: Timestamp(nanoseconds: 500)).map(\.name)
        }
        #expect(ended == ["n1", "n2", "n3"])
        #expect(lookups.endAll(at: 9).map(\.name) == ["n4", "n5"])
    }
}
