"""How long a report of a fleet takes as the fleet grows: in requests, in hours or days, and in installations, without and with the
totals of `wireweight fleet totals`. Prints tables, and writes what Benchmarks/Scale/plot.py draws.

usage: growth.py release STORE FIGURES

STORE is shipped once. What is larger is made of it in ClickHouse. Rows of `exchange` are not multiplied: no report by API reads
them.
"""

import json
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import time

import clickhouse
import processes
import stores

TIMES = [1, 10, 100]
# Minutes in a slot, and the name of such sums.
WIDTHS = {"hours": 60, "days": 1440}
RUNS = 3
WAYS = [
    ("requests", "more requests of the same APIs in the same {sums}"),
    ("slots", "as many requests in each of more {sums}"),
    ("installations", "more installations with the same APIs and {sums}"),
]
# What is drawn, in the words of the plot.
DRAWN = [
    ("hours: requests", "more requests in the same hours", "#b45309"),
    ("hours: requests, with totals", "more requests in the same hours, totals", "#e3b27d"),
    ("hours: slots", "more hours", "#0b6bcb"),
    ("hours: slots, with totals", "more hours, totals", "#7ab4e6"),
    ("days: installations", "more installations, days", "#2a8a57"),
    ("days: installations, with totals", "more installations, days, totals", "#86c5a4"),
]


def copy(server, source, target, table, changes, where="1"):
    """Inserts the rows of a table of one database into that of another, with other expressions for some columns."""
    names = [line for line in server.ask(
        f"SELECT name FROM system.columns WHERE database = '{source}' AND table = '{table}' FORMAT TSVRaw").splitlines()]
    values = [f"{changes(name)} AS {name}" if changes(name) else name for name in names]
    # Under another name, so that an expression is not of itself.
    server.ask(f"INSERT INTO {target}.{table} ({', '.join(names)}) SELECT {', '.join(values)} FROM {source}.{table} AS old WHERE {where}")


def multiplied(server, source, target, way, times, width):
    """The rows that a report by API reads, of a fleet that is larger by that factor."""
    first, last = map(int, server.ask(f"SELECT min(slot), max(slot) FROM {source}.sums FORMAT TSV").split())
    slots = last - first + 1
    connections = int(server.ask(f"SELECT max(number) FROM {source}.connection FORMAT TSV"))
    types = dict(line.split("\t") for line in server.ask(
        f"SELECT name, type FROM system.columns WHERE database = '{source}' AND table = 'sums' FORMAT TSVRaw").splitlines())
    kept = {"run", "slot", "kind", "status", "first_us", "last_us"}

    def larger(name):
        if name in kept or name.endswith(("_least", "_largest")):
            return None
        if name.endswith("_count"):
            return f"arrayMap(count -> count * {times}, old.{name})"
        return f"old.{name} * {times}" if types.get(name) == "Int64" else None

    for part in range(times):
        installation = f"toUUID(concat(substring(toString(old.installation), 1, 28), '{part:08x}'))"
        shift = part * slots * width * 60_000_000
        moved = {"slot": f"old.slot + {part * slots}", "first_us": f"old.first_us + {shift}", "last_us": f"old.last_us + {shift}"}
        number = {"number": f"old.number + {part * connections}"}
        if way == "requests":
            if part == 0:
                copy(server, source, target, "sums", larger)
            copy(server, source, target, "connection", number.get)
        elif way == "slots":
            copy(server, source, target, "sums", moved.get)
            copy(server, source, target, "connection", (number | {
                "opened_ns": f"old.opened_ns + {shift * 1000}", "closed_ns": f"old.closed_ns + {shift * 1000}"}).get)
        else:
            for table in "sums", "connection", "installation", "template":
                copy(server, source, target, table, {"installation": installation}.get)
    if way != "installations":
        for table in "installation", "template":
            copy(server, source, target, table, lambda name: None)
    for table in "sums", "connection":
        server.ask(f"OPTIMIZE TABLE {target}.{table} FINAL")


def measured(server, place):
    """The medians of a report by API: seconds by the clock, of the command's and of ClickHouse's processor."""
    figures = []
    for _ in range(RUNS):
        begin, served = time.monotonic(), processes.processor(server.process)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([stores.COMMAND, "report", place, "--json"], stdout=subprocess.DEVNULL, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        figures.append((
            time.monotonic() - begin, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime,
            processes.processor(server.process) - served))
    return [statistics.median(column) for column in zip(*figures)]


def main():
    store, plot = pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    with clickhouse.serving() as server:
        version = server.ask("SELECT version() FORMAT TSV").strip()
        print(f"- with: ClickHouse {version}\n")
        print(f"| report by API | requests | rows of sums | connections | by the clock | command | ClickHouse | load |")
        print("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
        figures = {}

        def line(said, name, count, place, rows, connections):
            try:
                clock, command, served = measured(server, place)
                figures.setdefault(name, {})[str(count)] = [served + command, clock]
                cells = f"{clock:.2f} s | {command:.2f} s | {served:.2f} s"
            except subprocess.CalledProcessError:
                cells = "no response within 60 s | | "
            print(f"| {said} | {count:,} | {rows:,} | {connections:,} | {cells} | {os.getloadavg()[0]:.1f} |", flush=True)

        for sums, width in WIDTHS.items():
            stores.make_tables(server, sums)
            copied = store.with_name(f"growth-{sums}.db")
            copied.write_bytes(store.read_bytes())
            stores.run("ship", copied, "--to", server.url(sums), "--share", "templates", "--sums", sums, "--no-audit")
            copied.unlink()
            requests = int(server.ask(f"SELECT sum(requests) FROM {sums}.sums FORMAT TSV"))
            for way, said in WAYS:
                if f"{sums}: {way}" not in [name for name, _, _ in DRAWN]:
                    continue
                name = said.format(sums=sums)
                for times in TIMES:
                    target = f"{sums}_{way}_{times}"
                    stores.make_tables(server, target)
                    multiplied(server, sums, target, way, times, width)
                    rows, connections = (
                        int(server.ask(f"SELECT count() FROM {target}.{table} FORMAT TSV")) for table in ("sums", "connection"))
                    line(name, f"{sums}: {way}", times * requests, server.url(target), rows, connections)
                    # What arrives in the second in which totals are made may not be in them.
                    time.sleep(1.1)
                    begin = time.monotonic()
                    stores.run("fleet", "totals", server.url(target), "--settling", "0", limit=3_600)
                    took = time.monotonic() - begin
                    rows = int(server.ask(f"SELECT count() FROM {target}.total FORMAT TSV"))
                    line(
                        f"the same with totals, made in {took:.0f} s", f"{sums}: {way}, with totals", times * requests,
                        server.url(target), rows, connections)
                    server.ask(f"DROP DATABASE {target}")
        plot.write_text(json.dumps({
            "title": "A report by API of a fleet, by the number of requests", "axis": "requests in the fleet; time by the clock",
            "counts": [times * requests for times in TIMES], "lines": [(said, colour) for _, said, colour in DRAWN],
            "figures": {said: figures.get(name, {}) for name, said, _ in DRAWN}}))


main()
