import ArgumentParser
import Foundation
import MachineExamination
import TextFormats
import TrafficExport
import TrafficModel
import TrafficStore

/// `wireweight import`: makes a store from an HTTP archive (HAR) of another tool, or from an inspector's page.
struct Import: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Import a HAR file of another tool, or the store of an inspector's page.",
        discussion: """
            Reads HTTP Archive 1.1 and 1.2, as browsers and proxies write it. Sizes are those in the archive, labelled \
            'reported'; sizes that it lacks stay unknown. Secrets are replaced as in any run. \
            Entries that came from a cache are left out, and so are entries whose scheme is not http, https, ws or \
            wss. The whole archive is checked before anything is stored.

            The address of a page, such as one that an app on a phone serves, is given as it was printed, with its \
            token. All of its store is copied into a new file, without a change.

            Example: wireweight import capture.har --db capture.db
            A page: wireweight import 'http://192.168.1.7:8080/?token=…' --db phone.db

            More: docs/exports.md
            """)

    @Argument(
        help: ArgumentHelp("The HAR file, or the address of an inspector's page.", valueName: "archive"),
        completion: .file())
    var archive: String

    @Option(
        help: ArgumentHelp(
            "Add the exchanges to this file; it is created if it does not exist, and must not exist for a page's store.",
            valueName: "file"),
        completion: .file())
    var db: String

    @Option(
        help: ArgumentHelp(
            "Keep this many bytes of each body that was sent uncompressed.", valueName: "bytes"))
    var keepBodies = 0

    func validate() throws {
        if keepBodies < 0 { throw ValidationError("'--keep-bodies' must not be negative") }
        if StoreDownload.isMeant(by: archive), keepBodies > 0 {
            throw ValidationError("a page's store comes with the bodies that it has; leave out '--keep-bodies'")
        }
        if Files.isSame(archive, db) { throw ValidationError("'--db' names the archive; name another file") }
    }

    func run() throws {
        let progress = ProgressLine("importing")
        defer { progress.clear() }
        do {
            if StoreDownload.isMeant(by: archive) { return try copyStore(progress) }
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

    /// Copies a page's store beside the file, and gives it its name once it is whole.
    private func copyStore(_ progress: ProgressLine) throws {
        guard !Files.exists(db) else {
            throw ReadingFailure(
                "'\(db)' exists already; a page's store is copied into a new file, so name another one")
        }
        let download = try StoreDownload(from: archive)
        let part = "\(db).part"
        defer { unlink(part) }
        let size = try download.run(into: part, progress)
        let count = try StoreReader.open(part).overview().exchanges
        // Fails if there is a file by now.
        guard link(part, db) == 0 else {
            throw ReadingFailure("cannot make '\(db)': \(String(cString: strerror(errno)))")
        }
        progress.clear()
        let noun = count == 1 ? "exchange" : "exchanges"
        var output = Output()
        try output.write(
            TerminalText.escaped("\(Units.count(count)) \(noun), \(Units.bytes(size)), copied into \(db)") + "\n")
        try output.write(TerminalText.escaped("Then: wireweight report \(db)") + "\n")
        try output.flush()
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
