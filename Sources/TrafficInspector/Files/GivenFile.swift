internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// A file that comes in pieces from a page.
final class GivenFile: Sendable {
    let file: OtherFile
    let path: String
    private let size: Int64
    private let received = Mutex<Int64>(0)

    /// Creates the file, for its owner alone.
    init(_ file: OtherFile, size: Int64, path: String) throws(FileFailure) {
        self.file = file
        self.size = size
        self.path = path
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw FileFailure(errno) }
        close(descriptor)
    }

    /// Whether all bytes have come.
    var isComplete: Bool { received.withLock { $0 } == size }

    /// Appends bytes.
    ///
    /// - Throws: ``Refusal`` if they are not the next ones, or cannot be written.
    func add(_ bytes: [UInt8], at offset: Int64) throws -> Int64 {
        try received.withLock { received in
            guard offset == received, !bytes.isEmpty, offset + Int64(bytes.count) <= size else {
                throw Refusal.wrong(.piece)
            }
            let descriptor = open(path, O_WRONLY | O_APPEND | O_CLOEXEC)
            guard descriptor >= 0 else { throw failure(errno) }
            defer { close(descriptor) }
            var written = 0
            while written < bytes.count {
                let count = bytes[written...].withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
                if count < 0 && errno == EINTR { continue }
                guard count > 0 else { throw failure(errno) }
                written += count
            }
            received += Int64(bytes.count)
            return received
        }
    }

    private func failure(_ number: Int32) -> Refusal {
        Refusal(
            status: 500, code: "file", phrase: .fileUnreadable,
            values: ["name": file.name, "reason": "\(FileFailure(number))"])
    }
}

/// Why the system could not write a file.
struct FileFailure: Error, CustomStringConvertible {
    let description: String

    init(_ number: Int32) { description = String(cString: strerror(number)) }
}
