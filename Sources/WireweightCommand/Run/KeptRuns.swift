import Clocks
import Foundation
import TextFormats
import TrafficModel

/// The last runs, so that none need be repeated to be looked at.
///
/// Of those that were given no file, the newest ten are kept; of those with a file of their own, a link to it is.
/// They are in `$XDG_STATE_HOME/wireweight/runs`, or in `.local/state` of the home folder, and only their owner can read
/// them. A name has the run's start and its process: `2026-11-23T101500.123456Z-4711.db`.
struct KeptRuns {
    static let most = 10

    /// One of them.
    struct Run: Equatable {
        /// Its name in the folder.
        let name: String
        /// The path of its file, which may be elsewhere.
        let path: String

        var start: Timestamp? { KeptRuns.start(of: name) }
    }

    let folder: URL

    /// The runs of this user; nil if there is no home folder.
    init?(_ environment: [String: String] = ProcessInfo.processInfo.environment) {
        let place: URL
        // A relative path is no place (XDG Base Directory Specification).
        if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") {
            place = URL(fileURLWithPath: state, isDirectory: true)
        } else if let home = environment["HOME"], home.hasPrefix("/"), Files.isFolder(home) {
            place = URL(fileURLWithPath: home, isDirectory: true).appendingPathComponent(".local/state")
        } else {
            return nil
        }
        folder = place.appendingPathComponent("wireweight/runs", isDirectory: true)
    }

    /// The path of a new run's file; nil if none can be written here.
    ///
    /// Makes room for it: of the others, the newest nine stay, and those that are being written.
    func begin(at start: Timestamp = SystemClock.now(), process: Int32 = getpid()) -> String? {
        guard isReady() else { return nil }
        for old in names.filter({ target($0) == nil }).dropLast(Self.most - 1) where !Self.isRunning(old) {
            for suffix in ["", "-wal", "-shm", ".marks.json"] {
                try? FileManager.default.removeItem(atPath: entry(old) + suffix)
            }
        }
        return entry(Self.name(start, process))
    }

    /// Remembers a run whose file the user named; does nothing if nothing can be written here.
    ///
    /// Such a run takes no kept run's place. Of those with the same file, the last is remembered.
    func remember(_ path: String, at start: Timestamp = SystemClock.now(), process: Int32 = getpid()) {
        guard isReady() else { return }
        let path = URL(fileURLWithPath: path).path
        let links = names.compactMap { name in target(name).map { (name: name, path: $0) } }
        let others = links.filter { $0.path != path && Files.exists($0.path) }.suffix(Self.most - 1)
        for link in links where !others.contains(where: { $0 == link }) { unlink(entry(link.name)) }
        symlink(path, entry(Self.name(start, process)))
    }

    /// The newest runs whose files exist, the newest last.
    func newest(_ count: Int) -> [Run] {
        let runs = names.map { Run(name: $0, path: target($0) ?? entry($0)) }
        return Array(runs.filter { Files.exists($0.path) }.suffix(count))
    }

    private func isReady() -> Bool {
        do {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            return false
        }
        return Files.isWritable(folder.path)
    }

    private func entry(_ name: String) -> String { folder.appendingPathComponent(name).path }

    /// Where a link of that name leads; nil if it is a kept run's file.
    private func target(_ name: String) -> String? {
        try? FileManager.default.destinationOfSymbolicLink(atPath: entry(name))
    }

    /// The names sort by their times.
    private var names: [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { $0.hasSuffix(".db") && Self.process(of: $0) != nil }.sorted()
    }

    private static func name(_ start: Timestamp, _ process: Int32) -> String {
        start.iso8601.filter { $0 != ":" } + "-\(process).db"
    }

    private static func start(of name: String) -> Timestamp? {
        guard let pattern = name.wholeMatch(of: /([0-9-]+T[0-9]{2})([0-9]{2})([0-9.]+Z)-.*/) else { return nil }
        return Timestamp(iso8601: "\(pattern.1):\(pattern.2):\(pattern.3)")
    }

    private static func process(of name: String) -> Int32? {
        name.dropLast(3).split(separator: "-").last.flatMap { Int32($0) }
    }

    private static func isRunning(_ name: String) -> Bool {
        guard let process = process(of: name), process > 0 else { return false }
        return kill(process, 0) == 0 || errno == EPERM
    }
}
