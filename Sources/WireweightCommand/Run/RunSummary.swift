import CurlObserver
import MachineExamination
import Foundation
import TextFormats
import TrafficModel
import TrafficReports

/// The summary of a run.
struct RunSummary {
    let report: TrafficReport
    let processes: [TapListener.MeteredProcess]
    let program: Program
    let storePath: String?
    let onlyLibcurl: Bool
    /// Why the file is incomplete; nil if it is complete.
    let incompleteness: String?

    /// Why nothing was metered; nil if something was.
    var unmetered: String? {
        guard report.totals.requests == 0 else { return nil }
        let name = program.words[0]
        if let obstacle = program.obstacle { return "the tap cannot be loaded into '\(name)': \(obstacle.explanation)" }
        if processes.isEmpty {
            return "'\(name)' did not load the tap: it ended too early, or it clears its environment"
        }
        if report.losses.contains(where: { $0.reason == .untapped }) {
            return
                "libcurl was used, but not metered: the tap does not support this version (it supports 7.61 to 8, but not "
                + "7.64.1, which would print to standard error), or the program used it in a way that cannot be metered "
                + "without changing the program"
        }
        if !report.losses.isEmpty { return "libcurl was loaded, but its transfers could not be metered" }
        if let unseen = report.completeness.ledger.parts[.unseen] {
            return "connections carried \(Units.bytes(unseen.total)) of messages that could not be seen; "
                + "'wireweight connections FILE' names the reason of each, if you add '--db FILE'"
        }
        guard processes.contains(where: { $0.hasLibcurl }) else {
            return "no program that loaded the tap (\(loaders)) "
                + (onlyLibcurl ? "uses a shared libcurl; " : "sent a request through libcurl, or through sockets; ")
                + "programs that are started with a cleared environment (as by 'env -i'), or that have an HTTP stack of "
                + "their own that does not use the C library, as Go programs do, cannot be metered; in a Swift program "
                + "of your own, use TrafficMonitor"
        }
        return "libcurl was loaded, but no HTTP request went through it"
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
            lines += "wireweight: nothing was metered: \(TerminalText.escaped(unmetered)).\n"
        } else {
            lines += report.table(style)
            let count = processes.filter { $0.exchanges > 0 }.count
            if count > 1 { lines += "Metered in \(count) processes.\n" }
            lines += ways
            lines +=
                storePath.map { "See each exchange: wireweight exchanges \(Self.quoted(TerminalText.escaped($0)))\n" }
                ?? "To keep the exchanges, add --db FILE.\n"
        }
        if let incompleteness { lines += "wireweight: the file is not complete: \(incompleteness).\n" }
        return lines
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
    private static func quoted(_ path: String) -> String {
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
            .init("exchanges", .integer(report.totals.requests)),
            .init("unmetered", unmetered.map { .string($0) } ?? .null),
            .init("processes", .array(list)),
            .init("incomplete", incompleteness.map { .string($0) } ?? .null),
        ]
        if case .object(let rest) = report.jsonValue { members += rest }
        return JSONValue.object(members).pretty + "\n"
    }
}

/// The destination of the summary: a file or standard error, never the program's own output.
struct SummaryOutput {
    private let handle: FileHandle
    private let isTerminal: Bool

    /// Opens the file, or uses standard error if there is no path.
    ///
    /// The file keeps its old contents until the summary replaces them.
    init(path: String?, storePath: String?) throws(RunFailure) {
        guard let path else {
            handle = .standardError
            isTerminal = isatty(STDERR_FILENO) == 1
            return
        }
        let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw RunFailure("cannot write to '\(path)': \(String(cString: strerror(errno)))", status: 73)
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

    func write(_ summary: RunSummary, json: Bool) {
        let text = json ? summary.json : summary.text(isTerminal ? Terminal.errorStyle : TextStyle())
        if handle !== FileHandle.standardError { ftruncate(handle.fileDescriptor, 0) }
        try? handle.write(contentsOf: Data(text.utf8))
    }
}
