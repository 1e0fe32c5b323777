import Foundation
import Locks
import TestSupport
import Testing
import TrafficModel
import TrafficStore

@testable import TrafficInspector

/// What a page opens beside its file.
@Suite(.serialized, .oneAtATime, .timeLimit(.minutes(2))) struct OtherFileTests {
    /// Files in a folder of their own.
    final class Shelf: OtherFiles {
        let folder = NSTemporaryDirectory() + "shelf-\(UUID().uuidString)"
        let runs = Mutex<[(file: OtherFile, path: String)]>([])
        let removed = Mutex<[String]>([])

        init() throws { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) }

        deinit { try? FileManager.default.removeItem(atPath: folder) }

        func add(_ id: String, _ path: String, _ kind: OtherFile.Kind = .run) {
            runs.withLock { $0.append((OtherFile(id: id, name: "\(id).db", kind: kind), path)) }
        }

        let takesFiles = true

        let lists = Mutex(0)

        func list() -> [OtherFile] {
            lists.withLock { $0 += 1 }
            return runs.withLock { $0.map(\.file) }
        }

        var hasSome: Bool { runs.withLock { !$0.isEmpty } }

        func open(_ file: OtherFile) throws -> any TrafficBrowsing {
            try StoreReader.open(runs.withLock { $0.first { $0.file == file }?.path } ?? "")
        }

        func place(for id: String) throws -> String { "\(folder)/\(id)" }

        func open(given path: String) throws -> any TrafficBrowsing { try StoreReader.open(path) }

        func remove(given path: String) {
            removed.withLock { $0.append(path) }
            try? FileManager.default.removeItem(atPath: path)
        }
    }

    /// An inspector on another file of one request of 90,000 bytes; the shelf has files with those.
    private func shown(_ shelf: Shelf?) async throws -> Shown {
        let shown = try await Shown { $0.files = shelf }
        try shown.writer.write(Sample.events(1, path: "/odd", body: 90_000))
        return shown
    }

    private func file(_ count: Int64, path: String = "/odd") async throws -> Shown {
        let shown = try await Shown()
        for id in 1...count { try shown.writer.write(Sample.events(id, path: path, body: 1_000)) }
        return shown
    }

    @Test func aFileThatWasNamedIsComparedWithoutAsking() async throws {
        #expect(try await shown(nil).ask("/api/v1/compare").status == 404)
        let (shelf, before) = (try Shelf(), try await file(4))
        shelf.add("named-1", before.path, .named)
        let after = try await shown(shelf)
        let reply = try await after.ask("/api/v1/compare")
        #expect(reply.status == 200 && reply.body.contains("/odd"))
        let can = try await after.ask("/api/v1/overview").object["can"] as? [String: Bool]
        #expect(can?["compare"] == true && can?["open"] == true)
    }

    /// Each look at a run is a look at the disk.
    @Test func theOverviewDoesNotLookForAllFiles() async throws {
        let (shelf, before) = (try Shelf(), try await file(4))
        let after = try await shown(shelf)
        #expect(try await (after.ask("/api/v1/overview").object["can"] as? [String: Bool])?["compare"] == false)
        shelf.add("run-a", before.path)
        #expect(try await (after.ask("/api/v1/overview").object["can"] as? [String: Bool])?["compare"] == true)
        #expect(shelf.lists.withLock { $0 } == 0)
    }

    @Test func aRunIsChosenAndARangeOfTime() async throws {
        let (shelf, before) = (try Shelf(), try await file(4))
        shelf.add("run-a", before.path)
        let after = try await shown(shelf)
        let totals = try await after.ask("/api/v1/compare?before=run-a").object["totals"] as? [String: Any]
        #expect((totals?["before"] as? [String: Any])?["requests"] as? Int == 4)
        #expect((totals?["after"] as? [String: Any])?["requests"] as? Int == 1)
        let middle = Sample.epoch / 1_000_000 + 2_000
        let halves =
            try await before.ask("/api/v1/compare?before=this&before.until=\(middle)&since=\(middle)")
            .object["totals"] as? [String: Any]
        #expect((halves?["before"] as? [String: Any])?["requests"] as? Int == 1)
        #expect((halves?["after"] as? [String: Any])?["requests"] as? Int == 3)
        #expect(try await after.ask("/api/v1/compare?before=run-b").status == 404)
        #expect(try await after.ask("/api/v1/compare?before=this&before.since=2&before.until=1").status == 400)
    }

    @Test func eachAddressCanBeOfAnotherFile() async throws {
        let (shelf, before) = (try Shelf(), try await file(4, path: "/before"))
        shelf.add("run-a", before.path)
        let after = try await shown(shelf)
        let overview = try await after.ask("/api/v1/overview?file=run-a").object
        #expect(overview["exchanges"] as? Int == 4 && overview["name"] as? String == "run-a.db")
        #expect(try await after.ask("/api/v1/exchanges?file=run-a").body.contains("/before"))
        #expect(try await !after.ask("/api/v1/exchanges").body.contains("/before"))
        #expect(try await after.ask("/api/v1/overview?file=../etc/passwd").status == 404)
        let cleared = try await after.ask(
            "/api/v1/clear?file=run-a", method: "POST", fields: ["X-Wireweight: 1"], body: #"{"confirm":true}"#)
        #expect(cleared.status == 409)
    }

    @Test func thePreviousRunIsTheNewestThatCalledTheSame() async throws {
        let shelf = try Shelf()
        let (stranger, older) = (try await file(1, path: "/elsewhere"), try await file(1))
        shelf.add("run-stranger", stranger.path)
        shelf.add("run-broken", "/nonexistent")
        shelf.add("run-older", older.path)
        let files = try await shown(shelf).ask("/api/v1/files").object
        #expect(files["previous"] as? String == "run-older")
        #expect((files["files"] as? [Any])?.count == 3)
        #expect(try await shown(nil).ask("/api/v1/files").object["previous"] is NSNull)
    }

    @Test func aFileIsGivenPieceByPiece() async throws {
        let shelf = try Shelf()
        let given = try await file(30, path: "/given")
        try given.writer.close()
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: given.path)))
        let shown = try await shown(shelf)
        let begun = try await shown.post("files?name=my.db&size=\(bytes.count)", []).object
        let id = try #require(begun["id"] as? String)
        // Pieces that are not the next ones, or too many bytes, change nothing.
        #expect(try await shown.post("files/\(id)?offset=5", [1]).status == 400)
        #expect(try await shown.ask("/api/v1/overview?file=\(id)").status == 404)
        var offset = 0
        while offset < bytes.count {
            let piece = Array(bytes[offset..<min(bytes.count, offset + 65_536)])
            let reply = try await shown.post("files/\(id)?offset=\(offset)", piece)
            offset += piece.count
            #expect(reply.status == 200 && reply.body.contains("\"received\":\(offset)}"))
        }
        #expect(try await shown.post("files/\(id)?offset=\(offset)", [1]).status == 400)
    }

    @Test func aFileThatCannotBeOpenedIsGoneAndSaysWhy() async throws {
        let shelf = try Shelf()
        let shown = try await shown(shelf)
        let begun = try await shown.post("files?name=x.har&size=4", []).object
        let id = try #require(begun["id"] as? String)
        let reply = try await shown.post("files/\(id)?offset=0", Array("text".utf8))
        #expect(reply.status == 422 && reply.body.contains("'x.har' cannot be opened"))
        #expect(shelf.removed.withLock { $0 } == ["\(shelf.folder)/\(id)"])
        #expect(try await shown.post("files?name=x&size=0", []).status == 400)
        #expect(try await shown.post("files?name=x&size=99999999999", []).status == 413)
        #expect(try await Shown().post("files?name=x&size=4", []).status == 409)
    }

    @Test func theOldestOfManyGivenFilesGoes() async throws {
        let shelf = try Shelf()
        let shown = try await shown(shelf)
        for number in 1...(OpenFiles.mostGiven + 1) { _ = try await shown.post("files?name=\(number)&size=9", []) }
        #expect(shelf.removed.withLock { $0 } == ["\(shelf.folder)/given-1"])
        shown.inspector.stop()
        #expect(shelf.removed.withLock { $0.count } == OpenFiles.mostGiven + 1)
    }
}

extension Shown {
    fileprivate func post(_ path: String, _ body: [UInt8]) async throws -> Reply {
        let head =
            "POST /api/v1/\(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nX-Wireweight: 1\r\n"
            + "Content-Length: \(body.count)\r\nConnection: close\r\n\r\n"
        return Reply(try await send(Array(head.utf8) + body))
    }
}
