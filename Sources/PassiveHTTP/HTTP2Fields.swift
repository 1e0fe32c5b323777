internal import HTTPWire
internal import TrafficModel

/// A decoded header section of HTTP/2.
struct HTTP2Fields {
    /// The most bytes of fields that are kept, because a small block can name a long field again and again.
    private static let most = 1_048_576

    var method = ""
    var scheme = ""
    var authority = ""
    var path = ""
    var status = 0
    /// The fields without pseudo-fields, one line for each.
    var lines = FieldSection()
    /// The bytes that Cookie and Set-Cookie took in the block.
    var cookies = 0

    /// Decodes a block; nil if that fails.
    init?(_ block: [UInt8], _ decoder: any HeaderDecoder) {
        var read = Self.nothing
        let isWhole = decoder.decode(block) { read.add($0, $1, size: $2) }
        guard isWhole else { return nil }
        self = read
    }

    private init() {}

    private static let nothing = HTTP2Fields()

    private mutating func add(_ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>, size: Int) {
        if name.first == UInt8(ascii: ":") {
            let value = String(decoding: value, as: UTF8.self)
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
        lines.bytes += name
        lines.bytes += [0x3A, 0x20]
        lines.bytes += value
        lines.bytes += [0x0D, 0x0A]
    }
}
