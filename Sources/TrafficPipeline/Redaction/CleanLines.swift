/// Header lines in which one redactor has found no secret.
///
/// Most lines of a service's headers repeat, so the redactor looks at them once. A line is added only if the redactor
/// left each of its bytes unchanged, so no secret is ever in this memory. Lines of other redactors do not belong here:
/// their rules may differ.
///
/// The memory is bounded: each line has one place, by its hash, and replaces the line that had it before. Lines that are
/// never the same twice, such as a request's number, replace one line of several hundred each.
struct CleanLines {
    /// The bytes of one place: the number of the line's bytes in two, then the line.
    private static let width = 256
    /// The longest line that is remembered.
    static let longest = width - 2

    private let places: Int
    private(set) var bytes: [UInt8] = []

    /// A memory of no lines.
    ///
    /// - Parameter places: the number of places, a power of two; 0 for a memory that stays empty.
    init(places: Int = 1_024) { self.places = places }

    /// The place of a line; nil if the line is too long to be remembered.
    func place(of line: UnsafeRawBufferPointer) -> Int? {
        guard places > 0, !line.isEmpty, line.count <= Self.longest else { return nil }
        return Int(truncatingIfNeeded: Self.hash(line)) & (places - 1)
    }

    /// Whether the line at that place is this one, byte for byte.
    func holds(_ line: UnsafeRawBufferPointer, at place: Int) -> Bool {
        if bytes.isEmpty { return false }
        return bytes.withUnsafeBytes { bytes in
            let start = place * Self.width
            guard bytes.loadUnaligned(fromByteOffset: start, as: UInt16.self) == UInt16(line.count) else {
                return false
            }
            let known = UnsafeRawBufferPointer(rebasing: bytes[(start + 2)..<(start + 2 + line.count)])
            return Self.areEqual(known, line)
        }
    }

    /// Remembers a line in which the redactor found no secret.
    mutating func keep(_ line: UnsafeRawBufferPointer, at place: Int) {
        // Most programs have no use for all of it; pages that nothing was written to take no memory.
        if bytes.isEmpty { bytes = [UInt8](repeating: 0, count: places * Self.width) }
        bytes.withUnsafeMutableBytes { bytes in
            let start = place * Self.width
            bytes.storeBytes(of: UInt16(line.count), toByteOffset: start, as: UInt16.self)
            UnsafeMutableRawBufferPointer(rebasing: bytes[(start + 2)...]).copyMemory(from: line)
        }
    }

    /// Whether two texts of one length are equal; eight bytes at a time, of which the last may overlap those before.
    static func areEqual(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
        let count = left.count
        guard count >= 8 else { return left.elementsEqual(right) }
        var index = 0
        while true {
            let difference =
                left.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                ^ right.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            if difference != 0 { return false }
            if index == count - 8 { return true }
            index = min(index + 8, count - 8)
        }
    }

    /// A hash that spreads lines over the places: the product of eight bytes at a time has 128 bits, and is folded.
    private static func hash(_ line: UnsafeRawBufferPointer) -> UInt64 {
        var state = UInt64(line.count) &* 0x9E37_79B9_7F4A_7C15
        func mix(_ word: UInt64) {
            let (high, low) = (state ^ word).multipliedFullWidth(by: 0xA076_1D64_78BD_642F)
            state = high ^ low
        }
        var index = 0
        while index + 8 <= line.count {
            mix(line.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            index += 8
        }
        var last: UInt64 = 1
        while index < line.count {
            last = last << 8 | UInt64(line[index])
            index += 1
        }
        mix(last)
        mix(0xE703_7ED1_A0B4_28DB)
        return state
    }
}
