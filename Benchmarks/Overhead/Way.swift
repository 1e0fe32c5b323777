import Foundation

/// A way of metering a program, or running it unmetered.
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

    /// Whether this way works for a program that was not built for it.
    var isOutside: Bool { self != .tap && self != .article }

    var meter: Client.Meter {
        switch self {
        case .tap: .metered
        case .article: .article
        default: .plain
        }
    }
}

/// How to start a program so that it is metered in a given way.
struct Start {
    var prefix: [String] = []
    var environment: [String: String] = [:]
    /// The other process that takes part, as an argument for ``OtherProcess``.
    var other = "-"
    private var proxy: Proxy?
    /// The path to which the command writes its summary.
    private var summary: String?

    /// Starts the proxy that the way needs, if any; nil if it is not installed.
    init?(_ way: Way) throws {
        switch way {
        case .plain, .tap, .article: break
        case .run:
            let folder = URL(fileURLWithPath: Child.own).deletingLastPathComponent()
            let store = NSTemporaryDirectory() + "wireweight-benchmark-run.db"
            for suffix in ["", "-wal", "-shm"] { unlink(store + suffix) }
            let summary = store + ".json"
            self.summary = summary
            let command = folder.appendingPathComponent("wireweight").path
            prefix = [command, "run", "--db", store, "--json", "--output", summary, "--"]
            other = "parent"
        case .mitmproxy, .squid:
            guard let proxy = try way == .squid ? Proxy.squid() : Proxy.mitmproxy() else { return nil }
            self.proxy = proxy
            environment = ["http_proxy": "http://127.0.0.1:\(proxy.port)"]
            other = "\(proxy.process)"
        }
    }

    func end() { proxy?.end() }

    /// Checks that all exchanges were metered, because an unmetered program would look cheap.
    func check(_ exchanges: Int) throws {
        guard let summary else { return }
        let read = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: summary)))
        let metered = (read as? [String: Any])?["exchanges"] as? Int ?? 0
        guard metered >= exchanges else {
            throw Child.Failure(
                description: "\(metered) of \(exchanges) exchanges were metered; is the tap of this build? "
                    + "'make build CONFIGURATION=release' makes both")
        }
    }
}
