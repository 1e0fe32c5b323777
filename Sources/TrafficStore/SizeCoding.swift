internal import TrafficModel

extension WireSize {
    /// Two bits of evidence for each part, from the lowest: start line, fields, cookies, interim, body, framing.
    ///
    /// Inverted, so that a message of which all was captured is 0.
    var packedEvidence: Int64 {
        var packed = Int64(3 - startLine.evidence.rawValue)
        packed |= Int64(3 - fields.evidence.rawValue) << 2
        packed |= Int64(3 - cookies.evidence.rawValue) << 4
        packed |= Int64(3 - interim.evidence.rawValue) << 6
        packed |= Int64(3 - body.evidence.rawValue) << 8
        packed |= Int64(3 - framing.evidence.rawValue) << 10
        return packed
    }

    /// The size in seven columns of a row: the six parts and the packed evidence behind them.
    ///
    /// - Parameters:
    ///   - row: the row that the statement stands on.
    ///   - first: the column of the start line.
    ///   - evidence: the column of the packed evidence.
    init(row: PreparedStatement, first: Int32, evidence: Int32) {
        let packed = row.int(evidence)
        func part(_ index: Int32) -> Part {
            Part(ByteCount(row.int(first + index)), Evidence(packed: packed >> (2 * Int64(index))))
        }
        self.init(
            startLine: part(0), fields: part(1), cookies: part(2), interim: part(3), body: part(4), framing: part(5))
    }
}

extension Evidence {
    /// The evidence in the two lowest bits.
    init(packed: Int64) { self = Evidence(rawValue: UInt8(3 - packed & 3)) ?? .unknown }
}

extension PreparedStatement {
    /// Binds the six parts of a size, one after the other.
    func bind(_ first: Int32, _ size: WireSize) {
        bind(first, size.startLine.bytes.bytes)
        bind(first + 1, size.fields.bytes.bytes)
        bind(first + 2, size.cookies.bytes.bytes)
        bind(first + 3, size.interim.bytes.bytes)
        bind(first + 4, size.body.bytes.bytes)
        bind(first + 5, size.framing.bytes.bytes)
    }
}
