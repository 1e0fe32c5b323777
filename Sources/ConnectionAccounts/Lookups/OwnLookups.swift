package import TrafficModel

/// The lookups of a program that asks resolvers itself, by the messages that it exchanges with them.
package struct OwnLookups: Sendable {
    /// A message of DNS, in a datagram or in a connection of TCP, and the moment at which it passed.
    package struct Passage: Sendable {
        /// Distinguishes the sockets of the process.
        package var socket: UInt64
        package var resolver: String
        /// The bytes of the whole message, and of its length if it passed in a connection (RFC 1035, section 4.2.2).
        package var size: Int64
        /// The first bytes of the message.
        package var bytes: [UInt8]
        /// Nanoseconds of a clock that only goes on.
        package var monotonic: UInt64

        package init(socket: UInt64, resolver: String, size: Int64, bytes: [UInt8], monotonic: UInt64) {
            self.socket = socket
            self.resolver = resolver
            self.size = size
            self.bytes = bytes
            self.monotonic = monotonic
        }
    }

    private struct Key: Hashable {
        var socket: UInt64
        var id: UInt16
    }

    private struct Asked {
        var question: DNSMessage.Question
        var record: LookupRecord
        var began: UInt64
        /// The order of the questions.
        var number: Int

        func ended(at monotonic: UInt64, _ error: String?) -> LookupRecord {
            var record = record
            record.duration = monotonic > began ? Int64(clamping: monotonic - began) : 0
            record.error = error
            return record
        }
    }

    /// A lookup whose answer was truncated, which the program may ask for again in a connection.
    private struct Truncated {
        var id: UInt16
        var lookup: Asked
        var answered: UInt64
        /// What it is if the program does not.
        var record: LookupRecord
    }

    /// For how many nanoseconds a truncated answer waits for the same question.
    private static let patience: UInt64 = 5_000_000_000

    private var asked: [Key: Asked] = [:]
    private var truncated: [Truncated] = []
    private var count = 0
    private let limit: Int

    /// No lookups.
    ///
    /// - Parameter limit: at most how many questions wait for their answers.
    package init(limit: Int = 1_024) { self.limit = max(1, limit) }

    /// Takes what the program has sent to a resolver, and returns the lookups that it gives up by that.
    package mutating func send(_ passage: Passage, process: ProcessIdentity, at now: Timestamp) -> [LookupRecord] {
        guard let message = DNSMessage(passage.bytes), !message.isResponse, let question = message.question else {
            return []
        }
        let key = Key(socket: passage.socket, id: message.id)
        if asked[key]?.question == question {
            asked[key]!.record.queries! += 1
            asked[key]!.record.bytesUp = (asked[key]!.record.bytesUp ?? .zero) + ByteCount(passage.size)
            asked[key]!.record.resolver = passage.resolver
            return []
        }
        var left = endTruncated { passage.monotonic > $0.answered + Self.patience }
        if let old = asked.removeValue(forKey: key) {
            left.append(old.ended(at: passage.monotonic, LookupRecord.unanswered))
        } else if asked.count >= limit, let oldest = asked.min(by: { $0.value.number < $1.value.number }) {
            asked[oldest.key] = nil
            left.append(oldest.value.ended(at: passage.monotonic, LookupRecord.unanswered))
        }
        count += 1
        if let index = truncated.firstIndex(where: { $0.id == message.id && $0.lookup.question == question }) {
            var again = truncated.remove(at: index).lookup
            again.record.queries! += 1
            again.record.bytesUp = (again.record.bytesUp ?? .zero) + ByteCount(passage.size)
            again.record.resolver = passage.resolver
            again.number = count
            asked[key] = again
            return left
        }
        let record = LookupRecord(
            process: process, name: question.name, source: .dns, recordType: DNSNames.type(question.type),
            resolver: passage.resolver, startedAt: now, queries: 1, bytesUp: ByteCount(passage.size), bytesDown: .zero
        )
        asked[key] = Asked(question: question, record: record, began: passage.monotonic, number: count)
        return left
    }

    /// Takes what the program has received on such a socket, and returns the lookup that it answers; nil if it answers
    /// none, or if the answer is truncated and the program may ask again.
    package mutating func receive(_ passage: Passage) -> LookupRecord? {
        guard let message = DNSMessage(passage.bytes), message.isResponse else { return nil }
        let key = Key(socket: passage.socket, id: message.id)
        guard let lookup = asked[key], message.question == nil || message.question == lookup.question else {
            return nil
        }
        asked[key] = nil
        var record = lookup.ended(at: passage.monotonic, message.error)
        record.answers = message.answers
        record.addresses = message.addresses
        record.bytesDown = (record.bytesDown ?? .zero) + ByteCount(passage.size)
        guard message.isTruncated, truncated.count < limit else { return record }
        var again = lookup
        again.record.bytesDown = record.bytesDown
        truncated.append(Truncated(id: message.id, lookup: again, answered: passage.monotonic, record: record))
        return nil
    }

    /// Ends the lookups of a socket, because it was closed or could not reach the resolver.
    package mutating func end(
        _ socket: UInt64, at monotonic: UInt64, _ error: String = LookupRecord.unanswered
    ) -> [LookupRecord] {
        end(at: monotonic, error) { $0.socket == socket }
    }

    /// Ends all lookups, because the process is gone or metering stops.
    package mutating func endAll(at monotonic: UInt64) -> [LookupRecord] {
        endTruncated { _ in true } + end(at: monotonic, LookupRecord.unanswered) { _ in true }
    }

    private mutating func endTruncated(where isMeant: (Truncated) -> Bool) -> [LookupRecord] {
        guard !truncated.isEmpty else { return [] }
        let over = truncated.filter(isMeant).map(\.record)
        truncated.removeAll(where: isMeant)
        return over
    }

    private mutating func end(
        at monotonic: UInt64, _ error: String, of isMeant: (Key) -> Bool
    ) -> [LookupRecord] {
        guard !asked.isEmpty else { return [] }
        let over = asked.filter { isMeant($0.key) }
        for key in over.keys { asked[key] = nil }
        return over.values.sorted { $0.number < $1.number }.map { $0.ended(at: monotonic, error) }
    }
}
