import Foundation

/// Prints the table of figures in Markdown, each line as soon as it is known, for the pages of `docs/measurements`.
enum Table {
    /// Prints the header of the table.
    static func begin() {
        print("| what | aim | median | half of the runs |")
        print("| --- | --- | --- | --- |")
    }

    /// Prints a line with the measurements of one value.
    static func row(_ name: String, aim: String, _ spread: Spread, digits: Int, unit: String = "") {
        let between = "\(number(spread.lower, digits)) to \(number(spread.upper, digits)), of \(spread.count)"
        row(name, aim: aim, figure: number(spread.median, digits) + unit, spread: between)
    }

    /// Prints a line.
    static func row(_ name: String, aim: String = "", figure: String, spread: String = "") {
        print("| \(name) | \(aim) | \(figure) | \(spread) |")
        // Show the line at once, because a person may be watching.
        fflush(nil)
    }

    /// Formats a number with `digits` digits after the decimal point.
    static func number(_ value: Double, _ digits: Int) -> String { String(format: "%.\(digits)f", value) }
}
