import GRDB
internal import TrafficModel

extension StoreSchema {
    /// The table with the traffic of each minute, one for each direction.
    static func timeline(of direction: TrafficDirection) -> String {
        direction == .called ? "timeline" : "timeline_served"
    }

    // The direction is in the routes and kinds, which exchanges and sums refer to by number. So neither an exchange nor
    // a sum has a byte more. What was metered before was called: 0.
    @Sendable static func addDirections(_ database: Database) throws {
        for view in viewNames { try database.execute(sql: "DROP VIEW \(view)") }
        try database.execute(
            sql: """
                CREATE TABLE directed_route(
                    id INTEGER PRIMARY KEY, api INTEGER NOT NULL, process INTEGER NOT NULL, scheme TEXT NOT NULL,
                    port INTEGER NOT NULL, version TEXT NOT NULL, direction INTEGER NOT NULL,
                    UNIQUE(api, process, port, scheme, version, direction));
                INSERT INTO directed_route SELECT id, api, process, scheme, port, version, 0 FROM route;
                DROP TABLE route;
                ALTER TABLE directed_route RENAME TO route;
                CREATE TABLE directed_kind(
                    id INTEGER PRIMARY KEY, api INTEGER NOT NULL, process TEXT NOT NULL, status INTEGER NOT NULL,
                    type TEXT NOT NULL, direction INTEGER NOT NULL, UNIQUE(api, process, status, type, direction));
                INSERT INTO directed_kind SELECT id, api, process, status, type, 0 FROM kind;
                DROP TABLE kind;
                ALTER TABLE directed_kind RENAME TO kind;
                CREATE TABLE timeline_served(
                    minute INTEGER PRIMARY KEY, requests INTEGER NOT NULL, failures INTEGER NOT NULL,
                    up INTEGER NOT NULL, down INTEGER NOT NULL);
                ALTER TABLE connection ADD COLUMN direction INTEGER NOT NULL DEFAULT 0;
                CREATE INDEX connection_served ON connection(remote, local) WHERE direction = 1;
                """)
        for view in views { try database.execute(sql: view) }
    }
}
