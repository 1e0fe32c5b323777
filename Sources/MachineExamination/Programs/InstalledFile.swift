internal import Foundation

/// A file that is installed with the command.
package enum InstalledFile {
    /// Finds it next to the command, or in the folder of an installation; `target` is what makes it.
    package static func find(_ name: String, target: String) throws(RunFailure) -> String {
        let command = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        let folder = command.split(separator: "/").dropLast().map { "/\($0)" }.joined()
        for candidate in ["\(folder)/\(name)", "\(folder)/../lib/wireweight/\(name)"] where access(candidate, R_OK) == 0
        {
            return candidate
        }
        throw RunFailure(
            "'\(name)' is not beside the command in '\(folder)'; 'make \(target)' puts it there", status: 69)
    }
}
