import Foundation

/// The table that is printed, line by line as the figures come in: Markdown for the pages of `docs/measurements`.
enum Table {
    /// Begins it.
    static func begin() {
        print("| what | aim | median | half of the runs |")
        print("| --- | --- | --- | --- |")
    }

    /// One line of the measurements of one thing.
    static func row(_ name: String, aim: String, _ spread: Spread, digits: Int, unit: String = "") {
        let between = "\(number(spread.lower, digits)) to \(number(spread.upper, digits)), of \(spread.count)"
        row(name, aim: aim, figure: number(spread.median, digits) + unit, spread: between)
    }

    /// One line.
    static func row(_ name: String, aim: String = "", figure: String, spread: String = "") {
        print("| \(name) | \(aim) | \(figure) | \(spread) |")
        // Somebody may be waiting and watching.
        fflush(nil)
    }

    /// A number with so many digits behind the point.
    static func number(_ value: Double, _ digits: Int) -> String { String(format: "%.\(digits)f", value) }
}
