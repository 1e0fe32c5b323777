package import TrafficModel

/// Adds up the packets of a capture by connection.
package struct CaptureTally: Sendable {
    private struct Ends: Hashable {
        var first: Endpoint
        var second: Endpoint
    }

    /// The connections, in the order of their first packets.
    package private(set) var connections: [CapturedConnection] = []
    /// The number of TCP segments.
    package private(set) var segments = 0
    /// The number of segments that were cut before their ports, so that their connections are unknown.
    package private(set) var unreadable = 0
    /// The time of the first segment; nil if there is none.
    package private(set) var begin: Timestamp?
    /// The time of the last segment; nil if there is none.
    package private(set) var end: Timestamp?
    /// The index of the newest connection between two ends.
    private var newest: [Ends: Int] = [:]

    /// Creates a tally of no packets.
    package init() {}

    /// Adds a segment, read from a line of tshark's output.
    package mutating func add(_ row: CapturedRow) {
        segments += 1
        switch row {
        case .unreadable: unreadable += 1
        case .cut(let time, let source, let destination):
            extend(to: time)
            let (index, _) = place(of: source, destination) ?? begin(source, destination, at: time)
            connections[index].takeCutHead(at: time)
        case .segment(let segment):
            extend(to: segment.time)
            let known = place(of: segment.source, segment.destination)
            if let (index, side) = known, !connections[index].isSucceeded(by: segment, from: side) {
                connections[index].take(segment, from: side)
            } else {
                let (index, side) = begin(segment.source, segment.destination, at: segment.time)
                connections[index].take(segment, from: side)
            }
        }
    }

    private mutating func extend(to time: Timestamp) {
        begin = min(begin ?? time, time)
        end = max(end ?? time, time)
    }

    private func place(of source: Endpoint, _ destination: Endpoint) -> (Int, CapturedConnection.Side)? {
        if let index = newest[Ends(first: source, second: destination)] { return (index, .first) }
        return newest[Ends(first: destination, second: source)].map { ($0, .second) }
    }

    private mutating func begin(
        _ source: Endpoint, _ destination: Endpoint, at time: Timestamp
    ) -> (Int, CapturedConnection.Side) {
        newest[Ends(first: destination, second: source)] = nil
        newest[Ends(first: source, second: destination)] = connections.count
        connections.append(CapturedConnection(first: source, second: destination, at: time))
        return (connections.count - 1, .first)
    }
}
