internal import Foundation
internal import TrafficModel
internal import Wireweight

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// A way to meter the calls; the first one, without a meter, is what the others are compared with.
package struct Way: Hashable, Sendable {
    /// The name in the report.
    package let name: String
    let observers: Set<TrafficMonitor.Configuration.Observer>
    let includesEverySession: Bool
    /// Whether it meters `URLSession.shared`.
    let includesShared: Bool

    private init(
        _ name: String, _ observers: Set<TrafficMonitor.Configuration.Observer>, includesEverySession: Bool = false,
        includesShared: Bool = false
    ) {
        self.name = name
        self.observers = observers
        self.includesEverySession = includesEverySession
        self.includesShared = includesShared || includesEverySession
    }

    static let unmetered = Way("unmetered", [])

    /// Whether its records say which connection carried an exchange.
    var recordsConnections: Bool { observers != [.urlProtocol] }

    /// The ways that this system has.
    package static let all: [Way] = {
        #if canImport(ObjectiveC)
            [
                unmetered, Way("metrics", [.taskMetrics]),
                Way("metrics-every-session", [.taskMetrics], includesEverySession: true),
                Way("protocol", [.urlProtocol], includesShared: true),
                Way("protocol-every-session", [.urlProtocol], includesEverySession: true),
            ]
        #else
            [
                unmetered, Way("tap", [.libcurl], includesShared: true),
                Way("protocol", [.urlProtocol], includesShared: true),
            ]
        #endif
    }()

    /// The configuration of a monitor that meters in this way; nil if nothing is to be metered.
    func configuration(storedAt path: String) -> TrafficMonitor.Configuration? {
        guard !observers.isEmpty else { return nil }
        var configuration = TrafficMonitor.Configuration(store: path)
        configuration.observers = observers
        configuration.sessions.includesEverySession = includesEverySession
        return configuration
    }

    /// A session as a program makes it that is metered in this way.
    func session(
        _ configuration: URLSessionConfiguration, delegate: (any URLSessionDelegate)?, monitor: TrafficMonitor?
    ) -> URLSession {
        guard let monitor, !includesEverySession else {
            return URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
        }
        let metered = observers.contains(.urlProtocol) ? configuration.metered(by: monitor) : configuration
        return URLSession(
            configuration: metered, delegate: monitor.delegate(wrapping: delegate), delegateQueue: nil)
    }
}
