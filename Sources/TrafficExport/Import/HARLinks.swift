import Foundation
import HTTPWire
import TrafficModel

/// Finds the entries that belong to one task: a redirect, and the request for the URL that it names.
///
/// HAR does not link them. At most 256 redirects wait for the entry that follows them.
struct RedirectLinks {
    private static let limit = 256

    private var waiting: [(url: String, task: ExchangeID, resendCount: Int)] = []

    /// The task of an entry, and the number of attempts before it.
    mutating func link(of entry: HAREntry, _ id: ExchangeID) -> (task: ExchangeID, resendCount: Int) {
        let place = waiting.lastIndex { $0.url == Self.withoutFragment(entry.url) }
        let before = place.map { waiting.remove(at: $0) }
        let link = (task: before?.task ?? id, resendCount: before.map { $0.resendCount + 1 } ?? 0)
        if (300..<400).contains(entry.status), !entry.redirectURL.isEmpty,
            let next = URL(string: entry.redirectURL, relativeTo: URL(string: entry.url))?.absoluteString
        {
            if waiting.count == Self.limit { waiting.removeFirst() }
            waiting.append((Self.withoutFragment(next), link.task, link.resendCount))
        }
        return link
    }

    private static func withoutFragment(_ url: String) -> String { String(url.prefix { $0 != "#" }) }
}

/// Numbers connections by the names that an archive gives them; remembers at most 10,000 at once.
struct ConnectionNumbers {
    private static let limit = 10_000

    private var known: [String: Int64] = [:]
    private var last: Int64 = 0

    /// The connection of an entry; nil if the archive does not identify it.
    ///
    /// Firefox writes the port there, which does not identify a connection.
    mutating func number(of entry: HAREntry, _ target: RequestTarget) -> ConnectionID? {
        guard !entry.connection.isEmpty, entry.connection != String(target.port) else { return nil }
        let name = "\(target.scheme)://\(target.host):\(target.port) \(entry.connection)"
        if let number = known[name] { return ConnectionID(number) }
        if known.count == Self.limit { known.removeAll() }
        last += 1
        known[name] = last
        return ConnectionID(last)
    }
}
