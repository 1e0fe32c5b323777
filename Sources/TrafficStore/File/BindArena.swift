import Foundation

/// Memory for the texts and blobs of one row while it is being inserted.
///
/// SQLite would otherwise allocate and free a copy of each. What does not fit is copied by SQLite after all.
final class BindArena {
    private static let size = 65_536
    private let start = UnsafeMutableRawPointer.allocate(byteCount: BindArena.size, alignment: 16)
    private var used = 0

    deinit { start.deallocate() }

    /// A copy of the bytes that holds until ``clear()``; nil where there is no room.
    func copy(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawPointer? {
        guard used + bytes.count <= Self.size else { return nil }
        let place = start + used
        if let source = bytes.baseAddress { place.copyMemory(from: source, byteCount: bytes.count) }
        used += bytes.count
        return UnsafeRawPointer(place)
    }

    /// Takes all copies back.
    func clear() { used = 0 }
}
