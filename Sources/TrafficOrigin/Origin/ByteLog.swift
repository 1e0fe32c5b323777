/// Bytes in the order in which they came: all of them counted, the first ones kept.
package struct ByteLog: Hashable, Sendable {
    /// How many there were.
    package private(set) var count = 0
    /// The first of them, up to the limit.
    package private(set) var kept: [UInt8] = []
    private let limit: Int

    /// An empty log that keeps that many bytes.
    package init(limit: Int) { self.limit = limit }

    /// Whether every byte was kept.
    package var isWhole: Bool { kept.count == count }

    /// Logs more bytes.
    package mutating func append(_ bytes: some Collection<UInt8>) {
        count += bytes.count
        let room = limit - kept.count
        if room > 0 { kept.append(contentsOf: bytes.prefix(room)) }
    }
}
