internal import Locks

/// Bytes that have not been taken yet.
final class Rest: Sendable {
    private let bytes: Mutex<ArraySlice<UInt8>>

    init(_ bytes: ArraySlice<UInt8>) { self.bytes = Mutex(bytes) }

    /// Takes the next bytes, `most` of them at most; nil if there are none.
    func take(_ most: Int) -> [UInt8]? {
        bytes.withLock { bytes in
            let piece = bytes.prefix(most)
            bytes = bytes.dropFirst(most)
            return piece.isEmpty ? nil : Array(piece)
        }
    }

    /// Adds bytes after those that are left.
    func put(_ more: [UInt8]) { bytes.withLock { $0 = $0 + more } }
}
