internal import URLSessionObserver

#if canImport(FoundationNetworking)
    internal import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

extension TrafficMonitor {
    /// Returns a delegate for a session of the application that also takes the system's metrics.
    ///
    /// ```swift
    /// let session = URLSession(configuration: .default, delegate: monitor.delegate(wrapping: self), delegateQueue: nil)
    /// ```
    ///
    /// It passes every call on to the application's delegate. The session retains it, and it retains that delegate.
    ///
    /// - Parameter delegate: the application's own delegate; nil for none.
    /// - Returns: the delegate to give to the session. It is the application's own if it would meter nothing: without
    ///   ``Configuration/Observer/taskMetrics``, and on Linux, where the system collects no metrics.
    public func delegate(wrapping delegate: (any URLSessionDelegate)?) -> (any URLSessionDelegate)? {
        guard let metrics = observers.observer(MetricsObserver.self) else { return delegate }
        return metrics.delegate(wrapping: delegate)
    }
}

extension URLSessionConfiguration {
    /// Returns a copy whose sessions a monitor meters through `URLProtocol`; it keeps the application's own classes.
    ///
    /// Make one copy and use it for many sessions. If the monitor does not use
    /// ``TrafficMonitor/Configuration/Observer/urlProtocol``, the result is the configuration itself. After the monitor
    /// stops, these sessions continue unmetered.
    public func metered(by monitor: TrafficMonitor) -> URLSessionConfiguration {
        guard let observer = monitor.observers.observer(URLProtocolObserver.self) else { return self }
        return metered(by: observer)
    }
}
