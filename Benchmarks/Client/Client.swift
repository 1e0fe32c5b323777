import Foundation
import FoundationNetworking
import Wireweight

/// A program on URLSession that loads the same address repeatedly.
struct Client {
    /// How the program is metered from inside.
    enum Meter: String {
        /// Not metered.
        case plain
        /// The tap, as an app starts it.
        case metered
        /// A `URLProtocol`, as in the articles.
        case article
    }

    /// The address to load, and how to load it.
    struct Work {
        var port: Int
        var meter: Meter
        /// The number of concurrent requests.
        var concurrency: Int
        var exchanges: Int
    }

    private let url: URL
    private let work: Work
    private let session: URLSession
    private let monitor: TrafficMonitor?
    private let store: String
    private let meterThreads: Set<String>

    init(_ work: Work) throws {
        self.work = work
        url = URL(string: "http://127.0.0.1:\(work.port)/v1/items?page=1")!
        store = NSTemporaryDirectory() + "wireweight-benchmark-\(getpid()).db"
        let threads = Usage.threads
        monitor =
            work.meter == .metered ? try TrafficMonitor.start(TrafficMonitor.Configuration(store: store)) : nil
        // No other code has started a thread meanwhile, so all new threads are the meter's.
        meterThreads = Usage.threads.subtracting(threads)
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = work.concurrency
        configuration.urlCache = nil
        if work.meter == .article { ArticleProtocol.intercept(configuration) }
        session = URLSession(configuration: configuration)
    }

    /// Measures the work after a warm-up.
    ///
    /// Prints these times for all exchanges together, in nanoseconds: the processor time of all threads but the
    /// meter's, of all threads, and of the other process, and the time on the clock.
    static func measure(_ work: Work, beside other: OtherProcess) async throws {
        let client = try Client(work)
        try await client.load(min(work.exchanges, max(work.concurrency, 200, work.exchanges / 10)))
        await client.monitor?.flush()
        let otherStart = other.settledTime
        let (start, meterStart, wallStart) = (Usage.process, client.meterTime, Usage.wall)
        try await client.load(work.exchanges)
        await client.monitor?.flush()
        let meter = client.meterTime - meterStart
        client.monitor?.stop()
        let (all, wall) = (Usage.process - start, Usage.wall - wallStart)
        print(all - meter, all, other.settledTime - otherStart, wall)
        guard work.meter != .article || ArticleProtocol.exchanges >= work.exchanges else {
            throw Child.Failure(description: "the URLProtocol was not asked")
        }
        try client.end()
    }

    /// Prints the resident memory after each tenth of the exchanges.
    static func grow(port: Int, isMetered: Bool, exchanges: Int) async throws {
        let meter: Meter = isMetered ? .metered : .plain
        let client = try Client(Work(port: port, meter: meter, concurrency: 16, exchanges: exchanges))
        var sizes: [Int64] = []
        for _ in 0..<10 {
            try await client.load(exchanges / 10)
            await client.monitor?.flush()
            sizes.append(Usage.resident)
        }
        client.monitor?.stop()
        print(sizes.map(String.init).joined(separator: " "))
        try client.end()
    }

    private var meterTime: Int64 { Usage.time(ofThreads: meterThreads) }

    private func load(_ exchanges: Int) async throws {
        let concurrency = work.concurrency
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<concurrency {
                group.addTask { [session, url] in
                    for _ in stride(from: worker, to: exchanges, by: concurrency) {
                        _ = try await session.data(from: url)
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    private func end() throws {
        if let monitor, monitor.droppedEvents > 0 || monitor.lastError != nil {
            throw Child.Failure(description: "\(monitor.droppedEvents) events were dropped")
        }
        for suffix in ["", "-wal", "-shm"] { unlink(store + suffix) }
    }
}
