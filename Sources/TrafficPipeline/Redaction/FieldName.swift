internal import ASCIIBytes
import TrafficModel

/// Comparison and syntax of field names (RFC 9110, section 5.1).
enum FieldName {
    /// Whether the bytes are that name, without regard to case.
    static func equals(_ bytes: ArraySlice<UInt8>, _ name: StaticString) -> Bool {
        name.withUTF8Buffer { ASCII.equalsIgnoringCase(bytes, $0) }
    }

    /// Whether the bytes are a token (RFC 9110, section 5.6.2), or one after a colon, as in HTTP/2's pseudo-fields.
    static func isToken(_ bytes: ArraySlice<UInt8>) -> Bool {
        let name = bytes.first == UInt8(ascii: ":") ? bytes.dropFirst() : bytes
        return !name.isEmpty && name.allSatisfy(isTokenByte)
    }

    static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        // ! # $ % & ' * + - . ^ _ ` | ~
        case 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x5E...0x60, 0x7C, 0x7E: true
        default: ASCII.isAlphanumeric(byte)
        }
    }

    /// The range without the spaces and control characters around it.
    static func trimmed(_ range: Range<Int>, of bytes: [UInt8]) -> Range<Int> {
        var start = range.lowerBound
        var end = range.upperBound
        while start < end, ASCII.isSpaceOrControl(bytes[start]) { start += 1 }
        while end > start, ASCII.isSpaceOrControl(bytes[end - 1]) { end -= 1 }
        return start..<end
    }
}
