package import TrafficModel

/// A decoded header section of HTTP/2.
package struct HTTP2Fields {
    /// The most bytes of fields that are kept, because a small block can name a long field again and again.
    private static let most = 1_048_576

    package private(set) var method = ""
    package private(set) var scheme = ""
    package private(set) var authority = ""
    package private(set) var path = ""
    package private(set) var status = 0
    /// The fields without pseudo-fields, one line for each.
    package private(set) var lines = FieldSection()
    /// The bytes that Cookie and Set-Cookie took in the block.
    package private(set) var cookies = 0

    /// Decodes a block; nil if that fails.
    package init?(_ block: [UInt8], _ decoder: any HeaderDecoder) {
        var read = Self.nothing
        let isWhole = decoder.decode(block) { read.add($0, $1, size: $2) }
        guard isWhole else { return nil }
        self = read
    }

    private init() {}

    private static let nothing = HTTP2Fields()

    private mutating func add(_ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>, size: Int) {
        if name.first == UInt8(ascii: ":") {
            let value = String(decoding: value.map { Self.endsLine($0) ? 0x20 : $0 }, as: UTF8.self)
            switch String(decoding: name, as: UTF8.self) {
            case ":method": method = value
            case ":scheme": scheme = value
            case ":authority": authority = value
            case ":path": path = value
            case ":status": status = UInt16(value).map(Int.init) ?? 0
            default: break
            }
            return
        }
        if name.elementsEqual("cookie".utf8) || name.elementsEqual("set-cookie".utf8) { cookies += size }
        guard lines.bytes.count + name.count + value.count + 4 <= Self.most else { return }
        append(name) { $0 <= 0x20 || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "/") }
        lines.bytes += [0x3A, 0x20]
        append(value, replacing: Self.endsLine)
        lines.bytes += [0x0D, 0x0A]
    }

    /// Whether a byte would end a line of text; it is not allowed in a field (RFC 9113, section 8.2.1).
    private static func endsLine(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D || byte == 0 }

    private mutating func append(_ bytes: UnsafeBufferPointer<UInt8>, replacing isForbidden: (UInt8) -> Bool) {
        if bytes.contains(where: isForbidden) {
            lines.bytes += bytes.map { isForbidden($0) ? UInt8(ascii: "?") : $0 }
        } else {
            lines.bytes += bytes
        }
    }

    // MARK: as text

    /// The request's start line and headers in the form of HTTP/1.1, as libcurl shows them.
    package var requestText: [UInt8] {
        let target = path.isEmpty ? authority : path
        var text = Array("\(method) \(target) HTTP/2\r\n".utf8)
        if !authority.isEmpty, lines.firstValue(of: "Host") == nil { text += Array("Host: \(authority)\r\n".utf8) }
        return text + lines.bytes + [0x0D, 0x0A]
    }

    /// The same of a response.
    package var responseText: [UInt8] { Array("HTTP/2 \(status) \r\n".utf8) + lines.bytes + [0x0D, 0x0A] }

    /// Whether the authority names a port.
    ///
    /// Some clients leave out one that is not the scheme's own.
    package var namesPort: Bool { Authority.split(authority).port != nil }

    /// The origin of the request's URL, with an empty path; nil if the request does not name it.
    package var originURL: String? { scheme.isEmpty || authority.isEmpty ? nil : "\(scheme)://\(authority)/" }
}
