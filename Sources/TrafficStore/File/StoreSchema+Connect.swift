extension StoreSchema {
    // The template of CONNECT was made of its authority as if that were a path, such as `h:{id}`. Now it is the
    // authority itself, whose port is that of the API's routes. The old API points to the new one, as if they had been
    // merged, so that no row and no sum is rewritten, and paths are still decoded by the template that encoded them.
    // The old API is marked as given, so that no template is learned from it. Counts of several ports together keep
    // their template.
    static let connectTemplates = """
        CREATE TEMP TABLE tunnel AS
            SELECT a.id AS api, a.host AS host, lower(CASE
                WHEN substr(a.host, -length(':' || min(t.port))) = ':' || min(t.port) THEN a.host
                ELSE a.host || ':' || min(t.port) END) AS template
            FROM api a JOIN route t ON t.api = a.id
            WHERE a.method = 'CONNECT' AND a.host <> '' AND instr(a.template, '{') > 0 AND a.given = 0
                AND NOT EXISTS (
                    SELECT 1 FROM api o WHERE o.method = a.method AND o.template = a.template AND o.id <> a.id
                        AND substr(o.host, 1, length(a.host) + 1) = a.host || ':')
            GROUP BY a.id HAVING min(t.port) = max(t.port) AND min(t.port) > 0;
        INSERT OR IGNORE INTO api(method, host, template, given) SELECT 'CONNECT', host, template, 0 FROM tunnel;
        UPDATE api SET given = 1, merged_into = (
                SELECT n.id FROM tunnel u JOIN api n
                    ON n.method = 'CONNECT' AND n.host = u.host AND n.template = u.template WHERE u.api = api.id)
            WHERE id IN (SELECT api FROM tunnel);
        UPDATE meta SET value = value + 1 WHERE key = 'merges' AND EXISTS (SELECT 1 FROM tunnel);
        DROP TABLE tunnel;
        """
}
