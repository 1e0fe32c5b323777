import Foundation
import Testing

/// What the command says of itself is what CHANGELOG.md says of it.
@Suite("The version", .enabled(if: Built.isComplete, "needs 'make build'"))
struct VersionTests {
    @Test("--version is the newest release of CHANGELOG.md")
    func newestRelease() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let page = try String(contentsOf: root.appendingPathComponent("CHANGELOG.md"), encoding: .utf8)
        let heading = try #require(
            page.split(separator: "\n").first { $0.hasPrefix("## [") && !$0.hasPrefix("## [Unreleased]") })
        let release = try #require(heading.dropFirst(4).split(separator: "]").first)
        let ended = try launch([Built.command, "--version"])
        #expect(ended.status == 0)
        let lines = ended.outputText.split(separator: "\n")
        #expect(lines.first == "wireweight \(release)")
        for name in ["platform: Linux ", "libcurl", "SQLite: 3.", "protocol of the tap: "] {
            #expect(lines.contains { $0.hasPrefix(name) }, "\(name)")
        }
        #expect(try launch([Built.command, "report", "--version"]).outputText == "wireweight \(release)\n")
    }
}
