internal import CurlObserver
internal import Dispatch
internal import Locks
internal import TrafficOrigin

/// A running monitor, as a self-test uses it.
package protocol MonitorUnderTest: Sendable {
    /// Takes the canaries out of what the monitor records.
    var gate: CanaryGate { get }
    /// Whether one of its observers is the tap.
    var metersLibcurl: Bool { get }
    /// Whether it has not been stopped.
    var isRunning: Bool { get }

    /// Waits until the gate has received all exchanges that ended before the call.
    func flush() async
}

/// The owner of this process's monitor.
package protocol SelfTestHost: Sendable {
    /// Returns the running monitor; if there is none, none may start until ``end()``.
    ///
    /// - Throws: an error while a monitor starts or another self-test runs.
    func begin() throws -> (any MonitorUnderTest)?

    /// Allows monitors to start again.
    func end()
}

extension SelfTest {
    /// Runs the self-test of this process, and reports each style before its requests are made.
    package static func run(
        in host: any SelfTestHost, progress: @escaping @Sendable (SelfTest.Style) -> Void
    ) async -> SelfTest {
        // A caller that comes while a test runs gets that test's result: two tests would disturb each other.
        let task = SelfTestRun.current.withLock { current in
            if let current { return current }
            let task = Task.detached {
                let result = await SelfTestRun.run(in: host, progress)
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
        case monitor(any MonitorUnderTest)
        case own(CurlObserver)

        func flush() async {
            switch self {
            case .monitor(let monitor): await monitor.flush()
            case .own(let tap): await withCheckedContinuation { done in tap.flush { done.resume() } }
            }
        }
    }

    static func run(
        in host: any SelfTestHost, _ progress: @Sendable (SelfTest.Style) -> Void
    ) async -> SelfTest {
        let checks: [SelfTest.Check]
        do {
            checks = try await check(CanaryOrigin(), in: host, progress)
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
        _ origin: CanaryOrigin, in host: any SelfTestHost, _ progress: @Sendable (SelfTest.Style) -> Void
    ) async throws -> [SelfTest.Check] {
        let log = CanaryLog(port: origin.port)
        let monitor: (any MonitorUnderTest)?
        do { monitor = try host.begin() } catch {
            await settle(origin, stopping: true)
            return all(.cannotRun(reason: "a monitor is being started; test again"))
        }
        monitor?.gate.open(port: origin.port, to: log)
        defer {
            monitor?.gate.close(port: origin.port)
            host.end()
        }
        let meter: Meter
        do throws(CurlObserver.Refusal) {
            // If a monitor runs without a tap, the test uses a tap of its own.
            if let monitor, monitor.metersLibcurl {
                meter = .monitor(monitor)
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
        if case .monitor(let monitor) = meter, !monitor.isRunning {
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
            .cannotRun(
                reason:
                    "something else meters this process already, such as 'metering' in a test; test before or after it"
            )
        case .unsupportedPlatform:
            .cannotRun(
                reason: "\(refusal.problem), and nothing else in this process could check the sizes; test on Linux, "
                    + "where the same code is metered exactly")
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
