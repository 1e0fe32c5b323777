internal import Dispatch
internal import Foundation

/// Where stores are read: not on the threads that all tasks of the program share, and few at a time.
final class Readers: Sendable {
    private let queue = DispatchQueue(label: "TrafficInspector.readers", qos: .userInitiated, attributes: .concurrent)
    private let room = DispatchSemaphore(value: 4)

    /// Runs something long on a thread of its own.
    func begin(_ body: @escaping @Sendable () -> Void) { Thread.detachNewThread(body) }

    /// Runs a read and waits for it.
    func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { [room] in
                room.wait()
                defer { room.signal() }
                continuation.resume(with: Result { try body() })
            }
        }
    }

    /// Runs a read that does not fail.
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
