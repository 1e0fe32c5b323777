import Foundation
import GRDB

/// Works on a connection and a thread of its own, while the caller works on another connection.
///
/// `@unchecked Sendable`: `condition` guards what changes.
final class ReadAssistant<Worker, Answer: Sendable>: @unchecked Sendable {
    typealias Work = @Sendable (Worker) throws -> Answer

    private enum State {
        case starting, idle, over
        case wanted(Work)
        case done(Result<Answer, any Error>)
    }

    private let condition = NSCondition()
    private var state = State.starting

    /// Starts, and returns when its read transaction has begun.
    ///
    /// - Parameters:
    ///   - reader: the store.
    ///   - make: makes, on the assistant's connection, what works there.
    init(_ reader: StoreReader, _ make: @escaping @Sendable (Database, ReadConnection) throws -> Worker) {
        Thread.detachNewThread { [self] in serve(reader, make) }
        condition.withLock {
            while case .starting = state { condition.wait() }
        }
    }

    /// Begins some work; ``wait()`` must follow.
    func begin(_ work: @escaping Work) {
        condition.withLock {
            // A result that is there already is the error of the start.
            guard case .idle = state else { return }
            state = .wanted(work)
            condition.broadcast()
        }
    }

    /// Waits for the answer of the work.
    func wait() throws -> Answer {
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

    /// Ends it; work that has begun is done to its end.
    func end() {
        condition.withLock {
            state = .over
            condition.broadcast()
        }
    }

    private func serve(
        _ reader: StoreReader, _ make: @Sendable (Database, ReadConnection) throws -> Worker
    ) {
        do {
            try reader.read { database, connection in
                let worker = try make(database, connection)
                condition.withLock {
                    state = .idle
                    condition.broadcast()
                }
                while let work = next() { finish(Result { try work(worker) }) }
            }
        } catch {
            finish(.failure(error))
        }
    }

    private func next() -> Work? {
        condition.withLock {
            while true {
                switch state {
                case .wanted(let work): return work
                case .over: return nil
                default: condition.wait()
                }
            }
        }
    }

    private func finish(_ result: Result<Answer, any Error>) {
        condition.withLock {
            if case .over = state { return }
            state = .done(result)
            condition.broadcast()
        }
    }
}
