extension StoreSchema {
    // Hosts of APIs had no port. An API that was used with one port gets it. An API that was used with several ports
    // becomes several APIs; the ports of its routes, and so of its exchanges, are known. Sums are known only by
    // program: those of a program that used one port move to the API of that port; those of other programs stay with
    // the host alone.
    //
    // `used` has the authorities that each API needs: those of its routes, and those of the APIs that were merged into
    // it.
    static let authority = """
        CREATE TEMP TABLE reached AS
            SELECT t.id AS route, t.api AS api, p.name AS process, CASE
                WHEN a.host = '' OR t.port <= 0 OR (t.scheme IN ('http', 'ws') AND t.port = 80)
                    OR (t.scheme IN ('https', 'wss') AND t.port = 443) THEN a.host
                ELSE a.host || ':' || t.port END AS host
            FROM route t JOIN api a ON a.id = t.api LEFT JOIN process p ON p.id = t.process;
        CREATE TEMP TABLE used(api INTEGER NOT NULL, host TEXT NOT NULL, PRIMARY KEY(api, host)) WITHOUT ROWID;
        INSERT OR IGNORE INTO used SELECT api, host FROM reached;
        INSERT OR IGNORE INTO used
            SELECT a.merged_into, r.host FROM reached r JOIN api a ON a.id = r.api WHERE a.merged_into IS NOT NULL;
        CREATE TEMP TABLE split(api INTEGER PRIMARY KEY);
        INSERT INTO split SELECT api FROM used GROUP BY api HAVING count(*) > 1;

        UPDATE api SET host = (SELECT u.host FROM used u WHERE u.api = api.id)
            WHERE id IN (SELECT api FROM used) AND id NOT IN (SELECT api FROM split);
        INSERT INTO api(method, host, template, given, merged_into)
            SELECT a.method, u.host, a.template, a.given, a.merged_into
            FROM split s JOIN api a ON a.id = s.api JOIN used u ON u.api = a.id WHERE u.host <> a.host;
        CREATE TEMP TABLE part(api INTEGER NOT NULL, host TEXT NOT NULL, id INTEGER NOT NULL, PRIMARY KEY(api, host));
        INSERT INTO part
            SELECT a.id, n.host, n.id FROM split s JOIN api a ON a.id = s.api JOIN used u ON u.api = a.id
                JOIN api n ON n.host = u.host AND n.template = a.template AND n.method = a.method;

        UPDATE route SET api = (
                SELECT p.id FROM reached r JOIN part p ON p.api = r.api AND p.host = r.host WHERE r.route = route.id)
            WHERE api IN (SELECT api FROM split);
        UPDATE api SET merged_into = (
                SELECT p.id FROM part p WHERE p.api = api.merged_into AND p.host = api.host)
            WHERE merged_into IN (SELECT api FROM split)
                AND EXISTS (SELECT 1 FROM part p WHERE p.api = api.merged_into AND p.host = api.host);
        UPDATE kind SET api = (
                SELECT max(p.id) FROM reached r JOIN part p ON p.api = r.api AND p.host = r.host
                WHERE r.api = kind.api AND r.process = kind.process)
            WHERE api IN (SELECT api FROM split) AND 1 = (
                SELECT count(DISTINCT r.host) FROM reached r WHERE r.api = kind.api AND r.process = kind.process);
        UPDATE meta SET value = value + 1 WHERE key = 'merges';
        DROP TABLE reached;
        DROP TABLE used;
        DROP TABLE split;
        DROP TABLE part;
        """
}
