/// The bytes of one frame after its header, taken from the front.
struct FramePayload {
    private let bytes: UnsafeRawBufferPointer
    private var offset = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    mutating func take<Body: BitwiseCopyable>(_: Body.Type) throws(MalformedFrame) -> Body {
        let size = MemoryLayout<Body>.size
        guard bytes.count - offset >= size else { throw MalformedFrame(reason: "cut in a \(Body.self)") }
        defer { offset += size }
        return bytes.loadUnaligned(fromByteOffset: offset, as: Body.self)
    }

    mutating func text() throws(MalformedFrame) -> String {
        let count = Int(try take(UInt32.self))
        guard bytes.count - offset >= count else { throw MalformedFrame(reason: "cut in a text") }
        defer { offset += count }
        return String(decoding: bytes[offset..<(offset + count)], as: UTF8.self)
    }

    func rest() -> [UInt8] { Array(bytes[offset...]) }
}
