#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// An open file from which pieces can be read.
package final class FilePieces {
    private let descriptor: Int32

    /// Opens the file at a path; nil if it cannot be opened.
    package convenience init?(_ path: String) { self.init(path.utf8CString.map(\.self)) }

    /// Opens the file at a path of zero-terminated bytes; nil if it cannot be opened.
    package init?(_ path: [CChar]) {
        // Non-blocking, because opening a pipe would otherwise wait for its writer.
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
    }

    deinit { close(descriptor) }

    /// Returns up to `count` bytes from an offset on; fewer at the file's end.
    package func read(_ offset: UInt64, _ count: Int) -> [UInt8] {
        guard count > 0, let offset = off_t(exactly: offset) else { return [] }
        var status = stat()
        // Allocate no more than the file's real length, whatever its contents claim.
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
