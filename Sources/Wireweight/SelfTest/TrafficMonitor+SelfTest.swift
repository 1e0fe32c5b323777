internal import CurlObserver
internal import Dispatch
internal import Synchronization
internal import TrafficOrigin

extension TrafficMonitor {
    /// Proves what this process can meter.
    ///
    /// It makes requests in every style of URLSession to an origin on this machine, and compares the bytes that the
    /// origin logs with the bytes that were metered.
    ///
    /// ```swift
    /// let test = await TrafficMonitor.selfTest()
    /// if !test.isPassed { print(test) }
    /// ```
    ///
    /// If a monitor runs, it is the one tested. It continues its own work, and the test's requests appear neither in
    /// its file nor in ``events()``. If none runs, the test installs the hooks for about a second, and a monitor cannot
    /// start meanwhile. On Apple platforms the test makes no requests, because nothing there could check the sizes;
    /// the result says so.
    ///
    /// - Returns: the result for each style, the libcurls of this process, and what cannot be metered.
    public static func selfTest() async -> SelfTest { await selfTest { _ in } }

    /// Runs the self-test, and reports each style before its requests are made.
    package static func selfTest(progress: @escaping @Sendable (SelfTest.Style) -> Void) async -> SelfTest {
        // A caller that comes while a test runs gets that test's result: two tests would disturb each other.
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

/// The self-test of this process; only one runs at a time.
private enum SelfTestRun {
    static let current = Mutex<Task<SelfTest, Never>?>(nil)

    /// What meters the canaries: the running monitor, or a tap of the test's own.
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
            // If a monitor runs without a tap, the test uses a tap of its own.
            if let watch, watch.observers.observer(CurlObserver.self) != nil {
                meter = .monitor(watch)
            } else {
                meter = .own(try CurlObserver(sink: log))
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
        // Before the origin stops: otherwise the tap would report each connection that the origin closes.
        if case .own(let tap) = meter { tap.stop() }
        var obstacle: SelfTest.Verdict?
        if case .monitor(let watch) = meter, !TrafficMonitor.isWatching(watch) {
            obstacle = .cannotRun(reason: "the monitor was stopped meanwhile; test again")
        }
        let checks = SelfTest.Style.ofURLSession.map {
            SelfTest.Check($0, origin: origin, log: log, failure: failures[$0], obstacle: obstacle)
        }
        await settle(origin, stopping: true)
        // The tap reports the ends of the canaries' connections now, while the gate still takes them out.
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

    /// Waits until the origin's log is complete, on a thread that no other task shares, because the wait blocks.
    private static func settle(_ origin: CanaryOrigin, stopping: Bool) async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            DispatchQueue.global().async {
                if stopping { origin.stop() } else { origin.settle() }
                continuation.resume()
            }
        }
    }

    /// Waits until the meter has seen the end of every exchange that started; three seconds at most.
    private static func wait(for log: CanaryLog, _ meter: Meter) async {
        let end = ContinuousClock.now + .seconds(3)
        repeat {
            await meter.flush()
            guard log.isRunning else { return }
            try? await Task.sleep(for: .milliseconds(5))
        } while ContinuousClock.now < end
    }
}
