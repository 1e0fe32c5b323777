import Foundation
import TestSupport
import Testing
import TrafficStore
import WireweightTesting

/// The disk fails while a program is metered: the program notices nothing, the file stays whole, and losses are reported.
@Suite(
    "run on a failing disk", .enabled(if: Built.isComplete && Built.has("sqlite3"), "needs 'make build' and sqlite3"),
    .serialized)
struct DiskFaultTests {
    private static let (threads, each) = (4, 150)

    private func metered(
        _ origin: LoopbackOrigin, _ folder: URL, prefix: [String] = [], environment: [String: String?] = [:]
    ) throws -> Ended {
        try Launched(
            prefix + [
                Built.command, "run", "--db", folder.appendingPathComponent("db").path, "--json", "--output",
                folder.appendingPathComponent("summary").path, "--", Built.program("threads"), origin.address,
                "\(Self.threads)", "\(Self.each)",
            ], environment: environment
        ).wait()
    }

    /// The program ran undisturbed, and the file shows what it lacks.
    private func expectTruth(_ ended: Ended, _ origin: LoopbackOrigin, _ folder: URL) throws {
        let all = Self.threads * Self.each
        #expect(ended.status == 0, "\(ended)")
        #expect(ended.outputText == "failures: 0\n")
        #expect(origin.waitUntilIdle())
        #expect(origin.exchanges.count == all)
        let bytes = try Data(contentsOf: folder.appendingPathComponent("summary"))
        let summary = try #require(try JSONSerialization.jsonObject(with: bytes) as? [String: Any])
        // The sums of the summary do not go by the disk.
        #expect(summary["exchanges"] as? Int == all)
        let store = folder.appendingPathComponent("db").path
        #expect(try launch(["sqlite3", store, "PRAGMA integrity_check"]).outputText == "ok\n")
        let exchanges = try Store(path: store).exchanges()
        let lines = Store.lines(of: exchanges)
        let truth = Set(Store.lines(of: origin.exchanges))
        let complete = exchanges.count { $0["outcome"] as? String == "completed" }
        #expect(lines.count <= all)
        #expect(lines.count { truth.contains($0) } >= complete, "what is there is true")
        if summary["incomplete"] is NSNull { #expect(complete == all, "nothing is said to be missing") }
        if complete < all { #expect(summary["incomplete"] is String, "\(complete) of \(all), and not a word") }
        // What comes afterwards finds a file that can be added to.
        #expect(try launch([Built.command, "run", "--db", store, "--", "true"]).status == 0)
    }

    @Test("calls that fail at random", arguments: 0..<(Rounds.areAll ? 60 : 5))
    func randomFaults(seed: Int) throws {
        let origin = try Site.makeOrigin()
        defer { origin.stop() }
        try withFolder { folder in
            let log = folder.appendingPathComponent("faults").path
            let ended = try metered(
                origin, folder,
                environment: [
                    "LD_PRELOAD": try Built.program("faults-shim"),
                    "FAULTS_PATH": folder.appendingPathComponent("db").path, "FAULTS_SEED": "\(seed + 1)",
                    // The file is made in some 280 calls; with every fifth seed that fails already.
                    "FAULTS_AFTER": seed % 5 == 4 ? "90" : "420", "FAULTS_ONE_IN": "\([2, 5, 20, 60][seed % 4])",
                    "FAULTS_LOG": log,
                ])
            // Where too much fails to begin with, nothing is started, and that is said.
            if seed % 5 == 4, ended.status == 73 || ended.status == 65 {
                #expect(origin.exchanges.isEmpty)
                #expect(ended.errorText.hasPrefix("error: "))
                return
            }
            let faults = (try? Data(contentsOf: URL(fileURLWithPath: log)).count) ?? 0
            #expect(faults > 0 || seed % 4 == 3, "no call failed")
            try expectTruth(ended, origin, folder)
        }
    }

    @Test("a disk that takes two milliseconds for each call: nothing is lost, and nothing is held up for good")
    func slowDisk() throws {
        let origin = try Site.makeOrigin()
        defer { origin.stop() }
        try withFolder { folder in
            let ended = try metered(
                origin, folder,
                environment: [
                    "LD_PRELOAD": try Built.program("faults-shim"),
                    "FAULTS_PATH": folder.appendingPathComponent("db").path, "FAULTS_ONE_IN": "0",
                    "FAULTS_DELAY": "2000",
                ])
            try expectTruth(ended, origin, folder)
            // All of it fits into memory until it is written.
            let rows = try Store(path: folder.appendingPathComponent("db").path).exchanges()
            #expect(rows.count { $0["outcome"] as? String == "completed" } == Self.threads * Self.each)
        }
    }

    @Test("files that may not grow: the signal for that ends no process, not even the demo's own")
    func limitedSize() throws {
        let origin = try Site.makeOrigin()
        defer { origin.stop() }
        try withFolder { folder in
            // The file is made before, and is larger than what may be written then, so that no batch finds room.
            let made = try launch([
                Built.command, "run", "--db", folder.appendingPathComponent("db").path, "--", "true",
            ])
            #expect(made.status == 0, "\(made)")
            // In blocks of 512 bytes or of 1,024, as the shell has it.
            let ended = try metered(
                origin, folder, prefix: ["sh", "-c", "ulimit -f 150; exec \"$@\"", "sh"])
            try expectTruth(ended, origin, folder)
            let bytes = try Data(contentsOf: folder.appendingPathComponent("summary"))
            let summary = try JSONSerialization.jsonObject(with: bytes) as? [String: Any]
            #expect(summary?["incomplete"] is String)
            let demo = try launch([
                "sh", "-c", "ulimit -f 500; exec \"$@\"", "sh", Built.command, "demo", "--once", "--db",
                folder.appendingPathComponent("demo").path,
            ])
            #expect(demo.status != 128 + SIGXFSZ, "\(demo)")
            let mark = folder.appendingPathComponent("started").path
            let none = try launch([
                "sh", "-c", "ulimit -f 20; exec \"$@\"", "sh", Built.command, "run", "--db",
                folder.appendingPathComponent("none").path, "--", "touch", mark,
            ])
            #expect(none.status == 73, "\(none)")
            #expect(!FileManager.default.fileExists(atPath: mark))
        }
    }

    /// Runs a shell in an empty file system of a given size, which lasts as long as its commands; these read the file, too.
    ///
    /// `$W` is the command, `$P` a program that makes requests, `$O` whom it asks.
    private func mounted(_ size: String, _ origin: LoopbackOrigin, _ script: String) throws -> Ended {
        try withFolder { folder in
            let place = folder.appendingPathComponent("mounted").path
            try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
            let mount = "mount -t tmpfs -o size=\(size) none \(place) && cd \(place) || exit 99\n"
            return try Launched(
                ["unshare", "-rm", "sh", "-c", mount + script],
                environment: ["W": Built.command, "P": try Built.program("threads"), "O": origin.address]
            ).wait(seconds: 120)
        }
    }

    @Test("what was flushed before the disk is full is there afterwards", .enabled(if: StoreFaultTests.canMount))
    func fullInMidBatch() throws {
        let origin = try Site.makeOrigin()
        defer { origin.stop() }
        let ended = try mounted(
            "900k", origin,
            """
            "$W" run --db db --output before -- "$P" "$O" 2 100 || exit 98
            sqlite3 db 'select count(*) from exchange'
            "$W" run --db db --output ../after -- sh -c 'head -c 2000000 /dev/zero >filler 2>&-; "$P" "$O" 4 1000'
            echo "status $?"
            sqlite3 db 'pragma integrity_check; select count(*) >= 200 from exchange where outcome = 0'
            grep -c 'the file is not complete' ../after
            """)
        #expect(ended.outputText == "failures: 0\n200\nfailures: 0\nstatus 0\nok\n1\n1\n", "\(ended)")
    }

    @Test(
        "a file system that becomes read-only: no run begins, and reading goes on",
        .enabled(if: StoreFaultTests.canMount))
    func readOnlyRemount() throws {
        let origin = try Site.makeOrigin()
        defer { origin.stop() }
        let ended = try mounted(
            "4m", origin,
            """
            "$W" run --db db --output before -- "$P" "$O" 2 20 || exit 98
            mount -o remount,ro . || exit 97
            "$W" run --db db -- "$P" "$O" 2 20
            echo "status $?"
            "$W" exchanges db --format ndjson | wc -l
            """)
        #expect(ended.outputText == "failures: 0\nstatus 73\n40\n", "\(ended)")
        #expect(ended.errorText.hasPrefix("error: "))
        #expect(origin.exchanges.count == 40)
    }

    @Test("a damaged file: 65, the program is not started, and not a byte of it changes", arguments: 0..<8)
    func damagedFile(seed: Int) throws {
        try withFolder { folder in
            let store = folder.appendingPathComponent("db")
            let origin = try Site.makeOrigin()
            defer { origin.stop() }
            #expect(
                try launch([
                    Built.command, "run", "--db", store.path, "--output", "/dev/null", "--",
                    Built.program("threads"), origin.address, "2", "200",
                ]).status == 0)
            var random = SeededGenerator(seed: UInt64(seed))
            var bytes = try Data(contentsOf: store)
            // The start of a page has its type, so a fault there is noticed in every page that is in use.
            let pages = bytes.count / 4_096
            for page in stride(from: 1 + seed % 3, to: pages, by: 3) {
                bytes[page * 4_096] = .random(in: 128...255, using: &random)
            }
            try bytes.write(to: store)
            let mark = folder.appendingPathComponent("started").path
            let ended = try launch([Built.command, "run", "--db", store.path, "--", "touch", mark])
            #expect(ended.status == 65, "\(ended)")
            #expect(ended.errorText.contains("is damaged") && ended.errorText.contains(store.path))
            #expect(!FileManager.default.fileExists(atPath: mark))
            #expect(try Data(contentsOf: store) == bytes)
            for words in [["report"], ["exchanges"], ["connections"], ["audit"], ["export", "--format", "har"]] {
                let read = try launch([Built.command, words[0], store.path] + words.dropFirst())
                #expect([0, 65].contains(read.status), "\(words): \(read.status)")
                if read.status == 65 { #expect(read.errorText.contains("damaged") || read.errorText.contains("lacks")) }
            }
            #expect(try Data(contentsOf: store) == bytes)
        }
    }
}
