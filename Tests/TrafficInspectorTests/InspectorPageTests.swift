import Foundation
import Locks
import TestSupport
import Testing
import TrafficModel
import TrafficStore

@testable import TrafficInspector

/// The page inside a process, without a server.
@Suite(.timeLimit(.minutes(2))) struct InspectorPageTests {
    /// A store with some exchanges, and its page.
    private final class Page {
        let path = NSTemporaryDirectory() + "page-\(UUID().uuidString).db"
        let writer: StoreWriter
        let page: InspectorPage

        init(_ count: Int64 = 5, control: (any RecordingControl)? = nil) throws {
            writer = try StoreWriter.open(path)
            for id in 1...count {
                try writer.write(Sample.events(id, path: "/items", host: "api.test", status: 200, body: 100))
            }
            var options = Inspector.Options()
            options.name = "traffic.db"
            page = InspectorPage(try StoreReader.open(path), control: control, options: options)
        }

        deinit {
            try? writer.close()
            for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
        }

        func ask(
            _ target: String, method: String = "GET", fields: [String: String] = [:], body: String = ""
        ) async throws -> (answer: InspectorPage.Answer, pieces: [[UInt8]]) {
            let answer = await page.answer(method: method, target: target, fields: fields, body: Array(body.utf8))
            var pieces: [[UInt8]] = []
            while let piece = try await answer.next() { pieces.append(piece) }
            return (answer, pieces)
        }

        func object(_ target: String) async throws -> [String: Any] {
            let (answer, pieces) = try await ask(target)
            #expect(answer.status == 200)
            return try JSONSerialization.jsonObject(with: Data(pieces.joined())) as? [String: Any] ?? [:]
        }
    }

    private final class Control: RecordingControl {
        private let paused = Atomic(false)
        var isPaused: Bool { paused.load(ordering: .relaxed) }
        func pause() async { paused.store(true, ordering: .relaxed) }
        func resume() async { paused.store(false, ordering: .relaxed) }
        func clear() async throws {}
    }

    private func value(_ name: String, of answer: InspectorPage.Answer) -> String? {
        answer.fields.first { $0.name == name }?.value
    }

    @Test func everyFileThatThePageNamesIsThere() async throws {
        let page = try Page()
        let (answer, pieces) = try await page.ask("/")
        let html = String(decoding: pieces.joined(), as: UTF8.self)
        #expect(value("Content-Type", of: answer)?.hasPrefix("text/html") == true)
        let names = html.matches(of: /(?:src|href)="\/?([^":#]+\.(?:js|css|svg))"/).map { String($0.output.1) }
        #expect(names.count >= 2)
        for name in names {
            let (answer, pieces) = try await page.ask("/\(name)")
            #expect(answer.status == 200 && !pieces.isEmpty, "\(name)")
            // A web view does not decode what comes from its own program.
            #expect(value("Content-Encoding", of: answer) == nil)
        }
    }

    @Test func theStoreIsReadAsThroughTheServer() async throws {
        let page = try Page(7)
        let exchanges = try await page.object("/api/v1/exchanges?limit=3")["exchanges"] as? [[String: Any]]
        #expect(exchanges?.map { $0["id"] as? Int } == [7, 6, 5])
        #expect(try await page.object("/api/v1/overview")["name"] as? String == "traffic.db")
        #expect(try await page.ask("/api/v1/exchanges/99").answer.status == 404)
    }

    @Test func aPolicyNamesTheSchemeOfThePage() async throws {
        let policy = value("Content-Security-Policy", of: try await Page().ask("/").answer)
        #expect(policy?.contains("connect-src 'self' wireweight:;") == true)
        #expect(policy?.hasPrefix("default-src 'none'; ") == true)
    }

    @Test func aChangeNeedsTheHeaderAndAControl() async throws {
        let control = Control()
        let page = try Page(control: control)
        let own = ["X-Wireweight": "1"]
        #expect(try await page.ask("/api/v1/pause", method: "POST").answer.status == 403)
        #expect(!control.isPaused)
        #expect(try await page.ask("/api/v1/pause", method: "POST", fields: own).answer.status == 200)
        #expect(control.isPaused)
        let refused = try await Page().ask("/api/v1/pause", method: "POST", fields: own).answer.status
        #expect(refused == 409)
    }

    /// One answer whole, another while it is made; neither has a piece that keeps a thread busy.
    @Test(arguments: ["/api/v1/exchanges?limit=500", "/api/v1/export?format=har", "/api/v1/export?format=csv"])
    func largeContentComesInPieces(target: String) async throws {
        let page = try Page(600)
        let pieces = try await page.ask(target).pieces
        #expect(pieces.count > 1)
        #expect(pieces.allSatisfy { !$0.isEmpty && $0.count <= 64 << 10 })
        if target.hasSuffix("csv") {
            #expect(String(decoding: pieces.joined(), as: UTF8.self).split(whereSeparator: \.isNewline).count == 601)
        } else {
            _ = try JSONSerialization.jsonObject(with: Data(pieces.joined()))
        }
    }

    @Test func eventsComeWhileTheyHappen() async throws {
        let page = try Page()
        let answer = await page.page.answer(method: "GET", target: "/api/v1/events")
        #expect(value("Content-Type", of: answer) == "text/event-stream")
        let first = String(decoding: try await answer.next() ?? [], as: UTF8.self)
        #expect(first.contains("event: status"))
        // The feed follows the store from its first look on, which may come after a write.
        nonisolated(unsafe) let writer = page.writer
        let writing = Task {
            var id: Int64 = 10
            while !Task.isCancelled {
                try writer.write(Sample.events(id, path: "/late"))
                id += 1
                try await Task.sleep(for: .milliseconds(20))
            }
        }
        defer { writing.cancel() }
        var text = ""
        while !text.contains("event: rows"), let piece = try await answer.next() {
            text += String(decoding: piece, as: UTF8.self)
        }
        #expect(text.contains("/late"))
    }

    @Test func aHeadHasNoContent() async throws {
        let (answer, pieces) = try await Page().ask("/api/v1/overview", method: "HEAD")
        #expect(answer.status == 200 && pieces.isEmpty)
    }

    @Test(
        arguments: [
            ("GET", "/ HTTP/1.1\r\nX-Wireweight: 1", [:], 400), ("GET", "/", ["X-Wireweight": "1\r\nHost: other"], 400),
            ("GET", "other", [:], 400), ("PUT", "/", [:], 405), ("GET", "/../etc/passwd", [:], 404),
        ] as [(String, String, [String: String], Int)])
    func aRequestThatIsNoneIsRefused(method: String, target: String, fields: [String: String], status: Int) async throws
    {
        #expect(try await Page().ask(target, method: method, fields: fields).answer.status == status)
    }

    @Test func moreContentThanAServerTakesIsRefused() async throws {
        let body = String(repeating: "x", count: 65_537)
        #expect(try await Page().ask("/api/v1/marks", method: "POST", body: body).answer.status == 413)
    }

    @Test(arguments: [
        ("/api/v1/export?format=har", "traffic.har"), ("/api/v1/report", "traffic.html"),
        ("/api/v1/exchanges/3/har", "exchange-3.har"), ("/api/v1/overview", "overview"),
    ])
    func anAnswerIsSavedUnderItsName(target: String, name: String) async throws {
        let page = try Page()
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("saved-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = try await page.page.save(target, in: folder.path)
        #expect(path == folder.appendingPathComponent(name).path)
        let saved = try Data(contentsOf: URL(fileURLWithPath: path))
        if name.hasSuffix(".html") {
            #expect(String(decoding: saved, as: UTF8.self).hasSuffix("</html>\n"))
        } else {
            let object = try JSONSerialization.jsonObject(with: saved) as? [String: Any]
            #expect(object?.isEmpty == false)
        }
    }

    @Test func whatIsNotThereIsNotSaved() async throws {
        let page = try Page()
        await #expect(throws: Refusal.self) { _ = try await page.page.save("/api/v1/exchanges/99", in: "/") }
    }

    @Test(
        arguments: [
            ("wireweight://traffic/", "/"), ("wireweight://traffic/?file=2#/list", "/?file=2"),
            ("wireweight://traffic/api/v1/exchanges?text=%2Fa%20b", "/api/v1/exchanges?text=%2Fa%20b"),
            ("wireweight://other/", nil), ("https://traffic/", nil), ("", nil),
        ] as [(String, String?)])
    func onlyThePagesOwnAddressesHaveATarget(address: String, target: String?) {
        #expect(InspectorPage.target(of: address) == target)
    }

    @Test func aCopyOfAStoreIsOneFileWithAllThatWasWritten() async throws {
        let page = try Page(4)
        let copy = page.path + ".copy"
        defer { for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: copy + suffix) } }
        try Data("other".utf8).write(to: URL(fileURLWithPath: copy))
        try StoreReader.open(page.path).copy(to: copy)
        let manager = FileManager.default
        #expect(!manager.fileExists(atPath: copy + "-wal") && !manager.fileExists(atPath: copy + "-shm"))
        // The version of a file that needs no log beside it (the SQLite file format, section 1.3.3).
        #expect(try Array(Data(contentsOf: URL(fileURLWithPath: copy)))[18] == 1)
        let mode = try manager.attributesOfItem(atPath: copy)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let reader = try StoreReader.open(copy)
        #expect(try reader.exchange(StoredExchange.ID(4))?.request.path == "/items")
        #expect(try reader.exchange(StoredExchange.ID(5)) == nil)
    }
}
