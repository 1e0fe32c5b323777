internal import Clocks
internal import Dispatch
internal import TrafficInspector
package import TrafficPipeline
package import TrafficStore

/// Lets the inspector's page control a recording: pausing stops the pipeline, clearing empties the store.
package struct Recording: RecordingControl {
    private let pipeline: TrafficPipeline
    private let writer: BatchWriter

    /// Makes the control of a recording that goes through a pipeline into a writer.
    package init(pipeline: TrafficPipeline, writer: BatchWriter) {
        self.pipeline = pipeline
        self.writer = writer
    }

    package var isPaused: Bool { pipeline.isPaused }

    package func pause() { pipeline.pause(at: SystemClock.now()) }

    package func resume() { pipeline.resume(at: SystemClock.now()) }

    package func clear() async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            // The writer waits for the disk, which must not block a thread that other tasks share.
            DispatchQueue.global().async { continuation.resume(with: Result { try writer.clear() }) }
        }
    }
}
