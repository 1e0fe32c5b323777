import Foundation
import FoundationNetworking
import Wireweight

/// Measures the tap's cost on a program's own thread: one libcurl handle, one connection, one thread.
///
/// Blocks of exchanges with and without the tap alternate on the same handle, and the thread's own processor clock
/// shows the difference. It includes all that the tap causes there: its hooks, its copies, libcurl's verbose mode, and
/// the query to the kernel.
enum Caller {
    /// Prints for each pair of blocks the nanoseconds of an exchange without and with the tap.
    static func measure(port: Int, pairs: Int, exchanges: Int) throws {
        try metering(true) {
            let handle = try LibcurlHandle(url: "http://127.0.0.1:\(port)/v1/items?page=1")
            func block(tapped isTapped: Bool) throws -> Int64 {
                let start = Usage.thread
                for _ in 0..<exchanges { try handle.perform(tapped: isTapped) }
                return (Usage.thread - start) / Int64(exchanges)
            }
            _ = try block(tapped: false)
            _ = try block(tapped: true)
            for pair in 0..<pairs {
                var without = pair % 2 == 0 ? try block(tapped: false) : 0
                let with = try block(tapped: true)
                if pair % 2 == 1 { without = try block(tapped: false) }
                print(without, with)
            }
        }
    }

    /// Loads one body, and prints the peak of resident memory and the process's own part of it, in bytes.
    static func oneBody(port: Int, isMetered: Bool) throws {
        var own: Int64 = 0
        try metering(isMetered) {
            let handle = try LibcurlHandle(url: "http://127.0.0.1:\(port)/body")
            try handle.perform(tapped: isMetered)
            own = Usage.anonymous
        }
        print(Usage.peak, own)
    }

    private static func metering(_ isMetered: Bool, _ body: () throws -> Void) throws {
        let store = NSTemporaryDirectory() + "wireweight-benchmark-\(getpid()).db"
        // This loads libcurl if only Foundation is linked with it.
        _ = URLSession.shared
        let monitor = isMetered ? try TrafficMonitor.start(TrafficMonitor.Configuration(store: store)) : nil
        try body()
        monitor?.stop()
        guard monitor?.droppedEvents ?? 0 == 0 else { throw Child.Failure(description: "events were dropped") }
        for suffix in ["", "-wal", "-shm"] { unlink(store + suffix) }
    }
}
