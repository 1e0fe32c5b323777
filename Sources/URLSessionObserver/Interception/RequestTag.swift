internal import Foundation
internal import TrafficModel

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// Marks on requests that are not sent over the wire.
enum RequestTag {
    private static let ours = "dev.wireweight.sent-on"
    private static let task = "dev.wireweight.task"
    private static let attempts = "dev.wireweight.attempts"

    /// Whether our own session sends the request.
    static func isOurs(_ request: URLRequest) -> Bool { URLProtocol.property(forKey: ours, in: request) != nil }

    /// Marks a request as sent by our own session.
    ///
    /// Linux does not use it: there, marking a request loses whether a timeout was set on it, and the inner session
    /// does not have our class anyway.
    static func tagging(_ request: URLRequest) -> URLRequest {
        changing(request) { URLProtocol.setProperty(true, forKey: ours, in: $0) }
    }

    /// Marks a request that continues one of ours, for the next protocol object.
    static func passingOn(_ request: URLRequest, trail: (task: ExchangeID, attempts: Int)?) -> URLRequest {
        changing(request) {
            URLProtocol.removeProperty(forKey: ours, in: $0)
            guard let trail else { return }
            URLProtocol.setProperty(NSNumber(value: trail.task.rawValue), forKey: task, in: $0)
            URLProtocol.setProperty(NSNumber(value: trail.attempts), forKey: attempts, in: $0)
        }
    }

    /// The task that a request continues, and the number of its exchanges so far; nil if it continues none.
    static func trail(of request: URLRequest) -> (task: ExchangeID, attempts: Int)? {
        guard let first = URLProtocol.property(forKey: task, in: request) as? NSNumber,
            let count = URLProtocol.property(forKey: attempts, in: request) as? NSNumber
        else { return nil }
        return (ExchangeID(first.int64Value), count.intValue)
    }

    private static func changing(_ request: URLRequest, _ change: (NSMutableURLRequest) -> Void) -> URLRequest {
        guard let copy = (request as NSURLRequest).mutableCopy() as? NSMutableURLRequest else { return request }
        change(copy)
        return copy as URLRequest
    }
}
