import Foundation
import TestSupport
import Testing
import TrafficModel
import TrafficStore

@testable import TrafficInspector

/// The events that an open page receives.
@Suite(.serialized, .oneAtATime, .timeLimit(.minutes(4))) struct EventTests {
    private func watch(_ shown: Shown, from last: String? = nil) throws -> RawClient {
        let client = try RawClient(port: shown.port)
        let known = last.map { "Last-Event-ID: \($0)\r\n" } ?? ""
        client.write(Array("GET /api/v1/events HTTP/1.1\r\nHost: 127.0.0.1:\(shown.port)\r\n\(known)\r\n".utf8))
        return client
    }

    private func text(_ client: RawClient, until wanted: String) async -> String {
        nonisolated(unsafe) let client = client
        return await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                let bytes = client.read { String(decoding: $0, as: UTF8.self).contains(wanted) }
                continuation.resume(returning: String(decoding: bytes, as: UTF8.self))
            }
        }
    }

    private func lastID(in text: String) -> String? {
        text.split(whereSeparator: \.isNewline).last { $0.hasPrefix("id: ") }.map { String($0.dropFirst(4)) }
    }

    @Test func rowsAreTold() async throws {
        let shown = try await Shown()
        try shown.writer.write(Sample.events(1))
        let client = try watch(shown)
        #expect(await text(client, until: "event: status").contains(#""exchanges":1"#))
        try await Task.sleep(for: .milliseconds(300))
        try shown.writer.write(Sample.events(2, isRunning: true))
        let begun = await text(client, until: "event: rows")
        #expect(begun.contains(#"{"rows":[{"id":2,"#))
        #expect(begun.contains(#""state":"running""#))
        #expect(!begun.contains(#""id":1,"#))
        try shown.writer.write([Sample.events(2)[2]])
        #expect(await text(client, until: #""state":"completed""#).contains(#""id":2,"#))
    }

    @Test func whatWasMissedIsToldAgain() async throws {
        let shown = try await Shown()
        let client = try watch(shown)
        _ = await text(client, until: "event: status")
        try await Task.sleep(for: .milliseconds(300))
        try shown.writer.write(Sample.events(1))
        let first = await text(client, until: "event: rows")
        let last = try #require(lastID(in: first))
        try shown.writer.write(Sample.events(2))
        _ = await text(client, until: #""id":2"#)
        let again = try watch(shown, from: last)
        let missed = await text(again, until: "event: rows")
        #expect(missed.contains(#"{"rows":[{"id":2,"#))
        #expect(!missed.contains("event: reset"))
    }

    @Test func aPageThatHeardOfNothingYetCanReturn() async throws {
        let shown = try await Shown()
        let client = try watch(shown)
        let last = try #require(lastID(in: await text(client, until: "event: status")))
        try await Task.sleep(for: .milliseconds(300))
        try shown.writer.write(Sample.events(1))
        _ = await text(client, until: "event: rows")
        let again = try watch(shown, from: last)
        #expect(await text(again, until: "event: rows").contains(#"{"rows":[{"id":1,"#))
        let other = try await Shown()
        #expect(await text(try watch(other, from: last), until: "event: reset").contains("event: reset"))
    }

    // A network that fails takes the only page away, and the server notices.
    @Test func whatHappenedWhileNoPageWatchedIsToldToThePageThatReturns() async throws {
        let source = WrittenSource()
        let feed = ChangeFeed(source)
        await feed.enter()
        for _ in 0..<1_000 where await !source.wasRead { try await Task.sleep(for: .milliseconds(20)) }
        await source.write()
        let first = try #require(await rows(of: feed, after: 0))
        #expect(first.data == #"{"rows":[{"id":1}]}"#)
        await feed.leave()
        await source.write()
        await feed.enter(isReturning: true)
        let missed = try #require(await rows(of: feed, after: first.id))
        #expect(missed.data == #"{"rows":[{"id":2}]}"#)
        await feed.leave()
        // A page that comes for the first time reads the rows itself. One that returns later must reload.
        await source.write()
        await feed.enter()
        #expect(await rows(of: feed, after: missed.id) == nil)
        await feed.leave()
    }

    /// The next message with rows; nil if the page must reload.
    private func rows(of feed: ChangeFeed, after last: UInt64) async -> ChangeFeed.Message? {
        var last = last
        while case .messages(let messages) = await feed.next(after: last) {
            if let rows = messages.first(where: { $0.name == "rows" }) { return rows }
            last = messages.last?.id ?? last
        }
        return nil
    }

    @Test(arguments: ["1-1", "nonsense", "0-99999"])
    func whoeverKnowsAnotherServerBeginsAnew(last: String) async throws {
        let shown = try await Shown()
        let client = try watch(shown, from: last)
        #expect(await text(client, until: "event: reset").contains("data: {}"))
    }

    @Test func tooManyAtOnceAreNotToldOneByOne() async throws {
        let shown = try await Shown()
        let client = try watch(shown)
        _ = await text(client, until: "event: status")
        try await Task.sleep(for: .milliseconds(300))
        try shown.writer.write((1...3_000).flatMap { Sample.events($0) })
        #expect(await text(client, until: "event: reset").contains("event: reset"))
    }

    @Test func clearingBeginsAnew() async throws {
        let shown = try await Shown()
        try shown.writer.write(Sample.events(1))
        let client = try watch(shown)
        _ = await text(client, until: "event: status")
        try await Task.sleep(for: .milliseconds(300))
        try shown.writer.clear()
        #expect(await text(client, until: "event: reset").contains("event: reset"))
        try shown.writer.write(Sample.events(2))
        #expect(await text(client, until: "event: rows").contains(#"{"rows":[{"id":2,"#))
        #expect(try await shown.ask("/api/v1/overview").object["generation"] as? Int == 1)
    }

    @Test func nobodyLooksWhereNobodyWatches() async throws {
        let source = CountingSource()
        let feed = ChangeFeed(source)
        await feed.enter()
        await feed.enter()
        for _ in 0..<1_000 where await source.looks == 0 { try await Task.sleep(for: .milliseconds(20)) }
        #expect(await source.looks > 0)
        await feed.leave()
        await feed.leave()
        // What is under way comes to its end, on a busy machine a little later.
        var looks = 0
        for _ in 0..<50 where await source.looks != looks {
            looks = await source.looks
            try await Task.sleep(for: .milliseconds(500))
        }
        #expect(await source.looks == looks)
    }
}

/// A store that gets a row with each write.
private actor WrittenSource: ChangeSource {
    private var rows: Int64 = 0
    private(set) var wasRead = false

    func write() { rows += 1 }
    func state() async -> StoreState? { StoreState(changes: rows, generation: 0) }
    func present(_ limit: Int) async -> (newest: Int64, running: [Int64: Int]) {
        wasRead = true
        return (rows, [:])
    }
    func changes(after newest: Int64, of running: [Int64: Int], limit: Int) async -> RowChanges {
        var changes = RowChanges()
        changes.rows = newest < rows ? (newest + 1...rows).map { "{\"id\":\($0)}" } : []
        changes.newest = rows
        return changes
    }
    func status() async -> String { "{}" }
}

private actor CountingSource: ChangeSource {
    private(set) var looks = 0

    func state() async -> StoreState? {
        looks += 1
        return StoreState(changes: 0, generation: 0)
    }
    func present(_ limit: Int) async -> (newest: Int64, running: [Int64: Int]) { (0, [:]) }
    func changes(after: Int64, of running: [Int64: Int], limit: Int) async -> RowChanges { RowChanges() }
    func status() async -> String { "{}" }
}
