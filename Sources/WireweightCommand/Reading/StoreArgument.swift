import ArgumentParser

/// The file that a command reads.
struct StoreArgument: ParsableArguments {
    @Argument(help: "The file with the traffic; the last run's if left out.", completion: .file())
    var file: String?

    /// The path of the file, or of the last run's.
    func path() throws -> String { try Self.path(file) }

    /// That path, or the last run's if there is none.
    static func path(_ named: String?) throws -> String { try named ?? lastRuns(1)[0] }

    /// The paths of the last runs, the earliest first.
    ///
    /// Says which they are, because the user did not; ends the command if there are fewer.
    static func lastRuns(_ count: Int) throws -> [String] {
        let runs = KeptRuns()?.newest(count).map(\.path) ?? []
        guard runs.count == count else {
            Terminal.complain(
                count == 1
                    ? "no file is named, and no run is kept; name a file, or meter with 'wireweight run -- PROGRAM'"
                    : "no files are named, and there are no two kept runs to compare; name two files")
            throw ExitCode.badInput
        }
        Terminal.note(count == 1 ? "the last run: \(runs[0])" : "the last two runs: \(runs.joined(separator: ", "))")
        return runs
    }
}
