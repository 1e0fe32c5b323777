internal import Dispatch
internal import Foundation

/// Runs reads of stores: off the threads that all tasks of the program share, and only a few at a time.
final class Readers: Sendable {
    private let queue = DispatchQueue(label: "TrafficInspector.readers", qos: .userInitiated, attributes: .concurrent)
    private let room = DispatchSemaphore(value: 4)

    /// Runs long work on a thread of its own.
    func begin(_ body: @escaping @Sendable () -> Void) { Thread.detachNewThread(body) }

    /// Runs long work on a thread of its own, and waits for its result.
    func alone<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            begin { continuation.resume(with: Result { try body() }) }
        }
    }

    /// Runs a read and waits for its result.
    func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { [room] in
                room.wait()
                defer { room.signal() }
                continuation.resume(with: Result { try body() })
            }
        }
    }

    /// Runs a read that cannot fail, and waits for its result.
    func run<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            queue.async { [room] in
                room.wait()
                defer { room.signal() }
                continuation.resume(returning: body())
            }
        }
    }
}
