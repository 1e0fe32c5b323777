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
        #expect(String(decoding: ended.output, as: UTF8.self) == "\(release)\n")
    }
}
