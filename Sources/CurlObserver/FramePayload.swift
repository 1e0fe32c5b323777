/// The bytes of one frame after its header, taken from the front.
struct FramePayload {
    private let all: UnsafeRawBufferPointer
    private var offset = 0

    init(_ bytes: UnsafeRawBufferPointer) { all = bytes }

    mutating func take<Body: BitwiseCopyable>(_: Body.Type) throws(MalformedFrame) -> Body {
        let size = MemoryLayout<Body>.size
        guard all.count - offset >= size else { throw MalformedFrame(reason: "cut in a \(Body.self)") }
        defer { offset += size }
        return all.loadUnaligned(fromByteOffset: offset, as: Body.self)
    }

    var isAtEnd: Bool { offset == all.count }

    mutating func text() throws(MalformedFrame) -> String { String(decoding: try piece(), as: UTF8.self) }

    mutating func bytes() throws(MalformedFrame) -> [UInt8] { Array(try piece()) }

    private mutating func piece() throws(MalformedFrame) -> Slice<UnsafeRawBufferPointer> {
        let count = Int(try take(UInt32.self))
        guard all.count - offset >= count else { throw MalformedFrame(reason: "cut in a text") }
        defer { offset += count }
        return all[offset..<(offset + count)]
    }

    func rest() -> [UInt8] { Array(all[offset...]) }
}
