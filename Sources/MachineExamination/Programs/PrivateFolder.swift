internal import Foundation

/// A folder for the socket that only this user can access.
///
/// ``remove()`` deletes it.
package final class PrivateFolder {
    package let path: String
    /// A lock held while this process lives, which shows that the folder is in use.
    ///
    /// A process number would not do, because other PID namespaces see different ones.
    private let lock: Int32

    package init() throws(RunFailure) {
        Self.removeLeftovers()
        var template = Array("\(Self.parent)/wireweight-\(getpid())-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else {
            let reason = String(cString: strerror(errno))
            throw RunFailure("cannot make a folder in '\(Self.parent)': \(reason); set TMPDIR to another", status: 73)
        }
        // mkdtemp makes the folder with mode 0700.
        path = String(cString: made)
        lock = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        if lock >= 0 { flock(lock, LOCK_EX | LOCK_NB) }
    }

    deinit { close(lock) }

    package func remove() { try? FileManager.default.removeItem(atPath: path) }

    private static var parent: String {
        let wanted = getenv("TMPDIR").map { String(cString: $0) } ?? ""
        // A socket's path has at most 108 bytes. It must be absolute, because the program may change its working
        // folder.
        return wanted.hasPrefix("/") && wanted.utf8.count <= 64 ? wanted : "/tmp"
    }

    /// Removes the folders that killed commands left.
    private static func removeLeftovers() {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
        for name in names where name.hasPrefix("wireweight-") {
            let parts = name.split(separator: "-")
            guard parts.count == 3, let pid = Int32(parts[1]), kill(pid, 0) != 0, errno == ESRCH else { continue }
            var status = stat()
            let path = "\(parent)/\(name)"
            guard lstat(path, &status) == 0, status.st_uid == getuid(), status.st_mode & S_IFMT == S_IFDIR
            else { continue }
            let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            guard descriptor >= 0 else { continue }
            defer { close(descriptor) }
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { continue }
            try? FileManager.default.removeItem(atPath: path)
        }
    }
}
