import GRDB
internal import TrafficModel

/// How far shipping to a destination has come.
package struct ShippingState: Hashable, Sendable {
    /// Its number in the store.
    package var destination: Int64
    /// The narrowest and the widest slots of time whose sums are sent, in minutes.
    package var finest: Int
    package var coarsest: Int
    /// Exchanges before this one have been looked at.
    package var nextExchange: Int64
    /// Connections before this one have been looked at.
    package var nextConnection: Int64
    /// How many exchanges were deleted from the store before they were looked at.
    package var overtaken: Int64
    /// How many rows the destination refused for good.
    package var refused: Int64
    /// The hour since 1970 in which something was sent last, and how many bytes in it.
    package var hour: Int64
    package var bytesOfHour: Int64

    init(_ database: Database, url: String) throws {
        let row = try PreparedStatement(
            database,
            """
            SELECT id, finest, coarsest, next_exchange, next_connection, overtaken, refused, hour, bytes_of_hour
            FROM destination WHERE url = ?
            """)
        row.bind(1, url)
        defer { row.reset() }
        guard try row.step() else {
            throw StoreError(.failed, "the store no longer knows the destination '\(url)'; start shipping again")
        }
        destination = row.int(0)
        finest = Int(row.int(1))
        coarsest = Int(row.int(2))
        nextExchange = Plausible.number(row.int(3))
        nextConnection = Plausible.number(row.int(4))
        overtaken = Plausible.count(row.int(5))
        refused = Plausible.count(row.int(6))
        hour = row.int(7)
        bytesOfHour = Plausible.count(row.int(8))
    }
}

extension ShippingState {
    /// Counts exchanges that are about to be deleted as overtaken for each destination that has not looked at them.
    static func countOvertaken(_ ids: [Int64], in database: Database) throws {
        let destinations = try PreparedStatement(database, "SELECT id, next_exchange FROM destination")
        var overtaken: [(destination: Int64, count: Int)] = []
        while try destinations.step() {
            let next = destinations.int(1)
            overtaken.append((destinations.int(0), ids.count { $0 >= next }))
        }
        for (destination, count) in overtaken where count > 0 {
            try database.execute(
                sql: "UPDATE destination SET overtaken = overtaken + ? WHERE id = ?", arguments: [count, destination])
        }
    }
}

/// What rows are taken out of the queue on.
package struct ShippingTurn: Hashable, Sendable {
    /// How far shipping had come.
    package let state: ShippingState
    /// The number for what is taken.
    package let revision: UInt64
    /// The number of what was taken before.
    let previous: Int64
}

/// Rows of one table as they are sent: compressed, and the same bytes each time.
package struct ShippingBatch: Hashable, Sendable {
    /// Its number in the store; 0 if it is not there yet.
    package var id: Int64 = 0
    /// The table.
    package var target: String
    /// What identifies the rows, so that a destination takes them once.
    package var token: String
    /// The number of rows.
    package var count: Int64
    /// The columns of the rows, in order: those of the version that has cut the batch, which may be older than this one.
    ///
    /// Empty if the target has none, and in batches that were cut before columns were kept.
    package var columns: [String]
    /// The rows in RowBinary, compressed with gzip.
    package var body: [UInt8]

    package init(
        id: Int64 = 0, target: String, token: String, count: Int64, columns: [String] = [], body: [UInt8]
    ) {
        self.id = id
        self.target = target
        self.token = token
        self.count = count
        self.columns = columns
        self.body = body
    }
}

/// What is taken out of a store at once: batches, and how the cursor moves.
package struct ShippingCut: Sendable {
    /// An exchange that was running, or a connection that was open.
    package struct Open: Hashable, Sendable {
        package var isConnection: Bool
        package var id: Int64
        /// What the row looked like when it was taken; 0 if it was not.
        package var digest: Int64

        package init(isConnection: Bool, id: Int64, digest: Int64 = 0) {
            self.isConnection = isConnection
            self.id = id
            self.digest = digest
        }
    }

    /// A slot of time whose sums were taken.
    package struct Slot: Hashable, Sendable {
        package var width: Int
        package var slot: Int64
        /// How many exchanges the slot had, in all and of those that are sent.
        package var seen: Int64
        package var sent: Int64

        package init(width: Int, slot: Int64, seen: Int64, sent: Int64) {
            self.width = width
            self.slot = slot
            self.seen = seen
            self.sent = sent
        }
    }

    package var batches: [ShippingBatch] = []
    package var nextExchange: Int64?
    package var nextConnection: Int64?
    package var overtaken: Int64 = 0
    package var opened: [Open] = []
    package var closed: [Open] = []
    package var slots: [Slot] = []
    package var templates: [(api: Int64, template: String)] = []
    package var notes: [(name: String, value: Int64)] = []
    /// Whether there may be more to take.
    package var hasMore = false

    package init() {}
}
