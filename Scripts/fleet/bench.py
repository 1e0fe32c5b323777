"""What a fleet of one large store costs: bytes, processor time, and how long reports take. Prints docs/fleet.md's table.

usage: bench.py release FOLDER EXCHANGES
"""

import hashlib
import pathlib
import re
import resource
import shutil
import statistics
import subprocess
import sys
import time

import clickhouse
import processes
import stores

# What prints the same of the fleet as of the store; each is read as it is, whatever its size.
COMPARED = [
    "report FILE --json", "report FILE --by host --json", "report FILE --by status --json", "report FILE --by type --format csv",
    "report FILE --by path --json", "report FILE --by network --json", "report FILE --show latency", "report FILE --by process", "diff FILE FILE", "exchanges FILE --limit 200 --json",
    "show FILE 1", "show FILE 500000 --json", "connections FILE --json", "export FILE --format ndjson", "export FILE --format csv",
]
TABLES = ["exchange", "connection", "sums"]


def children():
    """The seconds that ended children have computed."""
    times = resource.getrusage(resource.RUSAGE_CHILDREN)
    return times.ru_utime + times.ru_stime


def ship(server, store, share, sums):
    """Ships a copy; gives the table's row, and the copy."""
    database = f"{share}_{sums}"
    stores.make_tables(server, database)
    copy = store.with_name(f"{database}.db")
    shutil.copy(store, copy)
    before, served = children(), processes.processor(server.process)
    said, _ = stores.run("ship", copy, "--to", server.url(database), "--share", share, "--sums", sums)
    computed, served = children() - before, processes.processor(server.process) - served
    count = int(server.ask(f"SELECT count() FROM {database}.exchange"))
    sent, unit = re.search(r"in ([\d.,]+) (kB|MB|GB)", said).groups()
    wire = float(sent.replace(",", "")) * {"kB": 1e3, "MB": 1e6, "GB": 1e9}[unit]
    # Merged, as they are after a while.
    for table in TABLES:
        server.ask(f"OPTIMIZE TABLE {database}.{table} FINAL")
    disk = dict(line.split("\t") for line in server.ask(
        f"SELECT table, sum(bytes) FROM system.parts WHERE active AND database = '{database}' GROUP BY table FORMAT TSV").splitlines())
    whole = sum(int(disk.get(table, 0)) for table in TABLES)
    return copy, server.url(database), (
        f"| `{share}`, {sums} | {wire / count:.0f} B | {whole / count:.0f} B | {int(disk['exchange']) / count:.0f} B "
        f"| {computed / count * 1e6:.1f} µs | {served / count * 1e6:.1f} µs |")


def seconds(words):
    """The median of five."""
    times = []
    for _ in range(5):
        begin = time.monotonic()
        stores.run(*words)
        times.append(time.monotonic() - begin)
    return statistics.median(times)


def digest(words):
    """Of what a command prints, which may be more than fits into memory."""
    whole = hashlib.sha256()
    process = subprocess.Popen([stores.COMMAND, *map(str, words)], stdout=subprocess.PIPE)
    while piece := process.stdout.read(1 << 20):
        whole.update(piece)
    assert process.wait() == 0, words
    return whole.hexdigest()


def main():
    folder, count = pathlib.Path(sys.argv[2]), int(sys.argv[3])
    store = folder / f"{count}.db"
    if not store.exists():
        subprocess.run([stores.COMMAND.with_name("WireweightBenchmarks"), "make-store", store, str(count)], check=True)
    with clickhouse.serving() as server:
        version = server.ask("SELECT version() FORMAT TSV").strip()
        print(f"{count:,} exchanges, ClickHouse {version}, each exchange:\n")
        print("| `--share`, `--sums` | sent | stored, with sums | of it the exchange | to ship | to take in |")
        print("| --- | --- | --- | --- | --- | --- |")
        places = {}
        for share, sums in ("templates", "hours"), ("all", "hours"), ("all", "minutes"):
            copy, places[sums], row = ship(server, store, share, sums)
            print(row, flush=True)
        print("\n| report | of the fleet, hours | of the fleet, minutes | of the file |\n| --- | --- | --- | --- |")
        for by in "api", "host", "status", "path", "network":
            times = [seconds(["report", place, "--by", by, "--json"]) for place in (places["hours"], places["minutes"], copy)]
            print(f"| by {by} | " + " | ".join(f"{time:.2f} s" for time in times) + " |", flush=True)
        for line in COMPARED:
            pair = [digest([place if word == "FILE" else word for word in line.split()]) for place in (str(copy), places["minutes"])]
            assert pair[0] == pair[1], f"{line} differs"
        print(f"\n{len(COMPARED)} commands print the same of both.")


main()
