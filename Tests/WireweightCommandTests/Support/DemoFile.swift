import Foundation

/// The demo's file, made once for all suites that read it, and gone when the tests have ended: 200 exchanges over 12 APIs.
enum DemoFile {
    /// The file, and what the demo's API counted on its own sockets; -1 where it could not be made.
    static let made: (path: String, up: Int, down: Int) = {
        guard let folder = try? Scratch.makeFolder() else { return ("", -1, -1) }
        Leftovers.remove(folder)
        let path = folder.appendingPathComponent("demo.db").path
        let ended = try? launch([Built.command, "demo", "--once", "--json", "--db", path])
        let outcome = (try? JSONSerialization.jsonObject(with: ended?.output ?? Data())) as? [String: Any]
        let origin = outcome?["origin"] as? [String: Int] ?? [:]
        return (path, origin["up"] ?? -1, origin["down"] ?? -1)
    }()

    /// The file.
    static var path: String { made.path }
}

/// Folders that are removed when the process of the tests ends.
private enum Leftovers {
    private static let folders = Guarded()

    static func remove(_ folder: URL) { folders.add(folder) }

    private final class Guarded: @unchecked Sendable {
        // Guarded by the lock.
        private var all: [URL] = []
        private let lock = NSLock()

        init() { atexit { Leftovers.folders.removeAll() } }

        func add(_ folder: URL) { lock.withLock { all.append(folder) } }

        func removeAll() {
            for folder in lock.withLock({ all }) { try? FileManager.default.removeItem(at: folder) }
        }
    }
}
