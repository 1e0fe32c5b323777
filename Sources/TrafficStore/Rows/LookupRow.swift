import GRDB
internal import TrafficModel

/// The row of one lookup: writes it from a record and reads it back.
struct LookupRow {
    private static let names = [
        "name", "source", "type", "resolver", "started", "took", "error", "answers", "addresses", "queries", "up",
        "down",
    ]

    /// Writes a row: run, process, and the record.
    static let insertion =
        "INSERT INTO lookup(run, process, " + names.joined(separator: ", ") + ") VALUES ("
        + Array(repeating: "?", count: names.count + 2).joined(separator: ", ") + ")"

    /// Selects the columns that ``record`` reads; an order may follow.
    static let selection =
        "SELECT p.pid, p.name, " + names.map { "l.\($0)" }.joined(separator: ", ")
        + " FROM lookup l JOIN process p ON p.id = l.process"

    /// Binds a record to the parameters of ``insertion`` from the third on.
    static func bind(_ record: LookupRecord, to statement: PreparedStatement) {
        statement.bind(3, record.name)
        statement.bind(4, record.source.rawValue)
        statement.bind(5, record.recordType)
        statement.bind(6, record.resolver)
        statement.bind(7, record.startedAt.nanoseconds)
        statement.bind(8, record.duration)
        statement.bind(9, record.error)
        statement.bind(10, record.answers)
        statement.bind(11, record.addresses.joined(separator: " "))
        statement.bind(12, record.queries)
        statement.bind(13, record.bytesUp?.bytes)
        statement.bind(14, record.bytesDown?.bytes)
    }

    let row: PreparedStatement

    /// The lookup of the current row.
    var record: LookupRecord {
        LookupRecord(
            process: ProcessIdentity(pid: Int32(truncatingIfNeeded: row.int(0)), name: row.text(1)),
            name: row.text(2), source: LookupRecord.Source(rawValue: row.text(3)), recordType: row.optionalText(4),
            resolver: row.optionalText(5), startedAt: Timestamp(nanoseconds: Plausible.moment(row.int(6))),
            duration: Plausible.duration(row.int(7)), error: row.optionalText(8), answers: Plausible.count(row.int(9)),
            addresses: row.text(10).split(separator: " ").map(String.init),
            queries: row.optionalInt(11).map(Plausible.count), bytesUp: bytes(12), bytesDown: bytes(13))
    }

    private func bytes(_ column: Int32) -> ByteCount? { row.optionalInt(column).map { ByteCount($0) } }
}
