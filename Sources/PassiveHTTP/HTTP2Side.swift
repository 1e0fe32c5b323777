internal import HTTPWire
internal import TrafficModel

/// One direction of HTTP/2: assembles the frames whose payload must be read.
struct HTTP2Side {
    /// What a frame says, apart from its size.
    enum Sign {
        /// A header block is complete; `promised` is the stream of a PUSH_PROMISE.
        case block(stream: UInt32, promised: UInt32?, fields: HTTP2Fields?)
        case reset(stream: UInt32, code: UInt32)
        /// The server does not process streams with larger numbers.
        case goAway(last: UInt32)
        /// The other side may use a dynamic table of that size.
        case tableSize(Int)
    }

    /// The size limit of a header block, and of a frame that is read whole, in bytes; the fields of a longer block are
    /// unknown.
    private static let most = 1_048_576

    var scanner: HTTP2Scanner
    private let decoder: (any HeaderDecoder)?
    /// Whether a block could not be decoded: then no later one can be.
    private var isLost = false
    /// The payload of the current frame, if it must be read.
    private var payload: [UInt8] = []
    /// The number of bytes of its payload that have passed.
    private var passed = 0
    private var block: [UInt8] = []
    private var blockStream: UInt32 = 0
    private var promised: UInt32?

    init(ofClient: Bool, decoder: (any HeaderDecoder)?) {
        scanner = HTTP2Scanner(ofClient: ofClient)
        self.decoder = decoder
    }

    func allow(tableSize: Int) { decoder?.allow(tableSize: tableSize) }

    /// Takes bytes of a frame.
    ///
    /// - Returns: the content of DATA among them; and what the frame says, once it is complete.
    mutating func take(_ frame: HTTP2Frame) -> (content: ArraySlice<UInt8>, sign: Sign?) {
        if frame.piece.begins {
            passed = 0
            payload = []
        }
        defer { passed += frame.payload.count }
        switch frame.kind {
        case .data:
            let lead = frame.isPadded && passed == 0 ? 1 : 0
            return (frame.payload.dropFirst(lead).prefix(Int(frame.piece.content.bytes)), nil)
        case .other: return ([], nil)
        default:
            payload += frame.payload.prefix(max(0, Self.most - payload.count))
            return ([], frame.ends ? sign(of: frame) : nil)
        }
    }

    private mutating func sign(of frame: HTTP2Frame) -> Sign? {
        defer { payload = [] }
        switch frame.kind {
        case .headers:
            beginBlock(of: frame.piece.stream, promised: nil)
            return add(Self.fragment(payload[...], frame, lead: frame.isPrioritized ? 5 : 0), frame)
        case .promise:
            let fragment = Self.fragment(payload[...], frame, lead: 0)
            beginBlock(of: frame.piece.stream, promised: Self.number(fragment.prefix(4)) & 0x7FFF_FFFF)
            return add(fragment.dropFirst(4), frame)
        case .continuation: return add(payload[...], frame)
        case .reset: return .reset(stream: frame.piece.stream, code: Self.number(payload.prefix(4)))
        case .goAway: return .goAway(last: Self.number(payload.prefix(4)) & 0x7FFF_FFFF)
        case .settings: return frame.hasFirstFlag ? nil : tableSize().map(Sign.tableSize)
        case .data, .other: return nil
        }
    }

    private mutating func beginBlock(of stream: UInt32, promised: UInt32?) {
        block = []
        blockStream = stream
        self.promised = promised
    }

    private mutating func add(_ fragment: ArraySlice<UInt8>, _ frame: HTTP2Frame) -> Sign? {
        block += fragment
        // The block is too long, or inside another (RFC 9113, section 6.10).
        if block.count >= Self.most || payload.count >= Self.most || frame.piece.stream != blockStream { isLost = true }
        guard frame.endsHeaders else {
            if isLost { block = [] }
            return nil
        }
        defer { block = [] }
        var fields: HTTP2Fields?
        if let decoder, !isLost {
            fields = HTTP2Fields(block, decoder)
            isLost = fields == nil
        }
        return .block(stream: frame.piece.stream, promised: promised, fields: fields)
    }

    /// SETTINGS_HEADER_TABLE_SIZE (RFC 9113, section 6.5.2).
    private func tableSize() -> Int? {
        var size: Int?
        for at in stride(from: 0, to: payload.count - 5, by: 6) where Self.number(payload[at..<(at + 2)]) == 1 {
            size = Int(Self.number(payload[(at + 2)..<(at + 6)]))
        }
        return size
    }

    /// The payload without padding and priority.
    private static func fragment(_ payload: ArraySlice<UInt8>, _ frame: HTTP2Frame, lead: Int) -> ArraySlice<UInt8> {
        guard frame.isPadded else { return payload.dropFirst(lead) }
        return payload.dropFirst(1 + lead).dropLast(Int(payload.first ?? 0))
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt32 { bytes.reduce(0) { $0 << 8 | UInt32($1) } }
}
