import ArgumentParser
import TextFormats

/// The options for how text looks, the same in all commands that print tables or a summary.
struct StyleOptions: ParsableArguments {
    /// When text has colours.
    enum Colour: String, ExpressibleByArgument, CaseIterable {
        case auto, always, never
    }

    @Option(help: "Colours: on a terminal (auto), always, or never. NO_COLOR and CLICOLOR_FORCE change auto.")
    var color = Colour.auto

    @Flag(help: "Show times in UTC instead of local time. Machine formats always have UTC.")
    var utc = false

    /// Applies the options to what the command prints from now on.
    func validate() throws { Terminal.apply(self) }
}

/// The same and the pager, of commands whose output may be long.
struct DisplayOptions: ParsableArguments {
    @OptionGroup var style: StyleOptions

    @Flag(
        name: .customLong("no-pager"),
        help: "Do not show long output through WIREWEIGHT_PAGER, PAGER or less, as is done on a terminal.")
    var leavesPagerOut = false

    func validate() throws { Terminal.apply(wantsPager: !leavesPagerOut) }
}

/// The option that chooses the columns of a table.
struct ColumnOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Which columns a table or Markdown has, in this order: names separated by commas.",
            discussion: """
                A name is the column's title in small letters, such as last-seen; a wrong one lists them all. The \
                columns that name a report's row, such as the API, are there in any case.
                """,
            valueName: "names"))
    var columns: String?

    /// Checks the names.
    ///
    /// - Parameter choices: the names that exist.
    /// - Returns: the chosen names; nil for the usual columns.
    /// - Throws: `ValidationError`, which lists the choices, for any other name.
    func chosen(among choices: [String]) throws -> [String]? {
        guard let columns else { return nil }
        let names = columns.lowercased().split(separator: ",").map { String($0.trimming(while: { $0 == " " })) }
        let list = Self.list(of: choices)
        guard !names.isEmpty else { throw ValidationError("'--columns' names no column; there are: \(list)") }
        for name in names where !choices.contains(name) {
            let near = Misspelling.nearest(to: name, among: choices)
            throw ValidationError(
                "there is no column '\(name)'; " + (near.map { "did you mean '\($0)'?" } ?? "there are: \(list)"))
        }
        return names
    }

    /// The choices in a sentence; names that differ only in their percentile are one item.
    static func list(of choices: [String]) -> String {
        let ends = ["-p50", "-p90", "-p95", "-p99"]
        var items: [String] = []
        for name in choices {
            guard let end = ends.first(where: name.hasSuffix) else {
                items.append(name)
                continue
            }
            let start = name.dropLast(end.count)
            if ends.allSatisfy({ choices.contains(start + $0) }) {
                if end == ends[0] { items.append("\(start)-p50 (p90, p95, p99)") }
            } else {
                items.append(name)
            }
        }
        return items.joined(separator: ", ")
    }
}

extension Substring {
    fileprivate func trimming(while condition: (Character) -> Bool) -> Substring {
        var rest = drop(while: condition)
        while let last = rest.last, condition(last) { rest.removeLast() }
        return rest
    }
}
