/// The last whole sections and their blobs: a program sends the same lines again and again.
///
/// Only for sections without values of their own, whose blob does not depend on the message's moment.
struct RecentSections {
    private struct Entry {
        var hash: UInt64 = 0
        var bytes: [UInt8] = []
        var blob: [UInt8] = []
    }

    private static let places = 512
    private static let longest = 4_096
    private var entries = [Entry](repeating: Entry(), count: places)

    /// The blob of a section that was remembered.
    func blob(of bytes: [UInt8]) -> [UInt8]? {
        bytes.withUnsafeBytes { buffer in
            let hash = BlobDictionary.hash(buffer)
            let place = Int(truncatingIfNeeded: hash) & (Self.places - 1)
            guard entries[place].hash == hash, entries[place].bytes == bytes else { return nil }
            return entries[place].blob
        }
    }

    /// Remembers a section; it takes the place of another.
    mutating func remember(_ bytes: [UInt8], blob: [UInt8]) {
        guard bytes.count <= Self.longest else { return }
        let hash = bytes.withUnsafeBytes(BlobDictionary.hash)
        entries[Int(truncatingIfNeeded: hash) & (Self.places - 1)] = Entry(hash: hash, bytes: bytes, blob: blob)
    }
}
