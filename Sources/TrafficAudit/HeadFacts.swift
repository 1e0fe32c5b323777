import ASCIIBytes
import TrafficModel

/// The positions of the fields that rules need in a header section, found in one pass.
struct HeadFacts {
    private let bytes: [UInt8]
    private(set) var contentType: Range<Int>?
    private(set) var contentEncoding: Range<Int>?
    private var acceptEncoding: Range<Int>?
    private(set) var transferEncoding: Range<Int>?
    private(set) var ifNoneMatch: Range<Int>?
    private(set) var ifModifiedSince: Range<Int>?
    private(set) var range: Range<Int>?
    private(set) var etag: Range<Int>?
    private(set) var lastModified: Range<Int>?
    private(set) var cacheControl: Range<Int>?
    private(set) var location: Range<Int>?
    private(set) var connection: Range<Int>?
    private(set) var warning: Range<Int>?
    /// A hash of the names of all fields, whatever their order and case.
    private(set) var names: UInt64 = 0

    /// Finds the fields of a section.
    init(_ section: FieldSection) {
        let section = section.bytes
        bytes = section
        section.withUnsafeBufferPointer { bytes in
            var start = 0
            while start < bytes.count {
                var end = start
                var colon = -1
                while end < bytes.count, bytes[end] != 0x0A {
                    if colon < 0, bytes[end] == 0x3A { colon = end }
                    end += 1
                }
                if colon >= 0 {
                    names &+= (start..<colon).reduce(0xCBF2_9CE4_8422_2325) {
                        ($0 ^ UInt64(ASCII.lowercased(bytes[$1]))) &* 0x100_0000_01B3
                    }
                    var first = colon + 1
                    var last = end
                    while first < last, bytes[first] <= 0x20 { first += 1 }
                    while last > first, bytes[last - 1] <= 0x20 { last -= 1 }
                    keep(first..<last, of: start..<colon, in: bytes)
                }
                start = end + 1
            }
        }
    }

    /// Whether the request is conditional on a version, or for a part of the content.
    var isConditional: Bool { ifNoneMatch != nil || ifModifiedSince != nil }

    /// Whether the response names its version, by an ETag or a date.
    var hasValidator: Bool { etag != nil || lastModified != nil }

    /// Whether the request accepts compressed content: `identity`, and what has the weight 0, is none (RFC 9110, section
    /// 12.5.3).
    var acceptsCoding: Bool {
        guard let acceptEncoding else { return false }
        return bytes[acceptEncoding].split(separator: UInt8(ascii: ",")).contains { element in
            let parts = element.filter { $0 > 0x20 }.map(ASCII.lowercased).split(separator: UInt8(ascii: ";"))
            guard let coding = parts.first, !coding.elementsEqual("identity".utf8) else { return false }
            return !parts.dropFirst().contains { $0.starts(with: "q=0".utf8) && $0.dropFirst(3).allSatisfy(isZero) }
        }
        func isZero(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "0") || byte == UInt8(ascii: ".") }
    }

    /// Whether the response must not be stored (RFC 9111, section 5.2.2.5).
    var isNoStore: Bool { cacheControl.map { contains("no-store", $0) } ?? false }

    /// A hash of the ETag; nil if there is none, or only a weak one (RFC 9110, section 8.8.1).
    var strongTag: UInt64? {
        guard let etag, !etag.isEmpty, bytes[etag.lowerBound] == UInt8(ascii: "\"") else { return nil }
        return hash(etag)
    }

    /// A value as text; empty if there is none.
    func text(_ range: Range<Int>?) -> String {
        range.map { String(decoding: bytes[$0], as: UTF8.self) } ?? ""
    }

    /// Whether a value contains that lower-case word, in any case.
    func contains(_ word: StaticString, _ range: Range<Int>) -> Bool {
        let length = word.utf8CodeUnitCount
        guard length <= range.count else { return false }
        for start in range.lowerBound...(range.upperBound - length)
        where Self.equals(start, word, in: bytes) {
            return true
        }
        return false
    }

    /// A hash of a value.
    func hash(_ range: Range<Int>) -> UInt64 {
        // FNV-1a: values are short, and the hash need not resist attacks.
        bytes[range].reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }

    // The length and the first letter leave one candidate, which is then compared. Only the first line of a name
    // counts.
    private mutating func keep(_ value: Range<Int>, of name: Range<Int>, in bytes: UnsafeBufferPointer<UInt8>) {
        func keep(_ word: StaticString, _ place: inout Range<Int>?) {
            if place == nil, Self.equals(name.lowerBound, word, in: bytes) { place = value }
        }
        guard let first = name.first.map({ ASCII.lowercased(bytes[$0]) }) else { return }
        switch (name.count, first) {
        case (4, UInt8(ascii: "e")): keep("etag", &etag)
        case (5, UInt8(ascii: "r")): keep("range", &range)
        case (7, UInt8(ascii: "w")): keep("warning", &warning)
        case (8, UInt8(ascii: "l")): keep("location", &location)
        case (10, UInt8(ascii: "c")): keep("connection", &connection)
        case (12, UInt8(ascii: "c")): keep("content-type", &contentType)
        case (13, UInt8(ascii: "i")): keep("if-none-match", &ifNoneMatch)
        case (13, UInt8(ascii: "l")): keep("last-modified", &lastModified)
        case (13, UInt8(ascii: "c")): keep("cache-control", &cacheControl)
        case (15, UInt8(ascii: "a")): keep("accept-encoding", &acceptEncoding)
        case (16, UInt8(ascii: "c")): keep("content-encoding", &contentEncoding)
        case (17, UInt8(ascii: "i")): keep("if-modified-since", &ifModifiedSince)
        case (17, UInt8(ascii: "t")): keep("transfer-encoding", &transferEncoding)
        default: break
        }
    }

    private static func equals<Bytes: RandomAccessCollection>(
        _ start: Int, _ word: StaticString, in bytes: Bytes
    ) -> Bool where Bytes.Element == UInt8, Bytes.Index == Int {
        word.withUTF8Buffer { word in
            for offset in 0..<word.count where ASCII.lowercased(bytes[start + offset]) != word[offset] { return false }
            return true
        }
    }
}
