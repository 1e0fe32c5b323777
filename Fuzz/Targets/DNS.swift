import ConnectionAccounts
import TrafficModel

extension FuzzTarget {
    /// The reader of what a program exchanges with resolvers.
    static let dns = FuzzTarget(
        name: "dns",
        seeds: {
            [
                [0] + dnsMessage(isResponse: false), [0] + dnsMessage(isResponse: true),
                // Names that point to themselves, and to each other.
                [0] + dnsMessage(isResponse: true, owner: [0xC0, 24]),
                [0] + dnsMessage(isResponse: true, owner: [1, 0x78, 0xC0, 24]),
                [0] + dnsMessage(isResponse: true, questions: 2),
            ]
        },
        run: { input in
            let bytes = Array(input.dropFirst())
            let message = DNSMessage(bytes)
            if let message {
                try mustHold(message.isResponse || message.answers == 0, "a question with answers")
                try mustHold(message.addresses.count <= message.answers, "more addresses than records")
                try mustHold(message.addresses.count <= LookupRecord.mostAddresses, "too many addresses")
                // Each record has at least eleven bytes, and each byte of a name at most four characters.
                try mustHold(message.answers <= bytes.count / 11, "\(message.answers) records of \(bytes.count) bytes")
                if let name = message.question?.name {
                    try mustHold(!name.isEmpty && name.utf8.count <= 4 * 255, "the name '\(name)'")
                    try mustHold(name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }, "the name '\(name)'")
                }
            }
            // A question leaves one lookup, with its bytes, whatever comes back.
            var lookups = OwnLookups()
            let process = ProcessIdentity(pid: 1, name: "app")
            func datagram(_ size: Int, at time: UInt64) -> OwnLookups.Passage {
                OwnLookups.Passage(
                    socket: 1, resolver: "192.0.2.53", size: Int64(size), bytes: bytes, monotonic: time)
            }
            var ended = lookups.send(datagram(70, at: 1), process: process, at: Timestamp(nanoseconds: 0))
            ended += lookups.receive(datagram(90, at: 3)).map { [$0] } ?? []
            ended += lookups.endAll(at: 9)
            let isQuestion = message.map { !$0.isResponse && $0.question != nil } ?? false
            try mustHold(ended.map(\.bytesUp) == (isQuestion ? [ByteCount(70)] : []), "\(ended)")
        })

    /// A question for an address of a.test, or the response with one.
    static func dnsMessage(isResponse: Bool, owner: [UInt8] = [0xC0, 12], questions: UInt8 = 1) -> [UInt8] {
        let header: [UInt8] = [0, 7, isResponse ? 0x81 : 1, 0, 0, questions, 0, isResponse ? 1 : 0, 0, 0, 0, 0]
        let question: [UInt8] = [1, 0x61, 4] + Array("test".utf8) + [0, 0, 1, 0, 1]
        return header + question + (isResponse ? owner + [0, 1, 0, 1, 0, 0, 0, 9, 0, 4, 192, 0, 2, 1] : [])
    }
}
