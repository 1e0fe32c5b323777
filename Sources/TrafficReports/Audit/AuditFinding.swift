package import TrafficModel

/// One thing that wastes bytes or time, and what to do about it.
package struct AuditFinding: Hashable, Sendable {
    /// How the figures of a finding are known.
    package enum Basis: String, Sendable {
        /// They are sums of bytes and times that were measured.
        case measured
        /// A ratio or another assumption went into them; the source says which.
        case estimated
    }

    /// The rule's name.
    package var rule: String
    /// The API; a finding about a whole host has neither method nor template.
    package var key: TrafficTotal.Key
    /// Whether it is a warning more than a saving; these come first.
    package var isAlarm: Bool
    /// What is wrong, in one sentence.
    package var problemSaid: AuditSentence
    /// What to do, in one sentence.
    package var remedySaid: AuditSentence
    /// Bytes that would not have been sent, scaled to all calls of the range.
    package var bytes: Int64
    /// Nanoseconds that would not have been spent, scaled to all calls of the range.
    package var nanoseconds: Int64
    /// How many calls the API had in the range.
    package var calls: Int64
    /// How many of them were looked at.
    package var examinedCalls: Int
    /// How many of those wasted something.
    package var affectedCalls: Int
    /// How the figures are known.
    package var basis: Basis
    /// What they are made from.
    package var sourceSaid: AuditSentence
    /// The exchanges that wasted most, to be looked at.
    package var evidence: [ExchangeID]

    /// What is wrong, in English.
    package var problem: String { problemSaid.english }
    /// What to do, in English.
    package var remedy: String { remedySaid.english }
    /// What the figures are made from, in English.
    package var source: String { sourceSaid.english }

    /// Whether the figures were computed from a part of the calls.
    package var isScaled: Bool { calls > examinedCalls }
    /// Bytes for each thousand calls.
    package var bytesPer1000Calls: Int64 { perThousand(bytes) }
    /// Nanoseconds for each thousand calls.
    package var nanosecondsPer1000Calls: Int64 { perThousand(nanoseconds) }

    private func perThousand(_ sum: Int64) -> Int64 {
        let calls = max(calls, Int64(examinedCalls))
        return calls == 0 ? 0 : Int64(clamping: (Double(sum) / Double(calls) * 1_000).rounded())
    }
}
