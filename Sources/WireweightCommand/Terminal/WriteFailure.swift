#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Why output could not be written, and what to do.
enum WriteFailure {
    /// The message for an error of the system; without a path, it is about standard output.
    static func text(to path: String?, _ code: Int32) -> String {
        let place = path.map { "'\($0)'" } ?? "standard output"
        return "cannot write to \(place): \(String(cString: strerror(code))); \(remedy(code, isFile: path != nil))"
    }

    private static func remedy(_ code: Int32, isFile: Bool) -> String {
        switch code {
        case ENOSPC, EDQUOT: isFile ? "make room there, or name a file elsewhere" : "make room where it goes"
        case _ where !isFile: "send it elsewhere"
        case EACCES, EPERM, EROFS: "name a file where you may write"
        case ENOENT, ENOTDIR: "make its folder first"
        case EISDIR: "name a file, not a folder"
        default: "name another file"
        }
    }
}
