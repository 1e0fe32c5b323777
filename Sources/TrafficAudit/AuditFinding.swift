package import TrafficModel

/// One cause of wasted bytes or time, and what to do about it.
package struct AuditFinding: Hashable, Sendable {
    /// How the figures of a finding are known.
    package enum Basis: String, Sendable {
        /// They are sums of measured bytes and times.
        case measured
        /// They include a ratio or another assumption; ``AuditFinding/source`` says which.
        case estimated
    }

    /// The rule's name in machine formats.
    package var rule: String
    /// The API; a finding about a whole host has neither method nor template.
    package var key: TrafficTotal.Key
    /// Whether it is a warning rather than a saving; warnings come first.
    package var isAlarm: Bool
    /// What is wrong, in one sentence.
    package var problemSaid: AuditSentence
    /// What to do, in one sentence.
    package var remedySaid: AuditSentence
    /// Bytes that would not have been sent, scaled to all calls of the range.
    package var bytes: Int64
    /// Nanoseconds that would not have been spent, scaled to all calls of the range.
    package var nanoseconds: Int64
    /// The number of calls of the API in the range.
    package var calls: Int64
    /// How many of them were examined.
    package var examinedCalls: Int
    /// How many of those wasted something.
    package var affectedCalls: Int
    /// How the figures are known.
    package var basis: Basis
    /// The data that the figures are made from.
    package var sourceSaid: AuditSentence
    /// The exchanges that wasted most, as examples.
    package var evidence: [StoredExchange.ID]

    /// What is wrong, in English.
    package var problem: String { problemSaid.english }
    /// What to do, in English.
    package var remedy: String { remedySaid.english }
    /// The data that the figures are made from, in English.
    package var source: String { sourceSaid.english }

    /// Whether the figures were scaled up from a part of the calls.
    package var isScaled: Bool { calls > examinedCalls }
    /// Wasted bytes for each thousand calls.
    package var bytesPer1000Calls: Int64 { perThousand(bytes) }
    /// Wasted nanoseconds for each thousand calls.
    package var nanosecondsPer1000Calls: Int64 { perThousand(nanoseconds) }

    private func perThousand(_ sum: Int64) -> Int64 {
        let calls = max(calls, Int64(examinedCalls))
        return calls == 0 ? 0 : Int64(clamping: (Double(sum) / Double(calls) * 1_000).rounded())
    }
}
