import TrafficModel

/// Detects one kind of waste: a rule sees each exchange once, and gives its verdict on each API at the end.
///
/// A rule keeps a bounded state for each API, most of it in the ledger.
protocol AuditRule {
    /// The rule's name in machine formats.
    static var name: String { get }

    /// Whether the rule also applies to what was served: what it claims is then true of the server, too.
    static var examinesServed: Bool { get }

    /// Creates a rule with those limits.
    init(_ limits: Audit.Limits)

    /// Examines one exchange, and records in the ledger what it wasted.
    mutating func see(_ audited: borrowing AuditedExchange, _ ledger: inout AuditLedger)

    /// The verdict on an API; nil if the recorded waste is too small to report.
    func verdict(_ tally: AuditTally, _ subject: AuditSubject) -> AuditVerdict?
}

extension AuditRule {
    static var examinesServed: Bool { false }
}

/// A rule's verdict on an API, about the exchanges that were examined.
struct AuditVerdict {
    /// What is wrong, in one sentence.
    var problem: AuditSentence
    /// What to do, in one sentence.
    var remedy: AuditSentence
    /// Bytes that would not have been sent.
    var bytes: Int64
    /// Nanoseconds that would not have been spent.
    var nanoseconds: Int64
    /// How the figures are known.
    var basis: AuditFinding.Basis
    /// The data that the figures are made from.
    var source: AuditSentence
    /// Whether it is a warning rather than a saving.
    var isAlarm = false

    /// Creates a verdict whose figures are the sums of a tally.
    init(
        _ tally: AuditTally, problem: AuditSentence, remedy: AuditPhrase, source: AuditPhrase = .counted,
        isAlarm: Bool = false
    ) {
        self.problem = problem
        self.remedy = AuditSentence(remedy)
        bytes = tally.bytes
        nanoseconds = tally.nanoseconds
        basis = tally.isEstimated ? .estimated : .measured
        self.source = AuditSentence(tally.isEstimated ? .notAllCounted : source)
        self.isAlarm = isAlarm
    }

    /// The same verdict with estimated figures.
    func estimated(_ source: AuditSentence) -> AuditVerdict {
        var verdict = self
        verdict.basis = .estimated
        verdict.source = source
        return verdict
    }
}

/// What examined exchanges belong to: an API, a host with all its APIs, or a host's name.
struct AuditSubject {
    /// The API; a host alone has neither method nor template.
    var key: TrafficTotal.Key
    /// The API's number in this audit; nil for a host.
    var number: Int?
    /// The number of exchanges examined.
    var seen = 0
    /// Their bytes, both directions.
    var bytes: Int64 = 0
    /// Their durations added up, in nanoseconds.
    var nanoseconds: Int64 = 0
    /// The number of calls in the whole range.
    var calls: Int64 = 0
    /// Whether the host belongs to another site than the one that gets most requests.
    var isThirdParty = false

    /// `count` of its examined calls, for a sentence.
    func share(_ count: Int) -> AuditSentence.Value { .calls(count, of: seen) }
}

extension Audit {
    /// All rules, in the order of the documentation.
    static var rules: [any AuditRule.Type] {
        [
            TextWithoutCoding.self, UploadWithoutCoding.self, RepeatedBody.self, UnusedValidators.self,
            IdenticalRequests.self, UnchangedPolling.self, OversizedCookies.self, OversizedRequestFields.self,
            Redirects.self, ConnectionsNotReused.self, ManyConnections.self, SlowLookup.self, SlowConnect.self,
            SlowTLS.self, SlowServer.self, FailedCalls.self, Retries.self, CancelledDownloads.self, LargeImages.self,
            TinyChunks.self, Tampering.self,
        ]
    }

    /// The rules that apply to that direction.
    ///
    /// Most rules are about what a client can save: it may keep a response, reuse a connection, or not ask again. A
    /// server that gets the same request from many clients wastes nothing.
    static func rules(for direction: TrafficDirection) -> [any AuditRule.Type] {
        direction == .called ? rules : rules.filter { $0.examinesServed }
    }

    /// The names of all rules.
    package static var ruleNames: [String] { rules.map { $0.name } }
}
