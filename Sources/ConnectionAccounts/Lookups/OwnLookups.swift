package import TrafficModel

/// The lookups of a program that asks resolvers itself, by the datagrams that it exchanges with them.
package struct OwnLookups: Sendable {
    /// A datagram, and the moment at which it passed.
    package struct Datagram: Sendable {
        /// Distinguishes the sockets of the process.
        package var socket: UInt64
        package var resolver: String
        /// The bytes of the whole datagram.
        package var size: Int64
        /// The first of them.
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

    private var asked: [Key: Asked] = [:]
    private var count = 0
    private let limit: Int

    /// No lookups.
    ///
    /// - Parameter limit: at most how many questions wait for their answers.
    package init(limit: Int = 1_024) { self.limit = max(1, limit) }

    /// Takes what the program has sent to a resolver, and returns the lookups that it gives up by that.
    package mutating func send(_ datagram: Datagram, process: ProcessIdentity, at now: Timestamp) -> [LookupRecord] {
        guard let message = DNSMessage(datagram.bytes), !message.isResponse, let question = message.question else {
            return []
        }
        let key = Key(socket: datagram.socket, id: message.id)
        if asked[key]?.question == question {
            asked[key]!.record.queries! += 1
            asked[key]!.record.bytesUp = (asked[key]!.record.bytesUp ?? .zero) + ByteCount(datagram.size)
            asked[key]!.record.resolver = datagram.resolver
            return []
        }
        var left: [LookupRecord] = []
        if let old = asked.removeValue(forKey: key) {
            left.append(old.ended(at: datagram.monotonic, LookupRecord.unanswered))
        } else if asked.count >= limit, let oldest = asked.min(by: { $0.value.number < $1.value.number }) {
            asked[oldest.key] = nil
            left.append(oldest.value.ended(at: datagram.monotonic, LookupRecord.unanswered))
        }
        count += 1
        let record = LookupRecord(
            process: process, name: question.name, source: .dns, recordType: DNSNames.type(question.type),
            resolver: datagram.resolver, startedAt: now, queries: 1, bytesUp: ByteCount(datagram.size), bytesDown: .zero
        )
        asked[key] = Asked(question: question, record: record, began: datagram.monotonic, number: count)
        return left
    }

    /// Takes what the program has received on such a socket, and returns the lookup that it answers; nil if it answers
    /// none.
    package mutating func receive(_ datagram: Datagram) -> LookupRecord? {
        guard let message = DNSMessage(datagram.bytes), message.isResponse else { return nil }
        let key = Key(socket: datagram.socket, id: message.id)
        guard let lookup = asked[key], message.question == nil || message.question == lookup.question else {
            return nil
        }
        asked[key] = nil
        var record = lookup.ended(at: datagram.monotonic, message.error)
        record.answers = message.answers
        record.addresses = message.addresses
        record.bytesDown = ByteCount(datagram.size)
        return record
    }

    /// Ends the lookups of a socket, because it was closed or could not reach the resolver.
    package mutating func end(
        _ socket: UInt64, at monotonic: UInt64, _ error: String = LookupRecord.unanswered
    ) -> [LookupRecord] {
        end(at: monotonic, error) { $0.socket == socket }
    }

    /// Ends all lookups, because the process is gone or metering stops.
    package mutating func endAll(at monotonic: UInt64) -> [LookupRecord] {
        end(at: monotonic, LookupRecord.unanswered) { _ in true }
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
