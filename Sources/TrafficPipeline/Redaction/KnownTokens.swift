import TrafficModel

/// Finds credentials by their form, whatever their name is.
///
/// These are JSON Web Tokens (RFC 7519), and tokens that begin with a fixed prefix of their issuer.
struct KnownTokens {
    /// The prefix of each kind of token, and the least number of characters after it.
    private static let kinds: [(begin: StaticString, least: Int)] = [
        ("ghp_", 30), ("gho_", 30), ("ghu_", 30), ("ghs_", 30), ("ghr_", 30), ("github_pat_", 30), ("glpat-", 20),
        ("sk_live_", 16), ("sk_test_", 16), ("rk_live_", 16), ("whsec_", 16), ("sk-", 32), ("xoxb-", 20),
        ("xoxp-", 20), ("xoxs-", 20), ("xapp-", 20), ("ya29.", 20), ("AIza", 35), ("AKIA", 16), ("ASIA", 16),
        ("SG.", 40), ("npm_", 36), ("hf_", 30), ("shpat_", 30), ("dop_v1_", 30),
    ]
    private static let begins: [Bool] = {
        var begins = [Bool](repeating: false, count: 256)
        for kind in kinds { begins[Int(kind.begin.utf8Start.pointee)] = true }
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
        for kind in kinds where hasPrefix(kind.begin, at: start, in: bytes) {
            let end = run(from: start + kind.begin.utf8CodeUnitCount, in: bytes, dots: kind.begin.hasDot)
            if end - start - kind.begin.utf8CodeUnitCount >= kind.least { return end }
        }
        return nil
    }

    /// A header that is an object in Base64, a dot, and more: a token has three parts, or five (RFC 7516).
    private static func endOfWebToken(_ start: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        let header = run(from: start, in: bytes, dots: false)
        guard header - start >= 12, header < bytes.count, bytes[header] == UInt8(ascii: ".") else { return nil }
        let end = run(from: header, in: bytes, dots: true)
        return end - header > 8 ? end : nil
    }

    private static func run(from start: Int, in bytes: UnsafeBufferPointer<UInt8>, dots: Bool) -> Int {
        var index = start
        while index < bytes.count,
            ASCII.isAlphanumeric(bytes[index]) || "-_".utf8.contains(bytes[index])
                || (dots && bytes[index] == UInt8(ascii: "."))
        { index += 1 }
        return index
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
