import GRDB
package import TrafficModel

/// An API as a store has it: its number, and the name under which reports show it.
package struct StoredAPI: Hashable, Sendable {
    package var id: Int64
    package var method: String
    package var host: String
    package var template: String
    /// Whether the template is one of the user's own, which is never merged with others.
    package var isGiven: Bool
}

/// The sums of one kind of exchange.
package struct KindTotal: Sendable {
    /// The number of the kind.
    package var kind: Int64
    /// All parts of its name.
    package var key: TrafficTotal.Key
    package var sums: TrafficSums
}

// What shipping reads in addition to what reports do.
extension StoreReader {
    /// The exchanges that were running, or the connections that were open, when they were taken.
    package func openRows(of destination: Int64, areConnections: Bool) throws -> [ShippingCut.Open] {
        try read { database, _ in
            let rows = try PreparedStatement(
                database, "SELECT id, digest FROM ship_open WHERE destination = ? AND is_connection = ? ORDER BY id")
            rows.bind(1, destination)
            rows.bind(2, areConnections ? 1 : 0)
            var all: [ShippingCut.Open] = []
            while try rows.step() {
                all.append(ShippingCut.Open(isConnection: areConnections, id: rows.int(0), digest: rows.int(1)))
            }
            return all
        }
    }

    /// A number that was noted for a destination, by name.
    package func shippingNotes(of destination: Int64) throws -> [String: Int64] {
        try read { database, _ in
            let rows = try PreparedStatement(database, "SELECT name, value FROM ship_note WHERE destination = ?")
            rows.bind(1, destination)
            var notes: [String: Int64] = [:]
            while try rows.step() { notes[rows.text(0)] = rows.int(1) }
            return notes
        }
    }

    /// The APIs whose rows have been sent with a template that is no longer theirs, and those that are new.
    package func changedTemplates(for destination: Int64) throws -> [(api: StoredAPI, sent: String?)] {
        try read { database, _ in
            let rows = try PreparedStatement(
                database,
                """
                SELECT a.id, a.method, a.host, a.template, s.template, o.given FROM shown_api a
                    JOIN api o ON o.id = a.id LEFT JOIN ship_template s ON s.destination = ? AND s.api = a.id
                WHERE s.template IS NULL OR s.template <> a.template
                """)
            rows.bind(1, destination)
            var changed: [(StoredAPI, String?)] = []
            while try rows.step() {
                let api = StoredAPI(
                    id: rows.int(0), method: rows.text(1), host: rows.text(2), template: rows.text(3),
                    isGiven: rows.int(5) != 0)
                changed.append((api, rows.optionalText(4)))
            }
            return changed
        }
    }

    /// The slots of that width that have more exchanges than when their sums were taken.
    ///
    /// Of slots of a minute, only those count whose sums still exist.
    package func changedSlots(for destination: Int64, width: Int) throws -> [ShippingCut.Slot] {
        try read { database, _ in
            let bounds = try RollupBounds(.always, database)
            var seen: [Int64: Int64] = [:]
            for direction in TrafficDirection.allCases {
                let rows = try PreparedStatement(
                    database, "SELECT minute, requests FROM \(StoreSchema.timeline(of: direction)) WHERE minute >= ?")
                rows.bind(1, width == 1 ? bounds.floor : .min)
                while try rows.step() {
                    let slot = TimeSlot.floor(Plausible.slot(rows.int(0)), Int64(width))
                    seen[slot, default: 0] += Plausible.count(rows.int(1))
                }
            }
            var sent: [Int64: Int64] = [:]
            let known = try PreparedStatement(
                database, "SELECT slot, seen, sent FROM ship_slot WHERE destination = ? AND width = ?")
            known.bind(1, destination)
            known.bind(2, Int64(width))
            while try known.step() {
                if seen[known.int(0)] == known.int(1) { seen[known.int(0)] = nil }
                sent[known.int(0)] = known.int(2)
            }
            return seen.sorted { $0.key < $1.key }.map {
                ShippingCut.Slot(width: width, slot: $0.key, seen: $0.value, sent: sent[$0.key] ?? 0)
            }
        }
    }

    /// Visits slots with the sums of each kind of exchange that ended in them, until `body` returns false.
    package func forEachSlot(
        _ slots: [ShippingCut.Slot], _ body: (ShippingCut.Slot, [KindTotal]) throws -> Bool
    ) throws {
        try read { database, _ in
            var sums = try RollupSums(kindsIn: database)
            for slot in slots {
                let length = Int64(slot.width) * TimeSlot.minute
                let (start, overflow) = slot.slot.multipliedReportingOverflow(by: length)
                guard !overflow else { continue }
                let range = TimeRange(
                    since: Timestamp(nanoseconds: start), until: Timestamp(nanoseconds: start + length))
                guard try body(slot, sums.takeKinds(in: range)) else { return }
            }
        }
    }

    /// The numbers under which the store has programs and devices, by name; they never change.
    package func processNumbers() throws -> [String: Int64] {
        try read { database, _ in
            let rows = try PreparedStatement(database, "SELECT name, min(id) FROM process GROUP BY name")
            var numbers: [String: Int64] = [:]
            while try rows.step() { numbers[rows.text(0)] = rows.int(1) }
            return numbers
        }
    }

    /// The runs of writers, and when they began.
    package func runs() throws -> [(run: Int64, opened: Timestamp)] {
        try read { database, _ in
            let rows = try PreparedStatement(database, "SELECT id, opened FROM run ORDER BY id")
            var runs: [(Int64, Timestamp)] = []
            while try rows.step() { runs.append((rows.int(0), Timestamp(nanoseconds: Plausible.moment(rows.int(1))))) }
            return runs
        }
    }

    /// The first exchange that ended on each of those connections.
    package func firstExchanges(on connections: [StoredConnection.ID]) throws -> [StoredConnection.ID: Int64] {
        try read { database, _ in
            let find = try PreparedStatement(database, "SELECT first FROM carried WHERE connection = ?")
            var found: [StoredConnection.ID: Int64] = [:]
            for connection in connections {
                find.bind(1, connection.rawValue)
                if try find.step() { found[connection] = find.int(0) }
                find.reset()
            }
            return found
        }
    }
}
