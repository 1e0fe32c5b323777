internal import Locks

/// A page's connection to a ``ChangeFeed``, as server-sent events (the HTML standard, section 9.2).
struct EventStream {
    private final class Place: Sendable {
        private struct State {
            var last: UInt64?
            var greeting: String?
        }

        private let state: Mutex<State>
        private let feed: ChangeFeed

        init(feed: ChangeFeed, last: UInt64?, greeting: String) {
            self.feed = feed
            state = Mutex(State(last: last, greeting: greeting))
        }

        // When the response is given up, so is the stream.
        deinit {
            let feed = feed
            Task { await feed.leave() }
        }

        func next() async throws -> [UInt8]? {
            if let greeting = state.withLock({ state in
                defer { state.greeting = nil }
                return state.greeting
            }) {
                return Array(greeting.utf8)
            }
            try Task.checkCancellation()
            let last = state.withLock { $0.last ?? 0 }
            switch await feed.next(after: last) {
            case .messages(let messages):
                state.withLock { $0.last = messages.last?.id }
                return messages.flatMap { Array($0.text(epoch: feed.epoch).utf8) }
            case .silence:
                return Array(":\n\n".utf8)
            case .missed(let newest):
                state.withLock { $0.last = newest }
                return Array("id: \(feed.epoch)-\(newest)\nevent: reset\ndata: {}\n\n".utf8)
            }
        }
    }

    private let place: Place

    /// Creates a stream of the messages after `last`; nil means from now on.
    ///
    /// - Parameters:
    ///   - feed: the source of the messages.
    ///   - last: the last message of this feed that the page has seen.
    ///   - isReturning: whether the page has seen any message; if it was of another feed, the page must reload.
    init(feed: ChangeFeed, last: UInt64?, isReturning: Bool) async {
        await feed.enter(isReturning: last != nil)
        let status = await feed.currentStatus()
        let now = await feed.last
        // With a number from the start, the page can say where it was even if nothing has happened yet.
        var greeting = "retry: 1000\n\nid: \(feed.epoch)-\(last ?? now)\nevent: status\ndata: \(status)\n\n"
        if isReturning && last == nil { greeting += "id: \(feed.epoch)-\(now)\nevent: reset\ndata: {}\n\n" }
        place = Place(feed: feed, last: last ?? now, greeting: greeting)
    }

    /// The response, which goes on until the page leaves.
    var response: Response {
        let place = place
        return Response(type: "text/event-stream", fields: [("Cache-Control", "no-store")]) { try await place.next() }
    }
}
