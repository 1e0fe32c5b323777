import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The demo's client, which uses URLSession as an app would.
///
/// It always makes the same 200 exchanges.
enum DemoClient {
    /// The calls as the client saw them.
    struct Summary: Sendable, Equatable {
        /// The number of calls that got a response, of any status.
        var answered = 0
        /// The number of calls that ended with an error.
        var failed = 0
    }

    /// Decides when and whether the client makes a call.
    struct Permit: Sendable {
        /// Waits until a call may be made; returns false if no more calls should be made.
        var begin: @Sendable () async -> Bool = { true }
        /// Reports that a permitted call has ended.
        var end: @Sendable () async -> Void = {}
    }

    /// The two halves of the traffic.
    enum Part: CaseIterable {
        /// Well-made traffic: an audit finds nothing in it.
        case clean
        /// Traffic with the faults that an audit finds: uncompressed text, tiny chunks, redirects, failures, repeated
        /// requests.
        case untidy
    }

    /// The number of exchanges that the API sees: one for each call, and one more for each redirect.
    static let exchangeCount = 200

    /// Makes the calls of a round; after each, it reports the number done and the total.
    ///
    /// - Parameters:
    ///   - base: the API's address, with a slash at its end.
    ///   - round: counts from 1; the clean part never repeats a request of an earlier round.
    ///   - parts: the parts whose calls to make.
    ///   - permit: called before each call and after its end.
    ///   - progress: takes the number of calls done and the total.
    /// - Returns: the number of responses and of failures.
    static func run(
        base: URL, round: Int = 1, parts: [Part] = Part.allCases,
        permit: Permit = Permit(), progress: @escaping @Sendable (Int, Int) -> Void
    ) async -> Summary {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.urlCache = nil
        configuration.timeoutIntervalForRequest = 30
        let session = URLSession(configuration: configuration)
        defer { session.finishTasksAndInvalidate() }

        var summary = Summary()
        // Two waves, because `/me` needs the cookies that `/session` sets.
        let waves = [parts.contains(.clean) ? logins : [], everythingElse(parts, round)]
        let total = waves.reduce(0) { $0 + $1.count }
        for wave in waves {
            await withTaskGroup(of: Bool?.self) { group in
                var pending = wave[...]
                func addNext() {
                    guard let call = pending.popFirst() else { return }
                    group.addTask {
                        guard await permit.begin() else { return nil }
                        let wasAnswered = await call.perform(session, base)
                        await permit.end()
                        return wasAnswered
                    }
                }
                for _ in 0..<8 { addNext() }
                for await wasAnswered in group {
                    guard let wasAnswered else { continue }
                    if wasAnswered { summary.answered += 1 } else { summary.failed += 1 }
                    progress(summary.answered + summary.failed, total)
                    addNext()
                }
            }
        }
        return summary
    }

    private static let logins = calls(4, "POST", .data(40)) { _ in "session" }

    /// All calls except the logins, interleaved so that the table fills evenly while the demo runs.
    private static func everythingElse(_ parts: [Part], _ round: Int) -> [DemoCall] {
        let groups = parts.flatMap { $0 == .clean ? clean(round) : untidy }
        let longest = groups.map(\.count).max() ?? 0
        return (0..<longest).flatMap { index in groups.compactMap { index < $0.count ? $0[index] : nil } }
    }

    private static func clean(_ round: Int) -> [[DemoCall]] {
        [
            calls(12, "GET", after: 12 * (round - 1)) { "users?page=\($0)&size=50" },
            calls(20, "POST", .data(300)) { _ in "users" },
            calls(10, "DELETE") { "users/\($0)" },
            calls(10, "GET", after: 10 * (round - 1)) { "articles/\($0)" },
            calls(10, "GET", after: 10 * (round - 1), conditional: true) { "articles/\($0)" },
        ]
    }

    private static let untidy = [
        calls(40, "GET") { "users/\($0 % 10 == 0 ? 900 + $0 : $0)" },
        calls(30, "GET") { "users/\($0)/posts" },
        calls(6, "PUT", .data(20_000)) { "users/\($0)/avatar" },
        calls(6, "PUT", .stream(50_000)) { "users/\($0 + 6)/avatar" },
        calls(12, "GET") { "old/\($0)" },
        calls(12, "GET") { _ in "me" },
        calls(10, "GET", verbose: true) { "reports/\($0)" },
        calls(6, "GET") { "downloads/\($0)" },
    ]

    private static func calls(
        _ count: Int, _ method: String, _ body: DemoCall.Body = .none, after: Int = 0, conditional: Bool = false,
        verbose: Bool = false, _ path: (Int) -> String
    ) -> [DemoCall] {
        (after + 1...after + count).map {
            DemoCall(
                method: method, path: path($0), body: body, number: $0, isConditional: conditional, isVerbose: verbose)
        }
    }
}
