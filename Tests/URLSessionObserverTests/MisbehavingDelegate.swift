import Foundation
import Locks

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A delegate that does not keep to what is asked of it.
///
/// `@unchecked Sendable`: NSObject is not Sendable; what changes is inside the mutex.
final class MisbehavingDelegate: NSObject, @unchecked Sendable {
    enum Kind: String, CaseIterable, Sendable {
        case answersResponseTwice, answersResponseLate, answersResponseAfterCancel, cancelsInResponse
        case answersRedirectLate
        #if canImport(Darwin)
            // In Foundation for Linux they end the process, metered or not.
            case answersRedirectTwice, answersRedirectAfterCancel, cancelsInRedirect
            // There it loads twice, and the two loads race.
            case answersChallengeTwice
        #endif
        case answersChallengeLate, answersChallengeAfterCancel, cancelsInChallenge
        case cancelsInData, cancelsTwice, resumesAtTheEnd, cancelsAtTheEnd

        var target: String {
            if rawValue.contains("Redirect") { return "/redirect" }
            if rawValue.contains("Challenge") { return "/challenge" }
            // What is cancelled must not be over by then.
            return endsByCancel ? "/held" : "/body"
        }

        /// Whether the task cannot but be cancelled.
        var endsByCancel: Bool {
            rawValue.hasSuffix("AfterCancel") || rawValue.hasPrefix("cancelsIn") || self == .cancelsTwice
        }
    }

    private let kind: Kind
    private let state = Mutex<(calls: [String], done: CheckedContinuation<[String], Never>?)>(([], nil))

    init(_ kind: Kind) { self.kind = kind }

    /// Runs the task to its end, and a little longer.
    func perform(_ task: URLSessionTask) async -> [String] {
        await withCheckedContinuation { continuation in
            state.withLock { $0.done = continuation }
            task.resume()
        }
    }

    /// Keeps the call; pieces of data count as one, and as none where they race with a cancel.
    private func note(_ call: String) {
        state.withLock { state in
            if call == "data", kind.endsByCancel || state.calls.last == call { return }
            state.calls.append(call)
        }
    }

    /// Answers as its kind does.
    private func answer(
        _ question: String, of task: URLSessionTask, _ answer: @escaping @Sendable () -> Void
    ) {
        switch kind.rawValue {
        case "answers\(question)Twice":
            answer()
            answer()
        case "answers\(question)Late": DispatchQueue.global().asyncAfter(deadline: .now() + 0.2, execute: answer)
        case "answers\(question)AfterCancel":
            task.cancel()
            DispatchQueue.global().asyncAfter(deadline: .now() + 0.2, execute: answer)
        case "cancelsIn\(question)":
            task.cancel()
            answer()
        default: answer()
        }
    }
}

extension MisbehavingDelegate: URLSessionDataDelegate {
    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        note("response \((response as? HTTPURLResponse)?.statusCode ?? 0)")
        answer("Response", of: dataTask) { completionHandler(.allow) }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        note("redirect \(response.statusCode)")
        answer("Redirect", of: task) { completionHandler(request) }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        note("challenge")
        answer("Challenge", of: task) {
            completionHandler(.useCredential, URLCredential(user: "a", password: "b", persistence: .none))
        }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        note("data")
        if kind == .cancelsInData { dataTask.cancel() }
        if kind == .cancelsTwice {
            dataTask.cancel()
            dataTask.cancel()
        }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        note("complete \((error as NSError?)?.code ?? 0)")
        if kind == .resumesAtTheEnd { task.resume() }
        if kind == .cancelsAtTheEnd { task.cancel() }
        // A callback after the end would come soon.
        DispatchQueue.global().asyncAfter(deadline: .now() + 0.4) { [self] in
            let (calls, done) = state.withLock { state in
                defer { state.done = nil }
                return (state.calls, state.done)
            }
            done?.resume(returning: calls)
        }
    }
}
