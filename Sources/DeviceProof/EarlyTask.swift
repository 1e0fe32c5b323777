internal import Foundation
internal import Locks
internal import WireweightTesting

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// A task that is resumed before a monitor starts, and again afterwards.
///
/// Where it can be suspended in between, it may have sent nothing yet. Then only Foundation knows that it must not get a
/// delegate any more.
final class EarlyTask: Sendable {
    /// The name in the report, as of a kind.
    static let name = "early"

    private let session: URLSession
    private let task: URLSessionTask
    private let result = Mutex<CallResult?>(nil)

    init(_ address: String) {
        let delegate = CallDelegate()
        session = URLSession(configuration: .ephemeral, delegate: delegate, delegateQueue: nil)
        task = session.dataTask(with: URLRequest(url: URL(string: address) ?? URL(fileURLWithPath: "/")))
        delegate.expect { [self] done in result.withLock { $0 = done } }
        task.resume()
        // Foundation for Linux may not go on with such a task.
        #if canImport(ObjectiveC)
            task.suspend()
        #endif
    }

    /// Lets it run to its end.
    func finish() async -> CallResult {
        task.resume()
        _ = await eventually { result.withLock { $0 != nil } }
        session.finishTasksAndInvalidate()
        return result.withLock { $0 } ?? CallResult()
    }
}
