import Foundation
import Wireweight

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// An app's meter: made once, before the first session.
public final class AppTraffic: Sendable {
    private let monitor: TrafficMonitor?

    /// Where the file is, unless told otherwise: the system may remove it, and does not back it up.
    public static var caches: URL { FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask)[0] }

    /// Begins to meter, into a file of that folder.
    ///
    /// An app that cannot be metered runs all the same.
    public init(folder: URL = caches, hosts: [String] = []) {
        var configuration = TrafficMonitor.Configuration(store: folder.appending(path: "traffic.db").path)
        configuration.hosts.include = hosts
        configuration.retention = .init(seconds: 86_400, size: .megabytes(20))
        monitor = try? TrafficMonitor.start(configuration)
    }

    /// A session that is metered; the delegate is told everything, as it would be without.
    public func session(
        configuration: URLSessionConfiguration = .default, delegate: (any URLSessionDelegate)? = nil
    ) -> URLSession {
        let metered = monitor.map { $0.delegate(wrapping: delegate) } ?? delegate
        return URLSession(configuration: configuration, delegate: metered, delegateQueue: nil)
    }

    /// Writes what has ended to the file; before the system suspends the app.
    public func flush() async {
        await monitor?.flush()
    }

    /// Ends metering; sessions go on unmetered.
    public func stop() {
        monitor?.stop()
    }

    /// What each API weighed, the heaviest first.
    public func apis() async throws -> [TrafficTotal] {
        guard let monitor else { return [] }
        await monitor.flush()
        return try monitor.reading().totals(by: .api, in: .always).sorted { $0.weight > $1.weight }
    }
}

extension TrafficTotal {
    /// Bytes both ways.
    public var weight: ByteCount { up.total + down.total }

    /// Whether a byte of it is not captured: reported, computed, or not known.
    public var isEstimated: Bool { capturedShare < 1 }
}
