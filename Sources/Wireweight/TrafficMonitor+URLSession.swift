internal import URLSessionObserver

#if canImport(FoundationNetworking)
    internal import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

extension TrafficMonitor {
    /// A delegate that also takes the system's metrics, for a session that the application makes.
    ///
    /// ```swift
    /// let session = URLSession(configuration: .default, delegate: monitor.delegate(wrapping: self), delegateQueue: nil)
    /// ```
    ///
    /// Every call is passed on. The session holds the result, and that holds the delegate, as a session would.
    ///
    /// - Parameter delegate: the application's own; nil for none.
    /// - Returns: what to give to the session. Where nothing would be metered by it, the application's own: without
    ///   ``Configuration/Observer/taskMetrics``, and on Linux, where the system collects no metrics.
    public func delegate(wrapping delegate: (any URLSessionDelegate)?) -> (any URLSessionDelegate)? {
        guard let metrics = observers.metrics else { return delegate }
        return metrics.delegate(wrapping: delegate)
    }
}

extension URLSessionConfiguration {
    /// A copy whose sessions that monitor meters through `URLProtocol`; the application's protocol classes stay in it.
    ///
    /// Make one and use it for many sessions. Where the monitor does not use
    /// ``TrafficMonitor/Configuration/Observer/urlProtocol``, the configuration is returned as it is. Once the monitor
    /// has stopped, such sessions go on unmetered.
    public func metered(by monitor: TrafficMonitor) -> URLSessionConfiguration {
        guard let observer = monitor.observers.interception else { return self }
        return metered(by: observer)
    }
}
