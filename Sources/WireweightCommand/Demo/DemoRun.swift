import Foundation
import MachineExamination
import Locks
import TrafficModel
import TrafficOrigin
import TrafficReports
import Wireweight
import WireweightInspector

/// The demo's API, client and meter in one process.
struct DemoRun {
    private let folder: PrivateFolder
    private let storePath: String
    private let place: InspectorPlace
    /// Whether the demo makes the file; if not, the sums that the file held before are not the demo's.
    private let isFresh: Bool

    init(storePath: String?, place: InspectorPlace) throws {
        self.place = place
        folder = try PrivateFolder()
        self.storePath = storePath ?? "\(folder.path)/traffic.db"
        isFresh = storePath.map { !Files.exists($0) } ?? true
    }

    func run(once: Bool) throws -> DemoOutcome {
        defer { folder.remove() }
        let origin = DemoAPI.origin()
        try origin.start()
        defer { origin.stop() }
        let before = isFresh ? Sums() : try Sums(of: try openReader(storePath))
        let monitor = try TrafficMonitor.start(.init(store: storePath))
        defer { monitor.stop() }
        let gate = DemoGate()
        let recording = once ? nil : try show(monitor, gate, origin)
        let address = origin.address
        waitFor { await Self.makeTraffic(base: address, once: once, through: gate) }
        // If a button of the page was just pressed, its effect is complete before the sums are made.
        waitFor { await gate.whileEmpty {} }
        let isIdle = origin.waitUntilIdle()
        waitFor { await monitor.flush() }
        let reading = try monitor.reading()
        let report = try TrafficReport(of: reading, by: .api)
        let after = try Sums(of: reading)
        let earlier = recording?.clearedAt == nil ? before : Sums()
        let counted = DemoOutcome.Bytes(of: origin)
        return DemoOutcome(
            report: report, exchanges: after.exchanges - earlier.exchanges,
            metered: .init(up: after.up - earlier.up, down: after.down - earlier.down),
            origin: recording?.proven(of: counted) ?? counted, isIdle: isIdle, pauses: recording?.pauses ?? [],
            clearedAt: recording?.clearedAt)
    }

    /// Serves the page, and makes its buttons work on the demo's recording.
    private func show(
        _ monitor: TrafficMonitor, _ gate: DemoGate, _ origin: LoopbackOrigin
    ) throws -> DemoRecording? {
        let place = place
        let (url, recording) = try InspectorHost.wait {
            let made = Mutex<DemoRecording?>(nil)
            let url = try await monitor.startInspector(port: place.port, address: place.address) { control in
                let recording = DemoRecording(control, gate: gate, origin: origin) { await monitor.flush() }
                made.withLock { $0 = recording }
                return recording
            }
            return (url, made.withLock { $0 })
        }
        Terminal.note("open \(url) in a browser; Ctrl-C ends it")
        return recording
    }

    private struct Sums {
        var exchanges: Int64 = 0
        var up: Int64 = 0
        var down: Int64 = 0

        init() {}

        init(of reading: any TrafficReading) throws {
            for total in try reading.totals(by: .method, in: .always) {
                exchanges += total.requests
                up += total.up.total.bytes
                down += total.down.total.bytes
            }
        }
    }

    private static func makeTraffic(base: String, once: Bool, through gate: DemoGate) async {
        guard let base = URL(string: base + "/") else { return }
        let interrupt = Interrupt()
        let progress = ProgressLine("metering the demo's traffic")
        let pace = DemoPace(DemoPace.readable)
        var round = 1
        repeat {
            let label = once ? "" : " in round \(round)"
            // The first round fills the page quickly; the others are slow enough to follow.
            let isSlow = round > 1
            let permit = DemoClient.Permit(
                begin: {
                    if isSlow { await pace.wait() }
                    if isSlow && interrupt.hasCome { return false }
                    await gate.enter()
                    return true
                }, end: { await gate.leave() })
            _ = await DemoClient.run(base: base, round: round, permit: permit) { done, all in
                progress.show("\(done) of \(all) calls\(label)")
            }
            round += 1
        } while !once && !interrupt.hasCome
        progress.clear()
    }

    /// Runs asynchronous work to its end and blocks meanwhile.
    ///
    /// The command's own thread has nothing else to do.
    private func waitFor(_ work: @escaping @Sendable () async -> Void) {
        let done = DispatchSemaphore(value: 0)
        Task.detached {
            await work()
            done.signal()
        }
        done.wait()
    }
}
