import CurlObserver
import Foundation
import MachineExamination
import TrafficExport
import TrafficStore

/// What `--version` prints: the version, and what else a report of a bug should say.
enum VersionText {
    /// The lines; the first one is for scripts, and only it is sure to stay as it is.
    static var text: String {
        var lines = ["wireweight \(Producer.version)"]
        if let commit { lines.append("commit: \(commit)") }
        lines.append("platform: \(Platform.text)")
        lines.append(Platform.libcurl ?? "libcurl: not installed")
        lines.append("SQLite: \(StoreReader.sqliteVersion)")
        lines.append("protocol of the tap: \(TapListener.protocolVersion)")
        return lines.joined(separator: "\n") + "\n"
    }

    /// The commit that a package was made of, from a file beside the command; the command itself is the same without it.
    private static var commit: String? {
        guard let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"),
            let text = try? String(
                contentsOf: URL(fileURLWithPath: path).deletingLastPathComponent().appendingPathComponent("commit"),
                encoding: .utf8)
        else { return nil }
        let line = text.prefix { !$0.isNewline }
        return line.isEmpty || line.count > 64 ? nil : String(line)
    }
}
