internal import CurlObserver
internal import Dispatch
internal import Synchronization
internal import TrafficOrigin

extension TrafficMonitor {
    /// Proves what this process can meter: makes requests in every style of URLSession to an origin on this machine, and
    /// compares what it logs with what was metered, byte by byte.
    ///
    /// ```swift
    /// let test = await TrafficMonitor.selfTest()
    /// if !test.isPassed { print(test) }
    /// ```
    ///
    /// A monitor that runs is put to the test and goes on undisturbed: neither its file nor ``events()`` tell of the
    /// requests. Where none runs, the hooks are placed for the time of the test, which takes about a second; a monitor
    /// cannot be started meanwhile. On Apple platforms no request is made, for nothing there could check the sizes;
    /// the result says so.
    ///
    /// - Returns: what came of each style, the libcurls of this process, and what cannot be metered.
    public static func selfTest() async -> SelfTest { await selfTest { _ in } }

    /// The same, telling before each style that it is its turn.
    package static func selfTest(progress: @escaping @Sendable (SelfTest.Style) -> Void) async -> SelfTest {
        // Whoever asks while a test runs gets its result: two would be in each other's way.
        let task = SelfTestRun.current.withLock { current in
            if let current { return current }
            let task = Task.detached {
                let result = await SelfTestRun.run(progress)
                SelfTestRun.current.withLock { $0 = nil }
                return result
            }
            current = task
            return task
        }
        return await task.value
    }
}

/// One self-test of this process.
private enum SelfTestRun {
    static let current = Mutex<Task<SelfTest, Never>?>(nil)

    /// Who meters the canaries.
    private enum Meter {
        case monitor(TrafficMonitor.Watch)
        case own(CurlObserver)

        func flush() async {
            switch self {
            case .monitor(let watch): await watch.observers.flush()
            case .own(let tap): await withCheckedContinuation { done in tap.flush { done.resume() } }
            }
        }
    }

    static func run(_ progress: @Sendable (SelfTest.Style) -> Void) async -> SelfTest {
        let checks: [SelfTest.Check]
        do {
            checks = try await check(CanaryOrigin(), progress)
        } catch {
            checks = all(.cannotRun(reason: "there is no port for an origin on this machine: \(error)"))
        }
        let libraries = SelfTest.Libcurl.loaded
        return SelfTest(checks: checks, libraries: libraries, capabilities: SelfTest.Capability.all(with: libraries))
    }

    private static func all(_ verdict: SelfTest.Verdict) -> [SelfTest.Check] {
        SelfTest.Style.ofURLSession.map { SelfTest.Check(style: $0, verdict: verdict) }
    }

    private static func check(
        _ origin: CanaryOrigin, _ progress: @Sendable (SelfTest.Style) -> Void
    ) async throws -> [SelfTest.Check] {
        let log = CanaryLog(port: origin.port)
        let watch: TrafficMonitor.Watch?
        do throws(MonitorError) { watch = try TrafficMonitor.beginSelfTest() } catch {
            await settle(origin, stopping: true)
            return all(.cannotRun(reason: "a monitor is being started; test again"))
        }
        watch?.gate.open(port: origin.port, to: log)
        defer {
            watch?.gate.close(port: origin.port)
            TrafficMonitor.endSelfTest()
        }
        let meter: Meter
        do throws(CurlObserver.Refusal) {
            // A monitor without a tap leaves it to us.
            if let watch, watch.observers.tap != nil {
                meter = .monitor(watch)
            } else {
                meter = .own(try CurlObserver(sink: log, identifiers: IdentifierSource()))
            }
        } catch {
            await settle(origin, stopping: true)
            return all(verdict(of: error))
        }
        var failures: [SelfTest.Style: String] = [:]
        for style in SelfTest.Style.ofURLSession {
            progress(style)
            failures[style] = await Canary.send(style, to: origin.address)
        }
        await settle(origin, stopping: false)
        await wait(for: log, meter)
        // Before the origin is stopped: connections that it closes under the tap would be told of one by one.
        if case .own(let tap) = meter { tap.stop() }
        var obstacle: SelfTest.Verdict?
        if case .monitor(let watch) = meter, !TrafficMonitor.isWatching(watch) {
            obstacle = .cannotRun(reason: "the monitor was stopped meanwhile; test again")
        }
        let checks = SelfTest.Style.ofURLSession.map {
            SelfTest.Check($0, origin: origin, log: log, failure: failures[$0], obstacle: obstacle)
        }
        await settle(origin, stopping: true)
        // What the tap tells of the ends of the canaries' connections is the gate's to keep, too.
        if case .monitor = meter { await meter.flush() }
        return checks
    }

    private static func verdict(of refusal: CurlObserver.Refusal) -> SelfTest.Verdict {
        switch refusal {
        case .alreadyStarted:
            .cannotRun(reason: "something else meters this process already, such as 'metering' in a test")
        case .unsupportedPlatform:
            .cannotRun(reason: refusal.message + "; nothing in this process could check the sizes")
        case .noLibcurl, .unknownLibcurl, .noCallers, .noMemory: .notMetered(reason: refusal.message)
        }
    }

    /// Waits until the origin's log is whole; it blocks, and that is not for a thread that others share.
    private static func settle(_ origin: CanaryOrigin, stopping: Bool) async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            DispatchQueue.global().async {
                if stopping { origin.stop() } else { origin.settle() }
                continuation.resume()
            }
        }
    }

    /// Waits until what has begun has ended for the meter, too; three seconds at most.
    private static func wait(for log: CanaryLog, _ meter: Meter) async {
        let end = ContinuousClock.now + .seconds(3)
        repeat {
            await meter.flush()
            guard log.isRunning else { return }
            try? await Task.sleep(for: .milliseconds(5))
        } while ContinuousClock.now < end
    }
}
