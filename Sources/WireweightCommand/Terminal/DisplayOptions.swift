import ArgumentParser

/// The options for how a command's text looks, the same in all commands that print tables.
struct DisplayOptions: ParsableArguments {
    /// When text has colours.
    enum Colour: String, ExpressibleByArgument, CaseIterable {
        case auto, always, never
    }

    @Option(help: "Colours: on a terminal (auto), always, or never. NO_COLOR and CLICOLOR_FORCE change auto.")
    var color = Colour.auto

    @Flag(help: "Show times in UTC instead of local time. Machine formats always have UTC.")
    var utc = false

    @Flag(
        name: .customLong("no-pager"),
        help: "Do not show long output through WIREWEIGHT_PAGER, PAGER or less, as is done on a terminal.")
    var leavesPagerOut = false

    /// Applies the options to what the command prints from now on.
    func validate() throws { Terminal.apply(self) }
}

/// The option that chooses the columns of a table.
struct ColumnOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Which columns a table or Markdown has, in this order: names separated by commas.",
            discussion: "A name is the column's title in small letters, such as last-seen; a wrong one lists them all.",
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
        let list = choices.joined(separator: ", ")
        guard !names.isEmpty else { throw ValidationError("'--columns' names no column; there are: \(list)") }
        for name in names where !choices.contains(name) {
            throw ValidationError("there is no column '\(name)'; there are: \(list)")
        }
        return names
    }
}

extension Substring {
    fileprivate func trimming(while condition: (Character) -> Bool) -> Substring {
        var rest = drop(while: condition)
        while let last = rest.last, condition(last) { rest.removeLast() }
        return rest
    }
}
