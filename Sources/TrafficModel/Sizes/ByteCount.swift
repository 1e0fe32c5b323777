/// A number of bytes on the wire.
///
/// Never negative.
///
/// Sizes are a type of their own so that bytes are not added to milliseconds or to counts of requests.
public struct ByteCount: Hashable, Sendable {
    /// The number of bytes.
    public let bytes: Int64

    /// A count of that many bytes; a negative number counts as zero.
    public init(_ bytes: some BinaryInteger) {
        self.bytes = Swift.max(0, Int64(clamping: bytes))
    }

    /// Zero bytes.
    public static let zero = ByteCount(0)

    /// A count of single bytes.
    public static func bytes(_ count: Int) -> ByteCount { ByteCount(count) }

    /// That many units of 1,000 bytes.
    public static func kilobytes(_ count: Int) -> ByteCount { times(1_000, count) }

    /// That many units of 1,000,000 bytes.
    public static func megabytes(_ count: Int) -> ByteCount { times(1_000_000, count) }

    /// That many units of 1,024 bytes.
    public static func kibibytes(_ count: Int) -> ByteCount { times(1_024, count) }

    /// That many units of 1,048,576 bytes.
    public static func mebibytes(_ count: Int) -> ByteCount { times(1_048_576, count) }

    private static func times(_ unit: Int64, _ count: Int) -> ByteCount {
        let (product, overflow) = unit.multipliedReportingOverflow(by: Int64(count))
        return overflow ? ByteCount(count < 0 ? 0 : Int64.max) : ByteCount(product)
    }

    /// The sum; it stops at the largest number instead of overflowing.
    public static func + (left: ByteCount, right: ByteCount) -> ByteCount {
        ByteCount(left.bytes.addingClamped(right.bytes))
    }

    /// Adds in place.
    public static func += (left: inout ByteCount, right: ByteCount) { left = left + right }
}

extension ByteCount: Comparable {
    /// Whether the left count is smaller.
    public static func < (left: ByteCount, right: ByteCount) -> Bool { left.bytes < right.bytes }
}

extension ByteCount: ExpressibleByIntegerLiteral {
    /// A count written as a number.
    public init(integerLiteral value: Int64) { self.init(value) }
}

extension ByteCount: CustomStringConvertible {
    /// The bytes as digits, without a unit.
    public var description: String { String(bytes) }
}
