import Foundation

/// A way of metering a program, or none.
enum Way: CaseIterable {
    case plain, tap, run, article, mitmproxy, squid

    var name: String {
        switch self {
        case .plain: "without"
        case .tap: "in-process tap"
        case .run: "`wireweight run`"
        case .article: "`URLProtocol`, as in the articles"
        case .mitmproxy: "mitmproxy in front"
        case .squid: "squid in front"
        }
    }

    /// Whether a program can be metered so that knows nothing of it.
    var isOutside: Bool { self != .tap && self != .article }

    var meter: Client.Meter {
        switch self {
        case .tap: .metered
        case .article: .article
        default: .plain
        }
    }
}

/// How programs are started so that they are metered that way.
struct Start {
    var prefix: [String] = []
    var environment: [String: String] = [:]
    /// Who works beside them, as ``OtherProcess`` takes it.
    var other = "-"
    private let proxy: Proxy?

    /// Starts what the way needs; nil where that is not installed.
    init?(_ way: Way) throws {
        switch way {
        case .plain, .tap, .article: proxy = nil
        case .run:
            proxy = nil
            let folder = URL(fileURLWithPath: Child.own).deletingLastPathComponent()
            let store = NSTemporaryDirectory() + "wireweight-benchmark-run.db"
            for suffix in ["", "-wal", "-shm"] { unlink(store + suffix) }
            prefix = [
                folder.appendingPathComponent("wireweight").path, "run", "--db", store, "--output", "/dev/null", "--",
            ]
            other = "parent"
        case .mitmproxy, .squid:
            guard let proxy = try way == .squid ? Proxy.squid() : Proxy.mitmproxy() else { return nil }
            self.proxy = proxy
            environment = ["http_proxy": "http://127.0.0.1:\(proxy.port)"]
            other = "\(proxy.process)"
        }
    }

    func end() { proxy?.end() }
}
