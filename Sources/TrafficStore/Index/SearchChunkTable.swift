import GRDB

extension StoreSchema {
    /// The table of the search index, which is empty until someone asks for the index, or a large store is searched.
    ///
    /// A row is a ``SearchChunk``. `words` are numbers of 64 bits, the lowest byte first. A chunk only says where a text
    /// cannot be, so without it a search finds the same.
    static let searchIndex = """
        CREATE TABLE search_chunk(first INTEGER PRIMARY KEY, last INTEGER NOT NULL, words BLOB NOT NULL);
        """
}

/// The chunks of the search index in a store.
enum SearchChunkTable {
    /// What a store is, and up to which number its exchanges were deleted.
    struct State: Sendable {
        private let installation: String
        private let generation: Int64
        /// The last exchange that retention has deleted, or -1; none up to there gets a chunk.
        let floor: Int64

        init(_ database: Database) throws {
            installation = try String.fetchOne(database, sql: "SELECT installation FROM identity") ?? ""
            generation = try Self.meta("generation", database) ?? 0
            floor = try Self.meta("search_floor", database) ?? -1
        }

        /// Whether the store is the same, and was not cleared since.
        func isSame(_ other: State) -> Bool {
            installation == other.installation && generation == other.generation
        }

        private static func meta(_ key: String, _ database: Database) throws -> Int64? {
            try Int64.fetchOne(database, sql: "SELECT value FROM meta WHERE key = ?", arguments: [key])
        }
    }

    /// The first numbers of the chunks that there are.
    static func firsts(_ database: Database) throws -> Set<Int64> {
        try Set(Int64.fetchAll(database, sql: "SELECT first FROM search_chunk"))
    }

    /// Selects the chunks that have numbers between two: their first number, their last, their words.
    static func inRange(_ database: Database) throws -> PreparedStatement {
        try PreparedStatement(
            database,
            """
            SELECT first, last, words FROM search_chunk
            WHERE first >= coalesce((SELECT max(first) FROM search_chunk WHERE first <= ?1), ?1) AND first <= ?2
            ORDER BY first
            """)
    }

    /// Writes chunks, into a transaction.
    static func save(_ chunks: [SearchChunk], _ database: Database) throws {
        let insert = try PreparedStatement(database, "INSERT OR REPLACE INTO search_chunk VALUES (?, ?, ?)")
        for chunk in chunks {
            insert.bind(1, chunk.numbers.lowerBound)
            insert.bind(2, chunk.numbers.upperBound)
            insert.bind(3, chunk.words.withUnsafeBytes { [UInt8]($0) })
            try insert.run()
        }
    }

    /// Deletes the chunks of exchanges up to that number, so that nothing is left of the texts of deleted rows.
    static func delete(upTo exchange: Int64, _ database: Database) throws {
        try database.execute(sql: "DELETE FROM search_chunk WHERE first <= ?", arguments: [exchange])
        try database.execute(
            sql: """
                INSERT INTO meta(key, value) VALUES ('search_floor', ?)
                ON CONFLICT(key) DO UPDATE SET value = max(value, excluded.value)
                """, arguments: [exchange])
    }

    /// Deletes all chunks.
    static func deleteAll(_ database: Database) throws { try database.execute(sql: "DELETE FROM search_chunk") }
}
