/// Decides which columns of a table a terminal has room for, and how wide each is.
package struct TableLayout: Sendable {
    /// A column, and how it may give way if there is no room.
    package struct Column: Sendable {
        package var title: String
        /// Whether the column holds numbers, which are aligned to the right.
        package var isNumber = false
        /// The width to which the column may shrink; nil if it may not.
        package var least: Int?
        /// The width below which the column shrinks only if no other column can.
        package var comfort: Int?
        /// If there is no room, the column with the greatest number is dropped first; nil if it must stay.
        ///
        /// See `niceToHave`.
        package var dropOrder: Int?
        /// Whether the column names its row, so that a choice of columns never leaves it out.
        package var isKey = false

        /// The title as `--columns` has it: `p95`, `last-seen`, `fail-percent`.
        package var name: String {
            let words = title.prefix { $0 != "(" }.lowercased().replacing("%", with: "percent")
            return words.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }.joined(separator: "-")
        }

        package init(
            title: String, isNumber: Bool = false, least: Int? = nil, comfort: Int? = nil, dropOrder: Int? = nil,
            isKey: Bool = false
        ) {
            self.title = title
            self.isNumber = isNumber
            self.least = least
            self.comfort = comfort
            self.dropOrder = dropOrder
            self.isKey = isKey
        }
    }

    /// The columns that a choice leaves, by their indices: those of keys first, then the chosen ones in their order.
    package static func order(of columns: [Column], choosing names: [String]?) -> [Int] {
        guard let names else { return Array(columns.indices) }
        let chosen = names.compactMap { name in columns.firstIndex { $0.name == name } }
        return columns.indices.filter { columns[$0].isKey && !chosen.contains($0) } + chosen
    }

    /// The names that a choice of these columns can have.
    package static func choices(of columns: [Column]) -> [String] {
        columns.map(\.name).filter { !$0.isEmpty }.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    /// The columns from left to right.
    private let order: [Int]
    private let columns: [Column]
    /// The width of each column; nil if it was dropped.
    private let widths: [Int?]
    /// The number of unused columns of the terminal.
    private let room: Int
    private static let gap = 2
    /// Columns with at least this drop order are dropped before another column gets less than its comfort.
    package static let niceToHave = 10

    /// Creates a layout for columns with those natural widths.
    package init(_ columns: [Column], naturalWidths: [Int], fitting total: Int, choosing names: [String]? = nil) {
        let order = Self.order(of: columns, choosing: names)
        var widths: [Int?] = zip(columns, naturalWidths).map { max(TerminalText.width($0.title), $1) }
        for index in columns.indices where !order.contains(index) { widths[index] = nil }
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
        // First drop columns that are nice to have, so that names stay readable. Then shrink names, then drop other
        // columns.
        for (floor, leastOrder) in zip(floors, [Self.niceToHave, 0]) {
            while needed(floor) > total {
                let candidates = widths.indices.filter {
                    // A chosen column is there, even if the table is too wide for the terminal then.
                    names == nil && widths[$0] != nil && (columns[$0].dropOrder ?? -1) >= leastOrder
                }
                guard let next = candidates.max(by: { (columns[$0].dropOrder ?? 0) < (columns[$1].dropOrder ?? 0) })
                else { break }
                widths[next] = nil
            }
        }
        for floor in floors {
            // Shrink the widest first, so that all shrinking columns end up equal.
            while needed(nil) > total {
                let candidates = widths.indices.filter { (widths[$0] ?? 0) > (floor[$0] ?? Int.max) }
                guard let widest = candidates.max(by: { (widths[$0] ?? 0) < (widths[$1] ?? 0) }) else { break }
                let others = candidates.filter { $0 != widest }.compactMap { widths[$0] }.max() ?? 0
                let width = widths[widest] ?? 0
                widths[widest] = max(floor[widest] ?? 0, min(width - 1, others), width - (needed(nil) - total))
            }
        }
        self.order = order
        self.columns = columns
        self.widths = widths
        room = max(0, total - needed(nil))
    }

    /// The row of titles, without a line end.
    package var header: String { line(columns.map(\.title)) }

    /// The titles of the columns for which there was no room, without the zones of times.
    package var hidden: [String] {
        order.filter { widths[$0] == nil }.map { index in
            let title = columns[index].title.prefix { $0 != "(" }
            return title.last == " " ? String(title.dropLast()) : String(title)
        }
    }

    /// A rule as wide as the table.
    package var rule: String {
        let shown = widths.compactMap(\.self)
        return String(repeating: "─", count: shown.reduce(0, +) + Self.gap * max(0, shown.count - 1))
    }

    /// Formats a row of cells, one for each column, including columns that were dropped.
    ///
    /// - Parameters:
    ///   - cells: the texts of the cells.
    ///   - growing: a column that may use the unused room if its cell is longer than its width.
    ///   - style: styles a cell, by its index, after it was padded to its width; for colour.
    /// - Returns: the row without a line end.
    package func line(_ cells: [String], growing: Int? = nil, style: (Int, String) -> String = { $1 }) -> String {
        var text = ""
        var isFirst = true
        for index in order {
            guard var width = widths[index] else { continue }
            let cell = cells[index]
            if index == growing { width = max(width, min(width + room, TerminalText.width(cell))) }
            if !isFirst { text += String(repeating: " ", count: Self.gap) }
            isFirst = false
            // A number without its last digits is another number, so it is better a little too wide.
            let fitted = columns[index].isNumber ? cell : TerminalText.elided(cell, to: width)
            text += style(index, TerminalText.padded(fitted, to: width, right: columns[index].isNumber))
        }
        while text.last == " " { text.removeLast() }
        return text
    }
}
