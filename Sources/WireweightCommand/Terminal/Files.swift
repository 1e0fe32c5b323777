#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Checks on paths that the user gave.
enum Files {
    /// Whether a file's first character, after white space and a byte order mark, is this one.
    static func begins(_ path: String, with character: Character) -> Bool {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return false }
        defer { close(file) }
        var start = [UInt8](repeating: 0, count: 64)
        let count = read(file, &start, start.count)
        return String(decoding: start.prefix(max(0, count)), as: UTF8.self)
            .first { !$0.isWhitespace && $0 != "\u{FEFF}" } == character
    }

    /// Whether a file exists at that path, readable or not.
    static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// Whether files can be made in the folder at that path.
    static func isWritable(_ path: String) -> Bool { access(path, W_OK | X_OK) == 0 }

    /// Whether that path leads to a folder.
    static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Whether two paths lead to the same existing file.
    static func isSame(_ left: String, _ right: String) -> Bool {
        var (first, second) = (stat(), stat())
        guard stat(left, &first) == 0, stat(right, &second) == 0 else { return false }
        return first.st_dev == second.st_dev && first.st_ino == second.st_ino
    }

    /// Whether that file begins as SQLite's databases do.
    static func isDatabase(_ path: String) -> Bool {
        guard let file = fopen(path, "rb") else { return false }
        defer { fclose(file) }
        var start = [UInt8](repeating: 0, count: 16)
        return fread(&start, 1, start.count, file) == start.count && start == Array("SQLite format 3\0".utf8)
    }

    /// Whether that path leads to a regular file, and not to a folder, pipe or device.
    static func isRegular(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }
}
