internal import Foundation

/// Where the file of a configuration is, if it names none.
///
/// A daemon usually starts in `/`, and an app of iOS, too. A file does not belong there, or cannot be made.
enum StorePlace {
    /// The name of the file if a configuration names none.
    static let usual = "traffic.db"

    /// The path to use for a configuration's file: the same, or one in a folder for state.
    ///
    /// - Parameters:
    ///   - store: the path of the configuration.
    ///   - folder: the current folder.
    ///   - environment: the variables of the environment.
    /// - Returns: the path, and what to log about it; nil if it is the configuration's.
    static func path(
        of store: String, in folder: String = FileManager.default.currentDirectoryPath,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> (path: String, note: String?) {
        guard store == usual, folder == "/" || !FileManager.default.isWritableFile(atPath: folder),
            let place = statePath(environment)
        else { return (store, nil) }
        do {
            try FileManager.default.createDirectory(
                at: place.deletingLastPathComponent(), withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        } catch {
            return (store, nil)
        }
        return (
            place.path,
            "the current folder is '\(folder)', so the traffic is stored in '\(place.path)'; "
                + "'store' of the configuration chooses another file"
        )
    }

    /// The service's own folder (systemd's `StateDirectory=`), or the user's folder for state, with a file for each
    /// program.
    private static func statePath(_ environment: [String: String]) -> URL? {
        func folder(_ name: String) -> URL? {
            environment[name].flatMap { $0.hasPrefix("/") ? URL(fileURLWithPath: $0, isDirectory: true) : nil }
        }
        if let own = environment["STATE_DIRECTORY"]?.split(separator: ":").first, own.hasPrefix("/") {
            return URL(fileURLWithPath: String(own), isDirectory: true).appendingPathComponent(usual)
        }
        #if canImport(Darwin)
            let state = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
        #else
            let state = folder("XDG_STATE_HOME") ?? folder("HOME")?.appendingPathComponent(".local/state")
        #endif
        return state?.appendingPathComponent("wireweight/\(ProcessInfo.processInfo.processName).db")
    }
}
