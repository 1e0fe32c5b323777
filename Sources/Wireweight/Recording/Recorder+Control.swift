internal import Clocks
internal import Dispatch
internal import TrafficPipeline
internal import TrafficStore

// What an inspector's page controls: pausing stops the pipeline, clearing empties the store.
extension Recorder {
    package var isPaused: Bool { pipeline.isPaused }

    package func pause() { pipeline.pause(at: SystemClock.now()) }

    package func resume() { pipeline.resume(at: SystemClock.now()) }

    package func clear() async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            // The writer waits for the disk, which must not block a thread that other tasks share.
            DispatchQueue.global().async { continuation.resume(with: Result { try self.writer.clear() }) }
        }
    }
}
