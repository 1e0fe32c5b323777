import Foundation

/// The encoding of the previous section, to be used again: the bytes that are the same each time, and the kinds of the
/// values between them.
///
/// A program sends the same lines again and again, and so does a server, except for a few values. Comparing a section
/// with the previous one takes a fraction of the time of looking up each line.
struct SectionLayout {
    private struct Step {
        var length: Int
        // The kind of the value after these bytes; nil at the end.
        var kind: LineKind?
    }

    private var literals: [UInt8] = []
    private var steps: [Step] = []
    private var pending = 0
    /// The row of the section's shape; 0 if the layout must not be used.
    var shape: UInt64 = 0

    init() {}

    /// Adds a line that is always the same, or, with a kind, the part of a line before its value.
    mutating func add(_ bytes: UnsafeRawBufferPointer, _ kind: LineKind? = nil) {
        literals.append(contentsOf: bytes)
        pending += bytes.count
        guard let kind else { return }
        steps.append(Step(length: pending, kind: kind))
        pending = 0
    }

    /// Completes the layout with the row of its shape.
    mutating func finish(shape: UInt64) {
        steps.append(Step(length: pending, kind: nil))
        self.shape = shape
    }

    /// Appends the blob of a section with this layout; returns false, and appends nothing, if the section has another.
    func encode(
        _ section: UnsafeRawBufferPointer, seconds: Int64, dates: inout DateMemory, to sink: ByteSink
    ) -> Bool {
        guard shape != 0, let start = section.baseAddress else { return false }
        let place = sink.count
        sink.appendVarint(shape)
        let isEncoded = literals.withUnsafeBytes { literals in
            var (position, compared) = (0, 0)
            for step in steps {
                guard section.count - position >= step.length,
                    step.length == 0
                        || memcmp(start + position, literals.baseAddress! + compared, step.length) == 0
                else { return false }
                position += step.length
                compared += step.length
                guard let kind = step.kind else { break }
                guard let found = memchr(start + position, 0x0A, section.count - position) else { return false }
                let end = UnsafeRawPointer(found) - start
                guard end > position, section[end - 1] == 0x0D else { return false }
                let value = UnsafeRawBufferPointer(rebasing: section[position..<(end - 1)])
                if kind == .date {
                    guard let date = dates.seconds(of: value) else { return false }
                    sink.appendSigned(date - seconds)
                } else if ValueCoding.append(value, seconds: seconds, to: sink) != kind {
                    return false
                }
                position = end + 1
            }
            return position == section.count
        }
        if !isEncoded { sink.cut(to: place) }
        return isEncoded
    }
}

/// The last date that was parsed; most messages within one second have the same.
struct DateMemory {
    private var bytes = [UInt8](repeating: 0, count: HTTPDate.length)
    private var seconds: Int64 = 0

    /// The time of a date in seconds since the epoch; nil if the bytes are no HTTP date.
    mutating func seconds(of value: UnsafeRawBufferPointer) -> Int64? {
        guard value.count == HTTPDate.length, let start = value.baseAddress else { return nil }
        if bytes.withUnsafeBytes({ memcmp($0.baseAddress!, start, HTTPDate.length) }) == 0 { return seconds }
        guard let read = HTTPDate.seconds(of: value) else { return nil }
        bytes.replaceSubrange(0..., with: value)
        seconds = read
        return read
    }
}
