import GRDB
internal import TrafficModel

extension StoreSchema {
    /// Gives a store an identity in a fleet, and remembers what has been shipped.
    ///
    /// `resource` has the attributes of the exchanges from a number on. A row of `destination` is a place to which rows
    /// go: exchanges before `next_exchange` have been taken into a batch or left out. `ship_open` are those that were
    /// running then, and connections that were open. `ship_slot` has, for each slot of time whose sums were taken, how
    /// many exchanges it had then, in all and of those that are shipped. `ship_template` has the template with which
    /// rows of an API were taken, and `ship_note` numbers by name. `ship_batch` are batches that are not acknowledged yet,
    /// or that were refused; see ``batchColumns``.
    @Sendable static func addFleet(_ database: Database) throws {
        try database.execute(sql: resourceTable() + fleetTables)
        try newInstallation(database)
    }

    static func resourceTable(_ later: [String] = []) -> String {
        """
        CREATE TABLE resource(
            first_exchange INTEGER PRIMARY KEY, run INTEGER NOT NULL, service TEXT NOT NULL,
            version TEXT NOT NULL, environment TEXT NOT NULL, host_name TEXT NOT NULL, os TEXT NOT NULL,
            \((["os_version TEXT NOT NULL"] + later).joined(separator: ", ")));

        """
    }

    /// The columns of `resource` that were added later.
    static let places = ["region TEXT NOT NULL DEFAULT ''", "carrier TEXT NOT NULL DEFAULT ''"]

    static let fleetTables = """
        CREATE TABLE identity(installation TEXT NOT NULL);
        CREATE TABLE destination(
            id INTEGER PRIMARY KEY, url TEXT NOT NULL UNIQUE, finest INTEGER NOT NULL,
            coarsest INTEGER NOT NULL, next_exchange INTEGER NOT NULL, next_connection INTEGER NOT NULL,
            overtaken INTEGER NOT NULL, refused INTEGER NOT NULL, hour INTEGER NOT NULL,
            bytes_of_hour INTEGER NOT NULL);
        CREATE TABLE ship_open(
            destination INTEGER NOT NULL, is_connection INTEGER NOT NULL, id INTEGER NOT NULL,
            digest INTEGER NOT NULL, PRIMARY KEY(destination, is_connection, id)) WITHOUT ROWID;
        CREATE TABLE ship_slot(
            destination INTEGER NOT NULL, width INTEGER NOT NULL, slot INTEGER NOT NULL, seen INTEGER NOT NULL,
            sent INTEGER NOT NULL, PRIMARY KEY(destination, width, slot)) WITHOUT ROWID;
        CREATE TABLE ship_template(
            destination INTEGER NOT NULL, api INTEGER NOT NULL, template TEXT NOT NULL,
            PRIMARY KEY(destination, api)) WITHOUT ROWID;
        CREATE TABLE ship_note(
            destination INTEGER NOT NULL, name TEXT NOT NULL, value INTEGER NOT NULL,
            PRIMARY KEY(destination, name)) WITHOUT ROWID;
        CREATE TABLE ship_batch(
            id INTEGER PRIMARY KEY AUTOINCREMENT, destination INTEGER NOT NULL, target TEXT NOT NULL,
            token TEXT NOT NULL, count INTEGER NOT NULL, refusal TEXT, body BLOB NOT NULL);
        """

    /// The columns of a batch's rows, with commas between them; NULL in batches that were cut before they were kept.
    static let batchColumns = "ALTER TABLE ship_batch ADD COLUMN columns TEXT"

    /// Gives the store another identity, so that it is another installation from now on.
    static func newInstallation(_ database: Database) throws {
        var generator = SystemRandomNumberGenerator()
        try database.execute(sql: "DELETE FROM identity")
        try database.execute(
            sql: "INSERT INTO identity VALUES (?)",
            arguments: [InstallationID.random(using: &generator).description])
        for table in ["destination", "ship_open", "ship_slot", "ship_template", "ship_note", "ship_batch"] {
            try database.execute(sql: "DELETE FROM \(table)")
        }
    }
}
