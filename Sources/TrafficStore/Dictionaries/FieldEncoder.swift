internal import ASCIIBytes
import Foundation
import GRDB
internal import TrafficModel

/// Encodes a header section as a blob of a few bytes: the number of its shape, and the values that are its own.
///
/// A line that occurs often is written once, as a row of the table `line`, and referred to by its number. A line whose
/// value is new each time (dates, lengths, tags, request numbers) keeps its value in the blob, or else the table would
/// grow with the traffic. The encoder knows some names with such values and learns others.
final class FieldEncoder {
    private static let valuesPerName = 48
    private static let lineLimit = 30_000
    private static let shapeLimit = 30_000
    private static let longestKnownLine = 1_024
    private static let changing: Set<String> = [
        "age", "content-length", "content-range", "date", "etag", "expires", "idempotency-key", "if-modified-since",
        "if-none-match", "last-modified", "traceparent", "x-amz-request-id", "x-correlation-id", "x-request-id",
        "x-runtime", "x-trace-id",
    ]

    private static let longestLayout = 4_096
    private static let layoutPlaces = 1_024

    private let lines: BlobDictionary
    private let shapes: BlobDictionary
    @exclusivity(unchecked) private var valuesOfName: [UInt64: Int] = [:]
    private var added = (lines: 0, shapes: 0)
    @exclusivity(unchecked) private var layouts = [SectionLayout](repeating: SectionLayout(), count: layoutPlaces)
    @exclusivity(unchecked) private var dates = DateMemory()
    // The section being encoded line by line: the tokens of its lines, and the values of the lines that have one.
    private let tokens = ByteSink()
    private let values = ByteSink()
    @exclusivity(unchecked) private var layout = SectionLayout()
    private var isRaw = false

    /// An encoder that uses the tables of that database.
    init(_ database: Database) throws {
        lines = try BlobDictionary(database, table: "line")
        shapes = try BlobDictionary(database, table: "shape")
        for name in Self.changing { valuesOfName[Array(name.utf8).withUnsafeBytes(Self.nameHash)] = .max / 2 }
    }

    /// Clears the cache after a rollback, when its row numbers may no longer be valid.
    func forget() {
        lines.forget()
        shapes.forget()
        layouts = [SectionLayout](repeating: SectionLayout(), count: Self.layoutPlaces)
    }

    /// Appends the blob of a section.
    ///
    /// - Parameters:
    ///   - section: the lines.
    ///   - moment: the message's own time, from which its dates are counted.
    ///   - kin: any number that messages with similar sections have in common.
    ///   - sink: takes the blob, which ``FieldDecoder`` turns back into the same bytes.
    /// - Throws: the error of SQLite.
    func encode(_ section: FieldSection, moment: Timestamp, kin: Int64, to sink: ByteSink) throws {
        guard !section.bytes.isEmpty else { return }
        let place = Int(truncatingIfNeeded: kin) & (Self.layoutPlaces - 1)
        let seconds = moment.seconds
        try section.bytes.withUnsafeBytes { bytes in
            if layouts[place].encode(bytes, seconds: seconds, dates: &dates, to: sink) { return }
            try encodeLines(bytes, seconds: seconds, to: sink)
            if layout.shape != 0 { layouts[place] = layout }
        }
    }

    private func encodeLines(_ bytes: UnsafeRawBufferPointer, seconds: Int64, to sink: ByteSink) throws {
        tokens.cut(to: 0)
        values.cut(to: 0)
        layout = SectionLayout()
        isRaw = false
        var start = 0
        var end = Self.lineEnd(in: bytes, from: 0)
        while end < bytes.count {
            if !ASCII.isOptionalSpace(bytes[end]) {
                try encodeLine(UnsafeRawBufferPointer(rebasing: bytes[start..<end]), seconds: seconds)
                start = end
            }
            end = Self.lineEnd(in: bytes, from: end)
        }
        try encodeLine(UnsafeRawBufferPointer(rebasing: bytes[start...]), seconds: seconds)
        let shape = UnsafeRawBufferPointer(start: tokens.start, count: tokens.count)
        let known = try shapes.id(of: shape) {
            added.shapes += 1
            return added.shapes <= Self.shapeLimit
        }
        sink.appendVarint(UInt64(bitPattern: known ?? 0))
        if known == nil {
            sink.appendVarint(UInt64(shape.count))
            sink.append(shape)
        }
        sink.append(UnsafeRawBufferPointer(start: values.start, count: values.count))
        if let known, !isRaw, bytes.count <= Self.longestLayout { layout.finish(shape: UInt64(bitPattern: known)) }
    }

    private func append(_ id: Int64, _ kind: LineKind) {
        tokens.appendVarint(UInt64(bitPattern: id) << LineKind.bits | kind.rawValue)
    }

    private func appendKnown(_ line: UnsafeRawBufferPointer, _ id: Int64) {
        append(id, .known)
        layout.add(line)
    }

    // The index after the next line feed, or the end of the bytes.
    private static func lineEnd(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
        guard let base = bytes.baseAddress, let found = memchr(base + start, 0x0A, bytes.count - start) else {
            return bytes.count
        }
        return UnsafeRawPointer(found) - base + 1
    }

    private func encodeLine(_ line: UnsafeRawBufferPointer, seconds: Int64) throws {
        if let known = lines.remembered(line, hash: BlobDictionary.hash(line)) { return appendKnown(line, known) }
        var colon = 0
        while colon < line.count, line[colon] != 0x3A { colon += 1 }
        let name = colon < line.count ? Self.nameHash(UnsafeRawBufferPointer(rebasing: line[..<colon])) : 0
        let distinct = valuesOfName[name] ?? 0
        if distinct < Self.valuesPerName, line.count <= Self.longestKnownLine {
            let known = try lines.id(of: line) {
                added.lines += 1
                valuesOfName[name] = distinct + 1
                return added.lines <= Self.lineLimit
            }
            if let known { return appendKnown(line, known) }
        }
        var start = colon + 1
        while start < line.count, line[start] == 0x20 { start += 1 }
        guard line.count >= start + 2, colon < 64, line[line.count - 2] == 0x0D, line[line.count - 1] == 0x0A,
            let prefix = try prefixID(UnsafeRawBufferPointer(rebasing: line[..<start]))
        else {
            append(0, .raw)
            values.appendVarint(UInt64(line.count))
            values.append(line)
            isRaw = true
            return
        }
        let value = UnsafeRawBufferPointer(rebasing: line[start..<(line.count - 2)])
        let kind = ValueCoding.append(value, seconds: seconds, to: values)
        append(prefix, kind)
        layout.add(UnsafeRawBufferPointer(rebasing: line[..<start]), kind)
    }

    private func prefixID(_ prefix: UnsafeRawBufferPointer) throws -> Int64? {
        try lines.id(of: prefix) {
            added.lines += 1
            return added.lines <= Self.lineLimit
        }
    }

    // Ignores the case of ASCII letters, as comparisons of field names do; a collision only costs a few bytes.
    private static func nameHash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        var state: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in bytes { state = (state ^ UInt64(byte | 0x20)) &* 0x100_0000_01B3 }
        return state
    }
}
