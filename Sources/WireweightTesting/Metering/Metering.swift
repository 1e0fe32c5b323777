internal import CurlObserver
internal import TrafficPipeline

/// Runs a piece of a program and tells what it sent and received over HTTP.
///
/// ```swift
/// let traffic = try await metering { try await client.loadFeed() }
/// #expect(traffic.total < .kilobytes(40))
/// #expect(traffic.api("GET", "/feed").requests == 1)
/// ```
///
/// What is metered is the process: everything that goes through libcurl while the body runs, on Linux every URLSession.
/// Calls of `metering` that come at the same time take turns, so tests that run in parallel do not see each other's
/// bodies. What tests do beside it without `metering` is seen, too: name the hosts that count, with their ports where
/// several servers share an address.
///
/// Requests that the body leaves running are waited for; those that outlast the patience count as unanswered, with what
/// they have sent and received by then. Nothing is stored.
///
/// - Parameters:
///   - hosts: only these count, `api.example.com`, `*.example.com` or `127.0.0.1:8080`; all where it is empty.
///   - patience: how long to wait, behind the body's end, for requests that still run.
///   - body: what to meter.
/// - Returns: what was metered, and what the body returned.
/// - Throws: what the body throws; ``MeteringError`` where the process cannot be metered, and then the body has not run;
///   `CancellationError` where the task is cancelled while it waits for its turn.
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
        observer = try CurlObserver(sink: TrafficPipeline(rules, to: log), identifiers: IdentifierSource())
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

/// Whose turn it is to meter the process.
private enum MeteringScope {
    static let turn = Turn()
    @TaskLocal static var isInside = false
}

extension ExchangeLog {
    /// Waits until no exchange runs any more, or the time is over.
    fileprivate nonisolated(nonsending) func settle(_ observer: CurlObserver, within patience: Duration) async {
        let end = ContinuousClock.now + patience
        repeat {
            await withCheckedContinuation { done in observer.flush { done.resume() } }
            guard isRunning, ContinuousClock.now < end else { return }
            // A cancelled task does not wait.
        } while (try? await Task.sleep(for: .milliseconds(2))) != nil
    }
}
