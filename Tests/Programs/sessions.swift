// A program on URLSession that knows nothing of the meter: makes the transfers that its argument, JSON, names one after
// another in one session, and prints what came of each.
import Foundation
import FoundationNetworking

struct Transfer: Decodable {
    var url: String
    var method: String?
    var headers: [String: String]?
    var body: Int?
    var timeout: Double?
    /// The number of received bytes after which it cancels.
    var stopAt: Int?
    /// The seconds after the start at which it cancels.
    var removedAfter: Double?
    var user: String?
}

final class Delegate: NSObject, URLSessionDataDelegate, @unchecked Sendable {  // one transfer at a time, one queue
    var transfer: Transfer?
    var received = 0
    let ended = DispatchSemaphore(value: 0)
    var error: (any Error)?

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        received += data.count
        if let stopAt = transfer?.stopAt, received >= stopAt { dataTask.cancel() }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        guard let user = transfer?.user, challenge.previousFailureCount == 0 else {
            return completionHandler(.performDefaultHandling, nil)
        }
        completionHandler(.useCredential, URLCredential(user: user, password: "pass", persistence: .none))
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        self.error = error
        ended.signal()
    }
}

let transfers = try JSONDecoder().decode([Transfer].self, from: Data(CommandLine.arguments[1].utf8))
let delegate = Delegate()
let configuration = URLSessionConfiguration.ephemeral
configuration.urlCache = nil
let session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
for transfer in transfers {
    var request = URLRequest(url: URL(string: transfer.url)!)
    request.httpMethod = transfer.method ?? "GET"
    for (name, value) in transfer.headers ?? [:] { request.setValue(value, forHTTPHeaderField: name) }
    if let body = transfer.body { request.httpBody = Data(repeating: 0x75, count: body) }
    request.timeoutInterval = transfer.timeout ?? 10
    delegate.transfer = transfer
    delegate.received = 0
    let task = session.dataTask(with: request)
    task.resume()
    if let removedAfter = transfer.removedAfter {
        Thread.sleep(forTimeInterval: removedAfter)
        task.cancel()
    }
    delegate.ended.wait()
    let code = (delegate.error as? URLError)?.errorCode ?? 0
    print(code, (task.response as? HTTPURLResponse)?.statusCode ?? 0, transfer.stopAt == nil ? delegate.received : -1)
}
session.finishTasksAndInvalidate()
// The session sends close_notify on a thread of Foundation, which the end of the program would interrupt.
Thread.sleep(forTimeInterval: 0.1)
