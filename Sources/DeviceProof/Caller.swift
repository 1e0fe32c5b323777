internal import Foundation
internal import TrafficModel
internal import Wireweight

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// The program of one kind of request, in one way.
///
/// `@unchecked Sendable`: its properties do not change.
final class Caller: @unchecked Sendable {
    /// Where the kind's requests go: `http://127.0.0.1:PORT/WAY/KIND`.
    let address: String
    /// A port on which no server listens.
    let closedPort: UInt16
    let delegate: CallDelegate
    private let way: Way
    private let monitor: TrafficMonitor?
    let session: URLSession

    init(_ way: Way, monitor: TrafficMonitor?, address: String, closedPort: UInt16) {
        self.address = address
        self.closedPort = closedPort
        self.way = way
        self.monitor = monitor
        delegate = CallDelegate()
        session = way.session(Self.configuration, delegate: nil, monitor: monitor)
    }

    private static var configuration: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = 20
        return configuration
    }

    /// A session with other settings, and with a delegate if one is wanted.
    func session(
        delegate: (any URLSessionDelegate)? = nil, _ change: (URLSessionConfiguration) -> Void = { _ in }
    ) -> URLSession {
        let configuration = Self.configuration
        change(configuration)
        return way.session(configuration, delegate: delegate, monitor: monitor)
    }

    func request(
        _ path: String = "", method: String = "GET", fields: [String: String] = [:], body: Data? = nil
    ) -> URLRequest {
        var request = URLRequest(url: URL(string: address + path) ?? URL(fileURLWithPath: "/"))
        request.httpMethod = method
        for (name, value) in fields { request.setValue(value, forHTTPHeaderField: name) }
        request.httpBody = body
        return request
    }

    /// A data task with a completion handler.
    func call(_ request: URLRequest, in other: URLSession? = nil) async -> CallResult {
        let session = other ?? session
        return await withCheckedContinuation { continuation in
            session.dataTask(with: request) { data, response, error in
                continuation.resume(returning: Self.result(Int64(data?.count ?? 0), response, error))
            }.resume()
        }
    }

    /// An upload task with a completion handler.
    func upload(_ request: URLRequest, _ data: Data) async -> CallResult {
        await withCheckedContinuation { continuation in
            session.uploadTask(with: request, from: data) { data, response, error in
                continuation.resume(returning: Self.result(Int64(data?.count ?? 0), response, error))
            }.resume()
        }
    }

    /// A download task with a completion handler.
    func download(_ request: URLRequest) async -> CallResult {
        await withCheckedContinuation { continuation in
            session.downloadTask(with: request) { file, response, error in
                let size = file.flatMap { (try? Data(contentsOf: $0))?.count } ?? 0
                continuation.resume(returning: Self.result(Int64(size), response, error))
            }.resume()
        }
    }

    /// A task whose delegate gets everything.
    func delegated(
        _ make: (URLSession) -> URLSessionTask, _ change: (URLSessionConfiguration) -> Void = { _ in }
    ) async -> CallResult {
        let session = session(delegate: delegate, change)
        defer { session.finishTasksAndInvalidate() }
        let task = make(session)
        return await withCheckedContinuation { continuation in
            delegate.expect { continuation.resume(returning: $0) }
            task.resume()
        }
    }

    /// A file with that content for the time of a call.
    func withFile(_ data: Data, _ body: (URL) async -> CallResult) async -> CallResult {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("proof-\(UUID().uuidString)")
        do {
            try data.write(to: file)
        } catch {
            return CallResult(error: error)
        }
        defer { try? FileManager.default.removeItem(at: file) }
        return await body(file)
    }

    static func result(_ bytes: Int64, _ response: URLResponse?, _ error: (any Error)?) -> CallResult {
        // A completion handler of a failed call may have a part of the content on one system and none on another.
        if let error { return CallResult(error: error) }
        return CallResult(status: (response as? HTTPURLResponse)?.statusCode, bytes: bytes)
    }
}
