/// Which columns of a table a terminal has room for, and how wide each is.
package struct TableLayout: Sendable {
    /// One column.
    package struct Column: Sendable {
        var title: String
        /// Numbers stand at the right.
        var isNumber = false
        /// Columns with a least width may shrink to it.
        var least: Int?
        /// The width below which such a column shrinks only when nothing else can give.
        var comfort: Int?
        /// Columns with the greatest number go first when there is no room; those without stay.
        ///
        /// See `niceToHave`.
        var dropOrder: Int?
    }

    private let columns: [Column]
    /// The width of each column; nil where it was dropped.
    private let widths: [Int?]
    /// How many columns of the terminal are left.
    private let room: Int
    private static let gap = 2
    /// Columns with this drop order or a greater one go before another column gets less than its comfort.
    static let niceToHave = 10

    /// A layout for columns of those natural widths.
    init(_ columns: [Column], naturalWidths: [Int], fitting total: Int) {
        var widths: [Int?] = zip(columns, naturalWidths).map { max(TerminalText.width($0.title), $1) }
        let floors = [
            columns.map { column in column.least.map { max($0, column.comfort ?? $0) } }, columns.map(\.least),
        ]
        func needed(_ floors: [Int?]?) -> Int {
            let shown = widths.indices.filter { widths[$0] != nil }
            let sum = shown.reduce(0) { sum, index in
                let width = widths[index] ?? 0
                return sum + min(width, floors?[index] ?? width)
            }
            return sum + Self.gap * max(0, shown.count - 1)
        }
        // First what is nice to have goes so that names stay readable, then names shrink, then the rest goes.
        for (floor, leastOrder) in zip(floors, [Self.niceToHave, 0]) {
            while needed(floor) > total {
                let candidates = widths.indices.filter {
                    widths[$0] != nil && (columns[$0].dropOrder ?? -1) >= leastOrder
                }
                guard let next = candidates.max(by: { (columns[$0].dropOrder ?? 0) < (columns[$1].dropOrder ?? 0) })
                else { break }
                widths[next] = nil
            }
        }
        for floor in floors {
            // The widest gives first, so that all that shrink end up alike.
            while needed(nil) > total {
                let candidates = widths.indices.filter { (widths[$0] ?? 0) > (floor[$0] ?? Int.max) }
                guard let widest = candidates.max(by: { (widths[$0] ?? 0) < (widths[$1] ?? 0) }) else { break }
                let others = candidates.filter { $0 != widest }.compactMap { widths[$0] }.max() ?? 0
                let width = widths[widest] ?? 0
                widths[widest] = max(floor[widest] ?? 0, min(width - 1, others), width - (needed(nil) - total))
            }
        }
        self.columns = columns
        self.widths = widths
        room = max(0, total - needed(nil))
    }

    /// The row of titles.
    var header: String { line(columns.map(\.title)) }

    /// A rule as wide as the table.
    var rule: String {
        let shown = widths.compactMap(\.self)
        return String(repeating: "─", count: shown.reduce(0, +) + Self.gap * max(0, shown.count - 1))
    }

    /// A row of cells, one for each column, also for those that are not shown.
    ///
    /// - Parameters:
    ///   - cells: their texts.
    ///   - growing: a column that may take the room that is left, where its cell is longer than others were.
    ///   - style: wraps a cell that has been filled to its width; for colour.
    /// - Returns: the row without a line end.
    func line(_ cells: [String], growing: Int? = nil, style: (Int, String) -> String = { $1 }) -> String {
        var text = ""
        var isFirst = true
        for (index, cell) in cells.enumerated() {
            guard var width = widths[index] else { continue }
            if index == growing { width = max(width, min(width + room, TerminalText.width(cell))) }
            if !isFirst { text += String(repeating: " ", count: Self.gap) }
            isFirst = false
            let fitted = TerminalText.elided(cell, to: width)
            text += style(index, TerminalText.padded(fitted, to: width, right: columns[index].isNumber))
        }
        while text.last == " " { text.removeLast() }
        return text
    }
}
