internal import Foundation

/// Passes text from a thread that writes to a task that reads; the faster side waits.
///
/// `@unchecked Sendable`: the condition's lock guards everything that changes.
final class Pieces: @unchecked Sendable {
    /// The reader has stopped reading.
    struct GivenUp: Error {}

    private static let capacity = 1 << 18

    private let condition = NSCondition()
    private var waiting: [UInt8] = []
    private var isOver = false
    private var isGivenUp = false
    private var failure: (any Error)?
    private var reader: CheckedContinuation<[UInt8]?, any Error>?

    /// Adds a piece; waits while too much is unread.
    ///
    /// - Throws: ``GivenUp``
    func put(_ piece: [UInt8]) throws {
        condition.lock()
        defer { condition.unlock() }
        while waiting.count > Self.capacity, !isGivenUp { condition.wait() }
        if isGivenUp { throw GivenUp() }
        waiting += piece
        // Passes on 16 KiB or more at once, because each piece costs a wake-up.
        if waiting.count >= 1 << 14 { serve() }
    }

    /// Ends the text, with an error if the writer failed.
    func end(_ failure: (any Error)?) {
        condition.lock()
        defer { condition.unlock() }
        isOver = true
        self.failure = failure
        serve()
    }

    /// Call it when the reader stops; the writer's next ``put(_:)`` throws.
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
