/// Finds the ServerHello in what a server sends in the clear (RFC 8446, section 4.1.3).
struct ServerHello {
    /// What it says.
    struct Content: Equatable {
        var random: [UInt8]
        var version: UInt16
        var suite: UInt16
    }

    /// A longer one is not read.
    private static let most = 16_384
    /// The random of a HelloRetryRequest, after which another ServerHello comes.
    private static let retry: [UInt8] = [
        0xCF, 0x21, 0xAD, 0x74, 0xE5, 0x9A, 0x61, 0x11, 0xBE, 0x1D, 0x8C, 0x02, 0x1E, 0x65, 0xB8, 0x91,
        0xC2, 0xA2, 0x11, 0x16, 0x7A, 0xBB, 0x8C, 0x5E, 0x07, 0x9E, 0x09, 0xE2, 0xC8, 0xA8, 0x33, 0x9C,
    ]

    private var message: [UInt8] = []
    private var hasRetried = false

    /// Takes the bytes of a record with handshake messages; returns the ServerHello once it is whole.
    mutating func add(_ bytes: some Collection<UInt8>) throws(TLSConversation.Failure) -> Content? {
        message += bytes
        guard message.count >= 4 else { return nil }
        let count = 4 + (Int(message[1]) << 16 | Int(message[2]) << 8 | Int(message[3]))
        guard message[0] == 2, count <= Self.most else { throw .malformed }
        guard message.count >= count else { return nil }
        var rest = message[4..<count]
        guard let version = Self.number(&rest), let random = Self.part(&rest, 32), let session = rest.popFirst(),
            Self.part(&rest, Int(session)) != nil, let suite = Self.number(&rest), let compression = rest.popFirst(),
            compression == 0
        else { throw .malformed }
        if random == Self.retry {
            guard !hasRetried, message.count == count else { throw .malformed }
            hasRetried = true
            message = []
            return nil
        }
        var content = Content(random: random, version: version, suite: suite)
        if let size = Self.number(&rest), var extensions = Self.part(&rest, Int(size))?[...] {
            while let type = Self.number(&extensions), let size = Self.number(&extensions),
                var value = Self.part(&extensions, Int(size))?[...]
            {
                // supported_versions (RFC 8446, section 4.2.1)
                if type == 43, let chosen = Self.number(&value) { content.version = chosen }
            }
        }
        message = []
        return content
    }

    private static func number(_ rest: inout ArraySlice<UInt8>) -> UInt16? {
        guard rest.count >= 2 else { return nil }
        return UInt16(rest.removeFirst()) << 8 | UInt16(rest.removeFirst())
    }

    private static func part(_ rest: inout ArraySlice<UInt8>, _ count: Int) -> [UInt8]? {
        guard rest.count >= count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }
}
