import Foundation
import GRDB
import GRDBSQLite

/// A table of byte strings that occur often, each written once; the recent ones are also in memory.
final class BlobDictionary {
    private struct Entry {
        var hash: UInt64
        var id: Int64
        var bytes: [UInt8]
    }

    private static let cacheLimit = 16_384
    @exclusivity(unchecked) private var entries: [Entry] = []
    // An open hash table with the index of an entry plus 1, or 0 for a free place. The hash itself selects the place,
    // because it is well mixed already; a dictionary of the standard library would hash it again, which took a third of
    // the encoder's time. It has at least twice as many places as entries, so that a free place is near.
    @exclusivity(unchecked) private var table = [Int32](repeating: 0, count: 1_024)
    private let find: PreparedStatement
    private let insert: PreparedStatement
    private let connection: OpaquePointer?

    /// The dictionary of a table with the columns `id` and `hash`, and either `bytes` or `text`.
    init(_ database: Database, table: String, isText: Bool = false) throws {
        let (column, value) = isText ? ("text", "CAST(? AS TEXT)") : ("bytes", "?")
        find = try PreparedStatement(database, "SELECT id, \(column) FROM \(table) WHERE hash = ?")
        insert = try PreparedStatement(database, "INSERT INTO \(table)(hash, \(column)) VALUES (?, \(value))")
        connection = database.sqliteConnection
    }

    /// Clears the cache after a rollback, when its row numbers may no longer be valid.
    func forget() {
        entries.removeAll()
        table = [Int32](repeating: 0, count: table.count)
    }

    /// The row of those bytes, if they are in memory.
    func remembered(_ bytes: UnsafeRawBufferPointer, hash: UInt64) -> Int64? {
        var place = place(of: hash)
        while table[place] != 0 {
            let index = Int(table[place]) - 1
            if entries[index].hash == hash, Self.areEqual(entries[index].bytes, bytes) { return entries[index].id }
            place = (place + 1) & (table.count - 1)
        }
        return nil
    }

    /// The row of those bytes; nil if they are new and may not be added.
    ///
    /// - Parameters:
    ///   - bytes: the bytes to look up.
    ///   - mayAdd: called only if the bytes are neither in memory nor in the table.
    /// - Returns: the row's number, which is never 0.
    /// - Throws: the error of SQLite.
    func id(of bytes: UnsafeRawBufferPointer, mayAdd: () -> Bool = { true }) throws -> Int64? {
        let hash = Self.hash(bytes)
        if let known = remembered(bytes, hash: hash) { return known }
        if let known = try stored(bytes, hash: hash) { return known }
        guard mayAdd() else { return nil }
        insert.bind(1, Int64(bitPattern: hash))
        let copy = [UInt8](bytes)
        insert.bind(2, copy)
        try insert.run()
        let id = sqlite3_last_insert_rowid(connection)
        remember(Entry(hash: hash, id: id, bytes: copy))
        return id
    }

    private func stored(_ bytes: UnsafeRawBufferPointer, hash: UInt64) throws -> Int64? {
        find.bind(1, Int64(bitPattern: hash))
        while try find.step() {
            let entry = Entry(hash: hash, id: find.int(0), bytes: find.blob(1))
            guard Self.areEqual(entry.bytes, bytes) else { continue }
            find.reset()
            remember(entry)
            return entry.id
        }
        return nil
    }

    private func remember(_ entry: Entry) {
        if entries.count >= Self.cacheLimit { forget() }
        entries.append(entry)
        if entries.count * 2 > table.count {
            table = [Int32](repeating: 0, count: table.count * 4)
            for index in entries.indices { put(index) }
        } else {
            put(entries.count - 1)
        }
    }

    private func put(_ index: Int) {
        var place = place(of: entries[index].hash)
        while table[place] != 0 { place = (place + 1) & (table.count - 1) }
        table[place] = Int32(index + 1)
    }

    private func place(of hash: UInt64) -> Int { Int(truncatingIfNeeded: hash) & (table.count - 1) }

    private static func areEqual(_ left: [UInt8], _ right: UnsafeRawBufferPointer) -> Bool {
        guard left.count == right.count else { return false }
        return left.withUnsafeBytes { own in
            guard let ownStart = own.baseAddress, let start = right.baseAddress else { return true }
            return memcmp(ownStart, start, right.count) == 0
        }
    }

    /// A hash of eight bytes at a time, the same in every process: it is stored, and equal hashes never suffice for a
    /// match.
    static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        var state: UInt64 = 0x9E37_79B9_7F4A_7C15 ^ UInt64(bytes.count)
        var offset = 0
        while offset + 8 <= bytes.count {
            state = mix(state ^ bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self).littleEndian)
            offset += 8
        }
        var tail: UInt64 = 0
        while offset < bytes.count {
            tail = tail << 8 | UInt64(bytes[offset])
            offset += 1
        }
        return mix(state ^ tail)
    }

    static func hash(of bytes: [UInt8]) -> UInt64 { bytes.withUnsafeBytes(hash) }

    @inline(__always)
    private static func mix(_ value: UInt64) -> UInt64 {
        let product = value.multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
        return product.high ^ product.low ^ (value >> 29)
    }
}
