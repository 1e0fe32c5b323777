/// A record of a CSV file (RFC 4180).
package enum CSVLine {
    /// The cells separated by commas, quoted if necessary, with the line end.
    package static func text(of cells: [String]) -> String {
        cells.map { cell in
            let needsQuotes = cell.utf8.contains { $0 == 0x22 || $0 == 0x2C || $0 == 0x0D || $0 == 0x0A }
            guard needsQuotes else { return cell }
            return "\"" + cell.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
        }.joined(separator: ",") + "\r\n"
    }
}
