import Foundation

/// Memory for the texts and blobs of one row while it is being inserted.
///
/// Without it, SQLite would allocate and free a copy of each. SQLite still copies values that do not fit.
final class BindArena {
    private static let size = 65_536
    private let start = UnsafeMutableRawPointer.allocate(byteCount: BindArena.size, alignment: 16)
    private var used = 0

    deinit { start.deallocate() }

    /// A copy of the bytes, valid until ``clear()``; nil if there is no room.
    func copy(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawPointer? {
        guard used + bytes.count <= Self.size else { return nil }
        let place = start + used
        if let source = bytes.baseAddress { place.copyMemory(from: source, byteCount: bytes.count) }
        used += bytes.count
        return UnsafeRawPointer(place)
    }

    /// Makes all copies invalid and their room free.
    func clear() { used = 0 }
}
