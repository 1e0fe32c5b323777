/// A log of bytes in the order of their arrival: it counts all and keeps the first ones.
package struct ByteLog: Hashable, Sendable {
    /// The number of all bytes.
    package private(set) var count = 0
    /// The first bytes, up to the limit.
    package private(set) var kept: [UInt8] = []
    private let limit: Int

    /// Makes an empty log that keeps up to `limit` bytes.
    package init(limit: Int) { self.limit = limit }

    /// Whether every byte was kept.
    package var isWhole: Bool { kept.count == count }

    /// Counts bytes, and keeps them as far as the limit allows.
    package mutating func append(_ bytes: some Collection<UInt8>) {
        count += bytes.count
        let room = limit - kept.count
        if room > 0 { kept.append(contentsOf: bytes.prefix(room)) }
    }
}
