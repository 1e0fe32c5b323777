package import TrafficModel

/// What one API may use in a run: requests and bytes.
package struct Budget: Hashable, Sendable {
    /// The API's method, host and template, and whether it was called or served.
    package struct API: Hashable, Sendable, Comparable {
        /// The method; empty for requests that failed before they were sent.
        package var method: String
        /// The host, with its port unless that is the scheme's default; `host:*` for any port.
        package var host: String
        /// The URL template.
        package var template: String

        /// Whether the requests are called or served.
        package var direction: TrafficDirection

        /// Creates an API from its parts.
        package init(method: String, host: String, template: String, direction: TrafficDirection = .called) {
            self.method = method
            self.host = host
            self.template = template
            self.direction = direction
        }

        /// The API of a sum.
        package init(_ key: TrafficTotal.Key) {
            self.init(
                method: key.method ?? "", host: key.host ?? "", template: key.template ?? "",
                direction: key.direction)
        }

        /// Sorts by host, template, method and direction, byte by byte, so that a file is the same on every machine.
        package static func < (left: API, right: API) -> Bool {
            for (one, other) in [(left.host, right.host), (left.template, right.template)] where one != other {
                return one.utf8.lexicographicallyPrecedes(other.utf8)
            }
            if left.method != right.method { return left.method.utf8.lexicographicallyPrecedes(right.method.utf8) }
            return left.direction == .called && right.direction == .served
        }

        /// `GET api.example.com /feed`, or `served GET api.example.com /feed`.
        var name: String { "\(methodText) \(host) \(template)" }

        /// The method, with the word `served` if the API was.
        var methodText: String { (direction == .served ? "served " : "") + (method.isEmpty ? "–" : method) }
    }

    /// The API that may use this.
    package var api: API
    /// The number of requests.
    package var requests: Int64
    /// Bytes of all requests, by part.
    package var up: PartTotals
    /// Bytes of all responses, by part.
    package var down: PartTotals
    /// Whether all bytes were captured, so that the figures are exact.
    package var isExact: Bool
    /// By how much it may be exceeded; nil for the lockfile's tolerance.
    package var tolerance: Tolerance?
    /// The bytes of one call, in both directions: in a run the 95th percentile, in a lockfile the most that this may be,
    /// without tolerance; nil if it is not known or not limited.
    package var callP95: ByteCount?

    /// Creates a budget with those figures.
    package init(
        api: API, requests: Int64, up: PartTotals, down: PartTotals, isExact: Bool = true, tolerance: Tolerance? = nil
    ) {
        self.api = api
        self.requests = requests
        self.up = up
        self.down = down
        self.isExact = isExact
        self.tolerance = tolerance
    }

    /// Creates a budget with the figures of a sum.
    init(_ total: TrafficTotal) {
        self.init(
            api: API(total.key), requests: total.requests, up: total.up, down: total.down,
            isExact: total.up.captured + total.down.captured == total.up.total + total.down.total)
        callP95 = total.perCall.total.percentile(0.95)
    }

    /// Bytes in both directions.
    var total: ByteCount { up.total + down.total }
}
