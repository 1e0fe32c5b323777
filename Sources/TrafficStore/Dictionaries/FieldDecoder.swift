import GRDB
internal import TrafficModel

/// Decodes header sections from the blobs of ``FieldEncoder``.
final class FieldDecoder {
    private let findLine: PreparedStatement
    private let findShape: PreparedStatement
    private var lines = ReadCache<[UInt8]>()
    private var shapes = ReadCache<[UInt8]>()

    /// A decoder that reads the tables of that database.
    init(_ database: Database) throws {
        findLine = try PreparedStatement(database, "SELECT bytes FROM line WHERE id = ?")
        findShape = try PreparedStatement(database, "SELECT bytes FROM shape WHERE id = ?")
    }

    /// Decodes one section.
    ///
    /// - Parameters:
    ///   - reader: at the start of the encoded section, which is the rest of the blob.
    ///   - moment: the message's own time, the same as for the encoder.
    /// - Returns: the lines, byte for byte.
    /// - Throws: the error of SQLite.
    func decode(_ reader: inout ByteReader, moment: Timestamp) throws -> FieldSection {
        guard !reader.isAtEnd else { return FieldSection() }
        let shapeID = Int64(bitPattern: reader.varint())
        let shape =
            shapeID == 0
            ? Array(reader.take(Int(clamping: reader.varint())))
            : try Self.bytes(shapeID, find: findShape, cache: &shapes)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(256)
        try shape.withUnsafeBytes { shape in
            var tokens = ByteReader(shape)
            while !tokens.isAtEnd {
                let token = tokens.varint()
                guard let kind = LineKind(rawValue: token & (1 << LineKind.bits - 1)) else { continue }
                let id = Int64(token >> LineKind.bits)
                if id != 0 { bytes.append(contentsOf: try Self.bytes(id, find: findLine, cache: &lines)) }
                ValueCoding.read(kind, from: &reader, seconds: moment.seconds, to: &bytes)
            }
        }
        return FieldSection(bytes: bytes)
    }

    /// The bytes of a line, or of its start, in the dictionary.
    func line(_ id: Int64) throws -> [UInt8] { try Self.bytes(id, find: findLine, cache: &lines) }

    /// The lines of a shape: each with its number in the dictionary and its kind.
    func tokens(ofShape id: Int64) throws -> [(line: Int64, kind: LineKind)] {
        try Self.bytes(id, find: findShape, cache: &shapes).withUnsafeBytes { shape in
            var reader = ByteReader(shape)
            var tokens: [(line: Int64, kind: LineKind)] = []
            while !reader.isAtEnd {
                let token = reader.varint()
                guard let kind = LineKind(rawValue: token & (1 << LineKind.bits - 1)) else { continue }
                tokens.append((Int64(token >> LineKind.bits), kind))
            }
            return tokens
        }
    }

    private static func bytes(
        _ id: Int64, find: PreparedStatement, cache: inout ReadCache<[UInt8]>
    ) throws -> [UInt8] {
        if let known = cache[id] { return known }
        find.bind(1, id)
        guard try find.step() else { return [] }
        let bytes = find.blob(0)
        find.reset()
        cache[id] = bytes
        return bytes
    }
}
