import Foundation
import Testing
import TrafficModel
import TrafficReports

@testable import TrafficExport

@Suite("CSV, NDJSON and what is exported")
struct LineFormatTests {
    @Test("each line of CSV has as many cells as the first, and the values of the exchange")
    func csv() throws {
        var odd = Sample.request(2, path: "/a,\"b\"\n/c", size: .unknown)
        odd.process = ProcessIdentity(pid: 1, name: "x, \"y\"")
        let store = try Store(Sample.exchange(1) + [.request(odd)])
        let rows = try Self.parse(try store.export(.csv))
        #expect(rows.count == 3)
        let names = rows[0]
        #expect(Set(names).count == names.count)
        #expect(rows.allSatisfy { $0.count == names.count })
        let first = Dictionary(uniqueKeysWithValues: zip(names, rows[1]))
        let second = Dictionary(uniqueKeysWithValues: zip(names, rows[2]))
        #expect(first["requestTotal"] == "55")
        #expect(first["responseBody"] == "512")
        #expect(first["responseTotal"] == "589")
        #expect(first["status"] == "200")
        #expect(first["tlsMs"] == "20")
        #expect(first["outcome"] == "completed")
        #expect(first["remoteAddress"] == "10.0.0.1:443")
        #expect(second["path"] == "/a,\"b\"\n/c")
        #expect(second["process"] == "x, \"y\"")
        #expect(second["status"] == "" && second["requestTotal"] == "" && second["outcome"] == "")
    }

    @Test("NDJSON is what 'exchanges' prints")
    func ndjson() throws {
        let store = try Store(Sample.exchange(1) + Sample.exchange(2))
        let expected = try store.exchanges.map { ExchangeLine($0).ndjson + "\n" }.joined()
        #expect(try store.export(.ndjson) == expected)
    }

    @Test("conditions, order and limit choose the exchanges; a number that is not there is an error")
    func choice() throws {
        let store = try Store((1...5).flatMap { Sample.exchange($0) })
        func numbers(_ change: (inout TrafficExport) -> Void) throws -> [Int] {
            try store.entries(change).compactMap { $0["_wireweight"]["exchange"].int }
        }
        #expect(try numbers { $0.limit = 2 } == [1, 2])
        #expect(try numbers { $0.order = .newestFirst } == [5, 4, 3, 2, 1])
        #expect(try numbers { $0.exchange = StoredExchange.ID(3) } == [3])
        #expect(try numbers { $0.filter.range.since = Sample.moment(3_900) } == [4, 5])
        #expect(throws: ExportFailure.self) { try numbers { $0.exchange = StoredExchange.ID(99) } }
    }

    @Test("what is written comes piece by piece, and an error of the writer ends it")
    func streams() throws {
        struct Full: Error {}
        let store = try Store((1...600).flatMap { Sample.exchange($0) })
        for format in ExportFormat.allCases {
            var longest = 0
            var pieces = 0
            var seen: [Int] = []
            try TrafficExport(format).write(of: store.reader, progress: { seen.append($0) }) { piece in
                longest = max(longest, piece.count)
                pieces += 1
            }
            #expect(pieces > 3, "\(format)")
            #expect(longest < 600_000, "\(format)")
            if format != .openmetrics { #expect(seen == Array(1...600), "\(format)") }
            var count = 0
            #expect(throws: Full.self) {
                try TrafficExport(format).write(of: store.reader) { _ in
                    count += 1
                    if count == 3 { throw Full() }
                }
            }
            #expect(count == 3)
        }
    }

    /// RFC 4180 by hand.
    private static func parse(_ text: String) throws -> [[String]] {
        var rows: [[String]] = []
        var row: [String] = []
        var cell = ""
        var isQuoted = false
        var scalars = Array(text.unicodeScalars)[...]
        while let scalar = scalars.popFirst() {
            switch scalar {
            case "\"" where isQuoted && scalars.first == "\"":
                cell += "\""
                scalars.removeFirst()
            case "\"": isQuoted.toggle()
            case "," where !isQuoted:
                row.append(cell)
                cell = ""
            case "\r" where !isQuoted && scalars.first == "\n":
                scalars.removeFirst()
                rows.append(row + [cell])
                (row, cell) = ([], "")
            default: cell.unicodeScalars.append(scalar)
            }
        }
        #expect(!isQuoted && row.isEmpty && cell.isEmpty)
        return rows
    }
}
