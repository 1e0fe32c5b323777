"""What strangers send, who have an app's token, ends no reader: rows with any numbers, arrays and texts in each table.

usage: forging.py debug|release
"""

import pathlib
import shlex
import subprocess
import tempfile

import engines
import inspecting
import stores

GROUPINGS = [
    "api", "host", "path", "status", "type", "method", "process", "network", "direction", "service", "version", "environment",
    "region", "machine", "platform", "installation", "carrier", "hijacked",
]
COMMANDS = [
    *(f"report ALL --by {by} --format {form}" for by in GROUPINGS for form in ["json", "table"]),
    "report ALL --since 1700-01-01 --json", "report ALL --show latency --sort wait", "report ALL --filter failed", "report ONE",
    "report ONE --json", "report ONE --by device", "exchanges ONE", "exchanges ONE --json", "exchanges ONE --limit 5",
    "show ONE 1000001", "show ONE 1000007 --json", "connections ONE", "connections ONE --json",
    *(f"export ONE --format {form}" for form in ["har", "csv", "ndjson", "curl", "openmetrics", "otlp-json"]),
    "export ALL --format openmetrics", "audit ONE", "audit ONE --json", "diff ALL ONE", "diff ONE ALL --json",
    "fleet audit ALL", "fleet audit ALL --json", "fleet totals ALL --settling 0", "report ALL --json", "report ALL",
]
ADDRESSES = [
    "overview", "apis", "apis?direction=served", "timeline", "exchanges", "exchanges/1000001", "exchanges/1000007", "connections",
    "sums", "limits", "audit",
]
# What a kind of column holds; a row has one of them by chance, which is the same in each run.
NUMBERS = {
    "Int64": [-2**63, 2**63 - 1, 2**62, 2**53 + 1, -1, 0, 1, 2**40],
    "UInt64": [0, 2**64 - 1, 2**63, 5],
    "UInt16": [0, 1, 60, 1440, 65535],
    "UInt8": [0, 1, 2, 255],
    "Int16": [-32768, 32767, 0, -2],
}
TEXTS = ["''", "unhex('FF00C3')", "'GET'", f"'{3_000 * 'é'}'", "'/a/{id}/..'", "'api1.example.com'"]
ARRAYS = {
    "Int16": ["emptyArrayInt16()", "[toInt16(-32768), toInt16(32767)]", "[toInt16(5), toInt16(5), toInt16(4)]", "[toInt16(-9)]"],
    "Int64": [
        "emptyArrayInt64()", "[toInt64(9223372036854775807), toInt64(9223372036854775807)]", "[toInt64(-9223372036854775807)]",
        "[toInt64(1), toInt64(4611686018427387904), toInt64(3)]"],
}
# What a row is found by, and what says which of two is the newer one.
KEPT = {"revision", "received", "arrived"}
# Of these, most rows have what lets them be read at all.
PLACES = {"width": "toUInt16([60, 60, 60, 1440, 1][{place}])", "whole": "toUInt8([1, 1, 1, 1, 0][{place}])"}
ROWS = 64
LAYOUTS = 2_000


def forged(name, kind):
    """An expression for a forged value of a column; `number` is the row."""
    def one_of(values):
        return f"[{', '.join(values)}][1 + cityHash64('{name}', number) % {len(values)}]"

    if name in PLACES:
        return PLACES[name].format(place=f"1 + cityHash64('{name}', number) % 5")
    if name == "installation":
        # Half are another one's.
        return "toUUID(if(number % 2 = 0, '00000007-0000-0000-0000-000000000001', first_installation))"
    if name in ("number", "kind"):
        return "toInt64(1000000 + number)"
    inner = kind.replace("LowCardinality(", "").replace("Nullable(", "").rstrip(")")
    if kind.startswith("Array("):
        of = kind[len("Array("):-1]
        return one_of(ARRAYS[of]) if of in ARRAYS else None
    if inner in NUMBERS:
        value = f"to{inner}({one_of([f'to{inner}({number})' for number in NUMBERS[inner]])})"
        return f"if(cityHash64('{name}', number, 1) % 3 = 0, NULL, {value})" if "Nullable(" in kind else value
    if inner == "String":
        return one_of(TEXTS)
    return None


def forge(server, database):
    """Adds forged rows to each table that an installation sends."""
    first = server.ask("SELECT toString(any(installation)) FROM installation FORMAT TSV", database).strip()
    for table in "exchange", "connection", "sums", "template", "loss", "installation", "finding", "audit":
        columns = [line.split("\t") for line in server.ask(
            f"SELECT name, type FROM system.columns WHERE database = '{database}' AND table = '{table}' FORMAT TSVRaw").splitlines()]
        values = {name: forged(name, kind) for name, kind in columns if name not in KEPT}
        values = {name: value.replace("first_installation", f"'{first}'") for name, value in values.items() if value}
        server.ask(
            f"INSERT INTO {table} ({', '.join(values)}, revision) SELECT {', '.join(values.values())}, toUInt64(5 + number) "
            f"FROM system.numbers LIMIT {ROWS}", database)
    # Installations whose sums have widths of their own: an address has to select them all.
    server.ask(
        "INSERT INTO installation (installation, finest, coarsest, revision) SELECT "
        f"toUUID(concat('00000008-0000-0000-0000-', hex(toUInt64(1099511627776 + number)))), toUInt16(number % 251), "
        f"toUInt16(7 * number), toUInt64(1) FROM system.numbers LIMIT {LAYOUTS}", database)
    return first


def trouble(words):
    """What is wrong with how a command ended; None if nothing is. Only what lists may refuse a fleet, in words."""
    done = subprocess.run([stores.COMMAND, *words], text=True, capture_output=True, timeout=120, errors="replace")
    if done.returncode == 0 or (done.returncode == 65 and "installations, and exchanges have" in done.stderr):
        return None
    return f"{shlex.join(map(str, words))}: {done.returncode}: {done.stderr[:1_500]}"


def trouble_at(base, path, statuses):
    """The same of an address of the inspector, which has one of those statuses."""
    try:
        said = inspecting.answer(base, path)
    except OSError as error:
        return f"{path}: {error}"
    return None if said[:3] in statuses else f"{path}: {said[:500]}"


def main():
    with tempfile.TemporaryDirectory(prefix="fleet-") as name:
        store = stores.demo(pathlib.Path(name))
        for engine in engines.SERVING:
            with engine() as server:
                print(f"== ClickHouse {server.ask('SELECT version() FORMAT TSV').strip()}")
                stores.make_tables(server, "forged")
                place = server.url("forged")
                stores.run("ship", store, "--to", place, "--share", "all", "--sums", "hours", "--reset")
                first = forge(server, "forged")
                places = {"ALL": place, "ONE": f"{place}?installation={first}"}
                troubles = [trouble([places.get(word, word) for word in line.split()]) for line in COMMANDS]
                for name, which in places.items():
                    with inspecting.inspecting(which) as base:
                        statuses = ["200", "409"] if name == "ALL" else ["200"]
                        troubles += [trouble_at(base, path, statuses) for path in ADDRESSES]
                found = [said for said in troubles if said]
                assert not found, "\n\n".join(found)
                print(f"{len(COMMANDS)} commands and {len(ADDRESSES)} addresses of the inspector withstand forged rows")


main()
