import Foundation
import Testing
import WireweightTesting

/// A store that cannot be written is said before the program starts, and nothing is overwritten.
@Suite("run refuses a store that cannot be", .enabled(if: Built.isComplete, "needs 'make build'"))
struct StoreFaultTests {
    /// Runs a program that leaves a mark, with that store.
    private func refused(_ store: String, in folder: URL, prefix: [String] = []) throws -> Ended {
        let mark = folder.appendingPathComponent("started").path
        let ended = try launch(prefix + [Built.command, "run", "--db", store, "--", "touch", mark])
        #expect(!FileManager.default.fileExists(atPath: mark), "the program was started")
        #expect(ended.outputText == "")
        #expect(ended.errorText.hasPrefix("error: "))
        #expect(ended.errorText.split(separator: "\n").count == 1)
        return ended
    }

    private func contents(of folder: URL) throws -> [String: Data] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        return try Dictionary(
            uniqueKeysWithValues: names.map { ($0, try Data(contentsOf: folder.appendingPathComponent($0))) })
    }

    @Test("a text file: 65")
    func textFile() throws {
        try withFolder { folder in
            let store = folder.appendingPathComponent("notes.txt")
            try String(repeating: "not a database\n", count: 100).write(to: store, atomically: false, encoding: .utf8)
            let before = try contents(of: folder)
            let ended = try refused(store.path, in: folder)
            #expect(ended.status == 65)
            #expect(ended.errorText.contains(store.path))
            #expect(try contents(of: folder) == before)
        }
    }

    @Test("somebody else's database: 65", .enabled(if: Built.has("sqlite3"), "needs sqlite3"))
    func foreignDatabase() throws {
        try withFolder { folder in
            let store = folder.appendingPathComponent("theirs.db")
            #expect(try launch(["sqlite3", store.path, "CREATE TABLE t(x); INSERT INTO t VALUES (1)"]).status == 0)
            let before = try contents(of: folder)
            #expect(try refused(store.path, in: folder).status == 65)
            #expect(try contents(of: folder) == before)
        }
    }

    @Test("a store of a newer version: 65", .enabled(if: Built.has("sqlite3"), "needs sqlite3"))
    func newerVersion() throws {
        try withFolder { folder in
            let store = folder.appendingPathComponent("newer.db")
            #expect(try launch([Built.command, "run", "--db", store.path, "--", "true"]).status == 0)
            #expect(try launch(["sqlite3", store.path, "PRAGMA user_version = 4711"]).status == 0)
            let before = try contents(of: folder)
            let ended = try refused(store.path, in: folder)
            #expect(ended.status == 65)
            #expect(try contents(of: folder) == before)
        }
    }

    @Test("a folder that is not there: 73")
    func missingFolder() throws {
        try withFolder { folder in
            let ended = try refused(folder.appendingPathComponent("none/db").path, in: folder)
            #expect(ended.status == 73)
            #expect(try contents(of: folder).isEmpty)
        }
    }

    @Test("a folder instead of a file: 73 or 65")
    func folderItself() throws {
        try withFolder { folder in
            let ended = try refused(folder.path, in: folder)
            #expect([65, 73].contains(ended.status))
            #expect(try contents(of: folder).isEmpty)
        }
    }

    static let canMount =
        (try? launch(["unshare", "-rm", "sh", "-c", "mount -t tmpfs none /mnt"]))?.status == 0

    /// Mounts a small file system for one command: rights do not bind root.
    private func mounted(_ options: String, _ before: String, _ folder: URL) -> [String] {
        let place = folder.appendingPathComponent("mounted").path
        try? FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
        return [
            "unshare", "-rm", "sh", "-c",
            "mount -t tmpfs -o \(options) none \(place) && cd \(place) && \(before) && exec \"$@\"", "sh",
        ]
    }

    @Test("a read-only folder: 73", .enabled(if: canMount, "needs a mount namespace"))
    func readOnly() throws {
        try withFolder { folder in
            let prefix = mounted("size=1m", "mount -o remount,ro .", folder)
            let ended = try refused(folder.appendingPathComponent("mounted/db").path, in: folder, prefix: prefix)
            #expect(ended.status == 73, "\(ended)")
        }
    }

    @Test("a full disk: 73", .enabled(if: canMount, "needs a mount namespace"))
    func fullDisk() throws {
        try withFolder { folder in
            let prefix = mounted("size=64k", "head -c 100000 /dev/zero >filler 2>&- || true", folder)
            let ended = try refused(folder.appendingPathComponent("mounted/db").path, in: folder, prefix: prefix)
            #expect(ended.status == 73, "\(ended)")
        }
    }

    @Test(
        "a disk that fills up while it runs: the program goes on, and the summary says so",
        .enabled(if: canMount && Built.has("curl"), "needs a mount namespace"))
    func fillsUp() throws {
        let origin = try Site.makeOrigin()
        defer { origin.stop() }
        try withFolder { folder in
            let store = folder.appendingPathComponent("mounted/db").path
            let prefix = mounted("size=440k", "true", folder)
            let ended = try launch(
                prefix + [
                    Built.command, "run", "--db", store, "--", "sh", "-c",
                    "curl -qs \(origin.address)/a; head -c 900000 /dev/zero >filler 2>&-; "
                        + "curl -qs '\(origin.address)/x/[1-2000]' -o /dev/null; exit 9",
                ])
            #expect(ended.status == 9)
            #expect(ended.outputText.hasPrefix("hello /a\n"))
            #expect(ended.errorText.contains("the file is not complete"), "\(ended)")
            // The table is of what was metered, stored or not.
            #expect(ended.errorText.contains("2,001"), "\(ended)")
        }
    }

    @Test("--db and --output must not be one file: 64")
    func sameFile() throws {
        try withFolder { folder in
            let store = folder.appendingPathComponent("db").path
            #expect(try launch([Built.command, "run", "--db", store, "--", "true"]).status == 0)
            let before = try Data(contentsOf: URL(fileURLWithPath: store))
            let ended = try launch([Built.command, "run", "--db", store, "--output", store, "--", "true"])
            #expect(ended.status == 64)
            #expect(try Data(contentsOf: URL(fileURLWithPath: store)) == before)
        }
    }
}
