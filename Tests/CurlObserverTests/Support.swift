import CurlObserver
import Locks
import TapFrames
import TrafficModel
import WireweightTesting

/// A reader with its sink.
struct Hearing {
    let sink = RecordingSink()
    let reader: TapReader

    init() {
        reader = TapReader(
            process: ProcessIdentity(pid: 1, name: "test"), sink: sink,
            wallOffset: { 1_000_000 })
    }

    func take(_ bytes: [UInt8]) throws { try bytes.withUnsafeBytes { try reader.take($0) } }

    /// All frames at once.
    @discardableResult
    static func of(_ build: (inout FrameBuilder) -> Void) throws -> RecordingSink {
        let hearing = Hearing()
        var frames = FrameBuilder()
        build(&frames)
        try hearing.take(frames.bytes)
        return hearing.sink
    }
}
