import Clocks
import Foundation
import Locks
import TrafficInspector
import TrafficModel
import TrafficOrigin
import TrafficStore
import Wireweight

/// The control that the page uses in the demo: it also keeps track of what the API counted during each change.
///
/// Before each change, it holds calls back until none is under way, so that each call is recorded completely or not at
/// all. The comparison leaves out the bytes that the API counted during a pause, and those of deleted exchanges.
final class DemoRecording: RecordingControl {
    /// A time without recording; without an end it still lasts.
    struct Pause: Sendable {
        var from: Timestamp
        var to: Timestamp?
    }

    private struct State {
        var ignored = DemoOutcome.Bytes(up: 0, down: 0)
        /// The API's count at the start of the current pause; nil if recording is not paused.
        var pausedAt: DemoOutcome.Bytes?
        var pauses: [Pause] = []
        var clearedAt: Timestamp?
    }

    private let control: any RecordingControl
    private let gate: DemoGate
    private let origin: LoopbackOrigin
    private let flush: @Sendable () async -> Void
    private let state = Mutex(State())

    /// Makes a control that passes each change on to another one.
    ///
    /// - Parameters:
    ///   - control: the control of the recording.
    ///   - gate: the gate that all calls go through.
    ///   - origin: the API, whose counts are read.
    ///   - flush: waits until all exchanges that have ended are stored.
    init(
        _ control: any RecordingControl, gate: DemoGate, origin: LoopbackOrigin,
        flush: @escaping @Sendable () async -> Void
    ) {
        self.control = control
        self.gate = gate
        self.origin = origin
        self.flush = flush
    }

    var isPaused: Bool { control.isPaused }

    func pause() async {
        await gate.whileEmpty {
            let (now, counted) = await standstill()
            await control.pause()
            state.withLock { state in
                guard state.pausedAt == nil else { return }
                state.pausedAt = counted
                state.pauses.append(Pause(from: now))
            }
        }
    }

    func resume() async {
        await gate.whileEmpty {
            let (now, counted) = await standstill()
            await control.resume()
            state.withLock { state in
                guard let paused = state.pausedAt else { return }
                state.pausedAt = nil
                state.ignored += counted - paused
                state.pauses[state.pauses.count - 1].to = now
            }
        }
    }

    func clear() async throws {
        try await gate.whileEmpty {
            let (now, counted) = await standstill()
            try await control.clear()
            state.withLock { state in
                state.ignored = counted
                state.clearedAt = now
                // Everything before is deleted, so earlier pauses no longer matter.
                state.pauses = state.pausedAt == nil ? [] : [Pause(from: now)]
                if state.pausedAt != nil { state.pausedAt = counted }
            }
        }
    }

    /// When the recording was last cleared; nil for never.
    var clearedAt: Timestamp? { state.withLock { $0.clearedAt } }

    /// The pauses since then.
    var pauses: [Pause] { state.withLock { $0.pauses } }

    /// The part of the API's count that belongs to exchanges that were recorded and not deleted.
    ///
    /// - Parameter counted: the API's whole count.
    /// - Returns: that count, without pauses and deleted exchanges.
    func proven(of counted: DemoOutcome.Bytes) -> DemoOutcome.Bytes {
        state.withLock { ($0.pausedAt ?? counted) - $0.ignored }
    }

    private func standstill() async -> (Timestamp, DemoOutcome.Bytes) {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            // It waits for the sockets, which must not block a thread that other tasks share.
            DispatchQueue.global().async { [origin] in
                _ = origin.waitUntilIdle()
                continuation.resume()
            }
        }
        await flush()
        return (SystemClock.now(), DemoOutcome.Bytes(of: origin))
    }
}

extension DemoOutcome.Bytes {
    /// Takes the bytes that an API has counted on its sockets.
    init(of origin: LoopbackOrigin) {
        self.init(up: Int64(origin.receivedBytes), down: Int64(origin.sentBytes))
    }

    static func - (left: Self, right: Self) -> Self { Self(up: left.up - right.up, down: left.down - right.down) }

    static func += (left: inout Self, right: Self) {
        left.up += right.up
        left.down += right.down
    }
}
