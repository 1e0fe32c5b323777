import Foundation
import GRDB
internal import TrafficModel

/// Turns a header section into a blob of a few bytes: the number of its shape, and the values that are its own.
///
/// Lines that repeat are numbers in the table `line`. Lines whose value is new each time (dates, lengths, tags, request
/// numbers) are kept as values, else the table would grow with the traffic; which names behave so is known for some and
/// learned for others.
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

    private let lines: BlobDictionary
    private let shapes: BlobDictionary
    private var valuesOfName: [UInt64: Int] = [:]
    private var added = (lines: 0, shapes: 0)
    private var recent = RecentSections()

    /// An encoder on the tables of that database.
    init(_ database: Database) throws {
        lines = try BlobDictionary(database, table: "line")
        shapes = try BlobDictionary(database, table: "shape")
        for name in Self.changing { valuesOfName[Array(name.utf8).withUnsafeBytes(Self.nameHash)] = .max / 2 }
    }

    /// Empties the memory, because a transaction was rolled back and its numbers may mean nothing.
    func forget() {
        lines.forget()
        shapes.forget()
        recent = RecentSections()
    }

    /// The blob of a section.
    ///
    /// - Parameters:
    ///   - section: the lines.
    ///   - moment: the message's own time, from which its dates are counted.
    /// - Returns: what ``FieldDecoder`` turns back into the same bytes.
    /// - Throws: what SQLite failed with.
    func encode(_ section: FieldSection, moment: Timestamp) throws -> [UInt8] {
        guard !section.bytes.isEmpty else { return [] }
        if let known = recent.blob(of: section.bytes) { return known }
        var parts = Parts()
        try section.bytes.withUnsafeBytes { bytes in
            var start = 0
            var end = Self.lineEnd(in: bytes, from: 0)
            while end < bytes.count {
                if bytes[end] != 0x20, bytes[end] != 0x09 {
                    try encodeLine(
                        UnsafeRawBufferPointer(rebasing: bytes[start..<end]), seconds: moment.seconds, to: &parts)
                    start = end
                }
                end = Self.lineEnd(in: bytes, from: end)
            }
            try encodeLine(UnsafeRawBufferPointer(rebasing: bytes[start...]), seconds: moment.seconds, to: &parts)
        }
        let result = try blob(of: parts)
        if parts.values.isEmpty { recent.remember(section.bytes, blob: result) }
        return result
    }

    /// The tokens of a section's lines, and the values of those that have one.
    private struct Parts {
        var shape: [UInt8] = []
        var values: [UInt8] = []

        init() {
            shape.reserveCapacity(32)
            values.reserveCapacity(96)
        }

        mutating func append(_ id: Int64, _ kind: LineKind) {
            shape.appendVarint(UInt64(id) << LineKind.bits | kind.rawValue)
        }
    }

    private func blob(of parts: Parts) throws -> [UInt8] {
        let known = try parts.shape.withUnsafeBytes { bytes in
            try shapes.id(of: bytes) {
                added.shapes += 1
                return added.shapes <= Self.shapeLimit
            }
        }
        var result: [UInt8] = []
        result.reserveCapacity(parts.values.count + (known == nil ? parts.shape.count + 4 : 4))
        result.appendVarint(UInt64(known ?? 0))
        if known == nil {
            result.appendVarint(UInt64(parts.shape.count))
            result.append(contentsOf: parts.shape)
        }
        result.append(contentsOf: parts.values)
        return result
    }

    // Behind the next line feed, or the end of the bytes.
    private static func lineEnd(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
        guard let base = bytes.baseAddress, let found = memchr(base + start, 0x0A, bytes.count - start) else {
            return bytes.count
        }
        return UnsafeRawPointer(found) - base + 1
    }

    private func encodeLine(_ line: UnsafeRawBufferPointer, seconds: Int64, to parts: inout Parts) throws {
        if let known = lines.remembered(line, hash: BlobDictionary.hash(line)) { return parts.append(known, .known) }
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
            if let known { return parts.append(known, .known) }
        }
        var start = colon + 1
        while start < line.count, line[start] == 0x20 { start += 1 }
        guard line.count >= start + 2, colon < 64, line[line.count - 2] == 0x0D, line[line.count - 1] == 0x0A,
            let prefix = try prefixID(UnsafeRawBufferPointer(rebasing: line[..<start]))
        else {
            parts.append(0, .raw)
            parts.values.appendVarint(UInt64(line.count))
            parts.values.append(contentsOf: line)
            return
        }
        let value = UnsafeRawBufferPointer(rebasing: line[start..<(line.count - 2)])
        parts.append(prefix, ValueCoding.append(value, seconds: seconds, to: &parts.values))
    }

    private func prefixID(_ prefix: UnsafeRawBufferPointer) throws -> Int64? {
        try lines.id(of: prefix) {
            added.lines += 1
            return added.lines <= Self.lineLimit
        }
    }

    // The case of ASCII letters aside, as field names are compared; a false match only costs a few bytes.
    private static func nameHash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        var state: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in bytes { state = (state ^ UInt64(byte | 0x20)) &* 0x100_0000_01B3 }
        return state
    }
}
