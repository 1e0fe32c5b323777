import Foundation
import Synchronization
import TrafficInspector
import TrafficModel
import TrafficOrigin
import TrafficStore
import Wireweight

/// What the page controls in the demo: a recording of which it is known what the API counted meanwhile.
///
/// Before each change, calls are held back until none is under way, so that each is recorded whole or not at all. What
/// the API counted while nothing was recorded, or of what was deleted, is left out of the proof.
final class DemoRecording: RecordingControl {
    /// A time without recording; it lasts where it has no end.
    struct Pause: Sendable {
        var from: Timestamp
        var to: Timestamp?
    }

    private struct State {
        var ignored = DemoOutcome.Bytes(up: 0, down: 0)
        /// What the API had counted when the pause began that lasts.
        var pausedAt: DemoOutcome.Bytes?
        var pauses: [Pause] = []
        var clearedAt: Timestamp?
    }

    private let control: any RecordingControl
    private let gate: DemoGate
    private let origin: LoopbackOrigin
    private let flush: @Sendable () async -> Void
    private let state = Mutex(State())

    /// A control that goes on to another one.
    ///
    /// - Parameters:
    ///   - control: of the recording.
    ///   - gate: that all calls go through.
    ///   - origin: the API.
    ///   - flush: waits until everything that has ended is stored.
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
                // What came before is gone, with or without pauses.
                state.pauses = state.pausedAt == nil ? [] : [Pause(from: now)]
                if state.pausedAt != nil { state.pausedAt = counted }
            }
        }
    }

    /// When everything was deleted the last time.
    var clearedAt: Timestamp? { state.withLock { $0.clearedAt } }

    /// When nothing was recorded, since then.
    var pauses: [Pause] { state.withLock { $0.pauses } }

    /// What the API has counted of what was recorded and is still there.
    ///
    /// - Parameter counted: what it has counted in all.
    /// - Returns: the rest.
    func proven(of counted: DemoOutcome.Bytes) -> DemoOutcome.Bytes {
        state.withLock { ($0.pausedAt ?? counted) - $0.ignored }
    }

    private func standstill() async -> (Timestamp, DemoOutcome.Bytes) {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            // It waits for the sockets; that is not for a thread that others share.
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
    /// What an API has counted on its sockets.
    init(of origin: LoopbackOrigin) {
        self.init(up: Int64(origin.receivedBytes), down: Int64(origin.sentBytes))
    }

    static func - (left: Self, right: Self) -> Self { Self(up: left.up - right.up, down: left.down - right.down) }

    static func += (left: inout Self, right: Self) {
        left.up += right.up
        left.down += right.down
    }
}
