import Foundation
import WireweightTesting

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Drives the corpus through URLSession, each case in the style that it names and in a session of its own.
struct URLSessionDriver: Sendable {
    var origin: LoopbackOrigin
    /// The address of the origin, or of a proxy in front of it, such as `http://127.0.0.1:8080`.
    var address: String
    /// The address of a port on which no server listens.
    var closedAddress: String

    /// Makes all copies of the case's request.
    func run(_ entry: Corpus.Entry) async throws -> [DrivenResult] {
        let corpusCase = entry.corpusCase
        let recorder = SessionRecorder(corpusCase)
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.timeoutIntervalForRequest = Double(corpusCase.timeoutMilliseconds ?? 20_000) / 1_000
        configuration.httpMaximumConnectionsPerHost = corpusCase.isConcurrent ? corpusCase.copies : 6
        let session =
            corpusCase.style == .delegate
            ? URLSession(configuration: configuration, delegate: recorder, delegateQueue: nil)
            : URLSession(configuration: configuration)
        defer { session.finishTasksAndInvalidate() }

        let file = FileManager.default.temporaryDirectory.appendingPathComponent("corpus-\(UUID().uuidString)")
        if case .file(let count) = corpusCase.body { try Data(Script.pattern(count: count)).write(to: file) }
        defer { try? FileManager.default.removeItem(at: file) }

        let call = SessionCall(
            session: session, corpusCase: corpusCase, recorder: recorder, file: file, request: try request(for: entry),
            origin: origin, target: entry.target)
        guard corpusCase.isConcurrent else {
            var results: [DrivenResult] = []
            for _ in 0..<corpusCase.copies { results.append(await call.perform()) }
            return results
        }
        return await withTaskGroup(of: DrivenResult.self) { group in
            for _ in 0..<corpusCase.copies { group.addTask { await call.perform() } }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }

    private func request(for entry: Corpus.Entry) throws -> URLRequest {
        let base = entry.corpusCase.target == .closedPort ? closedAddress : address
        guard let url = URL(string: base + entry.target) else { throw URLError(.badURL) }
        var request = URLRequest(url: url)
        request.httpMethod = entry.corpusCase.method
        for field in entry.corpusCase.fields { request.setValue(field.value, forHTTPHeaderField: field.name) }
        return request
    }
}
