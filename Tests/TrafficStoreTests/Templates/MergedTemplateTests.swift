import GRDB
import Testing
import TrafficModel
import URLTemplates

@testable import TrafficStore

@Suite struct MergedTemplateTests {
    /// Exchanges with users of different names; no position is known to be variable before there are 33.
    private func events(
        _ range: ClosedRange<Int64>, again: Int64 = 0, method: String = "GET", host: String = "api.test"
    ) -> [TrafficEvent] {
        range.flatMap { user -> [TrafficEvent] in
            let number = user + again
            return [
                .request(request(number, "/users/\(Self.name(user))/posts", method: method, host: host)),
                .response(Sample.response(number, at: number * 1_000 + 20)),
                .end(Sample.end(number, at: number * 1_000 + 50)),
            ]
        }
    }

    private static func name(_ number: Int64) -> String {
        let letters = Array("abcdefghij")
        return "user" + String(String(number).map { letters[$0.wholeNumberValue!] })
    }

    private func request(
        _ number: Int64, _ path: String, method: String = "GET", host: String = "api.test", isGiven: Bool = false,
        template: String? = nil
    ) -> RequestRecord {
        var request = Sample.request(
            number, at: number * 1_000, method: method, host: host, path: path, template: template ?? path)
        request.isTemplateGiven = isGiven
        return request
    }

    private func templates(_ folder: Folder) throws -> [String: Int64] {
        let totals = try StoreReader.open(folder.file()).totals(by: .api, in: .always)
        return Dictionary(totals.map { ("\($0.key.method!) \($0.key.template!)", $0.requests) }, uniquingKeysWith: +)
    }

    @Test func mergedAPIsAreOneInTotalsFiltersAndExchangesAndNoByteIsLost() throws {
        let folder = try Folder()
        let writer = try StoreWriter.open(folder.file())
        try writer.write(
            events(1...32) + [.request(request(900, "/users/me/posts")), .end(Sample.end(900, at: 900_050))])
        let reader = try StoreReader.open(folder.file())
        let before = try reader.totals(by: .host, in: .always)
        #expect(try templates(folder).count == 33)
        #expect(try reader.exchange(StoredExchange.ID(1))?.request.template == "/users/userb/posts")

        try writer.write(events(33...60))
        #expect(try templates(folder) == ["GET /users/{user}/posts": 60, "GET /users/me/posts": 1])
        // The same reader, which has read the routes before.
        let exchange = try #require(try reader.exchange(StoredExchange.ID(1)))
        #expect(exchange.request.template == "/users/{user}/posts")
        #expect(exchange.request.path == "/users/userb/posts")
        var filter = ExchangeFilter()
        for api in ["/users/{user}/posts", "GET /users/{user}/posts", "GET api.test /users/{user}/posts"] {
            filter.api = api
            let found = try reader.exchanges(filter)
            #expect(found.count == 60)
            #expect(Set(found.map(\.request.path)) == Set((Int64(1)...60).map { "/users/\(Self.name($0))/posts" }))
        }
        filter.api = "/users/userb/posts"
        #expect(try reader.exchanges(filter).isEmpty)

        let all = try #require(try reader.totals(by: .host, in: .always).first)
        let first = try #require(before.first)
        #expect(first.requests == 33 && all.requests == 61)
        let apis = try reader.totals(by: .api, in: .always)
        var sum = TrafficTotal(key: all.key)
        for api in apis { sum.merge(api) }
        #expect(sum == all)
        #expect(all.up.total == ByteCount(61 * 55) && all.down.total == ByteCount(60 * (17 + 60 + 512)))
        // A range of time before the merge counts the same as then.
        let range = TimeRange(until: Sample.moment(30_000))
        #expect(try reader.totals(by: .api, in: range).map(\.key.template) == ["/users/{user}/posts"])
        try writer.close()
    }

    @Test(arguments: [10, 32, 33, 50]) func learningGoesOnAfterTheFileWasClosed(count: Int64) throws {
        let folder = try Folder()
        let first = try StoreWriter.open(folder.file())
        try first.write(events(1...count))
        try first.close()
        let second = try StoreWriter.open(folder.file())
        try second.write(events((count + 1)...(count + 1)))
        let isMerged = count >= 32
        #expect(try templates(folder).count == (isMerged ? 1 : Int(count) + 1))
        try second.write(events((count + 2)...70, method: "POST"))
        try second.close()
        #expect(
            try templates(folder) == ["GET /users/{user}/posts": count + 1, "POST /users/{user}/posts": 69 - count])
    }

    @Test func aMergeWhoseTransactionFailsIsNoMerge() throws {
        let folder = try Folder()
        let writer = try StoreWriter.open(folder.file(), busyTimeout: 0)
        try writer.write(events(1...32))
        let queue = try DatabaseQueue(path: folder.file())
        try queue.write {
            try $0.execute(sql: "CREATE TRIGGER full BEFORE INSERT ON loss BEGIN SELECT RAISE(ABORT, 'x'); END")
        }
        #expect(throws: StoreError.self) {
            try writer.write(events(33...34), losses: [TrafficLoss(reason: .malformed, count: 1)])
        }
        #expect(try templates(folder).count == 32)
        try queue.write { try $0.execute(sql: "DROP TRIGGER full") }
        try writer.write(events(33...34))
        #expect(try templates(folder) == ["GET /users/{user}/posts": 34])
        try writer.close()
    }

    @Test func twoWritersOfOneFileLearnTogether() throws {
        let folder = try Folder()
        let first = try StoreWriter.open(folder.file())
        let second = try StoreWriter.open(folder.file())
        for number in Int64(1)...20 {
            try first.write(events(number...number))
            try second.write(events((100 + number)...(100 + number)))
        }
        #expect(try templates(folder) == ["GET /users/{user}/posts": 40])
        // Each goes on with what it knew before.
        try first.write(events(1...3, again: 1_000))
        try second.write(events(105...107, again: 1_000))
        #expect(try templates(folder) == ["GET /users/{user}/posts": 46])
        try first.close()
        try second.close()
        #expect(try StoreReader.open(folder.file()).overview().exchanges == 46)
    }

    @Test func templatesOfTheUserAreMergedWithNothing() throws {
        let folder = try Folder()
        let writer = try StoreWriter.open(folder.file())
        // Known before as one of many, then given: it is one of its own again.
        try writer.write(events(1...40))
        let given = (Int64(201)...240).flatMap { number -> [TrafficEvent] in
            [
                .request(
                    request(
                        number, "/users/\(Self.name(number))/posts", isGiven: true,
                        template: number == 201 ? "/users/userb/posts" : "/users/{name}/posts")),
                .end(Sample.end(number, at: number * 1_000 + 50)),
            ]
        }
        try writer.write(given)
        let expected: [String: Int64] = [
            "GET /users/{user}/posts": 39, "GET /users/userb/posts": 2, "GET /users/{name}/posts": 39,
        ]
        #expect(try templates(folder) == expected)
        try writer.close()
        let again = try StoreWriter.open(folder.file())
        try again.write(events(41...41))
        #expect(try templates(folder)["GET /users/{user}/posts"] == 40)
        #expect(try templates(folder)["GET /users/{name}/posts"] == 39)
        try again.close()
    }

    @Test func whatHasNoRoomIsCountedTogether() throws {
        let folder = try Folder()
        let writer = try StoreWriter.open(folder.file(), templates: TemplateLimits(templates: 5))
        try writer.write(events(1...20) + events(21...30, host: "other.test"))
        let totals = try StoreReader.open(folder.file()).totals(by: .api, in: .always)
        #expect(totals.count == 12)
        let overflow = totals.filter { $0.key.template == TemplateLimits.overflow }
        #expect(Set(overflow.map { "\($0.key.host!) \($0.requests)" }) == ["api.test 15", "other.test 5"])
        // The paths are there all the same.
        #expect(
            try StoreReader.open(folder.file()).exchange(StoredExchange.ID(20))?.request.path == "/users/userca/posts")
        try writer.close()
        let again = try StoreWriter.open(folder.file(), templates: TemplateLimits(templates: 5))
        try again.write(events(1...20))
        #expect(try templates(folder)["GET (other paths)"] == 35)
        try again.close()
    }

    @Test func templatesWithAnyBytesAreKeptApart() throws {
        let folder = try Folder()
        let writer = try StoreWriter.open(folder.file())
        let paths = [
            "/a\0b", "/a\0c", "/a", "/a'; DROP TABLE api; --", "/\u{FFFD}", "/\u{E9}", "/(other paths)",
        ]
        for (index, path) in paths.enumerated() { try writer.write([.request(request(Int64(index + 1), path))]) }
        let reader = try StoreReader.open(folder.file())
        #expect(try reader.exchanges().map { Array($0.request.template.utf8) } == paths.map { Array($0.utf8) })
        #expect(try reader.exchanges().map { Array($0.request.path.utf8) } == paths.map { Array($0.utf8) })
        try writer.close()
    }

    @Test func anOperationIsPartOfTheTemplateAndNotOfThePath() throws {
        let folder = try Folder()
        let writer = try StoreWriter.open(folder.file())
        try writer.write([.request(request(1, "/graphql", template: "/graphql?operationName=Feed"))])
        let request = try #require(try StoreReader.open(folder.file()).exchange(StoredExchange.ID(1))).request
        #expect(request.path == "/graphql" && request.template == "/graphql?operationName=Feed")
        try writer.close()
    }
}
