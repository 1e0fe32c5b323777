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
    private var shape: [UInt8] = []
    private var values: [UInt8] = []

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
        shape.removeAll(keepingCapacity: true)
        values.removeAll(keepingCapacity: true)
        try section.bytes.withUnsafeBytes { bytes in
            var start = 0
            var index = 0
            while let end = Self.lineEnd(in: bytes, from: index) {
                index = end
                if end < bytes.count, bytes[end] == 0x20 || bytes[end] == 0x09 { continue }
                try encodeLine(UnsafeRawBufferPointer(rebasing: bytes[start..<end]), seconds: moment.seconds)
                start = end
            }
            if start < bytes.count {
                try encodeLine(UnsafeRawBufferPointer(rebasing: bytes[start...]), seconds: moment.seconds)
            }
        }
        let known = try shape.withUnsafeBytes { bytes in
            try shapes.id(of: bytes) {
                added.shapes += 1
                return added.shapes <= Self.shapeLimit
            }
        }
        var result: [UInt8] = []
        result.reserveCapacity(values.count + (known == nil ? shape.count + 4 : 4))
        result.appendVarint(UInt64(known ?? 0))
        if known == nil {
            result.appendVarint(UInt64(shape.count))
            result.append(contentsOf: shape)
        }
        result.append(contentsOf: values)
        return result
    }

    private static func lineEnd(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
        var index = start
        while index < bytes.count {
            if bytes[index] == 0x0A { return index + 1 }
            index += 1
        }
        return nil
    }

    private func encodeLine(_ line: UnsafeRawBufferPointer, seconds: Int64) throws {
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
            if let known { return token(known, .known) }
        }
        try encodeValue(line, colon: colon, seconds: seconds)
    }

    private func encodeValue(_ line: UnsafeRawBufferPointer, colon: Int, seconds: Int64) throws {
        var start = colon + 1
        while start < line.count, line[start] == 0x20 { start += 1 }
        guard line.count >= start + 2, colon < 64, line[line.count - 2] == 0x0D, line[line.count - 1] == 0x0A,
            let prefix = try prefixID(UnsafeRawBufferPointer(rebasing: line[..<start]))
        else {
            token(0, .raw)
            values.appendVarint(UInt64(line.count))
            values.append(contentsOf: line)
            return
        }
        let value = UnsafeRawBufferPointer(rebasing: line[start..<(line.count - 2)])
        token(prefix, ValueCoding.append(value, seconds: seconds, to: &values))
    }

    private func prefixID(_ prefix: UnsafeRawBufferPointer) throws -> Int64? {
        try lines.id(of: prefix) {
            added.lines += 1
            return added.lines <= Self.lineLimit
        }
    }

    private func token(_ id: Int64, _ kind: LineKind) {
        shape.appendVarint(UInt64(id) << LineKind.bits | kind.rawValue)
    }

    // The case of ASCII letters aside, as field names are compared; a false match only costs a few bytes.
    private static func nameHash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        var state: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in bytes { state = (state ^ UInt64(byte | 0x20)) &* 0x100_0000_01B3 }
        return state
    }
}
