import Foundation
internal import TrafficModel

/// Searches ranges on a connection and a thread of its own, while the caller searches others.
///
/// `@unchecked Sendable`: `condition` guards what changes.
final class SearchAssistant: @unchecked Sendable {
    private enum State {
        case starting, idle, over
        case wanted(ClosedRange<Int64>)
        case done(Result<[ExchangeMoment], any Error>)
    }

    private let condition = NSCondition()
    private var state = State.starting

    /// Starts, and returns when its read transaction has begun.
    init(_ reader: StoreReader, _ query: ExchangeQuery, _ skipping: SignatureSearch?) {
        Thread.detachNewThread { [self] in serve(reader, query, skipping) }
        condition.withLock {
            while case .starting = state { condition.wait() }
        }
    }

    /// Begins to search a range; ``wait()`` must follow.
    func begin(_ range: ClosedRange<Int64>) {
        condition.withLock {
            // A result that is there already is the error of the start.
            guard case .idle = state else { return }
            state = .wanted(range)
            condition.broadcast()
        }
    }

    /// Waits for what the range has.
    func wait() throws -> [ExchangeMoment] {
        try condition.withLock {
            while true {
                if case .done(let result) = state {
                    state = .idle
                    return try result.get()
                }
                condition.wait()
            }
        }
    }

    /// Ends it; a range that is being searched is searched to its end.
    func end() {
        condition.withLock {
            state = .over
            condition.broadcast()
        }
    }

    private func serve(_ reader: StoreReader, _ query: ExchangeQuery, _ skipping: SignatureSearch?) {
        do {
            try reader.read { database, connection in
                let search = try ExchangeSearch(query, database, connection, skipping: skipping)
                condition.withLock {
                    state = .idle
                    condition.broadcast()
                }
                while let range = next() { finish(Result { try search.find(in: range) }) }
            }
        } catch {
            finish(.failure(error))
        }
    }

    private func next() -> ClosedRange<Int64>? {
        condition.withLock {
            while true {
                switch state {
                case .wanted(let range): return range
                case .over: return nil
                default: condition.wait()
                }
            }
        }
    }

    private func finish(_ result: Result<[ExchangeMoment], any Error>) {
        condition.withLock {
            if case .over = state { return }
            state = .done(result)
            condition.broadcast()
        }
    }
}
