internal import CurlObserver
internal import Dispatch
internal import Synchronization
package import TrafficInspector
internal import TrafficPipeline
internal import TrafficStore
@_exported public import TrafficModel

/// Meters the HTTP traffic of this process and keeps it in an SQLite file.
///
/// ```swift
/// let monitor = try TrafficMonitor.start()
/// // … the program's own work …
/// await monitor.flush()
/// monitor.stop()
/// ```
///
/// On Linux, everything that goes through libcurl from then on is metered: every URLSession, shared, custom or
/// ephemeral, in all its styles, each redirect and each authentication retry, and any C code beside it. On Apple
/// platforms the sessions are metered whose delegate comes from ``delegate(wrapping:)``. Others can be asked for: see
/// ``Configuration/observers``.
public final class TrafficMonitor: Sendable {
    /// Who watches this process, and how its canaries are kept apart.
    struct Watch: Sendable {
        let observers: Observers
        let gate: CanaryGate
    }

    /// What occupies this process.
    private enum Presence {
        case nobody
        case starting
        case running(Watch)
        /// A self-test without a monitor.
        case testing
    }

    private static let presence = Mutex(Presence.nobody)

    /// What was asked for.
    public let configuration: Configuration
    let observers: Observers
    private let gate: CanaryGate
    private let writer: BatchWriter
    private let pipeline: TrafficPipeline
    private let feed = LiveFeed()
    private let inspectors = Mutex<[Inspector]>([])
    private let isStopped = Mutex(false)

    /// Begins to meter.
    ///
    /// - Parameter configuration: where to store, what to meter, what to keep.
    /// - Returns: the monitor; metering goes on until it is stopped, also when nobody holds it.
    /// - Throws: ``MonitorError``; the process is then as it was before.
    public static func start(_ configuration: Configuration = Configuration()) throws(MonitorError) -> TrafficMonitor {
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
        do {
            let monitor = try TrafficMonitor(configuration)
            let watch = Watch(observers: monitor.observers, gate: monitor.gate)
            presence.withLock { $0 = .running(watch) }
            return monitor
        } catch {
            presence.withLock { $0 = .nobody }
            throw error
        }
    }

    /// Who watches this process; nil where nobody does, and then no monitor starts until the test has ended.
    ///
    /// - Throws: where a monitor is just being started.
    static func beginSelfTest() throws(MonitorError) -> Watch? {
        let answer: Result<Watch?, MonitorError> = presence.withLock { presence in
            switch presence {
            case .running(let watch): return .success(watch)
            case .nobody:
                presence = .testing
                return .success(nil)
            case .starting, .testing: return .failure(MonitorError(CurlObserver.Refusal.alreadyStarted))
            }
        }
        return try answer.get()
    }

    /// A monitor may start again.
    static func endSelfTest() {
        presence.withLock { if case .testing = $0 { $0 = .nobody } }
    }

    /// Whether it still is the one who watches this process.
    static func isWatching(_ watch: Watch) -> Bool {
        presence.withLock { presence in
            guard case .running(let now) = presence else { return false }
            return now.gate === watch.gate
        }
    }

    private init(_ configuration: Configuration) throws(MonitorError) {
        self.configuration = configuration
        try Observers.check(configuration)
        let templates = try configuration.urlTemplates()
        do {
            var options = BatchWriter.Options()
            options.capacity = max(1_000, configuration.bufferedEvents)
            options.retention = configuration.retention.policy
            let writer = BatchWriter(
                store: try StoreWriter.open(
                    configuration.store, templates: TemplateLimits(templates: configuration.templatesPerHost)),
                options: options)
            self.writer = writer
            let rules = TrafficPipeline.Rules(
                hosts: HostFilter(include: configuration.hosts.include, exclude: configuration.hosts.exclude),
                templates: templates,
                redactor: Redactor(
                    names: SecretNames(extra: configuration.additionalSecrets),
                    keepsBodySecrets: configuration.keepsSecretsInBodies),
                sampler: Sampler(oneIn: configuration.keepRowsOfOneIn))
            let pipeline = TrafficPipeline(rules, to: writer, live: feed)
            self.pipeline = pipeline
            gate = CanaryGate(to: pipeline)
            do {
                observers = try Observers(configuration, sink: gate)
            } catch {
                // Nothing was metered, so there is nothing to lose; the reason for the refusal matters more.
                try? writer.finish()
                throw error
            }
        } catch let error as MonitorError {
            throw error
        } catch {
            throw MonitorError(storing: error)
        }
    }

    /// Waits until everything that has ended before is in the file.
    ///
    /// What could not be written is in ``lastError``; the monitor goes on trying.
    public func flush() async {
        await observers.flush()
        let writer = writer
        await withCheckedContinuation { continuation in
            // The writer waits for the disk; that is not for a thread that others share.
            DispatchQueue.global().async {
                try? writer.flush()
                continuation.resume()
            }
        }
    }

    /// Ends metering and leaves the process as it was: the hooks are gone, what was metered is in the file.
    ///
    /// Requests that still run go on unmetered, and stand in the file as abandoned. Calling it again does nothing.
    public func stop() {
        let isFirst = isStopped.withLock { stopped in
            defer { stopped = true }
            return !stopped
        }
        guard isFirst else { return }
        for inspector in inspectors.withLock({ $0 }) { inspector.stop() }
        observers.stop()
        try? writer.finish()
        feed.finish()
        Self.presence.withLock { $0 = .nobody }
    }

    /// Why the store could not be written lately; nil when it could.
    public var lastError: MonitorError? { writer.lastError.map { MonitorError(storing: $0) } }

    /// Events that were lost because there was no room for them or the store could not be written.
    public var droppedEvents: Int64 { writer.counters.dropped }

    /// What is metered, as it happens, redacted; a slow reader sees the newest.
    public func events() -> AsyncStream<TrafficEvent> { feed.events() }

    /// Serves a page on this machine that shows the traffic live.
    ///
    /// ```swift
    /// print("traffic: \(try await monitor.startInspector())")
    /// ```
    ///
    /// It is there until the monitor stops. On any address but loopback, who asks needs the token that the result holds.
    ///
    /// - Parameters:
    ///   - port: 0 for any that is free.
    ///   - address: the IP address to listen on.
    /// - Returns: the address to open in a browser.
    /// - Throws: ``MonitorError``, where the port is taken or the address is not this machine's.
    @discardableResult
    public func startInspector(port: UInt16 = 0, address: String = "127.0.0.1") async throws(MonitorError) -> String {
        try await startInspector(port: port, address: address) { $0 }
    }

    /// Serves a page whose pause, resume and clear go through a control of the caller's.
    ///
    /// - Parameters:
    ///   - port: 0 for any that is free.
    ///   - address: the IP address to listen on.
    ///   - control: given what controls the recording, what the page controls.
    /// - Returns: the address to open in a browser.
    /// - Throws: ``MonitorError``, where the port is taken or the address is not this machine's.
    package func startInspector(
        port: UInt16, address: String, control: (any RecordingControl) -> any RecordingControl
    ) async throws(MonitorError) -> String {
        var options = Inspector.Options()
        options.address = address
        options.port = port
        options.file = configuration.store
        options.name = configuration.store.split(separator: "/").last.map(String.init) ?? configuration.store
        // A page is to show what has just ended.
        writer.hurry(to: 0.02)
        observers.tap?.hurry()
        do {
            let inspector = try await Inspector(
                try StoreReader.open(configuration.store),
                control: control(Recording(pipeline: pipeline, writer: writer)), options: options)
            inspectors.withLock { $0.append(inspector) }
            return inspector.url
        } catch let error as InspectorError {
            throw MonitorError(error)
        } catch {
            throw MonitorError(storing: error)
        }
    }

    /// A view of the file; it sees what has been flushed.
    ///
    /// - Throws: ``MonitorError``
    public func reading() throws(MonitorError) -> any TrafficReading {
        do {
            return try StoreReader.open(configuration.store)
        } catch {
            throw MonitorError(storing: error)
        }
    }
}
