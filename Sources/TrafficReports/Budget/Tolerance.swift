internal import ASCIIBytes
internal import TextFormats

/// By how much a figure may exceed its budget, such as `5%`.
package struct Tolerance: Hashable, Sendable, CustomStringConvertible {
    /// Hundredths of a percent.
    package let hundredths: Int

    /// The largest tolerance, in hundredths of a percent: ten times the budget on top of it.
    private static let most = 100_000

    /// The default, 5%.
    package static let usual = Tolerance(hundredths: 500)

    private init(hundredths: Int) { self.hundredths = hundredths }

    /// Reads a percentage with at most two decimal places, such as `5%`, `0%` or `2.5 %`; nil if the text is not one.
    package init?(_ text: String) {
        guard text.hasSuffix("%") else { return nil }
        var number = text.dropLast()
        while number.last == " " { number.removeLast() }
        let parts = number.split(separator: ".", omittingEmptySubsequences: false)
        let isNumber = parts.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy(ASCII.isDigit) }
        guard isNumber, parts.count <= 2, let whole = Int(parts[0]), whole <= Self.most / 100 else { return nil }
        let fraction = parts.count == 2 ? parts[1] : "0"
        guard fraction.utf8.count <= 2, let digits = Int(fraction) else { return nil }
        let hundredths = whole * 100 + (fraction.utf8.count == 1 ? digits * 10 : digits)
        guard hundredths <= Self.most else { return nil }
        self.hundredths = hundredths
    }

    /// The error text for a text that is not a tolerance.
    package static let rule = "a tolerance is a percentage from 0% to 1000%, such as 5% or 2.5%"

    /// The largest figure that is within the tolerance of a budget; never less than the budget.
    package func limit(of budget: Int64) -> Int64 {
        let (product, overflow) = budget.multipliedReportingOverflow(by: Int64(hundredths))
        // Above 92 petabytes the result need not be exact.
        let extra = overflow ? budget / 10_000 * Int64(hundredths) : product / 10_000
        let (sum, isTooMuch) = budget.addingReportingOverflow(extra)
        return isTooMuch ? Int64.max : sum
    }

    /// The percentage as text.
    package var description: String {
        let (whole, rest) = hundredths.quotientAndRemainder(dividingBy: 100)
        if rest == 0 { return "\(whole)%" }
        return rest % 10 == 0 ? "\(whole).\(rest / 10)%" : "\(whole).\(Units.padded(rest))%"
    }
}
