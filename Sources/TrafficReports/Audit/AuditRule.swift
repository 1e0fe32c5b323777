import TrafficModel

/// One kind of waste: sees every exchange once, and at the end says what is wrong with an API.
///
/// A rule keeps a bounded state for each API, most of it in the ledger.
protocol AuditRule {
    /// Its name in machine formats.
    static var name: String { get }

    /// A rule with those limits.
    init(_ limits: Audit.Limits)

    /// Looks at one exchange and puts down what it wasted.
    mutating func see(_ sighting: borrowing Sighting, _ ledger: inout AuditLedger)

    /// What is wrong with an API, or nil where what was put down is too little to speak of.
    func verdict(_ tally: AuditTally, _ subject: AuditSubject) -> AuditVerdict?
}

/// What a rule says of an API, about the exchanges that were looked at.
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
    /// What they are made from.
    var source: AuditSentence
    /// Whether it is a warning more than a saving.
    var isAlarm = false

    /// A verdict whose figures are the sums of a tally.
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

    /// The same verdict with figures that were estimated.
    func estimated(_ source: AuditSentence) -> AuditVerdict {
        var verdict = self
        verdict.basis = .estimated
        verdict.source = source
        return verdict
    }
}

/// What the exchanges that were looked at belong to: an API, or a host with all its APIs.
struct AuditSubject {
    /// The API; a host alone has neither method nor template.
    var key: TrafficTotal.Key
    /// The API's number in this audit; nil for a host.
    var number: Int?
    /// How many exchanges were looked at.
    var seen = 0
    /// What they weighed.
    var bytes: Int64 = 0
    /// How long they took, in nanoseconds.
    var nanoseconds: Int64 = 0
    /// How many there were in the whole range.
    var calls: Int64 = 0
    /// Whether the host belongs to another site than the one that most requests go to.
    var isThirdParty = false

    /// So many of its calls.
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

    /// The names of all rules.
    package static var ruleNames: [String] { rules.map { $0.name } }
}
