internal import CurlObserver
internal import TrafficPipeline

/// Runs code and returns what it sent and received over HTTP.
///
/// ```swift
/// let traffic = try await metering { try await client.loadFeed() }
/// #expect(traffic.total < .kilobytes(40))
/// #expect(traffic.api("GET", "/feed").requests == 1)
/// ```
///
/// It meters the whole process: everything that goes through libcurl while the body runs, which on Linux includes every
/// URLSession. Concurrent calls of `metering` take turns, so parallel tests do not see each other's bodies. But traffic
/// of tests that run at the same time without `metering` is counted, too. To leave it out, name the hosts that count,
/// with their ports if several servers share an address.
///
/// After the body ends, it waits for requests that still run. Those that outlast the patience count as unanswered, with
/// the bytes they have sent and received by then. Nothing is stored.
///
/// - Parameters:
///   - hosts: the hosts that count, such as `api.example.com`, `*.example.com` or `127.0.0.1:8080`; empty for all.
///   - patience: how long to wait after the body's end for requests that still run.
///   - body: the code to meter.
/// - Returns: the metered figures, and the body's return value.
/// - Throws: the body's error; ``MeteringError`` if the process cannot be metered, in which case the body has not run;
///   `CancellationError` if the task is cancelled while it waits for its turn.
nonisolated(nonsending) public func metering<Result>(
    hosts: [String] = [], patience: Duration = .seconds(1),
    _ body: nonisolated(nonsending) () async throws -> Result
) async throws -> Metered<Result> {
    guard !MeteringScope.isInside else { throw MeteringError.nested }
    try await MeteringScope.turn.take()
    defer { MeteringScope.turn.give() }
    let log = ExchangeLog()
    let rules = TrafficPipeline.Rules(hosts: HostFilter(include: hosts))
    let observer: CurlObserver
    do {
        observer = try CurlObserver(sink: TrafficPipeline(rules, to: log))
    } catch {
        throw MeteringError(error)
    }
    let result: Result
    do {
        defer { observer.stop() }
        result = try await MeteringScope.$isInside.withValue(true, operation: body)
        await log.settle(observer, within: patience)
    }
    return log.metered(result)
}

/// Ensures that only one `metering` runs at a time, and that none runs inside another.
private enum MeteringScope {
    static let turn = Turn()
    @TaskLocal static var isInside = false
}

extension ExchangeLog {
    /// Waits until no exchange runs, or until the patience is over.
    fileprivate nonisolated(nonsending) func settle(_ observer: CurlObserver, within patience: Duration) async {
        let end = ContinuousClock.now + patience
        repeat {
            await withCheckedContinuation { done in observer.flush { done.resume() } }
            guard isRunning, ContinuousClock.now < end else { return }
            // If the task is cancelled, the sleep throws and the wait ends.
        } while (try? await Task.sleep(for: .milliseconds(2))) != nil
    }
}
