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

    /// How many exchanges the API sees: one for each call, and one more for each redirect.
    static let exchangeCount = 200

    /// Makes all calls; says after each how many are done, and of how many.
    static func run(base: URL, progress: @escaping @Sendable (Int, Int) -> Void) async -> Summary {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.urlCache = nil
        configuration.timeoutIntervalForRequest = 30
        let session = URLSession(configuration: configuration)
        defer { session.finishTasksAndInvalidate() }

        var summary = Summary()
        // In waves: `/me` needs the cookies that `/session` has set.
        let waves = [logins, everythingElse]
        let total = waves.reduce(0) { $0 + $1.count }
        for wave in waves {
            await withTaskGroup(of: Bool.self) { group in
                var pending = wave[...]
                for _ in 0..<8 {
                    guard let call = pending.popFirst() else { break }
                    group.addTask { await call.perform(session, base) }
                }
                for await wasAnswered in group {
                    if wasAnswered { summary.answered += 1 } else { summary.failed += 1 }
                    progress(summary.answered + summary.failed, total)
                    if let call = pending.popFirst() {
                        group.addTask { await call.perform(session, base) }
                    }
                }
            }
        }
        return summary
    }

    private static let logins = calls(4, "POST", .data(40)) { _ in "session" }

    /// Interleaved, so that the table fills evenly while it runs.
    private static let everythingElse: [DemoCall] = {
        let groups = [
            calls(12, "GET") { "users?page=\($0)&size=50" },
            calls(40, "GET") { "users/\($0 % 10 == 0 ? 900 + $0 : $0)" },
            calls(30, "GET") { "users/\($0)/posts" },
            calls(20, "POST", .data(300)) { _ in "users" },
            calls(6, "PUT", .data(20_000)) { "users/\($0)/avatar" },
            calls(6, "PUT", .stream(50_000)) { "users/\($0 + 6)/avatar" },
            calls(10, "DELETE") { "users/\($0)" },
            calls(10, "GET") { "articles/\($0)" },
            calls(10, "GET", conditional: true) { "articles/\($0)" },
            calls(12, "GET") { "old/\($0)" },
            calls(12, "GET") { _ in "me" },
            calls(10, "GET") { "reports/\($0)" },
            calls(6, "GET") { "downloads/\($0)" },
        ]
        let longest = groups.map(\.count).max() ?? 0
        return (0..<longest).flatMap { index in groups.compactMap { index < $0.count ? $0[index] : nil } }
    }()

    private static func calls(
        _ count: Int, _ method: String, _ body: DemoCall.Body = .none, conditional: Bool = false,
        _ path: (Int) -> String
    ) -> [DemoCall] {
        (1...count).map { DemoCall(method: method, path: path($0), body: body, number: $0, isConditional: conditional) }
    }
}
