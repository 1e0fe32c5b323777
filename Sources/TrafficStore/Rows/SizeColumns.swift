internal import TrafficModel

/// The evidence of the parts of a size, and its margin, as one integer: 0 if all was captured.
///
/// Each part has two bits: 0 captured, 1 reported, 2 reconstructed, 3 unknown. From the lowest bits: the decoded body
/// (0 in a request), start line, fields, cookies, interim, body, framing. The bits from the 16th on are the margin plus
/// 1, or 0 if there is none.
struct PackedEvidence {
    /// The bits of a part whose size is unknown.
    static let unknown: Int64 = 3
    private static let marginBits: Int64 = 16
    private static let mostMargin: Int64 = 1 << 46

    let rawValue: Int64

    init(rawValue: Int64) { self.rawValue = rawValue }

    @inline(__always)
    init(_ size: WireSize, decodedBody: Evidence = .captured) {
        var packed = Int64(3 - decodedBody.rawValue)
        packed |= Int64(3 - size.startLine.evidence.rawValue) << 2
        packed |= Int64(3 - size.fields.evidence.rawValue) << 4
        packed |= Int64(3 - size.cookies.evidence.rawValue) << 6
        packed |= Int64(3 - size.interim.evidence.rawValue) << 8
        packed |= Int64(3 - size.body.evidence.rawValue) << 10
        packed |= Int64(3 - size.framing.evidence.rawValue) << 12
        if let margin = size.margin { packed |= (min(margin.bytes, Self.mostMargin) + 1) << Self.marginBits }
        rawValue = packed
    }

    /// The evidence of the part at that place: 0 is the decoded body, 1 the start line.
    @inline(__always)
    func evidence(at place: Int64) -> Evidence {
        Evidence(rawValue: UInt8(3 - (rawValue >> (2 * place)) & 3)) ?? .unknown
    }

    /// Whether all parts of the message are captured, whatever is known of the decoded body.
    var isCaptured: Bool { 0..<4 ~= rawValue }

    var margin: ByteCount? {
        let margin = rawValue >> Self.marginBits
        return margin > 0 ? ByteCount(margin - 1) : nil
    }
}

extension PreparedStatement {
    /// Binds the six parts of a size, and the evidence after them.
    @inline(__always)
    func bind(_ first: ExchangeColumn, _ size: WireSize, _ evidence: PackedEvidence) {
        let first = first.parameter
        bind(first, size.startLine)
        bind(first + 1, size.fields)
        bind(first + 2, size.cookies)
        bind(first + 3, size.interim)
        bind(first + 4, size.body)
        bind(first + 5, size.framing)
        bind(first + 6, evidence.rawValue)
    }

    /// Binds the size of a response and of its decoded body.
    @inline(__always)
    func bind(_ response: WireSize, decodedBody: WireSize.Part) {
        bind(.responseStartLine, response, PackedEvidence(response, decodedBody: decodedBody.evidence))
        let isSame = decodedBody.bytes == response.body.bytes && response.body.evidence != .unknown
        bind(.decodedBody, isSame || decodedBody.evidence == .unknown ? nil : decodedBody.bytes.bytes)
    }

    // An unknown part is NULL.
    @inline(__always)
    private func bind(_ parameter: Int32, _ part: WireSize.Part) {
        if part.evidence == .unknown { bindNull(parameter) } else { bind(parameter, part.bytes.bytes) }
    }
}

extension ColumnReading {
    /// Reads six parts and their evidence from the column `first` on.
    func size(_ first: Int32) -> WireSize {
        let evidence = PackedEvidence(rawValue: int(first + 6))
        // In most rows all parts are captured, so that none is NULL.
        if evidence.isCaptured {
            func part(_ place: Int32) -> WireSize.Part {
                WireSize.Part(ByteCount(int(first + place - 1)), .captured)
            }
            return WireSize(
                startLine: part(1), fields: part(2), cookies: part(3), interim: part(4), body: part(5), framing: part(6)
            )
        }
        func part(_ place: Int32) -> WireSize.Part {
            optionalInt(first + place - 1).map {
                WireSize.Part(ByteCount($0), evidence.evidence(at: Int64(place)))
            } ?? .unknown
        }
        return WireSize(
            startLine: part(1), fields: part(2), cookies: part(3), interim: part(4), body: part(5), framing: part(6),
            margin: evidence.margin)
    }

    /// Reads the size of the decoded body from the column after the evidence of its response.
    ///
    /// It is NULL if it is unknown, and also if it is that of the body as sent.
    func decodedBody(_ first: Int32, of size: WireSize) -> WireSize.Part {
        let evidence = PackedEvidence(rawValue: int(first + 6)).evidence(at: 0)
        return WireSize.Part(
            optionalInt(first + 7).map { ByteCount($0) } ?? size.body.bytes, evidence)
    }
}
