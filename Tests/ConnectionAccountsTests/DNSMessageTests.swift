import Testing
import TrafficModel

@testable import ConnectionAccounts

/// What a program exchanges with resolvers may be anything.
@Suite struct DNSMessageTests {
    static func name(_ labels: String...) -> [UInt8] {
        labels.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) } + [0]
    }

    static func header(_ flags: UInt16 = 0x100, questions: UInt8 = 1, records: UInt8 = 0) -> [UInt8] {
        [0x12, 0x34, UInt8(flags >> 8), UInt8(flags & 0xFF), 0, questions, 0, records, 0, 0, 0, 0]
    }

    static func record(_ owner: [UInt8] = [0xC0, 12], type: UInt8, _ data: [UInt8]) -> [UInt8] {
        owner + [0, type, 0, 1, 0, 0, 0, 60, 0, UInt8(data.count)] + data
    }

    static let question = name("Www", "example") + [0, 1, 0, 1]

    @Test func aQuestion() throws {
        let message = try #require(DNSMessage(Self.header() + Self.question))
        #expect(message.id == 0x1234 && !message.isResponse && message.error == nil)
        #expect(message.question == .init(name: "www.example", type: 1))
    }

    @Test func anAnswerWithAnAlias() throws {
        let alias = Self.record(type: 5, Self.name("a", "b"))
        let records = (1...9).flatMap { Self.record(Self.name("a", "b"), type: 1, [192, 0, 2, UInt8($0)]) }
        let message = try #require(
            DNSMessage(Self.header(0x8180, records: 10) + Self.question + alias + records))
        #expect(message.isResponse && message.answers == 9)
        #expect(message.addresses == (1...8).map { "192.0.2.\($0)" })
    }

    @Test func addressesOfIPv6() throws {
        let question = Self.name("h") + [0, 28, 0, 1]
        let first = Self.record(type: 28, [0x20, 1, 0xD, 0xB8] + .init(repeating: 0, count: 11) + [1])
        let second = Self.record(type: 28, .init(repeating: 0, count: 16))
        let third = Self.record(type: 28, [0, 1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 3, 0, 4, 0, 5])
        let message = try #require(DNSMessage(Self.header(0x8180, records: 3) + question + first + second + third))
        #expect(message.addresses == ["2001:db8::1", "::", "1:0:2::3:4:5"])
    }

    @Test(
        arguments: [(3, "NXDOMAIN"), (2, "SERVFAIL"), (5, "REFUSED"), (11, "RCODE11"), (0, nil)] as [(UInt16, String?)])
    func codes(code: UInt16, name: String?) throws {
        #expect(DNSMessage(Self.header(0x8180 | code) + Self.question)?.error == name)
        // An error may leave the question out.
        let short = try #require(DNSMessage(Self.header(0x8180 | code, questions: 0)))
        #expect(short.question == nil && short.error == name)
    }

    @Test func whatIsNoMessage() {
        #expect(DNSMessage([]) == nil)
        #expect(DNSMessage(Self.header()) == nil)
        #expect(DNSMessage(Self.header(questions: 0)) == nil)
        // Several questions; an update (RFC 2136); another class; a name that points, is too long, or does not end.
        #expect(DNSMessage(Self.header(questions: 2) + Self.question + Self.question) == nil)
        #expect(DNSMessage(Self.header(0x2800) + Self.question) == nil)
        #expect(DNSMessage(Self.header() + Self.name("h") + [0, 1, 0, 3]) == nil)
        #expect(DNSMessage(Self.header() + [0xC0, 12, 0, 1, 0, 1]) == nil)
        let long = String(repeating: "x", count: 63)
        #expect(DNSMessage(Self.header() + Self.name(long, long, long, long) + [0, 1, 0, 1]) == nil)
        #expect(DNSMessage(Self.header() + [3, 0x61, 0x62]) == nil)
    }

    @Test func aNameWithBytesThatNoHostHas() {
        let message = DNSMessage(Self.header() + [4, 0x61, 0x2E, 0x5C, 0x07, 0] + [0, 16, 0, 1])
        #expect(message?.question == .init(name: "a\\.\\\\\\007", type: 16))
        #expect(DNSMessage(Self.header() + [0, 0, 2, 0, 1])?.question?.name == ".")
    }

    @Test func everyTruncationIsReadAsFarAsItGoes() throws {
        let answers = (1...3).flatMap { Self.record(type: 1, [192, 0, 2, UInt8($0)]) }
        let start = Self.header(0x8180, records: 3) + Self.question
        for count in 0...(start + answers).count {
            let message = DNSMessage(Array((start + answers).prefix(count)))
            #expect((message == nil) == (count < start.count))
            #expect(message.map { $0.answers == Int64((count - start.count) / 16) } ?? true)
        }
    }

    @Test func namesThatPointInACircleEnd() {
        // The owner of the record points to itself, to the question before it, and out of the message.
        let start = Self.header(0x8180, records: 1) + Self.question
        for target in [UInt8(start.count), 12, 255] {
            let message = DNSMessage(start + Self.record([0xC0, target], type: 1, [192, 0, 2, 1]))
            #expect(message?.addresses == ["192.0.2.1"])
        }
    }
}
