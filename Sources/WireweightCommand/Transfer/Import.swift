import ArgumentParser
import MachineExamination
import TextFormats
import TrafficExport
import TrafficModel
import TrafficStore

/// `wireweight import`: makes a store from an HTTP archive (HAR) of another tool.
struct Import: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Import a HAR file, to report on what another tool captured.",
        discussion: """
            Reads HTTP Archive 1.1 and 1.2, as browsers and proxies write it. Sizes are those in the archive, labelled \
            'reported'; sizes that it lacks stay unknown. Secrets are replaced as in any run. \
            Entries that came from a cache are left out, and so are entries whose scheme is not http, https, ws or \
            wss. The whole archive is checked before anything is stored.

            Example: wireweight import capture.har --db capture.db

            More: docs/exports.md
            """)

    @Argument(help: "The HAR file.", completion: .file())
    var archive: String

    @Option(
        help: ArgumentHelp(
            "Add the exchanges to this file; it is created if it does not exist.", valueName: "file"),
        completion: .file())
    var db: String

    @Option(
        help: ArgumentHelp(
            "Keep this many bytes of each body that was sent uncompressed.", valueName: "bytes"))
    var keepBodies = 0

    func validate() throws {
        if keepBodies < 0 { throw ValidationError("'--keep-bodies' must not be negative") }
        if Files.isSame(archive, db) { throw ValidationError("'--db' names the archive; name another file") }
    }

    func run() throws {
        let progress = ProgressLine("importing")
        defer { progress.clear() }
        do {
            var work = ArchiveImport(of: archive, into: db)
            work.bodyLimit = keepBodies
            let outcome = try work.run(progress)
            progress.clear()
            try printSummary(outcome)
        } catch let fault as HARFault {
            progress.clear()
            Terminal.complain("'\(archive)' cannot be imported: \(fault)")
            throw ExitCode.badInput
        } catch let failure as ReadingFailure {
            Terminal.complain("\(failure)")
            throw ExitCode.badInput
        } catch let error as StoreError {
            progress.clear()
            let failure = RunFailure(error)
            Terminal.complain(failure.message)
            throw ExitCode(failure.status)
        }
    }

    private func printSummary(_ outcome: HARImport.Outcome) throws {
        let noun = outcome.exchanges == 1 ? "exchange" : "exchanges"
        var text = "\(Units.count(Int64(outcome.exchanges))) \(noun) imported into \(db)"
        var left: [String] = []
        if outcome.cached > 0 { left.append("\(outcome.cached) from a cache") }
        if outcome.foreign > 0 { left.append("\(outcome.foreign) with a scheme other than HTTP's") }
        if !left.isEmpty { text += "; left out: \(left.joined(separator: ", "))" }
        var output = Output()
        try output.write("\(TerminalText.escaped(text))\n")
        try output.write(TerminalText.escaped("Then: wireweight report \(db)") + "\n")
        try output.flush()
    }
}
