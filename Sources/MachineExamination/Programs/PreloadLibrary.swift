internal import Foundation

/// The shared library that loads the tap into other programs.
package enum PreloadLibrary {
    package static let name = "libWireweightPreload.so"

    /// Finds the library next to the command, or in the folder of an installation.
    package static func find() throws(RunFailure) -> String {
        let command = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        let folder = command.split(separator: "/").dropLast().map { "/\($0)" }.joined()
        for candidate in ["\(folder)/\(name)", "\(folder)/../lib/wireweight/\(name)"] where access(candidate, R_OK) == 0
        {
            return candidate
        }
        throw RunFailure("'\(name)' is not beside the command in '\(folder)'; 'make build' puts it there", status: 69)
    }
}
