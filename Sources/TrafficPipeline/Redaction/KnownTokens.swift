internal import ASCIIBytes
import TrafficModel

/// Finds credentials by their form, whatever their name is.
///
/// These are JSON Web Tokens (RFC 7519), and tokens that begin with a fixed prefix of their issuer.
struct KnownTokens {
    /// The kinds by the first byte of their prefix.
    private static let kindsOf: [[(kind: Kind, others: StaticString)]] = {
        var kindsOf = [[(kind: Kind, others: StaticString)]](repeating: [], count: 256)
        for kind in kinds { kindsOf[Int(kind.begin.utf8Start.pointee)].append((kind, kind.begin.hasDot ? "." : "")) }
        for kind in base64Kinds { kindsOf[Int(kind.begin.utf8Start.pointee)].append((kind, "+/=")) }
        return kindsOf
    }()
    /// What a byte can be to a token, as bits.
    private enum Role {
        /// A letter or a digit: no token begins right after it.
        static let alphanumeric: UInt8 = 1
        /// The first byte of some token.
        static let begins: UInt8 = 2
    }

    private static let roles: [UInt8] = (UInt8.min...UInt8.max).map { byte in
        let begins = byte == UInt8(ascii: "e") || !kindsOf[Int(byte)].isEmpty
        return (ASCII.isAlphanumeric(byte) ? Role.alphanumeric : 0) | (begins ? Role.begins : 0)
    }

    /// The pairs of bytes with which a token begins: a bit for each pair, at `first * 256 + second`.
    ///
    /// Most words begin with a letter that some token begins with, but few with two.
    private static let pairs: [UInt64] = {
        var pairs = [UInt64](repeating: 0, count: 65_536 / 64)
        let prefixes = (kinds + base64Kinds).map(\.begin) + ["eyJ"]
        for prefix in prefixes {
            let pair = Int(prefix.utf8Start[0]) << 8 | Int(prefix.utf8Start[1])
            pairs[pair >> 6] |= 1 << UInt64(pair & 63)
        }
        return pairs
    }()

    /// Whether there is a token in those bytes.
    static func hasToken(in bytes: UnsafeBufferPointer<UInt8>) -> Bool { nextRange(from: 0, in: bytes) != nil }

    /// The ranges of the tokens in those bytes, in order.
    static func ranges(in bytes: UnsafeBufferPointer<UInt8>) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        var index = 0
        while let range = nextRange(from: index, in: bytes) {
            ranges.append(range)
            index = range.upperBound
        }
        return ranges
    }

    /// The first token at or after an index, which is 0 or the end of another token.
    private static func nextRange(from start: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Range<Int>? {
        roles.withUnsafeBufferPointer { roles in
            pairs.withUnsafeBufferPointer { pairs in
                var index = start
                // A token begins where the bytes begin, and after a byte that is neither a letter nor a digit, but not
                // right after another token.
                var mayBegin = start == 0
                while index < bytes.count {
                    let role = roles[Int(bytes[index])]
                    if mayBegin, role & Role.begins != 0, index + 1 < bytes.count {
                        let pair = Int(bytes[index]) << 8 | Int(bytes[index + 1])
                        if pairs[pair >> 6] >> UInt64(pair & 63) & 1 != 0, let end = end(of: index, in: bytes) {
                            return index..<end
                        }
                    }
                    mayBegin = role & Role.alphanumeric == 0
                    index += 1
                }
                return nil
            }
        }
    }

    /// The end of the token that begins at `start`; nil if there is none.
    private static func end(of start: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        if hasPrefix("eyJ", at: start, in: bytes) { return endOfWebToken(start, in: bytes) }
        for (kind, others) in kindsOf[Int(bytes[start])] where hasPrefix(kind.begin, at: start, in: bytes) {
            let end = run(from: start + kind.begin.utf8CodeUnitCount, in: bytes, others: others)
            if end - start - kind.begin.utf8CodeUnitCount >= kind.least { return end }
        }
        return nil
    }

    /// A header that is an object in Base64, a dot, and more: a token has three parts, or five (RFC 7516).
    private static func endOfWebToken(_ start: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        let header = run(from: start, in: bytes, others: "")
        guard header - start >= 12, header < bytes.count, bytes[header] == UInt8(ascii: ".") else { return nil }
        let end = run(from: header, in: bytes, others: ".")
        return end - header > 8 ? end : nil
    }

    /// The end of letters, digits, `-`, `_` and `others`.
    private static func run(from start: Int, in bytes: UnsafeBufferPointer<UInt8>, others: StaticString) -> Int {
        others.withUTF8Buffer { others in
            var index = start
            while index < bytes.count,
                ASCII.isAlphanumeric(bytes[index]) || "-_".utf8.contains(bytes[index]) || others.contains(bytes[index])
            { index += 1 }
            return index
        }
    }

    private static func hasPrefix(_ prefix: StaticString, at start: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        let count = prefix.utf8CodeUnitCount
        guard bytes.count - start >= count else { return false }
        return prefix.withUTF8Buffer { prefix in (0..<count).allSatisfy { bytes[start + $0] == prefix[$0] } }
    }
}

extension StaticString {
    fileprivate var hasDot: Bool { withUTF8Buffer { $0.contains(UInt8(ascii: ".")) } }
}
