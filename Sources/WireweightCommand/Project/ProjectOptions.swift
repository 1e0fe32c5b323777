import ArgumentParser

/// The option that leaves the project's file out.
struct ProjectOptions: ParsableArguments {
    @Flag(
        name: .customLong("no-project"),
        help: ArgumentHelp(
            "Do not read the project's settings from '\(ProjectFile.name)'.",
            discussion: "WIREWEIGHT_NO_PROJECT=1 does the same."))
    var leavesProjectOut = false

    /// The project's settings; nil if there are none.
    ///
    /// If the file is wrong, the command prints the error on standard error and exits with 65.
    func file() throws -> ProjectFile? {
        let isOff = Terminal.environment("WIREWEIGHT_NO_PROJECT").map { !$0.isEmpty && $0 != "0" } ?? false
        guard !leavesProjectOut, !isOff, let path = ProjectFile.find() else { return nil }
        return try Self.reading { try ProjectFile(path: path) }
    }

    /// The columns that the project has for tables; nil if it has none.
    func columns(of project: ProjectFile?) throws -> [String]? { try Self.reading { try project?.tableColumns() } }

    private static func reading<Value>(_ read: () throws -> Value) throws -> Value {
        do {
            return try read()
        } catch {
            Terminal.complain("\(error)")
            throw ExitCode.badInput
        }
    }
}
