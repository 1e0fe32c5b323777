import Foundation
import FoundationNetworking
import Wireweight

/// A program on URLSession that loads the same address again and again.
struct Client {
    /// What an exchange cost it, in nanoseconds of processor time, and what else it noticed.
    struct Cost {
        /// All threads.
        var all: Double
        /// All threads but the meter's.
        var own: Double
        /// Time on the clock.
        var wall: Double
    }

    let url: URL
    let isMetered: Bool
    let concurrency: Int
    private let session: URLSession
    private let monitor: TrafficMonitor?
    private let store: String
    private let meterThreads: Set<String>

    private init(port: Int, isMetered: Bool, concurrency: Int) throws {
        url = URL(string: "http://127.0.0.1:\(port)/v1/items?page=1")!
        self.isMetered = isMetered
        self.concurrency = concurrency
        store = NSTemporaryDirectory() + "wireweight-benchmark-\(getpid()).db"
        let threads = Usage.threads
        monitor = isMetered ? try TrafficMonitor.start(TrafficMonitor.Configuration(store: store)) : nil
        // Nothing else has begun a thread meanwhile.
        meterThreads = Usage.threads.subtracting(threads)
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = concurrency
        configuration.urlCache = nil
        session = URLSession(configuration: configuration)
    }

    /// Measures so many exchanges, after some that warm up; prints the processor time of all threads and of all but
    /// the meter's, and the time on the clock, each for all exchanges together.
    static func measure(port: Int, isMetered: Bool, concurrency: Int, exchanges: Int) async throws {
        let client = try Client(port: port, isMetered: isMetered, concurrency: concurrency)
        try await client.load(max(200, exchanges / 10))
        await client.monitor?.flush()
        let (start, meterStart, wallStart) = (Usage.process, client.meterTime, Usage.wall)
        try await client.load(exchanges)
        await client.monitor?.flush()
        let meter = client.meterTime - meterStart
        client.monitor?.stop()
        let (all, wall) = (Usage.process - start, Usage.wall - wallStart)
        print(all, all - meter, wall)
        try client.end()
    }

    /// Prints the resident memory ten times, each after a tenth of the exchanges.
    static func grow(port: Int, isMetered: Bool, exchanges: Int) async throws {
        let client = try Client(port: port, isMetered: isMetered, concurrency: 16)
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
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<concurrency {
                group.addTask { [session, url, concurrency] in
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
