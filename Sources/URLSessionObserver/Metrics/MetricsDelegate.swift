package import Foundation

#if canImport(FoundationNetworking)
    package import FoundationNetworking
#endif

/// A session's or task's delegate that takes the metrics and passes every call on to another delegate.
///
/// Methods that the wrapped delegate does not implement behave as if the session had no delegate. On Apple platforms,
/// the Objective-C runtime forwards calls, including those that later systems add. On Linux, each call is forwarded by
/// hand; the system never collects metrics there.
///
/// `@unchecked Sendable`: NSObject is not Sendable, but this object is immutable.
package final class MetricsDelegate: NSObject, @unchecked Sendable {
    let observer: MetricsObserver
    /// The application's delegate; retained, because a session retains its delegate.
    package let wrapped: (any URLSessionDelegate)?

    /// Makes a delegate that passes everything on to another.
    package init(wrapping wrapped: (any URLSessionDelegate)?, observer: MetricsObserver) {
        // If a delegate were wrapped twice, it would report twice.
        self.wrapped = (wrapped as? MetricsDelegate)?.wrapped ?? wrapped
        self.observer = observer
    }

    #if canImport(ObjectiveC)
        package override func responds(to selector: Selector!) -> Bool {
            super.responds(to: selector) || (wrapped?.responds(to: selector) ?? false)
        }

        package override func forwardingTarget(for selector: Selector!) -> Any? {
            if let wrapped, wrapped.responds(to: selector) { return wrapped }
            return super.forwardingTarget(for: selector)
        }

        // A loader may check for the protocol before it checks for the method.
        package override func conforms(to other: Protocol) -> Bool {
            super.conforms(to: other) || (wrapped?.conforms(to: other) ?? false)
        }
    #endif
}

#if canImport(ObjectiveC)
    extension MetricsDelegate: URLSessionTaskDelegate {
        package func urlSession(_ session: URLSession, didCreateTask task: URLSessionTask) {
            observer.expect(task)
            (wrapped as? any URLSessionTaskDelegate)?.urlSession?(session, didCreateTask: task)
        }

        package func urlSession(
            _ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics
        ) {
            observer.collect(metrics.transactionMetrics, of: task)
            let selector = NSSelectorFromString("URLSession:task:didFinishCollectingMetrics:")
            if let wrapped, wrapped.responds(to: selector) {
                (wrapped as? any URLSessionTaskDelegate)?.urlSession?(session, task: task, didFinishCollecting: metrics)
            } else if let other = session.delegate, other !== self {
                // The task's own delegate received the metrics instead of the session's, so pass them on.
                (other as? any URLSessionTaskDelegate)?.urlSession?(session, task: task, didFinishCollecting: metrics)
            }
        }
    }
#endif
