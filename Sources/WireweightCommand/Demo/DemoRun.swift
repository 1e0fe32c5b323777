import Foundation
import Synchronization
import TrafficModel
import TrafficOrigin
import TrafficReports
import Wireweight

/// The demo's API, client and meter, together in one process.
struct DemoRun {
    private let folder: PrivateFolder
    private let storePath: String
    private let place: InspectorPlace
    /// What the file held before: only what is added is the demo's.
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
        if !once {
            let place = place
            let url = try InspectorHost.wait {
                try await monitor.startInspector(port: place.port, address: place.address)
            }
            Terminal.note("open \(url) in a browser; Ctrl-C ends it")
        }
        let address = origin.address
        waitFor { await Self.makeTraffic(base: address, once: once) }
        let isIdle = origin.waitUntilIdle()
        waitFor { await monitor.flush() }
        let reading = try monitor.reading()
        let report = try TrafficReport(of: reading, by: .api)
        let after = try Sums(of: reading)
        return DemoOutcome(
            report: report, exchanges: after.exchanges - before.exchanges,
            metered: .init(up: after.up - before.up, down: after.down - before.down),
            origin: .init(up: Int64(origin.receivedBytes), down: Int64(origin.sentBytes)), isIdle: isIdle)
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

    private static func makeTraffic(base: String, once: Bool) async {
        guard let base = URL(string: base + "/") else { return }
        let interrupt = Interrupt()
        let progress = ProgressLine("metering the demo's traffic")
        var round = 1
        repeat {
            let label = once ? "" : " in round \(round)"
            _ = await DemoClient.run(base: base, round: round) { done, all in
                progress.show("\(done) of \(all) calls\(label)")
            }
            round += 1
            if !once { try? await Task.sleep(for: .seconds(1)) }
        } while !once && !interrupt.hasCome
        progress.clear()
    }

    /// Runs asynchronous work to its end.
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
