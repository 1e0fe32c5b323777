internal import Dispatch
internal import TrafficInspector
package import TrafficPipeline
package import TrafficStore

/// What a page can do to a recording: the pipeline stops taking, the writer lets go.
package struct Recording: RecordingControl {
    private let pipeline: TrafficPipeline
    private let writer: BatchWriter

    /// The recording of that pipeline into that writer.
    package init(pipeline: TrafficPipeline, writer: BatchWriter) {
        self.pipeline = pipeline
        self.writer = writer
    }

    package var isPaused: Bool { pipeline.isPaused }

    package func pause() { pipeline.pause(at: SystemClock.now()) }

    package func resume() { pipeline.resume(at: SystemClock.now()) }

    package func clear() async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            // The writer waits for the disk; that is not for a thread that others share.
            DispatchQueue.global().async { continuation.resume(with: Result { try writer.clear() }) }
        }
    }
}
