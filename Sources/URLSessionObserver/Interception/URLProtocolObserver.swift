internal import HTTPWire
internal import Synchronization
internal import TrafficModel

#if canImport(FoundationNetworking) && !APPLE_STAND_IN
    internal import Foundation
    package import FoundationNetworking
#else
    package import Foundation
#endif

/// Meters URLSession through `URLProtocol`: requests are sent on by a session of our own, and weighed by what Foundation
/// shows of them.
///
/// Every figure is reconstructed. Sessions of metered configurations are seen (see
/// `URLSessionConfiguration.metered(by:)`), and `URLSession.shared` where it is asked for; on Apple platforms, other
/// sessions too, by ``Settings/observesAllSessions``. Background sessions and web views are out of reach.
package final class URLProtocolObserver: Sendable {
    /// What it does beside metering.
    package struct Settings: Sendable, Hashable {
        /// Fields for every request that does not set them itself.
        package var headers: [String: String]
        /// Whether `URLSession.shared` is metered; on Linux only where it was not used before the start.
        package var observesSharedSession: Bool
        /// Whether sessions are metered that others make; only on Apple platforms.
        package var observesAllSessions: Bool

        package init(
            headers: [String: String] = [:], observesSharedSession: Bool = true, observesAllSessions: Bool = false
        ) {
            self.headers = headers
            self.observesSharedSession = observesSharedSession
            self.observesAllSessions = observesAllSessions
        }
    }

    /// Why it does not start, or why a task is not metered or not changed.
    package enum Refusal: String, Error, Hashable, CaseIterable {
        case alreadyStarted
        case noHooks
        case download
        case upload
        case unknownTask
        case headersForDelegate

        /// What is wrong, in words.
        package var message: String {
            switch self {
            case .alreadyStarted: "another observer meters through `URLProtocol` already; stop it first"
            case .noHooks: "sessions that others make can only be reached on Apple platforms"
            case .download: "a download that is loaded by a protocol class ends the process on Linux"
            case .upload: "the body of an upload task is not shown to a protocol class on Linux"
            case .unknownTask: "only data, upload and download tasks can be loaded by a protocol class"
            case .headersForDelegate:
                "a task with a delegate is not sent on by us on Linux, so no header can be added to it"
            }
        }
    }

    private struct State {
        var isRunning = true
        var refused: [Refusal: Int] = [:]
        var carriers: [Carrier] = []
        var tellers: [ObjectIdentifier: Reference] = [:]
        var sweepAt = 1_024
    }

    private struct Reference {
        weak var teller: ExchangeTeller?
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

    /// Begins to meter.
    ///
    /// - Parameters:
    ///   - output: where to tell what it sees.
    ///   - ownership: shared with the other observers of the process.
    ///   - settings: what to do beside metering.
    /// - Returns: the observer; it goes on until it is stopped.
    /// - Throws: ``Refusal``, and then nothing has changed.
    package static func start(
        output: ObserverOutput, ownership: ExchangeOwnership = ExchangeOwnership(), settings: Settings = Settings()
    ) throws(Refusal) -> URLProtocolObserver {
        let observer = URLProtocolObserver(output: output, ownership: ownership, settings: settings)
        // What the whole process shares can have one observer; a configuration is metered by whom it names.
        guard settings.observesSharedSession || settings.observesAllSessions else { return observer }
        let isFirst = active.withLock { active in
            guard active == nil else { return false }
            active = observer
            return true
        }
        guard isFirst else { throw .alreadyStarted }
        if settings.observesAllSessions {
            #if canImport(ObjectiveC) || APPLE_STAND_IN
                ObjectiveCHooks.insertProtocolClass(MeteringURLProtocol.self)
            #else
                active.withLock { $0 = nil }
                throw .noHooks
            #endif
        }
        observer.carry(.default, as: MeteringURLProtocol.self)
        if settings.observesSharedSession { _ = URLProtocol.registerClass(MeteringURLProtocol.self) }
        return observer
    }

    /// Ends metering.
    ///
    /// Hooks are taken out. Requests that we are sending on come to their end all the same, and are told as abandoned.
    package func stop() {
        let (wasRunning, carriers, tellers) = state.withLock { state in
            defer {
                state.isRunning = false
                state.carriers = []
                state.tellers = [:]
            }
            return (state.isRunning, state.carriers, state.tellers.values.compactMap(\.teller))
        }
        guard wasRunning else { return }
        let isActive = Self.active.withLock { $0 === self }
        if isActive {
            #if canImport(ObjectiveC) || APPLE_STAND_IN
                ObjectiveCHooks.removeProtocolClass()
            #endif
            URLProtocol.unregisterClass(MeteringURLProtocol.self)
        }
        for teller in tellers { teller.end(.abandoned) }
        recompression.wait()
        for carrier in carriers { carrier.retire() }
        if isActive { Self.active.withLock { $0 = nil } }
    }

    /// Calls back when everything that has ended before is told.
    package func flush(_ done: @escaping @Sendable () -> Void) { recompression.flush(done) }

    /// How many tasks were left alone, by reason.
    package var refused: [Refusal: Int] { state.withLock { $0.refused } }

    package var isRunning: Bool { state.withLock { $0.isRunning } }

    /// A copy of that configuration whose sessions are metered; the protocol classes of the application stay in it.
    package func metering(_ configuration: URLSessionConfiguration) -> URLSessionConfiguration {
        guard let copy = configuration.copy() as? URLSessionConfiguration else { return configuration }
        let others = (copy.protocolClasses ?? []).filter { !($0 is MeteringURLProtocol.Type) }
        let carrier = Carrier(observer: self, configuration: copy)
        copy.protocolClasses = [Slots.make(for: carrier)] + others
        keep(carrier)
        return copy
    }

    // MARK: for the protocol objects

    private func carry(_ configuration: URLSessionConfiguration, as type: MeteringURLProtocol.Type) {
        let carrier = Carrier(observer: self, configuration: configuration)
        Slots.set(carrier, for: type)
        keep(carrier)
    }

    private func keep(_ carrier: Carrier) { state.withLock { $0.carriers.append(carrier) } }

    var addsHeaders: Bool { !settings.headers.isEmpty }

    /// The request with the user's headers.
    func addingHeaders(to request: URLRequest) -> URLRequest {
        var request = request
        for (name, value) in settings.headers where request.value(forHTTPHeaderField: name) == nil {
            request.setValue(value, forHTTPHeaderField: name)
        }
        return request
    }

    /// Whether another observer, a stronger one, tells of the task.
    func isOutranked(for task: URLSessionTask) -> Bool { !ownership.tells(of: task, as: .reconstructed) }

    /// Who tells of a request that is about to be loaded.
    func teller(of request: URLRequest, for carrier: Carrier, task: URLSessionTask?) -> ExchangeTeller {
        let isSilent = task.map { !ownership.claim($0, as: .reconstructed) } ?? ownership.isOutranked(.reconstructed)
        let trail = RequestTag.trail(of: request)
        let teller = ExchangeTeller(
            output: output, surroundings: carrier.surroundings, recompression: recompression, isSilent: isSilent,
            continuing: trail?.task, hop: trail?.hops ?? 0)
        let isLate = state.withLock { state in
            guard state.isRunning else { return true }
            if state.tellers.count >= state.sweepAt {
                state.tellers = state.tellers.filter { $0.value.teller != nil }
                state.sweepAt = max(1_024, 2 * state.tellers.count)
            }
            state.tellers[ObjectIdentifier(teller)] = Reference(teller: teller)
            return false
        }
        if isLate { teller.end(.abandoned) }
        return teller
    }

    /// A task is left alone.
    func refuse(_ reason: Refusal) {
        let isRunning = state.withLock { state in
            state.refused[reason, default: 0] += 1
            return state.isRunning
        }
        guard isRunning, reason != .headersForDelegate, !ownership.isOutranked(.reconstructed) else { return }
        output.sink.record(.loss(TrafficLoss(reason: .untapped, count: 1)))
    }
}

extension URLSessionConfiguration {
    /// A copy whose sessions that observer meters.
    ///
    /// Make sessions with it as with any other. After the observer has stopped, they go on unmetered.
    package func metered(by observer: URLProtocolObserver) -> URLSessionConfiguration { observer.metering(self) }
}
