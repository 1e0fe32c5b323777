internal import ASCIIBytes
internal import TrafficModel

/// The rules that make a template of one segment of a path.
///
/// They apply first to the whole segment (``WholeRules``), then to the segment without the ending of a file, then to
/// its pieces: `app.3f9c2a1b.js` becomes `app.{hash}.js`. A rule must be right about nearly all values. A value that
/// the rules miss is learned later, from the number of values; but a name that a rule takes for a value hides an API
/// for good.
enum SegmentRules {
    /// Longer segments stay as they are: no identifier is so long.
    private static let longest = 16_384
    /// From this length on, the rules also apply to segments of letters only.
    private static let longLetters = 32

    /// The template of that segment; nil if it stays as it is.
    static func template(of segment: Substring) -> String? {
        var isPlain = true
        var hasPercent = false
        var hasBrace = false
        for byte in segment.utf8 {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "@"), UInt8(ascii: "="): isPlain = false
            case UInt8(ascii: "%"):
                isPlain = false
                hasPercent = true
            case UInt8(ascii: "{"), UInt8(ascii: "}"): hasBrace = true
            default: continue
            }
        }
        let count = segment.utf8.count
        if isPlain && !hasBrace && count < longLetters { return nil }
        let bytes = Array(segment.utf8)
        guard count <= longest else { return hasBrace ? escapingBraces(bytes) : nil }
        if hasPercent, let parts = encodedPath(bytes[...]) { return parts }
        if let name = template(of: bytes[...], hasPercent: hasPercent) { return name }
        return hasBrace ? escapingBraces(bytes) : nil
    }

    /// The template of a path inside a segment, as object stores have it: `users%2F42`; nil if it is none.
    private static func encodedPath(_ bytes: ArraySlice<UInt8>) -> String? {
        var result = ""
        var start = bytes.startIndex
        var index = start
        var hasSlash = false
        func piece(_ range: Range<Int>) -> String {
            let piece = String(decoding: bytes[range], as: UTF8.self)
            return template(of: bytes[range], hasPercent: true) ?? escapingBraces(Array(piece.utf8))
        }
        while index + 2 < bytes.endIndex {
            let isSlash =
                bytes[index] == UInt8(ascii: "%") && bytes[index + 1] == UInt8(ascii: "2")
                && bytes[index + 2] | 0x20 == UInt8(ascii: "f")
            guard isSlash else {
                index += 1
                continue
            }
            hasSlash = true
            result += piece(start..<index) + String(decoding: bytes[index..<index + 3], as: UTF8.self)
            index += 3
            start = index
        }
        return hasSlash ? result + piece(start..<bytes.endIndex) : nil
    }

    private static func template(of bytes: ArraySlice<UInt8>, hasPercent: Bool) -> String? {
        if hasPercent {
            let decoded = ASCII.percentDecoded(bytes)
            if let name = whole(decoded[...]) { return name }
        }
        if let name = whole(bytes) { return name }
        var pieces = SegmentPieces(bytes)
        return pieces.template()
    }

    /// Applies the rules to the whole segment, also if it is in braces or has the ending of a file.
    private static func whole(_ bytes: ArraySlice<UInt8>) -> String? {
        if bytes.first == UInt8(ascii: "{"), bytes.last == UInt8(ascii: "}") {
            return WholeRules.isUUID(bytes.dropFirst().dropLast()) ? "{uuid}" : nil
        }
        if let name = WholeRules.name(of: bytes) { return name }
        guard let dot = bytes.lastIndex(of: UInt8(ascii: ".")), isEnding(bytes[(dot + 1)...]),
            let name = WholeRules.name(of: bytes[..<dot])
        else { return nil }
        return name + String(decoding: bytes[dot...], as: UTF8.self)
    }

    private static func isEnding(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let first = bytes.first, bytes.count <= 5 else { return false }
        return ASCII.isLetter(first) && bytes.allSatisfy(ASCII.isAlphanumeric)
    }

    /// Encodes the braces of a segment, because braces in a template mark parameters.
    static func escapingBraces(_ bytes: [UInt8]) -> String {
        var result: [UInt8] = []
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "{"): result += "%7B".utf8
            case UInt8(ascii: "}"): result += "%7D".utf8
            default: result.append(byte)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
