import Foundation

/// A folder that only we may look into, for the socket.
///
/// Gone when it is closed.
final class PrivateFolder {
    let path: String
    /// Held as long as this process lives, whatever process numbers others see: it tells that the folder is in use.
    private let lock: Int32

    init() throws(RunFailure) {
        Self.removeLeftovers()
        var template = Array("\(Self.parent)/wireweight-\(getpid())-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else {
            let reason = String(cString: strerror(errno))
            throw RunFailure("cannot make a folder in '\(Self.parent)': \(reason); set TMPDIR to another", status: 73)
        }
        // mkdtemp makes it with mode 0700.
        path = String(cString: made)
        lock = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        if lock >= 0 { flock(lock, LOCK_EX | LOCK_NB) }
    }

    deinit { close(lock) }

    func remove() { try? FileManager.default.removeItem(atPath: path) }

    private static var parent: String {
        let wanted = getenv("TMPDIR").map { String(cString: $0) } ?? ""
        // A socket's path has 108 bytes at the most, and the program may go to another folder.
        return wanted.hasPrefix("/") && wanted.utf8.count <= 64 ? wanted : "/tmp"
    }

    /// Folders of commands that were killed.
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
