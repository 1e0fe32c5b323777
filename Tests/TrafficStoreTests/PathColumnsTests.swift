import GRDB
import TestSupport
import Testing
import TrafficModel

@testable import TrafficStore

/// Paths are stored without what their template says already.
@Suite struct PathColumnsTests {
    // A path, its template, and the columns `path` and `path_rest`.
    private static let cases: [(path: String, template: String, columns: [String?])] = [
        ("/users", "/users", [nil, nil]), ("/users/1", "/users/{id}", [nil, "1"]),
        ("/users/1/posts/2", "/users/{id}/posts/{id}", [nil, "1/posts/2"]), ("/users/", "/users/{id}", [nil, ""]),
        ("/Users/1", "/users/{id}", ["/Users/1", nil]), ("", "/users/{id}", ["", nil]), ("*", "*", [nil, nil]),
        ("x", "{id}", ["x", nil]), ("/é/1", "/é/{id}", [nil, "1"]),
        // The same characters in other bytes.
        ("/e\u{301}/1", "/é/{id}", ["/e\u{301}/1", nil]),
        ("/e\u{301}", "/é", ["/e\u{301}", nil]),
    ]

    private func fill(_ path: String) throws {
        let writer = try StoreWriter.open(path)
        for (index, item) in Self.cases.enumerated() {
            var request = Sample.request(Int64(index) + 1, path: item.path, template: item.template)
            request.isTemplateGiven = true
            try writer.write([.request(request), .end(Sample.end(Int64(index) + 1))])
        }
        try writer.close()
    }

    private func columns(_ path: String) throws -> [[String?]] {
        try DatabaseQueue(path: path).read { database in
            try Row.fetchAll(database, sql: "SELECT path, path_rest FROM exchange ORDER BY id").map { [$0[0], $0[1]] }
        }
    }

    @Test func theStartOfTheTemplateIsLeftOut() throws {
        let folder = try Folder()
        try fill(folder.file())
        #expect(try columns(folder.file()) == Self.cases.map(\.columns))
        let reader = try StoreReader.open(folder.file())
        let paths = Self.cases.map { Array($0.path.utf8) }
        #expect(try reader.exchanges().map { Array($0.request.path.utf8) } == paths)
        let inView = try DatabaseQueue(path: folder.file()).read {
            try String.fetchAll($0, sql: "SELECT path FROM exchanges ORDER BY exchange")
        }
        #expect(inView.map { Array($0.utf8) } == paths)
        let leading = try reader.leadingPaths(100, of: .called, in: .always, order: .latest) { $0 }
        #expect(Set(leading.rows.map { Array(($0.key.path ?? "?").utf8) }) == Set(paths))
    }

    @Test(arguments: [
        "/", "/users", "/users/", "/users/1", "/users/1/posts/", "/users/1/posts/25", "/é/", "x", "/none",
    ])
    func theyAreFoundByTheirStart(_ start: String) throws {
        let folder = try Folder()
        try fill(folder.file())
        var filter = ExchangeFilter()
        filter.path = start
        let found = try StoreReader.open(folder.file()).exchanges(filter).map(\.request.path)
        #expect(found == Self.cases.map(\.path).filter { $0.utf8.starts(with: start.utf8) })
    }

    @Test func filesOf010AreMigratedToThis() throws {
        let folder = try Folder()
        try fill(folder.file("newer.db"))
        try ReleasedStore.make(from: folder.file("newer.db"), at: folder.file())
        try StoreWriter.open(folder.file()).close()
        #expect(try columns(folder.file()) == Self.cases.map(\.columns))
    }
}
