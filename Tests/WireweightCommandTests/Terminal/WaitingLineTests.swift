import Foundation
import Testing

@testable import WireweightCommand

/// A command that reads for long says so, until it prints something.
@Suite("The line of a command that reads", .enabled(if: Built.isComplete && OnTerminal.isPossible, "needs script"))
struct WaitingLineTests {
    private static let name = DemoFile.path.split(separator: "/").last ?? ""
    private static let line = "\r\u{1B}[2KReading \(name): "
    private static let atOnce: [String: String?] = ["WIREWEIGHT_PROGRESS_AFTER": "0", "PAGER": "cat"]

    private func run(_ words: String, _ environment: [String: String?] = atOnce) throws -> String {
        let ended = try OnTerminal.run("\(Built.command) \(words)", environment: environment)
        #expect(ended.status == 0, "\(ended)")
        return ended.outputText
    }

    @Test(
        "is there before the first output, and gone then",
        arguments: ["report \(DemoFile.path) --by host", "exchanges \(DemoFile.path) --filter users --limit 1"])
    func shown(words: String) throws {
        let text = try run(words)
        let begin = try #require(text.range(of: Self.line))
        let end = try #require(text.range(of: "\r\u{1B}[2K", range: begin.upperBound..<text.endIndex))
        let output = try #require(text.range(of: "127.0.0.1"))
        #expect(end.upperBound <= output.lowerBound)
        #expect(!text[output.lowerBound...].contains("\u{1B}[2K"))
        // No pager is left with a line of its own.
        let paged = try run(words, ["WIREWEIGHT_PROGRESS_AFTER": "0", "PAGER": "sed s/^/A:/"])
        #expect(paged.contains("\r\u{1B}[2KA:"), "\(paged)")
    }

    @Test("is not there before its time, nor where standard error is no terminal, nor on a dumb one")
    func absent() throws {
        let words = "report \(DemoFile.path) --by host"
        #expect(try !run(words, ["PAGER": "cat"]).contains("Reading"))
        #expect(try !run(words + " 2>/dev/null").contains("Reading"))
        #expect(try !run(words, Self.atOnce.merging(["TERM": "dumb"]) { $1 }).contains("Reading"))
    }

    @Test("is not there while --follow waits")
    func follow() throws {
        let line = "timeout -s INT 1 \(Built.command) exchanges \(DemoFile.path) --follow"
        #expect(try !OnTerminal.run(line, environment: Self.atOnce).outputText.contains("Reading"))
    }

    @Test("is no part of what goes to a file, and is removed at the end")
    func file() throws {
        let path = DemoFile.path + ".waiting.csv"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let text = try run("exchanges \(DemoFile.path) --format csv > \(path)")
        #expect(text.hasPrefix(Self.line) && text.hasSuffix("\r\u{1B}[2K"), "\(text)")
        #expect(try String(contentsOfFile: path, encoding: .utf8).hasPrefix("exchange,"))
    }

    @Test("has the share where it is known, and otherwise the seconds")
    func states() {
        #expect(WaitingLine.state(0.429, after: 3) == "42 %")
        #expect(WaitingLine.state(1.2, after: 3) == "100 %")
        #expect(WaitingLine.state(nil, after: 12.9) == "12 s")
    }
}
