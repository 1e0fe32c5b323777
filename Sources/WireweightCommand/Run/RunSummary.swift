import CurlObserver
import Foundation
import TrafficModel
import TrafficReports
import TrafficStore

/// What a run has shown.
struct RunSummary {
    let report: TrafficReport
    let speakers: [TapListener.Speaker]
    let program: Program
    let storePath: String?
    let writeFailure: StoreError?

    /// Why nothing was metered; nil where something was.
    var unmetered: String? {
        guard report.totals.requests == 0 else { return nil }
        let name = program.words[0]
        if let obstacle = program.obstacle { return "the tap cannot go into '\(name)': \(obstacle.explanation)" }
        if speakers.isEmpty { return "'\(name)' did not load the tap: it ended too early, or it clears its environment" }
        guard speakers.contains(where: { $0.hasLibcurl }) else {
            return "neither '\(name)' nor any program that it started uses a shared libcurl; "
                + "programs with an HTTP stack of their own are not seen"
        }
        return "libcurl was loaded, but no HTTP request went through it"
    }

    func text(_ style: TextStyle) -> String {
        var lines = ""
        if let unmetered {
            lines += "wireweight: nothing was metered: \(TerminalText.escaped(unmetered)).\n"
        } else {
            lines += report.table(style)
            let count = speakers.filter { $0.exchanges > 0 }.count
            if count > 1 { lines += "Metered in \(count) processes.\n" }
            lines += storePath.map { "The exchanges are in '\(TerminalText.escaped($0))': wireweight exchanges \($0)\n" }
                ?? "To keep the exchanges, add --db FILE.\n"
        }
        if let writeFailure { lines += "wireweight: the file is not complete: \(writeFailure.message).\n" }
        return lines
    }

    var json: String {
        let processes = speakers.map { speaker in
            JSONValue.object([
                .init("pid", .integer(Int64(speaker.process.pid))), .init("name", .string(speaker.process.name)),
                .init("libcurl", speaker.libcurlVersion.isEmpty ? .null : .string(speaker.libcurlVersion)),
                .init("exchanges", .integer(Int64(speaker.exchanges))),
            ])
        }
        var members: [JSONValue.Member] = [
            .init("exchanges", .integer(report.totals.requests)),
            .init("unmetered", unmetered.map { .string($0) } ?? .null),
            .init("processes", .array(processes)),
        ]
        if case .object(let rest) = report.jsonValue { members += rest }
        return JSONValue.object(members).pretty + "\n"
    }
}

/// Where the summary goes: never into the program's own output.
struct SummaryOutput {
    private let handle: FileHandle
    private let isTerminal: Bool

    /// A file, or standard error.
    init(path: String?) throws(RunFailure) {
        guard let path else {
            handle = .standardError
            isTerminal = isatty(STDERR_FILENO) == 1
            return
        }
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw RunFailure("cannot write to '\(path)': \(String(cString: strerror(errno)))", status: 73)
        }
        handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        isTerminal = false
    }

    func write(_ summary: RunSummary, json: Bool) {
        let text = json ? summary.json : summary.text(isTerminal ? Terminal.errorStyle : TextStyle())
        try? handle.write(contentsOf: Data(text.utf8))
    }
}
