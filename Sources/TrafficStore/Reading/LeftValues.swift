import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Values that a pass of ``GroupRanker`` has left to the next one, 16 bytes each, in a file without a name.
///
/// It holds hashes and numbers, no names; no other process can open it, and it is gone when this one ends. Where it cannot be
/// written or read, nothing is lost: the next pass reads the rows again.
struct LeftValues: ~Copyable {
    private static let valuesAtOnce = 65_536

    private let descriptor: Int32
    private var isComplete = true
    private var size = 0

    /// A new file, in the folder that SQLite would take for its own; nil where there can be none.
    init?(in folders: [String] = folders) {
        for folder in folders {
            var template = Array("\(folder)/wireweight-XXXXXX".utf8CString)
            let descriptor = mkstemp(&template)
            guard descriptor >= 0 else { continue }
            unlink(template)
            self.descriptor = descriptor
            return
        }
        return nil
    }

    deinit { close(descriptor) }

    /// Rather on a disk than in memory, which `/tmp` often is.
    static var folders: [String] {
        let named = ["SQLITE_TMPDIR", "TMPDIR"].compactMap { ProcessInfo.processInfo.environment[$0] }
        return named + ["/var/tmp", "/tmp"]
    }

    /// Adds values; after a failure it is not complete, and takes no more.
    mutating func append(_ values: [GroupRanker.Value]) {
        guard isComplete else { return }
        isComplete = FileSizeSignal.whileBlocked { write(values) }
    }

    private mutating func write(_ values: [GroupRanker.Value]) -> Bool {
        values.withUnsafeBytes { bytes in
            let end = size + bytes.count
            while size < end {
                let rest = UnsafeRawBufferPointer(rebasing: bytes.suffix(end - size))
                let written = pwrite(descriptor, rest.baseAddress, rest.count, off_t(size))
                if written > 0 { size += written } else if errno != EINTR { return false }
            }
            return true
        }
    }

    /// Reads all values, in pieces; whether all that were added have come.
    func forEachPiece(_ body: ([GroupRanker.Value]) -> Void) -> Bool {
        guard isComplete else { return false }
        var offset = 0
        while true {
            let values = [GroupRanker.Value](unsafeUninitializedCapacity: Self.valuesAtOnce) { buffer, count in
                count = read(UnsafeMutableRawBufferPointer(buffer), at: offset) / MemoryLayout<GroupRanker.Value>.stride
            }
            offset += values.count * MemoryLayout<GroupRanker.Value>.stride
            if values.isEmpty { return offset == size }
            body(values)
        }
    }

    /// How many bytes there are from that place, until the buffer is full, the file ends or cannot be read.
    private func read(_ bytes: UnsafeMutableRawBufferPointer, at offset: Int) -> Int {
        var count = 0
        while count < bytes.count {
            let got = pread(descriptor, bytes.baseAddress! + count, bytes.count - count, off_t(offset + count))
            if got > 0 { count += got } else if got == 0 || errno != EINTR { break }
        }
        return count
    }
}
