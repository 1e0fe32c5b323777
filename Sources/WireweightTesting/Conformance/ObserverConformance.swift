@_exported public import TrafficModel
import TrafficOrigin

/// What every observer must deliver, as checks that drive a real client against a ``LoopbackOrigin``.
///
/// ```swift
/// let conformance = ObserverConformance { sink in try MyConformingObserver(telling: sink) }
///
/// @Test(arguments: ObserverConformance.Rule.allCases)
/// func theObserverKeeps(rule: ObserverConformance.Rule) async {
///     #expect(await conformance.check([rule]) == [])
/// }
/// ```
///
/// ``ConformingObserver`` shows how to make one. An observer of which there can be one at a time wants `.serialized` on
/// its suite.
///
/// Traffic to other ports than the suite's own is overlooked, so an observer of a whole process can be checked beside
/// other tests.
public struct ObserverConformance: Sendable {
    /// One thing that is demanded.
    public enum Rule: String, Sendable, CaseIterable {
        /// The program gets the answers that it gets without the observer.
        case transparency
        /// Each exchange is a request, its response and its end, joined by one number.
        case pairs
        /// A request without a response is a request with an end that says so.
        case unpaired
        /// The request is told before the response, that before the end, one end, and nothing behind it.
        case order
        /// Sizes are what went over the wire, as far as their evidence claims.
        case evidence
        /// The phases, and what could not be told apart, add up to the total: the time from the begin to the end.
        case times
        /// Redirects are hops of one task.
        case redirects
        /// HEAD, 204 and 304 have no content, whatever their fields say.
        case bodiless
        /// A request that is given up counts what passed, and is no completed one.
        case cancellation
        /// A refused connection costs no bytes.
        case refusal
        /// Requests that run at once are not mixed up.
        case concurrency
        /// Secrets do not reach what stores, and their sizes do.
        case redaction
        /// Nothing is told after the stop, and what ran then has an end.
        case silence
    }

    /// A demand that was not met.
    public struct Violation: Hashable, Sendable, CustomStringConvertible {
        /// What was demanded.
        public let rule: Rule
        /// Where: the suite's name for what it had the client do.
        public let scenario: String
        /// What was told, and what it should have been.
        public let message: String

        /// All three.
        public var description: String { "\(rule.rawValue), \(scenario): \(message)" }
    }

    let bound: MessageBytes
    let storage: @Sendable (any TrafficSink) -> any TrafficSink
    let start: @Sendable (any TrafficSink) async throws -> any ConformingObserver
    let patience: Double

    /// The suite for one observer.
    ///
    /// - Parameters:
    ///   - bound: by how many bytes each part of a `reconstructed` size may be off beyond the margin that the size names,
    ///     where the server writes as the RFCs advise.
    ///   - storage: puts what stands between observer and store in front of a sink that stores; nothing unless told.
    ///   - start: begins to observe, telling that sink. It is called several times, each time after the last one was
    ///     stopped.
    public init(
        bound: MessageBytes = MessageBytes(),
        storage: @escaping @Sendable (any TrafficSink) -> any TrafficSink = { $0 },
        start: @escaping @Sendable (any TrafficSink) async throws -> any ConformingObserver
    ) {
        self.init(bound: bound, patience: 5, storage: storage, start: start)
    }

    /// The same with another limit on how long to wait for what is still to be told, in seconds.
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

    /// Runs the scenarios that those rules need, and checks the rules.
    ///
    /// - Parameter rules: which; all of them unless told.
    /// - Returns: what was not met; empty for an observer that conforms.
    public func check(_ rules: [Rule] = Rule.allCases) async -> [Violation] {
        var violations: [Violation] = []
        for scenario in Scenario.allCases {
            let checked = rules.filter { $0.scenarios.contains(scenario) }
            guard let first = checked.first else { continue }
            do {
                let observation = try await Rehearsal(self, scenario).observe()
                for rule in checked {
                    violations += rule.complaints(about: observation, within: bound).map {
                        Violation(rule: rule, scenario: scenario.rawValue, message: $0)
                    }
                }
            } catch {
                violations.append(
                    Violation(rule: first, scenario: scenario.rawValue, message: "it could not be begun: \(error)"))
            }
        }
        return violations
    }
}

extension ObserverConformance.Rule {
    /// Where it is looked at.
    var scenarios: Set<Scenario> {
        switch self {
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

    /// What is wrong, one sentence each.
    func complaints(about observation: Observation, within bound: MessageBytes) -> [String] {
        switch self {
        case .transparency: observation.answersThatChanged
        case .pairs: observation.pairsThatAreMissing
        case .unpaired: observation.answersThatNeverCame
        case .order: observation.eventsOutOfOrder
        case .evidence: observation.sizesThatAreOff(bound)
        case .times: observation.timesThatAreOpen
        case .redirects: observation.hopsThatAreNotJoined
        case .bodiless: observation.contentThatCannotBe + observation.sizesThatAreOff(bound)
        case .cancellation: observation.cancelsThatAreNone + observation.sizesThatAreOff(bound)
        case .refusal: observation.bytesThatNobodyTook
        case .concurrency: observation.exchangesThatAreMixedUp + observation.sizesThatAreOff(bound)
        case .redaction: observation.secretsThatAreKept + observation.sizesThatAreOff(bound)
        case .silence: observation.wordsAfterTheStop
        }
    }
}
