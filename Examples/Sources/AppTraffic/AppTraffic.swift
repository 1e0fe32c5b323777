import Foundation
import Wireweight

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// An app's meter; make it once, before the first session.
public final class AppTraffic: Sendable {
    private let monitor: TrafficMonitor?

    /// The default folder of the file, which the system may empty and does not back up.
    public static var caches: URL { FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask)[0] }

    /// Starts metering into a file in a folder.
    ///
    /// If the app cannot be metered, it runs unmetered.
    public init(folder: URL = caches, hosts: [String] = []) {
        var configuration = TrafficMonitor.Configuration(store: folder.appending(path: "traffic.db").path)
        configuration.hosts.include = hosts
        configuration.retention = .init(seconds: 86_400, size: .megabytes(20))
        monitor = try? TrafficMonitor.start(configuration)
    }

    /// Makes a metered session; its delegate receives all calls as usual.
    public func session(
        configuration: URLSessionConfiguration = .default, delegate: (any URLSessionDelegate)? = nil
    ) -> URLSession {
        let metered = monitor.map { $0.delegate(wrapping: delegate) } ?? delegate
        return URLSession(configuration: configuration, delegate: metered, delegateQueue: nil)
    }

    /// Writes ended exchanges to the file; call it before the system suspends the app.
    public func flush() async {
        await monitor?.flush()
    }

    /// Ends metering; sessions continue unmetered.
    public func stop() {
        monitor?.stop()
    }

    /// The sums of each API, largest first.
    public func apis() async throws -> [TrafficTotal] {
        guard let monitor else { return [] }
        await monitor.flush()
        return try monitor.reading().totals(by: .api, in: .always).sorted { $0.weight > $1.weight }
    }
}

extension TrafficTotal {
    /// The bytes in both directions.
    public var weight: ByteCount { self.up.total + self.down.total }

    /// Whether any byte is not captured, but reported, computed or unknown.
    public var isEstimated: Bool { self.capturedShare < 1 }
}
