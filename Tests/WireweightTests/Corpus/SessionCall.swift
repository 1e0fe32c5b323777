import Foundation
import TestSupport
import WireweightTesting

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One request of a case, made in the case's style.
struct SessionCall: Sendable {
    var session: URLSession
    var corpusCase: CorpusCase
    var recorder: SessionRecorder
    var file: URL
    var request: URLRequest
    var origin: LoopbackOrigin
    /// The target by which the origin knows the request.
    var target: String

    func perform() async -> DrivenResult {
        var result = DrivenResult()
        do {
            let (body, response) = try await send()
            result.setBody(body)
            result.status = (response as? HTTPURLResponse)?.statusCode
            result.outcome = .completed(result.status ?? 0)
        } catch let failure as DelegateFailure {
            result.setBody(failure.body)
            result.status = failure.status
            result.record(failure.cause)
        } catch {
            result.record(error)
        }
        result.events = recorder.takeEvents()
        return result
    }

    private var content: Data { Data(Script.pattern(count: corpusCase.body.count)) }

    /// The request with its stream, where it has one; a stream can be read only once.
    private var requestWithStream: URLRequest {
        guard case .stream = corpusCase.body else { return request }
        var result = request
        result.httpBodyStream = InputStream(data: content)
        return result
    }

    private func send() async throws -> (Data, URLResponse?) {
        switch corpusCase.style {
        case .async:
            switch corpusCase.body {
            case .data: return try await session.upload(for: request, from: content)
            case .file: return try await session.upload(for: request, fromFile: file)
            case .none, .stream: return try await session.data(for: requestWithStream)
            }
        case .completion: return try await complete()
        case .delegate: return try await delegate()
        case .download: return try await download()
        case .contentsOfURL: return try await contentsOfURL()
        }
    }

    private func complete() async throws -> (Data, URLResponse?) {
        try await withCheckedThrowingContinuation { continuation in
            let done: @Sendable (Data?, URLResponse?, (any Error)?) -> Void = { data, response, error in
                if let error {
                    continuation.resume(throwing: error)
                } else {
                    continuation.resume(returning: (data ?? Data(), response))
                }
            }
            switch corpusCase.body {
            case .none: session.dataTask(with: request, completionHandler: done).resume()
            case .stream: session.dataTask(with: requestWithStream, completionHandler: done).resume()
            case .data: session.uploadTask(with: request, from: content, completionHandler: done).resume()
            case .file: session.uploadTask(with: request, fromFile: file, completionHandler: done).resume()
            }
        }
    }

    private func delegate() async throws -> (Data, URLResponse?) {
        try await withCheckedThrowingContinuation { continuation in
            let task: URLSessionTask =
                switch corpusCase.body {
                case .none: session.dataTask(with: request)
                case .stream: session.uploadTask(withStreamedRequest: request)
                case .data: session.uploadTask(with: request, from: content)
                case .file: session.uploadTask(with: request, fromFile: file)
                }
            recorder.begin(continuation)
            task.resume()
            if case .afterMilliseconds(let milliseconds) = corpusCase.cancel {
                origin.after(Double(milliseconds) / 1_000, arrivalOf: target) { task.cancel() }
            }
        }
    }

    private func download() async throws -> (Data, URLResponse?) {
        try await withCheckedThrowingContinuation { continuation in
            session.downloadTask(with: request) { location, response, error in
                if let error {
                    continuation.resume(throwing: error)
                } else {
                    // The file is gone when this handler returns.
                    let data = location.flatMap { try? Data(contentsOf: $0) } ?? Data()
                    continuation.resume(returning: (data, response))
                }
            }.resume()
        }
    }

    private func contentsOfURL() async throws -> (Data, URLResponse?) {
        let url = request.url ?? file
        return try await withCheckedThrowingContinuation { continuation in
            // It blocks its thread, which must not be one of the few that carry tasks.
            Thread.detachNewThread {
                continuation.resume(
                    with: Result {
                        let data = try Data(contentsOf: url)
                        return (data, HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: nil))
                    })
            }
        }
    }
}

/// An error together with what had come before it.
struct DelegateFailure: Error {
    var cause: any Error
    var body: Data
    var status: Int?
}

extension DrivenResult {
    fileprivate mutating func record(_ error: any Error) {
        let error = error as NSError
        self.error = "\(error.domain) \(error.code)"
        outcome =
            switch error.code {
            case NSURLErrorCancelled: .cancelled
            case NSURLErrorTimedOut: .timedOut
            default: .failed
            }
    }
}
