#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// A file to read pieces of.
package final class FilePieces {
    private let descriptor: Int32

    /// Opens a file; nil where that is not allowed.
    package convenience init?(_ path: String) { self.init(path.utf8CString.map(\.self)) }

    /// Opens a file by its name in bytes, with a zero at the end; nil where that is not allowed.
    package init?(_ path: [CChar]) {
        // What is no file, such as a pipe, keeps nobody waiting.
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
    }

    deinit { close(descriptor) }

    /// Up to that many bytes from there on; fewer at the file's end.
    package func read(_ offset: UInt64, _ count: Int) -> [UInt8] {
        guard count > 0, let offset = off_t(exactly: offset) else { return [] }
        var status = stat()
        // A file says how long it is; what it claims to hold beyond that is not worth memory.
        guard fstat(descriptor, &status) == 0, offset < status.st_size else { return [] }
        return [UInt8](unsafeUninitializedCapacity: min(count, Int(status.st_size - offset))) { buffer, filled in
            while filled < buffer.count, let start = buffer.baseAddress {
                let got = pread(descriptor, start + filled, buffer.count - filled, offset + off_t(filled))
                guard got > 0 else { break }
                filled += got
            }
        }
    }
}
