import CurlObserver
import MachineExamination
import Foundation
import TextFormats
import TrafficModel
import TrafficReports

/// What was metered, for people and for machines.
protocol Summary {
    func text(_ style: TextStyle) -> String
    var json: String { get }
}

/// The summary of a run.
struct RunSummary: Summary {
    let reports: DirectedReports
    let processes: [TapListener.MeteredProcess]
    let missed: UnmeteredTraffic
    let lookups: LookupTally
    let program: Program
    let storePath: String?
    /// Whether the user chose the file; otherwise it is kept as the last run.
    let isNamed: Bool
    let onlyLibcurl: Bool
    /// Why the file is incomplete; nil if it is complete.
    let incompleteness: String?
    /// Whether only some hosts were metered, by an option or by the project's file.
    let choosesHosts: Bool
    /// The project's file whose settings were used; nil if there was none.
    let projectPath: String?

    /// Why nothing was metered; nil if something was.
    var unmetered: String? {
        reports.hasRequests ? nil : notes.map(\.sentence).joined(separator: "; ")
    }

    /// What was not metered; never empty if nothing was.
    private var notes: [UnmeteredTraffic.Note] {
        let isEmpty = !reports.hasRequests
        var notes = missed.notes(isComplete: isEmpty)
        guard isEmpty else { return notes }
        if let loss { notes.insert(loss, at: 0) }
        return notes.isEmpty ? [silence] : notes
    }

    private var losses: [TrafficLoss] { reports.all[0].losses }

    /// What became of transfers that went through libcurl, but were not metered; nil if there were none.
    private var loss: UnmeteredTraffic.Note? {
        if losses.contains(where: { $0.reason == .untapped }) {
            return .init(
                sentence:
                    "libcurl was used, but not metered: the tap does not support this version (it supports 7.61 to 8, but "
                    + "not 7.64.1, which would print to standard error), or the program used it in a way that cannot be "
                    + "metered without changing the program",
                advice: "'wireweight doctor' shows the versions of libcurl here.")
        }
        guard !losses.isEmpty else { return nil }
        return .init(
            sentence: "libcurl was loaded, but its transfers could not be metered",
            advice: "'wireweight doctor' checks the tap on this machine.")
    }

    /// Why there was no sign of any request.
    private var silence: UnmeteredTraffic.Note {
        let examine = "'wireweight doctor -- \(Self.quoted(program.words[0]))' examines the program"
        if processes.isEmpty {
            return .init(
                sentence:
                    "'\(program.words[0])' did not load the tap: it ended too early, or it clears its environment",
                advice: "'wireweight doctor' checks the tap on this machine.")
        }
        if choosesHosts {
            return .init(
                sentence: "no request went to a host that is to be metered",
                advice: "The hosts are those of '--host', or else of '\(ProjectFile.name)'.")
        }
        if processes.contains(where: { $0.hasLibcurl }) {
            return .init(
                sentence: "libcurl was loaded, but no HTTP request went through it",
                advice: "If there was a request, it did not go through libcurl or TCP: \(examine).")
        }
        if onlyLibcurl {
            return .init(
                sentence: "no program that loaded the tap (\(loaders)) uses a shared libcurl",
                advice: "Without '--only-libcurl', sockets and TLS libraries are watched, too.")
        }
        return .init(
            sentence:
                "no program that loaded the tap (\(loaders)) sent or received a request through libcurl, or through sockets",
            advice: "Requests are not metered if they failed before they were sent, "
                + "went through a Unix socket or QUIC, or were made without the C library, or if a filter (seccomp) refuses "
                + "the tap's system calls: \(examine).")
    }

    /// The first few programs that loaded the tap.
    private var loaders: String {
        var names: [String] = []
        for process in processes where !names.contains(process.identity.name) { names.append(process.identity.name) }
        let shown = names.prefix(3).map { "'\($0)'" }.joined(separator: ", ")
        return names.count > 3 ? "\(shown) and \(names.count - 3) more" : shown
    }

    func text(_ style: TextStyle) -> String {
        var lines = ""
        if let unmetered {
            lines += "wireweight: nothing was metered: \(TerminalText.escaped(unmetered)).\n" + advice
            lines += lookups.failureLine
        } else {
            lines += reports.table(style)
            let count = processes.filter { $0.exchanges > 0 }.count
            if count > 1 { lines += "Metered in \(count) processes.\n" }
            lines += ways
            lines += notes.map { "Not metered: \(TerminalText.escaped($0.sentence)).\n" }.joined() + advice
            lines += lookups.failureLine
            lines += Self.hint(storePath, isNamed: isNamed)
        }
        if let projectPath { lines += "Settings: \(TerminalText.escaped(projectPath))\n" }
        if let incompleteness { lines += "wireweight: the file is not complete: \(incompleteness).\n" }
        return lines
    }

    /// How to go on from what is in the file.
    static func hint(_ storePath: String?, isNamed: Bool) -> String {
        guard let storePath else { return "To keep the exchanges, add --db FILE.\n" }
        guard isNamed else { return "Kept as the last run. See each exchange: wireweight exchanges\n" }
        return "See each exchange: wireweight exchanges \(quoted(TerminalText.escaped(storePath)))\n"
    }

    /// What the user can do about what was not metered, each sentence once.
    private var advice: String {
        var lines: [String] = []
        for note in notes where !note.advice.isEmpty && !lines.contains(note.advice) { lines.append(note.advice) }
        return lines.map { TerminalText.escaped($0) + "\n" }.joined()
    }

    /// How exchanges were metered, unless all went through libcurl.
    private var ways: String {
        let below = processes.reduce(0) { $0 + $1.streamExchanges }
        let through = processes.reduce(0) { $0 + $1.exchanges } - below
        guard below > 0 else { return "" }
        let exchanges = "\(Units.count(Int64(below))) \(below == 1 ? "exchange" : "exchanges")"
        return "Metered \(exchanges) at sockets and TLS libraries"
            + (through > 0 ? ", \(Units.count(Int64(through))) in libcurl" : "") + ".\n"
    }

    /// The path quoted for a shell.
    static func quoted(_ path: String) -> String {
        let isPlain = path.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...:
                true
            default: "/._-+,:@%".utf8.contains(byte)
            }
        }
        return isPlain ? path : "'\(path.replacing("'", with: "'\\''"))'"
    }

    var json: String {
        let list = processes.map { process in
            JSONValue.object([
                .init("pid", .integer(Int64(process.identity.pid))), .init("name", .string(process.identity.name)),
                .init("libcurl", process.libcurlVersion.isEmpty ? .null : .string(process.libcurlVersion)),
                .init("exchanges", .integer(Int64(process.exchanges))),
                .init("streamExchanges", .integer(Int64(process.streamExchanges))),
            ])
        }
        var members: [JSONValue.Member] = [
            .init("exchanges", .integer(reports.all[0].totals.requests)),
            .init("unmetered", unmetered.map { .string($0) } ?? .null),
            .init("advice", advice.isEmpty ? .null : .string(String(advice.dropLast()))),
            .init("processes", .array(list)),
            .init("nameLookups", lookups.json),
            .init("projectFile", .text(projectPath)),
            .init("incomplete", incompleteness.map { .string($0) } ?? .null),
        ]
        members += missed.json
        return JSONValue.object(members + reports.members).pretty + "\n"
    }
}

/// The destination of the summary: a file or standard error, never the program's own output.
struct SummaryOutput {
    private let handle: FileHandle
    private let path: String?
    private let isTerminal: Bool

    /// Opens the file, or uses standard error if there is no path.
    ///
    /// The file keeps its old contents until the summary replaces them.
    init(path: String?, storePath: String?) throws(RunFailure) {
        self.path = path
        guard let path else {
            handle = .standardError
            isTerminal = isatty(STDERR_FILENO) == 1
            return
        }
        let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw RunFailure(WriteFailure.text(to: path, errno), status: 73)
        }
        handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        isTerminal = false
        var output = stat()
        var store = stat()
        if let storePath, fstat(descriptor, &output) == 0, stat(storePath, &store) == 0,
            output.st_dev == store.st_dev, output.st_ino == store.st_ino
        {
            throw RunFailure("'--output' and '--db' name the same file; name two files", status: 64)
        }
    }

    /// A terminal's own style; what is no terminal may have colours, too, but not a file.
    private var style: TextStyle {
        if isTerminal { return Terminal.errorStyle }
        var style = TextStyle()
        style.hasColour = path == nil && Terminal.errorStyle.hasColour
        return style
    }

    /// Writes the summary; returns why it could not, or nil.
    ///
    /// If standard error is closed, there is no way to say so.
    func write(_ summary: some Summary, json: Bool) -> RunFailure? {
        let text = json ? summary.json : summary.text(style)
        if path != nil { ftruncate(handle.fileDescriptor, 0) }
        do {
            try handle.write(contentsOf: Data(text.utf8))
            return nil
        } catch {
            let code = ((error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError)?.code
            return path.map { RunFailure(WriteFailure.text(to: $0, code.map(Int32.init) ?? EIO), status: 74) }
        }
    }
}
