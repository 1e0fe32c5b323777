import Clocks
import Foundation
import TextFormats
import TrafficModel

/// The files of runs that were given no name: the newest ten are kept, so that a run need not be repeated to be looked
/// at.
///
/// They are in `$XDG_STATE_HOME/wireweight/runs`, or in `.local/state` of the home folder, and only their owner can read
/// them. A name has the run's start and its process: `2026-11-23T101500.123456Z-4711.db`.
struct KeptRuns {
    static let most = 10
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
        let name = start.iso8601.filter { $0 != ":" } + "-\(process).db"
        do {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            return nil
        }
        guard Files.isWritable(folder.path) else { return nil }
        for old in files.dropLast(Self.most - 1) where !Self.isRunning(old) {
            for suffix in ["", "-wal", "-shm", ".marks.json"] {
                try? FileManager.default.removeItem(atPath: path(old) + suffix)
            }
        }
        return path(name)
    }

    /// Whether a file is one of these runs.
    func holds(_ path: String) -> Bool {
        Files.isSame(folder.path, URL(fileURLWithPath: path).deletingLastPathComponent().path)
    }

    /// The start of the run with that file name.
    static func start(of name: String) -> Timestamp? {
        guard let pattern = name.wholeMatch(of: /([0-9-]+T[0-9]{2})([0-9]{2})([0-9.]+Z)-.*/) else { return nil }
        return Timestamp(iso8601: "\(pattern.1):\(pattern.2):\(pattern.3)")
    }

    /// The newest runs, the newest last.
    func newest(_ count: Int) -> [String] { files.suffix(count).map(path) }

    private func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

    /// The names sort by their times.
    private var files: [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { $0.hasSuffix(".db") && Self.process(of: $0) != nil }.sorted()
    }

    private static func process(of name: String) -> Int32? {
        name.dropLast(3).split(separator: "-").last.flatMap { Int32($0) }
    }

    private static func isRunning(_ name: String) -> Bool {
        guard let process = process(of: name), process > 0 else { return false }
        return kill(process, 0) == 0 || errno == EPERM
    }
}
