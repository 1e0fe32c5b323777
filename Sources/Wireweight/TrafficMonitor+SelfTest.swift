internal import CurlObserver
@_exported public import Diagnosis

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
        await SelfTest.run(in: SelfTestRegistration(), progress: progress)
    }
}

/// Keeps monitors from starting while a self-test runs without one.
private struct SelfTestRegistration: SelfTestHost {
    func begin() throws -> (any MonitorUnderTest)? { try TrafficMonitor.beginSelfTest() }

    func end() { TrafficMonitor.endSelfTest() }
}

extension TrafficMonitor.Watch: MonitorUnderTest {
    var metersLibcurl: Bool { observers.observer(CurlObserver.self) != nil }

    var isRunning: Bool { TrafficMonitor.isWatching(self) }

    func flush() async { await observers.flush() }
}
