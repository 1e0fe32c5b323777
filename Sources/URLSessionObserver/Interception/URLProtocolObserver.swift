internal import HTTPWire
package import Observing
internal import Locks
internal import TrafficModel

#if canImport(FoundationNetworking)
    internal import Foundation
    package import FoundationNetworking
#else
    package import Foundation
#endif

/// Meters URLSession through `URLProtocol`: it sends requests with a session of its own, and computes sizes from what
/// Foundation shows of them.
///
/// Every figure is reconstructed. It sees sessions of metered configurations (see
/// `URLSessionConfiguration.metered(by:)`), and `URLSession.shared` if requested; on Apple platforms, it sees other
/// sessions, too, with ``Settings/observesAllSessions``. Background sessions and web views cannot be seen.
package final class URLProtocolObserver: TrafficObserver {
    /// What the observer does in addition to metering.
    package struct Settings: Sendable, Hashable {
        /// Header fields to add to every request that does not set them.
        package var headers: [String: String]
        /// Whether `URLSession.shared` is metered; on Linux only if it was not used before the start.
        package var observesSharedSession: Bool
        /// Whether sessions that other code makes are metered; only on Apple platforms.
        package var observesAllSessions: Bool
        /// Whether protocol classes of other code stay in metered configurations.
        package var keepsOtherClasses: Bool

        package init(
            headers: [String: String] = [:], observesSharedSession: Bool = true, observesAllSessions: Bool = false,
            keepsOtherClasses: Bool = true
        ) {
            self.headers = headers
            self.observesSharedSession = observesSharedSession
            self.observesAllSessions = observesAllSessions
            self.keepsOtherClasses = keepsOtherClasses
        }
    }

    /// Why the observer does not start, or why a task is not metered or gets no headers.
    package enum Refusal: String, Error, Hashable, CaseIterable {
        case alreadyStarted
        case noHooks
        case download
        case upload
        case waiting
        case manySessions
        case unknownTask
        case headersForDelegate

        /// What is wrong, and what to do about it.
        package var message: String { "\(problem); \(advice)" }

        private var problem: String {
            switch self {
            case .alreadyStarted: "another observer meters through `URLProtocol` already"
            case .noHooks: "sessions that others make can only be reached on Apple platforms"
            case .download: "a download that is loaded by a protocol class ends the process on Linux"
            case .upload:
                "a protocol class does not see the body of an upload task on Linux, and cannot send it twice elsewhere"
            case .waiting:
                "a session reports to its delegate that a task waits for a connection, and a protocol class cannot"
            case .manySessions: "a class is needed for each session, and 1,000 of them have been made"
            case .unknownTask: "only data, upload and download tasks can be loaded by a protocol class"
            case .headersForDelegate:
                "a task with a delegate is not sent on by us on Linux, so no header can be added to it"
            }
        }

        private var advice: String {
            switch self {
            case .alreadyStarted: "stop it first"
            case .noHooks: "observe `.libcurl` on Linux, which meters them"
            case .download, .upload: "use a data task with a body, or observe `.libcurl` or `.taskMetrics`"
            case .manySessions: "make one session for many requests"
            case .waiting: "observe `.taskMetrics`"
            case .unknownTask: "use one of these"
            case .headersForDelegate: "set the header in the request"
            }
        }
    }

    private struct State {
        var isRunning = true
        var refused: [Refusal: Int] = [:]
        var configurations: [MeteredConfiguration] = []
        var reporters: [ObjectIdentifier: Reference] = [:]
        var sweepAt = 1_024
    }

    private struct Reference {
        weak var reporter: ExchangeReporter?
    }

    private static let active = Mutex<URLProtocolObserver?>(nil)

    private let output: ObserverOutput
    private let ownership: ExchangeOwnership
    private let settings: Settings
    private let recompression = Recompression()
    private let state = Mutex(State())

    private init(output: ObserverOutput, ownership: ExchangeOwnership, settings: Settings) {
        self.output = output
        self.ownership = ownership
        self.settings = settings
    }

    /// Starts metering.
    ///
    /// - Parameters:
    ///   - output: the sink for events, and the sources of their numbers.
    ///   - ownership: the object that all observers of the process share.
    ///   - settings: what to do in addition to metering.
    /// - Returns: the observer; it runs until it is stopped.
    /// - Throws: ``Refusal``; nothing has changed in that case.
    package static func start(
        output: ObserverOutput, ownership: ExchangeOwnership = ExchangeOwnership(), settings: Settings = Settings()
    ) throws(Refusal) -> URLProtocolObserver {
        let observer = URLProtocolObserver(output: output, ownership: ownership, settings: settings)
        // The hooks of the whole process can have only one observer; a metered configuration names its own.
        guard settings.observesSharedSession || settings.observesAllSessions else { return observer }
        #if !canImport(ObjectiveC)
            guard !settings.observesAllSessions else { throw .noHooks }
        #endif
        let isFirst = active.withLock { active in
            guard active == nil else { return false }
            active = observer
            return true
        }
        guard isFirst else { throw .alreadyStarted }
        #if canImport(ObjectiveC)
            if settings.observesAllSessions { ObjectiveCHooks.insertProtocolClasses(of: observer) }
        #endif
        observer.meter(
            MeteredConfiguration(observer: observer, configuration: .default), as: MeteringURLProtocol.self)
        if settings.observesSharedSession { _ = URLProtocol.registerClass(MeteringURLProtocol.self) }
        return observer
    }

    /// Ends metering.
    ///
    /// It removes the hooks. Requests under way still finish, but are reported as abandoned.
    package func stop() {
        let (wasRunning, configurations, reporters) = state.withLock { state in
            defer {
                state.isRunning = false
                state.configurations = []
                state.reporters = [:]
            }
            return (state.isRunning, state.configurations, state.reporters.values.compactMap(\.reporter))
        }
        guard wasRunning else { return }
        let isActive = Self.active.withLock { $0 === self }
        if isActive {
            #if canImport(ObjectiveC)
                ObjectiveCHooks.removeProtocolClasses()
            #endif
            URLProtocol.unregisterClass(MeteringURLProtocol.self)
        }
        for reporter in reporters { reporter.end(.abandoned) }
        recompression.wait()
        for metered in configurations { metered.retire() }
        if isActive { Self.active.withLock { $0 = nil } }
    }

    /// Calls back when all exchanges that ended before the call are reported.
    package func flush(_ done: @escaping @Sendable () -> Void) { recompression.flush(done) }

    /// Does nothing: an event is reported when it happens, or once its body is compressed again.
    package func lowerLatency() {}

    /// The number of tasks that were not metered or not changed, by reason.
    package var refused: [Refusal: Int] { state.withLock { $0.refused } }

    package var isRunning: Bool { state.withLock { $0.isRunning } }

    /// Returns a copy of a configuration whose sessions are metered; it keeps the application's protocol classes, unless
    /// ``Settings/keepsOtherClasses`` says otherwise.
    package func metering(_ configuration: URLSessionConfiguration) -> URLSessionConfiguration {
        guard let copy = configuration.copy() as? URLSessionConfiguration else { return configuration }
        let others = ForeignClasses.removingOurs(from: copy.protocolClasses ?? [], andOthers: !keepsOtherClasses)
        let metered = MeteredConfiguration(observer: self, configuration: copy)
        copy.protocolClasses = [ConfigurationClasses.make(for: metered)] + others
        keep(metered)
        return copy
    }

    #if canImport(ObjectiveC)
        /// Makes the class for a configuration of another's session; nil if there are too many.
        func protocolClass(following configuration: URLSessionConfiguration) -> MeteringURLProtocol.Type? {
            // A class is never freed, and a program may make a session for each request.
            guard ConfigurationClasses.count < 1_000 else {
                refuse(.manySessions)
                return nil
            }
            let metered = MeteredConfiguration(observer: self, following: configuration)
            keep(metered)
            return ConfigurationClasses.make(for: metered)
        }

        /// Takes over a class that was made for an observer which has stopped.
        func adopt(_ type: MeteringURLProtocol.Type) {
            guard let known = ConfigurationClasses.metered(of: type), known.observer !== self else { return }
            meter(MeteredConfiguration(observer: self, movedFrom: known), as: type)
        }
    #endif

    // MARK: for the protocol objects

    private func meter(_ metered: MeteredConfiguration, as type: MeteringURLProtocol.Type) {
        ConfigurationClasses.set(metered, for: type)
        keep(metered)
    }

    private func keep(_ metered: MeteredConfiguration) { state.withLock { $0.configurations.append(metered) } }

    var keepsOtherClasses: Bool { settings.keepsOtherClasses }

    var addsHeaders: Bool { !settings.headers.isEmpty }

    /// Returns the request with the headers of ``Settings``.
    func addingHeaders(to request: URLRequest) -> URLRequest {
        var request = request
        for (name, value) in settings.headers where request.value(forHTTPHeaderField: name) == nil {
            request.setValue(value, forHTTPHeaderField: name)
        }
        return request
    }

    /// Whether an observer of higher rank reports the task.
    func isOutranked(for task: URLSessionTask) -> Bool { !ownership.mayReport(task, as: .urlProtocol) }

    /// Makes the object that reports a request about to be loaded.
    func reporter(of request: URLRequest, for metered: MeteredConfiguration, task: URLSessionTask?) -> ExchangeReporter
    {
        // The system's metrics of a task that a protocol class loads have no sizes. They are not reported; those of our own
        // session's task are, if metrics see every task.
        if let task, !ownership.claim(task, as: .urlProtocol) { _ = ownership.takeReport(of: task, as: .taskMetrics) }
        let isSilent = ownership.isOutranked(.urlProtocol)
        let trail = RequestTag.trail(of: request)
        let reporter = ExchangeReporter(
            output: output, surroundings: metered.surroundings, recompression: recompression, isSilent: isSilent,
            continuing: trail?.task, attempt: trail?.attempts ?? 0)
        let isLate = state.withLock { state in
            guard state.isRunning else { return true }
            if state.reporters.count >= state.sweepAt {
                state.reporters = state.reporters.filter { $0.value.reporter != nil }
                state.sweepAt = max(1_024, 2 * state.reporters.count)
            }
            state.reporters[ObjectIdentifier(reporter)] = Reference(reporter: reporter)
            return false
        }
        if isLate { reporter.end(.abandoned) }
        return reporter
    }

    /// Counts a task that is not metered or not changed.
    func refuse(_ reason: Refusal) {
        let isRunning = state.withLock { state in
            state.refused[reason, default: 0] += 1
            return state.isRunning
        }
        guard isRunning, reason != .headersForDelegate, !ownership.isOutranked(.urlProtocol) else { return }
        output.sink.record(.loss(TrafficLoss(reason: .untapped, count: 1)))
    }
}

extension URLSessionConfiguration {
    /// Returns a copy whose sessions an observer meters.
    ///
    /// Make sessions with it as with any other configuration. After the observer stops, they continue unmetered.
    package func metered(by observer: URLProtocolObserver) -> URLSessionConfiguration { observer.metering(self) }
}
