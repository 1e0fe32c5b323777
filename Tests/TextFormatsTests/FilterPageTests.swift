import Foundation
import Testing
import TextFormats
import TrafficModel

@Suite("docs/filter.md")
struct FilterPageTests {
    private let rows: [(key: String, example: String)]

    init() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let page = try String(contentsOf: root.appendingPathComponent("docs/filter.md"), encoding: .utf8)
        rows = page.split(separator: "\n").compactMap { line in
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count == 3, cells[0].hasPrefix("`"), cells[1].hasPrefix("`") else { return nil }
            return (String(cells[0].dropFirst().dropLast()), String(cells[1].dropFirst().dropLast()))
        }
    }

    @Test("names every key once, in an example that is read")
    func keys() throws {
        #expect(rows.map(\.key).sorted() == FilterKey.allCases.map(\.rawValue).sorted())
        for row in rows {
            let filter = try FilterParser.parse(row.example, now: Timestamp(nanoseconds: 1_763_683_230_000_000_000))
            #expect(filter.terms.map(\.key.rawValue) == [row.key])
        }
    }
}
