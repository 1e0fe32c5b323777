internal import ContentCoding
internal import HTTPWire

/// The header blocks of the HTTP/2 sessions that are seen below HTTP libraries, decompressed in their order.
///
/// The blocks of one direction share a table (RFC 7541, section 2.2), so once one is lost, no later one can be decoded.
struct HeaderBlocks {
    /// The size limit of a block in bytes.
    private static let most = 262_144

    private final class Side {
        private let decoder = HPACKDecoder()
        private var block: [UInt8] = []
        /// Whether no further block can be decoded.
        var isLost = false

        func allow(tableSize: Int) { decoder?.allow(tableSize: tableSize) }

        /// Takes bytes of a block; returns its fields once it is whole.
        func add(_ bytes: [UInt8], begins: Bool, ends: Bool) -> HTTP2Fields? {
            if begins { block = [] }
            if block.count + bytes.count > HeaderBlocks.most { isLost = true }
            guard !isLost else { return nil }
            block += bytes
            guard ends else { return nil }
            defer { block = [] }
            let fields = decoder.flatMap { HTTP2Fields(block, $0) }
            isLost = fields == nil
            return fields
        }
    }

    private struct Session {
        var sequence: UInt64 = 0
        let up = Side()
        let down = Side()
    }

    private var sessions: [UInt64: Session] = [:]
    private var order: [UInt64] = []
    private let limit: Int

    /// - Parameter limit: at most how many sessions it remembers. The names of older ones become unknown.
    init(limit: Int) { self.limit = max(limit, 1) }

    /// Takes note of a report of a session.
    ///
    /// - Returns: false if an earlier report is missing.
    mutating func follow(_ number: UInt64, sequence: UInt64) -> Bool {
        guard sequence > 0 else { return true }
        if sessions[number] == nil {
            if order.count >= limit {
                for old in order.prefix(limit / 2 + 1) { sessions[old] = nil }
                order.removeFirst(limit / 2 + 1)
            }
            sessions[number] = Session()
            order.append(number)
        }
        let isNext = sessions[number]?.sequence == sequence - 1
        sessions[number]?.sequence = sequence
        if !isNext { lose(number) }
        return isNext
    }

    private func lose(_ number: UInt64) {
        sessions[number]?.up.isLost = true
        sessions[number]?.down.isLost = true
    }

    /// Takes a report that ``follow(_:sequence:)`` knows.
    ///
    /// - Returns: the fields of a block that is whole now; nil if they cannot be decoded.
    mutating func add(_ block: TapFrame.Block) -> HTTP2Fields? {
        guard let session = sessions[block.session] else { return nil }
        let (side, other) = block.isDown ? (session.down, session.up) : (session.up, session.down)
        switch block.kind {
        case .headers, .promise: return side.add(block.bytes, begins: block.begins, ends: block.ends)
        // The size that one side allows is the limit of the other side's encoder.
        case .tableSize: other.allow(tableSize: block.tableSize)
        case .lost: side.isLost = true
        case .over:
            sessions[block.session] = nil
            order.removeAll { $0 == block.session }
        }
        return nil
    }
}
