"""Compares what sqlite3 and DuckDB read from the views of a store with what the command shows.

usage: store.py FOLDER    with traffic.db, host.json, api.json, exchanges.ndjson and connections.ndjson
"""

import glob
import json
import pathlib
import subprocess
import sys
import sysconfig

import duckdb

folder = pathlib.Path(sys.argv[1])
store = folder / "traffic.db"

PARTS = ["startLine", "fields", "cookies", "interim", "body", "framing", "total", "evidence"]
PHASES = ["queue", "dns", "connect", "tls", "send", "wait", "receive", "total", "unattributed"]


def sqlite3(query):
    """The rows by Debian's sqlite3."""
    output = subprocess.run(
        ["sqlite3", "-readonly", "-json", store, query], check=True, capture_output=True, text=True
    ).stdout
    return json.loads(output or "[]")


def opened():
    """DuckDB with the store attached as `t`."""
    packages = sysconfig.get_paths()["purelib"]
    extensions = glob.glob(
        f"{packages}/duckdb_extension_sqlite_scanner/extensions/*/sqlite_scanner.duckdb_extension"
    )
    database = duckdb.connect(config={"allow_unsigned_extensions": "true"})
    database.execute(f"LOAD '{extensions[0]}'")
    database.execute(f"ATTACH '{store}' AS t (TYPE sqlite, READ_ONLY)")
    database.execute("USE t")
    return database


database = opened()


def duck(query):
    """The rows by DuckDB."""
    cursor = database.execute(query)
    names = [column[0] for column in cursor.description]
    return [dict(zip(names, row)) for row in cursor.fetchall()]


def check(what, found, expected):
    """Ends with an error if they differ."""
    if found != expected:
        sys.exit(f"{what}: {found!r}, expected {expected!r}")


def lines(name):
    """The objects of a file in NDJSON."""
    return [json.loads(line) for line in (folder / name).read_text().splitlines()]


def flattened(line):
    """The values of an exchange by the names of the view."""
    response = line["response"] or {}
    values = {
        name: line[name]
        for name in (
            "exchange task resendCount pid process startedAt sentAt endedAt method url scheme host port authority "
            "path query template httpVersion outcome error errorCode errorDomain connection remoteAddress"
        ).split()
    }
    for name in ("status", "reason", "contentType", "contentEncoding", "firstByteAt"):
        values[name] = response.get(name)
    for message in ("request", "response"):
        for part in PARTS:
            values[message + part[0].upper() + part[1:]] = (line[message] or {}).get(part)
    values["responseDecodedBody"] = response.get("decodedBody")
    for phase in PHASES:
        values[f"{phase}Ms"] = line["timings"][phase]
    values["failed"] = int(line["failed"])
    values["reused"] = None if line["reused"] is None else int(line["reused"])
    values["network"] = line["network"] and line["network"]["name"]
    for way in ("up", "down"):
        values[f"overhead{way.title()}"] = line["overhead"] and line["overhead"][way]
        values[f"packetHeaders{way.title()}"] = line["packetHeaders"] and line["packetHeaders"][way]
    return values


def check_exchanges(what, rows, expected):
    """Each row has the values of its line."""
    check(f"{what}: rows", len(rows), len(expected))
    for row, line in zip(rows, expected):
        for name, value in flattened(line).items():
            check(f"{what}: {name} of exchange {line['exchange']}", row[name], value)


def check_sums(what, rows, expected, names):
    """Each row has the sums of its object in the report."""
    check(f"{what}: rows", len(rows), len(expected))
    for row in rows:
        key = [row[name] for name in names]
        total = next(one for one in expected if [one[name] for name in names] == key)
        for name in ("requests", "responses", "failures", "up", "down"):
            check(f"{what}: {name} of {key}", int(row[name]), total[name])


exchanges = lines("exchanges.ndjson")
hosts = json.loads((folder / "host.json").read_text())["hosts"]
apis = json.loads((folder / "api.json").read_text())["apis"]
connections = {line["connection"]: line for line in lines("connections.ndjson")}

for what, run in (("sqlite3", sqlite3), ("DuckDB", duck)):
    check_exchanges(what, run("SELECT * FROM exchanges ORDER BY exchange"), exchanges)
    by_host = """
        SELECT authority AS host, count(*) AS requests, count(status) AS responses, sum(failed) AS failures,
            sum(up) AS up, sum(down) AS down FROM exchanges GROUP BY 1
        """
    check_sums(f"{what}, exchanges", run(by_host), hosts, ["host"])
    check_sums(f"{what}, apis", run("SELECT * FROM apis"), apis, ["method", "host", "template"])
    by_api = """
        SELECT method, host, template, sum(requests) AS requests, sum(responses) AS responses,
            sum(failures) AS failures, sum(up) AS up, sum(down) AS down FROM hourly GROUP BY 1, 2, 3
        """
    check_sums(f"{what}, hourly", run(by_api), apis, ["method", "host", "template"])
    for row in run("SELECT * FROM connections"):
        line = connections[row["connection"]]
        for way in ("up", "down"):
            for name in ("payload", "messages", "tlsOverhead", "http2Overhead", "unaccounted"):
                value = line[name] and line[name][way]
                check(f"{what}: {name} of connection {row['connection']}", row[f"{name}{way.title()}"], value)
        check(f"{what}: openedAt", row["openedAt"], line["openedAt"])
    for message in ("request", "response"):
        rows = run(f"SELECT * FROM {message}s ORDER BY exchange")
        expected = [line for line in exchanges if line[message] is not None]
        check(f"{what}: {message}s", [row["exchange"] for row in rows], [line["exchange"] for line in expected])
        for name in PARTS:
            values = [line[message][name] for line in expected]
            check(f"{what}: {name} of {message}s", [row[name] for row in rows], values)

# If DuckDB could not run a view itself, every column would be a text.
texts = duck("DESCRIBE exchanges")
types = {row["column_name"]: row["column_type"] for row in texts}
check("types", [types[name] for name in ("up", "status", "totalMs", "startedAt")], ["BIGINT", "BIGINT", "DOUBLE", "VARCHAR"])
times = duck("SELECT strftime(make_timestamp(startedAtUs), '%Y-%m-%dT%H:%M:%S.%fZ') AS time FROM exchanges ORDER BY exchange")
check("make_timestamp", [row["time"] for row in times], [line["startedAt"] for line in exchanges])
print(f"{len(exchanges)} exchanges of {len(apis)} APIs: sqlite3 and DuckDB {duckdb.__version__} read what the command shows")
