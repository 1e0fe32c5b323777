import ArgumentParser

/// The words of a program that a command starts, as the parser passes them through.
enum ProgramWords {
    /// Its name and arguments, without the `--` before them.
    static func of(_ command: [String]) -> [String] { command.first == "--" ? Array(command.dropFirst()) : command }

    /// Refuses an unknown option before the program, which the parser puts among these words.
    static func check(_ command: [String], for parsed: some ParsableCommand) throws {
        guard let first = command.first, first.hasPrefix("-"), first != "--" else { return }
        if first == "--help" || first == "-h" { throw CleanExit.helpRequest(parsed) }
        throw ValidationError("there is no option '\(first)'; the program and its own options go after '--'")
    }
}
