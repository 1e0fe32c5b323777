import Foundation

/// How a section was encoded last time: which bytes are the same each time, and which values stand between them.
///
/// A program sends, and a server answers, the same lines over and over but for a few values. Comparing with the section
/// before takes a fraction of what looking up line by line does.
struct SectionLayout {
    private struct Step {
        var length: Int
        // Of the value behind these bytes; nil at the end.
        var kind: LineKind?
    }

    private var literals: [UInt8] = []
    private var steps: [Step] = []
    private var pending = 0
    /// The number of the section's shape; 0 where the layout must not be used.
    var shape: UInt64 = 0

    /// An empty layout.
    init() {}

    /// Adds a line that is always the same, or, with a kind, what stands before a value.
    mutating func add(_ bytes: UnsafeRawBufferPointer, _ kind: LineKind? = nil) {
        literals.append(contentsOf: bytes)
        pending += bytes.count
        guard let kind else { return }
        steps.append(Step(length: pending, kind: kind))
        pending = 0
    }

    /// Closes the layout under the number of its shape.
    mutating func finish(shape: UInt64) {
        steps.append(Step(length: pending, kind: nil))
        self.shape = shape
    }

    /// Appends the blob of a section of this layout; false, with nothing appended, where it is of another.
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

/// The last date that was read: most messages of a second carry the same.
struct DateMemory {
    private var bytes = [UInt8](repeating: 0, count: HTTPDate.length)
    private var seconds: Int64 = 0

    /// The seconds of a date; nil for what is none.
    mutating func seconds(of value: UnsafeRawBufferPointer) -> Int64? {
        guard value.count == HTTPDate.length, let start = value.baseAddress else { return nil }
        if bytes.withUnsafeBytes({ memcmp($0.baseAddress!, start, HTTPDate.length) }) == 0 { return seconds }
        guard let read = HTTPDate.seconds(of: value) else { return nil }
        bytes.replaceSubrange(0..., with: value)
        seconds = read
        return read
    }
}
