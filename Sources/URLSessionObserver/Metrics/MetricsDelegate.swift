package import Foundation

#if canImport(FoundationNetworking) && !APPLE_STAND_IN
    package import FoundationNetworking
#endif

/// A session's or a task's delegate that takes the metrics and passes every call on to another.
///
/// What the wrapped delegate does not implement behaves as if nobody had been asked. On Apple platforms, calls go past
/// this object by the Objective-C runtime's forwarding, so also those that are new in a later system are passed on. On
/// Linux each is passed on by hand; there the system never collects metrics.
///
/// `@unchecked Sendable`: NSObject is not Sendable; nothing here changes.
package final class MetricsDelegate: NSObject, @unchecked Sendable {
    let observer: MetricsObserver
    /// The delegate that the application knows; a session holds its delegate, so this one holds it, too.
    package let wrapped: (any URLSessionDelegate)?

    /// A delegate that passes everything on to that one.
    package init(wrapping wrapped: (any URLSessionDelegate)?, observer: MetricsObserver) {
        // Wrapped twice, a delegate would tell twice.
        self.wrapped = (wrapped as? MetricsDelegate)?.wrapped ?? wrapped
        self.observer = observer
    }

    #if canImport(ObjectiveC) || APPLE_STAND_IN
        package override func responds(to selector: Selector!) -> Bool {
            super.responds(to: selector) || (wrapped?.responds(to: selector) ?? false)
        }

        package override func forwardingTarget(for selector: Selector!) -> Any? {
            if let wrapped, wrapped.responds(to: selector) { return wrapped }
            return super.forwardingTarget(for: selector)
        }

        // A loader may ask for the protocol before it asks for the method.
        package override func conforms(to other: Protocol) -> Bool {
            super.conforms(to: other) || (wrapped?.conforms(to: other) ?? false)
        }
    #endif
}

#if canImport(ObjectiveC) || APPLE_STAND_IN
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
                // A task's own delegate takes the metrics away from the session's.
                (other as? any URLSessionTaskDelegate)?.urlSession?(session, task: task, didFinishCollecting: metrics)
            }
        }
    }
#endif
