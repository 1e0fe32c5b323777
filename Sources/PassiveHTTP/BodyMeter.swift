internal import HTTPWire

/// Measures content as it passes, and keeps none of it.
struct BodyMeter {
    private var hash: BodyDigest?
    /// The last four bytes, as a little-endian number.
    private(set) var tail: UInt32 = 0

    /// The XXH3 of the content; nil if there was none.
    var digest: UInt64? { hash?.value }

    mutating func add(_ bytes: ArraySlice<UInt8>) {
        guard !bytes.isEmpty else { return }
        if hash == nil { hash = BodyDigest() }
        hash?.add(bytes)
        for byte in bytes.suffix(4) { tail = tail >> 8 | UInt32(byte) << 24 }
    }
}
