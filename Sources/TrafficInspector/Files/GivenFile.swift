internal import Locks

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
        try OwnedFile(path: path).put([], .new)
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
            do throws(FileFailure) {
                try OwnedFile(path: path).put(bytes, .end)
            } catch {
                throw refusal(error)
            }
            received += Int64(bytes.count)
            return received
        }
    }

    private func refusal(_ failure: FileFailure) -> Refusal {
        Refusal(
            status: 500, code: "file", phrase: .fileUnreadable,
            values: ["name": file.name, "reason": "\(failure)"])
    }
}
