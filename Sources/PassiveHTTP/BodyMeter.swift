internal import HTTPWire

/// Weighs content as it passes, and keeps none.
struct BodyMeter {
    private var hash: BodyDigest?
    /// The last four bytes, as a little-endian number.
    private(set) var tail: UInt32 = 0

    /// XXH3; nil where nothing came.
    var digest: UInt64? { hash?.value }

    mutating func add(_ bytes: ArraySlice<UInt8>) {
        guard !bytes.isEmpty else { return }
        if hash == nil { hash = BodyDigest() }
        hash?.add(bytes)
        for byte in bytes.suffix(4) { tail = tail >> 8 | UInt32(byte) << 24 }
    }
}
