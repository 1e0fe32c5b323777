import Foundation
import MachineExamination
import Locks
import TrafficInspector
import TrafficModel

/// The files beside the one that is inspected: those named at the start, earlier runs of this user, and what a person
/// drops on the page, which is kept in a private folder until the inspector ends.
final class InspectedFiles: OtherFiles {
    private let paths: [(file: OtherFile, path: String)]
    let takesFiles: Bool
    private let folder = Mutex<PrivateFolder?>(nil)

    /// The files beside one.
    ///
    /// - Parameters:
    ///   - file: the file that is inspected. If it is one of the last runs, only those before it are earlier runs.
    ///   - named: files to compare with.
    ///   - isOwn: whether only this machine's user opens the page; others get the named files alone.
    init(beside file: String?, named: [String] = [], isOwn: Bool = true) {
        takesFiles = isOwn
        let runs = (isOwn ? KeptRuns() : nil)?.newest(KeptRuns.most) ?? []
        let earlier = runs.prefix { run in file.map { !Files.isSame(run.path, $0) } ?? true }
        paths =
            named.enumerated().map { index, path in
                (OtherFile(id: "named-\(index + 1)", name: Self.name(of: path), kind: .named), path)
            }
            + earlier.reversed().map { run in
                let name = Self.name(of: run.path)
                return (OtherFile(id: "run-\(run.name)", name: name, kind: .run, start: run.start), run.path)
            }
    }

    func list() -> [OtherFile] { paths.filter { mayHaveTraffic($0.path) }.map(\.file) }

    var hasSome: Bool { paths.contains { mayHaveTraffic($0.path) } }

    func open(_ file: OtherFile) throws -> any TrafficBrowsing {
        guard let path = paths.first(where: { $0.file == file })?.path, mayHaveTraffic(path) else {
            throw ReadingFailure("there is no file '\(file.name)' any more")
        }
        return try openReader(path)
    }

    func place(for id: String) throws -> String {
        try folder.withLock { folder in
            let made = try folder ?? PrivateFolder()
            folder = made
            return "\(made.path)/\(id)"
        }
    }

    func open(given path: String) throws -> any TrafficBrowsing {
        if Files.isDatabase(path) { return try openReader(path) }
        let store = "\(path).db"
        _ = try ArchiveImport(of: path, into: store).run()
        try? FileManager.default.removeItem(atPath: path)
        return try openReader(store)
    }

    func remove(given path: String) {
        for suffix in ["", "-wal", "-shm", ".db", ".db-wal", ".db-shm"] {
            try? FileManager.default.removeItem(atPath: path + suffix)
        }
    }

    /// Deletes all that was given.
    func remove() { folder.withLock { $0?.remove() } }

    private static func name(of path: String) -> String { URL(fileURLWithPath: path).lastPathComponent }
}
