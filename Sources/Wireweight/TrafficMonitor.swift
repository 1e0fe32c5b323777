internal import CurlObserver
internal import Diagnosis
internal import Dispatch
internal import Foundation
internal import Locks
internal import TrafficPipeline
internal import TrafficStore
internal import URLTemplates
@_exported public import TrafficModel

/// Meters the HTTP traffic of this process and stores it in an SQLite file.
///
/// ```swift
/// let monitor = try TrafficMonitor.start()
/// // … the program's own work …
/// await monitor.flush()
/// monitor.stop()
/// ```
///
/// On Linux, a monitor meters everything that goes through libcurl after its start: every URLSession (shared, custom
/// or ephemeral, in all its styles, with each redirect and each authentication retry), and C code that calls libcurl.
/// With ``Configuration/Observer/streams`` it meters every other connection, too.
/// On Apple platforms, it meters the sessions whose delegate comes from ``delegate(wrapping:)``. The configuration
/// can add other sessions: see ``Configuration/observers``.
public final class TrafficMonitor: Sendable {
    /// The observers of this process, and the gate that keeps a self-test's canaries out of the store.
    struct Watch: Sendable {
        let observers: Observers
        let gate: CanaryGate
    }

    /// Who meters this process.
    private enum Presence {
        case nobody
        case starting
        case running(Watch, TrafficMonitor)
        /// A self-test runs without a monitor.
        case testing
    }

    private static let presence = Mutex(Presence.nobody)

    /// The monitor that meters this process; nil if there is none.
    public static var running: TrafficMonitor? {
        presence.withLock { presence in
            guard case .running(_, let monitor) = presence else { return nil }
            return monitor
        }
    }

    /// The configuration that the monitor was started with, and the file that it uses.
    public let configuration: Configuration
    let observers: Observers
    private let gate: CanaryGate
    package let recorder: Recorder
    private let feed = LiveFeed()
    private let atStop = Mutex<[@Sendable () -> Void]>([])
    private let isStopped = Mutex(false)

    /// Starts metering this process.
    ///
    /// - Parameter configuration: the file, the observers, the hosts to meter, and how much to keep.
    /// - Returns: the monitor; it meters until ``stop()`` is called, even if nothing retains it.
    /// - Throws: ``MonitorError``; the process is left as it was before.
    public static func start(_ configuration: Configuration = Configuration()) throws(MonitorError) -> TrafficMonitor {
        try start(configuration, copy: nil) {
            try? FileHandle.standardError.write(contentsOf: Data("wireweight: \($0)\n".utf8))
        }
    }

    /// Starts metering this process, for a room that shows the traffic in another way, too.
    ///
    /// - Parameters:
    ///   - configuration: the same as for ``start(_:)``.
    ///   - copy: takes the events that go to the file, too.
    ///   - note: takes what there is to say about the start.
    /// - Returns: the monitor.
    /// - Throws: ``MonitorError``; the process is left as it was before.
    package static func start(
        _ configuration: Configuration, copy: (any TrafficSink)?, note: (String) -> Void
    ) throws(MonitorError) -> TrafficMonitor {
        let obstacle: MonitorError? = presence.withLock { presence in
            switch presence {
            case .nobody:
                presence = .starting
                return nil
            case .testing: return .selfTesting
            case .starting, .running: return MonitorError(CurlObserver.Refusal.alreadyStarted)
            }
        }
        if let obstacle { throw obstacle }
        // Before anything starts a thread.
        if configuration.observers.contains(.streams), !CurlObserver.hookExecutable() {
            note(
                "the TLS library inside this executable could not be hooked, so messages inside its TLS are not seen; "
                    + "start the monitor as the first line of 'main', before there is a second thread")
        }
        do {
            let monitor = try TrafficMonitor(configuration, copy: copy, note: note)
            let watch = Watch(observers: monitor.observers, gate: monitor.gate)
            presence.withLock { $0 = .running(watch, monitor) }
            return monitor
        } catch {
            presence.withLock { $0 = .nobody }
            throw error
        }
    }

    /// Returns the running monitor's observers and gate, or nil if no monitor runs.
    ///
    /// If it returns nil, no monitor can start until ``endSelfTest()``.
    ///
    /// - Throws: ``MonitorError`` while a monitor is starting or another self-test runs.
    static func beginSelfTest() throws(MonitorError) -> Watch? {
        let answer: Result<Watch?, MonitorError> = presence.withLock { presence in
            switch presence {
            case .running(let watch, _): return .success(watch)
            case .nobody:
                presence = .testing
                return .success(nil)
            case .starting, .testing: return .failure(MonitorError(CurlObserver.Refusal.alreadyStarted))
            }
        }
        return try answer.get()
    }

    /// Allows monitors to start again.
    static func endSelfTest() {
        presence.withLock { if case .testing = $0 { $0 = .nobody } }
    }

    /// Whether the monitor of that watch still runs.
    static func isWatching(_ watch: Watch) -> Bool {
        presence.withLock { presence in
            guard case .running(let now, _) = presence else { return false }
            return now.gate === watch.gate
        }
    }

    private init(
        _ wanted: Configuration, copy: (any TrafficSink)?, note: (String) -> Void
    ) throws(MonitorError) {
        var configuration = wanted
        let place = StorePlace.path(of: wanted.store)
        configuration.store = place.path
        self.configuration = configuration
        try Observers.check(configuration)
        let templates = try configuration.urlTemplates()
        do {
            var settings = Recorder.Settings(store: configuration.store)
            settings.writing.capacity = max(1_000, configuration.bufferedEvents)
            settings.writing.retention = configuration.retention.policy
            settings.writing.keepsSearchIndex = configuration.keepsSearchIndex
            settings.resource = .known(configuration.resource)
            settings.templates = TemplateLimits(templates: configuration.templatesPerHost)
            settings.feed = feed
            settings.copy = copy
            settings.rules = TrafficPipeline.Rules(
                hosts: HostFilter(include: configuration.hosts.include, exclude: configuration.hosts.exclude),
                templates: templates,
                redactor: Redactor(
                    names: SecretNames(extra: configuration.additionalSecrets),
                    keepsBodySecrets: configuration.keepsSecretsInBodies),
                sampler: Sampler(oneIn: configuration.keepRowsOfOneIn))
            recorder = try Recorder(settings)
            gate = CanaryGate(to: recorder.input)
            do {
                if let said = place.note { note(said) }
                observers = try Observers(configuration, sink: gate)
            } catch {
                // Nothing was metered, so nothing can be lost. The caller needs the observers' error, not the writer's.
                try? recorder.finish()
                throw error
            }
        } catch let error as MonitorError {
            throw error
        } catch {
            throw MonitorError(storing: error)
        }
    }

    /// Waits until all exchanges that ended before the call are in the file.
    ///
    /// If writing fails, ``lastError`` holds the reason, and the monitor keeps trying.
    public func flush() async {
        await observers.flush()
        let recorder = recorder
        await withCheckedContinuation { continuation in
            // The writer waits for the disk, which must not block a thread that other tasks share.
            DispatchQueue.global().async {
                try? recorder.flush()
                continuation.resume()
            }
        }
    }

    /// Ends metering, removes the hooks, and writes what was metered into the file.
    ///
    /// Requests that still run continue unmetered; the file lists them as abandoned. Further calls do nothing.
    public func stop() {
        let isFirst = isStopped.withLock { stopped in
            defer { stopped = true }
            return !stopped
        }
        guard isFirst else { return }
        for action in atStop.withLock({ $0 }) { action() }
        observers.stop()
        try? recorder.finish()
        Self.presence.withLock { $0 = .nobody }
    }

    /// Why the last write to the store failed; nil if it succeeded.
    public var lastError: MonitorError? { recorder.lastError.map { MonitorError(storing: $0) } }

    /// The number of events lost because the buffer was full or the store could not be written.
    public var droppedEvents: Int64 { recorder.dropped }

    /// The same events by reason.
    package var drops: [TrafficLoss.Reason: Int64] { recorder.drops }

    /// Metered events as they happen, redacted; a slow reader misses older events and gets the newest.
    public func events() -> AsyncStream<TrafficEvent> { feed.events() }

    /// Says over which carrier's network requests go from now on; an empty name if that is not known, as on Wi-Fi.
    ///
    /// Apple's systems have not named the carrier since iOS 16.4, so reports by carrier have the names that you give: here, and
    /// with ``Configuration/resource`` at the start. An observer that reports an exchange when it ends has it counted for the
    /// carrier of that moment.
    public func setCarrier(_ name: String) { recorder.input.record(.carrier(name)) }

    // MARK: for the inspector, which is a library of its own

    /// Reports and writes exchanges soon after they end, because a page shows them.
    package func lowerLatency() {
        recorder.lowerLatency()
        observers.lowerLatency()
    }

    /// Leaves out what this process serves at that port.
    package static func leaveOut(port: UInt16, _ isLeft: Bool = true) { CurlObserver.leaveOut(port: port, isLeft) }

    /// Calls back when the monitor stops.
    package func atStop(_ action: @escaping @Sendable () -> Void) { atStop.withLock { $0.append(action) } }

    /// Opens the file for reading; the result sees everything that was flushed.
    ///
    /// - Throws: ``MonitorError`` if the store cannot be opened.
    public func reading() throws(MonitorError) -> any TrafficReading {
        do {
            return try StoreReader.open(configuration.store)
        } catch {
            throw MonitorError(storing: error)
        }
    }
}
