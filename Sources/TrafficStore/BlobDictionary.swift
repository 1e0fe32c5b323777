import Foundation
import GRDB
import GRDBSQLite

/// A table of byte strings that repeat, each written once, with the recent ones in memory.
final class BlobDictionary {
    private struct Entry {
        var id: Int64
        var bytes: [UInt8]
    }

    private static let cacheLimit = 20_000
    private var cache: [UInt64: [Entry]] = [:]
    private let find: PreparedStatement
    private let insert: PreparedStatement
    private let connection: OpaquePointer?

    /// The dictionary in a table with the columns `id`, `hash` and `bytes`.
    init(_ database: Database, table: String) throws {
        find = try PreparedStatement(database, "SELECT id, bytes FROM \(table) WHERE hash = ?")
        insert = try PreparedStatement(database, "INSERT INTO \(table)(hash, bytes) VALUES (?, ?)")
        connection = database.sqliteConnection
    }

    /// Empties the memory, because a transaction was rolled back and its numbers may mean nothing.
    func forget() { cache.removeAll() }

    /// The number of those bytes; nil where they are new and may not be added.
    ///
    /// - Parameters:
    ///   - bytes: what to look up.
    ///   - mayAdd: asked only when the bytes are in nobody's memory and not in the table.
    /// - Returns: the number, never 0.
    /// - Throws: what SQLite failed with.
    func id(of bytes: UnsafeRawBufferPointer, mayAdd: () -> Bool = { true }) throws -> Int64? {
        let hash = Self.hash(bytes)
        if let entries = cache[hash] {
            for entry in entries where Self.areEqual(entry.bytes, bytes) { return entry.id }
        }
        if let known = try stored(bytes, hash: hash) { return known }
        guard mayAdd() else { return nil }
        insert.bind(1, Int64(bitPattern: hash))
        let copy = [UInt8](bytes)
        insert.bind(2, copy)
        try insert.run()
        let id = sqlite3_last_insert_rowid(connection)
        remember(Entry(id: id, bytes: copy), hash: hash)
        return id
    }

    private func stored(_ bytes: UnsafeRawBufferPointer, hash: UInt64) throws -> Int64? {
        find.bind(1, Int64(bitPattern: hash))
        while try find.step() {
            let entry = Entry(id: find.int(0), bytes: find.blob(1))
            guard Self.areEqual(entry.bytes, bytes) else { continue }
            find.reset()
            remember(entry, hash: hash)
            return entry.id
        }
        return nil
    }

    private func remember(_ entry: Entry, hash: UInt64) {
        if cache.count >= Self.cacheLimit { cache.removeAll(keepingCapacity: true) }
        cache[hash, default: []].append(entry)
    }

    private static func areEqual(_ left: [UInt8], _ right: UnsafeRawBufferPointer) -> Bool {
        guard left.count == right.count else { return false }
        return left.withUnsafeBytes { own in
            guard let ownStart = own.baseAddress, let start = right.baseAddress else { return true }
            return memcmp(ownStart, start, right.count) == 0
        }
    }

    /// Eight bytes at a time, the same in every process: it is stored beside the bytes and never decides alone.
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

    private static func mix(_ value: UInt64) -> UInt64 {
        let product = value.multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
        return product.high ^ product.low ^ (value >> 29)
    }
}
