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
    private static let begins: [Bool] = {
        var begins = kindsOf.map { !$0.isEmpty }
        begins[Int(UInt8(ascii: "e"))] = true
        return begins
    }()

    /// The ranges of the tokens in those bytes, in order.
    static func ranges(in bytes: UnsafeBufferPointer<UInt8>) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        var index = 0
        var isInside = false
        begins.withUnsafeBufferPointer { begins in
            while index < bytes.count {
                let byte = bytes[index]
                if !isInside, begins[Int(byte)], let end = end(of: index, in: bytes) {
                    ranges.append(index..<end)
                    index = end
                    isInside = true
                } else {
                    isInside = ASCII.isAlphanumeric(byte)
                    index += 1
                }
            }
        }
        return ranges
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
