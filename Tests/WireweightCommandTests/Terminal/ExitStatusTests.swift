import Foundation
import Testing

@testable import WireweightCommand

/// Three texts list the statuses, and none lacks one.
@Suite("Exit statuses")
struct ExitStatusTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    private func page(_ path: String) throws -> String {
        try String(contentsOf: Self.root.appendingPathComponent(path), encoding: .utf8)
    }

    private var statuses: [String] { ExitStatusText.meanings.map(\.status) }

    @Test("the manual has those of 'help exit-status'")
    func manual() throws {
        let lines = try page("Packaging/wireweight-exit-status.7").split(separator: "\n")
        let listed = zip(lines, lines.dropFirst()).filter { $0.0 == ".TP" }.map { _, line in
            line.hasPrefix(".BR 128") ? "128 + n" : String(line.split(separator: " ").last ?? "")
        }
        #expect(listed == statuses)
    }

    @Test("so has the guide")
    func guide() throws {
        let rows = try page("docs/using.md").split(separator: "## How a command ends")[1].split(separator: "\n")
            .filter { $0.hasPrefix("| ") }.dropFirst(2).compactMap { $0.split(separator: "|").first }
        let listed = rows.flatMap { $0.split(separator: ",") }.map { $0.trimmingCharacters(in: .whitespaces) }
        #expect(listed == statuses)
    }

    @Test("'help exit-status' prints them", .enabled(if: Built.isComplete, "needs 'make build'"))
    func topic() throws {
        let ended = try launch([Built.command, "help", "exit-status"])
        #expect(ended.status == 0)
        #expect(ended.outputText == ExitStatusText.text)
        #expect(ended.outputText.split(separator: "\n").allSatisfy { $0.count <= 80 })
        #expect(try launch([Built.command, "help", "exit-statu"]).status == 64)
    }
}
