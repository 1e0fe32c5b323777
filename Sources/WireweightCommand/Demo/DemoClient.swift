import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The demo's client: a URLSession as an app would use it.
///
/// It always makes the same 200 exchanges.
enum DemoClient {
    /// What the client itself saw.
    struct Summary: Sendable, Equatable {
        /// Calls that got a response, of whatever status.
        var answered = 0
        /// Calls that ended in an error.
        var failed = 0
    }

    /// Who says when a call may be made, and whether.
    struct Permit: Sendable {
        /// Waits until one may be made; false where none is to be made any more.
        var begin: @Sendable () async -> Bool = { true }
        /// A call that was permitted is over.
        var end: @Sendable () async -> Void = {}
    }

    /// The two halves of the traffic.
    enum Part: CaseIterable {
        /// As it should be: an audit finds nothing in it.
        case clean
        /// With what an audit is for: text without coding, tiny chunks, redirects, failures, questions asked twice.
        case untidy
    }

    /// How many exchanges the API sees: one for each call, and one more for each redirect.
    static let exchangeCount = 200

    /// Makes the calls of a round; says after each how many are done, and of how many.
    ///
    /// - Parameters:
    ///   - base: the API's address, with a slash at its end.
    ///   - round: counts from 1; the clean part asks for nothing again that it asked for in an earlier round.
    ///   - parts: which calls.
    ///   - permit: asked before each call, and told of its end.
    ///   - progress: takes both numbers.
    /// - Returns: what the client saw.
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
        // In waves: `/me` needs the cookies that `/session` has set.
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

    /// Interleaved, so that the table fills evenly while it runs.
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
