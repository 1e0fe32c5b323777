internal import Foundation

/// Text on its way from a thread that writes to a task that reads; who is ahead waits.
///
/// `@unchecked Sendable`: all that changes is behind the condition.
final class Pieces: @unchecked Sendable {
    /// The reader has gone.
    struct GivenUp: Error {}

    private static let capacity = 1 << 18

    private let condition = NSCondition()
    private var waiting: [UInt8] = []
    private var isOver = false
    private var isGivenUp = false
    private var failure: (any Error)?
    private var reader: CheckedContinuation<[UInt8]?, any Error>?

    /// Adds a piece; waits while there is much that was not read.
    ///
    /// - Throws: ``GivenUp``
    func put(_ piece: [UInt8]) throws {
        condition.lock()
        defer { condition.unlock() }
        while waiting.count > Self.capacity, !isGivenUp { condition.wait() }
        if isGivenUp { throw GivenUp() }
        waiting += piece
        // Small pieces together: each costs a wake-up.
        if waiting.count >= 1 << 14 { serve() }
    }

    /// There is no more.
    func end(_ failure: (any Error)?) {
        condition.lock()
        defer { condition.unlock() }
        isOver = true
        self.failure = failure
        serve()
    }

    /// Nobody reads any more.
    func giveUp() {
        condition.lock()
        defer { condition.unlock() }
        isGivenUp = true
        condition.broadcast()
    }

    /// The next piece; nil at the end.
    func next() async throws -> [UInt8]? {
        try await withCheckedThrowingContinuation { continuation in
            condition.lock()
            defer { condition.unlock() }
            reader = continuation
            if isOver || waiting.count >= 1 << 14 { serve() }
        }
    }

    private func serve() {
        guard let reader else { return }
        if waiting.isEmpty {
            guard isOver else { return }
            self.reader = nil
            if let failure { reader.resume(throwing: failure) } else { reader.resume(returning: nil) }
        } else {
            self.reader = nil
            let piece = waiting
            waiting = []
            condition.broadcast()
            reader.resume(returning: piece)
        }
    }
}
