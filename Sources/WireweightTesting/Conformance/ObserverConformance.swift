@_exported public import TrafficModel
import TrafficOrigin

/// Checks that an observer follows the rules for all observers, with a real client and a ``LoopbackOrigin``.
///
/// ```swift
/// let conformance = ObserverConformance { sink in try MyConformingObserver(reportingTo: sink) }
///
/// @Test(arguments: ObserverConformance.Rule.allCases)
/// func theObserverKeeps(rule: ObserverConformance.Rule) async {
///     #expect(await conformance.check([rule]) == [])
/// }
/// ```
///
/// ``ConformingObserver`` shows how to make one. If only one instance of an observer can run at a time, its suite needs
/// `.serialized`.
///
/// The suite ignores traffic to ports other than its own, so an observer of a whole process can be checked while other
/// tests run.
public struct ObserverConformance: Sendable {
    /// A rule that observers must follow.
    ///
    /// Later versions may have more rules.
    public struct Rule: RawRepresentable, Hashable, Sendable, CaseIterable {
        /// The rules as a closed set, so that none is left unchecked.
        enum Kind: String, CaseIterable {
            case transparency, pairs, unpaired, order, evidence, times, redirects, bodiless, cancellation
            case refusal, concurrency, redaction, silence
        }

        let kind: Kind

        private init(_ kind: Kind) { self.kind = kind }

        /// The rule of that name; nil if this version does not have it.
        public init?(rawValue: String) {
            guard let kind = Kind(rawValue: rawValue) else { return nil }
            self.kind = kind
        }

        /// The name of the rule.
        public var rawValue: String { kind.rawValue }

        /// The program gets the same responses as without the observer.
        public static let transparency = Rule(.transparency)
        /// Each exchange has a request, a response and an end, joined by one number.
        public static let pairs = Rule(.pairs)
        /// A request without a response has an end that says so.
        public static let unpaired = Rule(.unpaired)
        /// The events come in the order request, response, end, with one end and nothing after it.
        public static let order = Rule(.order)
        /// Sizes equal the bytes on the wire, as exactly as their evidence claims.
        public static let evidence = Rule(.evidence)
        /// The phases and the time assigned to no phase add up to the total, which is the time from start to end.
        public static let times = Rule(.times)
        /// Redirects are attempts of one task.
        public static let redirects = Rule(.redirects)
        /// Responses to HEAD and those with 204 or 304 have no content, whatever their fields say.
        public static let bodiless = Rule(.bodiless)
        /// A cancelled request counts the bytes that passed, and does not end as completed.
        public static let cancellation = Rule(.cancellation)
        /// A request whose connection is refused has no bytes.
        public static let refusal = Rule(.refusal)
        /// The records of concurrent requests are not mixed up.
        public static let concurrency = Rule(.concurrency)
        /// Secrets do not reach the storing sink, but their sizes do.
        public static let redaction = Rule(.redaction)
        /// The observer reports nothing after it stops, and exchanges that ran at the stop have an end.
        public static let silence = Rule(.silence)

        /// The rules that this version has.
        public static let allCases = Kind.allCases.map { Rule($0) }
    }

    /// A rule that the observer broke.
    public struct Violation: Hashable, Sendable, CustomStringConvertible {
        /// The rule.
        public let rule: Rule
        /// The suite's name for the traffic with which it was found.
        public let scenario: String
        /// What the observer reported, and what it should have reported.
        public let message: String

        /// The rule, the scenario and the message in one line.
        public var description: String { "\(rule.rawValue), \(scenario): \(message)" }
    }

    let bound: MessageBytes
    let storage: @Sendable (any TrafficSink) -> any TrafficSink
    let start: @Sendable (any TrafficSink) async throws -> any ConformingObserver
    let patience: Double

    /// Makes the suite for one observer.
    ///
    /// - Parameters:
    ///   - bound: the bytes by which each part of a `reconstructed` size may be off, in addition to the size's own
    ///     margin, with a server that writes as the RFCs advise.
    ///   - storage: wraps a sink that stores in what lies between observer and store; by default nothing.
    ///   - start: starts an observer that reports to a sink. It is called several times, each time after the previous
    ///     observer was stopped.
    public init(
        bound: MessageBytes = MessageBytes(),
        storage: @escaping @Sendable (any TrafficSink) -> any TrafficSink = { $0 },
        start: @escaping @Sendable (any TrafficSink) async throws -> any ConformingObserver
    ) {
        self.init(bound: bound, patience: 5, storage: storage, start: start)
    }

    /// Makes the suite with another limit, in seconds, on the wait for events.
    package init(
        bound: MessageBytes = MessageBytes(), patience: Double,
        storage: @escaping @Sendable (any TrafficSink) -> any TrafficSink = { $0 },
        start: @escaping @Sendable (any TrafficSink) async throws -> any ConformingObserver
    ) {
        self.bound = bound
        self.patience = patience
        self.storage = storage
        self.start = start
    }

    /// Runs the scenarios that the given rules need, and checks those rules.
    ///
    /// - Parameter rules: the rules to check; by default all.
    /// - Returns: the violations; empty for an observer that conforms.
    public func check(_ rules: [Rule] = Rule.allCases) async -> [Violation] {
        var violations: [Violation] = []
        for scenario in Scenario.allCases {
            let checked = rules.filter { $0.scenarios.contains(scenario) }
            guard let first = checked.first else { continue }
            do {
                let observation = try await ScenarioRun(self, scenario).observe()
                for rule in checked {
                    violations += rule.faults(in: observation, within: bound).map {
                        Violation(rule: rule, scenario: scenario.rawValue, message: $0)
                    }
                }
            } catch {
                violations.append(
                    Violation(
                        rule: first, scenario: scenario.rawValue, message: "the scenario could not start: \(error)"))
            }
        }
        return violations
    }
}

extension ObserverConformance.Rule {
    /// The scenarios in which the rule is checked.
    var scenarios: Set<Scenario> {
        switch kind {
        case .transparency: [.answered, .redirected, .bodiless, .concurrent, .stopped]
        case .pairs: [.answered]
        case .unpaired: [.unanswered]
        case .order: [.answered, .unanswered, .redirected, .concurrent]
        case .evidence: [.answered, .unanswered, .redirected, .concurrent]
        case .times: [.answered, .unanswered, .redirected, .bodiless, .cancelled, .refused, .concurrent]
        case .redirects: [.redirected]
        case .bodiless: [.bodiless]
        case .cancellation: [.cancelled]
        case .refusal: [.refused]
        case .concurrency: [.concurrent]
        case .redaction: [.secret]
        case .silence: [.stopped]
        }
    }

    /// The faults in an observation, one sentence for each.
    func faults(in observation: Observation, within bound: MessageBytes) -> [String] {
        switch kind {
        case .transparency: observation.transparencyFaults
        case .pairs: observation.pairFaults
        case .unpaired: observation.unpairedFaults
        case .order: observation.orderFaults
        case .evidence: observation.sizeFaults(bound)
        case .times: observation.timeFaults
        case .redirects: observation.redirectFaults
        case .bodiless: observation.contentFaults + observation.sizeFaults(bound)
        case .cancellation: observation.cancellationFaults + observation.sizeFaults(bound)
        case .refusal: observation.refusalFaults
        case .concurrency: observation.concurrencyFaults + observation.sizeFaults(bound)
        case .redaction: observation.redactionFaults + observation.sizeFaults(bound)
        case .silence: observation.silenceFaults
        }
    }
}
