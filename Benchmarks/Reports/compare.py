"""Times reports on a large store, and DuckDB adding up the same exchanges; prints rows of a Markdown table.

    compare.py load FILE.parquet          rows from standard input (WireweightBenchmarks print-rows) to Parquet
    compare.py compare COMMAND STORE FILE.parquet
    compare.py audit COMMAND STORE EXCHANGES      the audit, of as many exchanges as it examines by default, and of more
    compare.py duckdb FILE.parquet KIND SINCE     one measurement of DuckDB's, in a process of its own

DuckDB reads a Parquet file with one row for each exchange, and its time is that of the query alone; the command's
time is that of the whole process, from its start to its exit. The processor time follows the time on the clock
of all threads, which other work on the machine disturbs less.
"""

import json
import os
import resource
import statistics
import subprocess
import sys
import time

RUNS = 5
PHASES = ["dns", "connect", "tls", "wait", "receive"]
SUMS = """
    count(*), count(*) FILTER (status > 0), sum(failed), sum(up), sum(down), sum(up_fields), sum(down_fields),
    sum(cookies), sum(encoded), sum(decoded), count(*) FILTER (status = 304), sum(opened), sum(reused),
    min(started), max(started)"""
QUANTILE = "quantile_disc({}, [0.5, 0.9, 0.95, 0.99])"
COLUMNS = {
    # What the table of `report --by api` is made of, and what its JSON has beside that.
    "report": SUMS + ", " + QUANTILE.format("total"),
    "percentiles": SUMS + ", " + ", ".join(QUANTILE.format(name) for name in ["total"] + PHASES),
}


def query(path, kind, since):
    return f"""SELECT method, host, template, {COLUMNS[kind]} FROM '{path}' WHERE started >= {since}
        GROUP BY method, host, template"""


def load(path):
    import duckdb

    duckdb.sql(
        f"""COPY (SELECT * FROM read_csv('/dev/stdin', header = true, sample_size = 100000, nullstr = ''))
        TO '{path}' (FORMAT parquet)"""
    )


def duck(path, kind, since):
    """Prints the milliseconds by the clock and of the processor, the peak of memory in MB, the sums of counts and bytes."""
    import duckdb

    connection = duckdb.connect()
    connection.execute("SELECT 1").fetchall()
    begin, cpu = time.perf_counter(), time.process_time()
    rows = connection.execute(query(path, kind, since)).fetchall()
    took = [(time.perf_counter() - begin) * 1000, (time.process_time() - cpu) * 1000]
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
    print(json.dumps(took + [peak, sum(r[3] for r in rows), sum(r[6] + r[7] for r in rows)]))


def run(words):
    """The milliseconds of a process by the clock and of the processor, its peak of memory in MB, its output."""
    begin = time.perf_counter()
    process = subprocess.Popen(words, stdout=subprocess.PIPE)
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    took = (time.perf_counter() - begin) * 1000
    if status != 0:
        sys.exit(f"compare: {' '.join(words)} failed")
    return took, (usage.ru_utime + usage.ru_stime) * 1000, usage.ru_maxrss / 1000, output


def median(runs, index):
    return statistics.median(run[index] for run in runs)


def figures(runs):
    return [f"{median(runs, 0):.0f} ms ({median(runs, 1):.0f})", f"{max(run[2] for run in runs):.0f} MB"]


def compare(command, store, parquet):
    last = json.loads(run([command, "report", store, "--by", "method", "--format", "json"])[3])["totals"]["lastSeen"]
    hour = subprocess.check_output(["date", "-u", "-d", f"{last} 1 hour ago", "+%Y-%m-%dT%H:%M:00Z"], text=True).strip()
    seconds = int(subprocess.check_output(["date", "-u", "-d", hour, "+%s"], text=True))
    for name, words, since in [("all time", [], 0), ("the last hour", ["--since", hour], seconds * 10**9)]:
        report = [command, "report", store, "--by", "api"] + words
        totals = json.loads(run(report + ["--format", "json"])[3])["totals"]
        for kind, view in [("report", []), ("percentiles", ["--format", "json"])]:
            ours = [run(report + view) for _ in range(RUNS)]
            call = [sys.executable, __file__, "duckdb", parquet, kind, str(since)]
            theirs = [json.loads(run(call)[3]) for _ in range(RUNS)]
            if theirs[0][3:] != [totals["requests"], totals["up"] + totals["down"]]:
                sys.exit(f"compare: DuckDB counts {theirs[0][3:]}, the report {totals['requests']} requests")
            ratios = [f"{median(ours, index) / median(theirs, index):.2f}" for index in (0, 1)]
            cells = [f"{kind}, {name}: {totals['requests']:,}"] + figures(ours) + figures(theirs) + ratios
            print("| " + " | ".join(cells) + " |", flush=True)


def audit(command, store, exchanges):
    count = int(exchanges)
    aim = "2 s, 100 MB" if count >= 10_000_000 else ""
    cases = [(f"{count:,} exchanges", aim, [], RUNS)]
    if count >= 10_000_000:
        cases += [(f"the same, `--examine {more}`, once", "", ["--examine", str(more)], 1) for more in (100_000, 1_000_000)]
    for name, aim, words, times in cases:
        runs = [run([command, "audit", store, "--format", "json"] + words) for _ in range(times)]
        clock, processor = (f"{median(runs, index) / 1000:.2f} s" for index in (0, 1))
        print(f"| {name} | {aim} | {clock} | {processor} | {max(one[2] for one in runs):.0f} MB |", flush=True)


if __name__ == "__main__":
    verb, words = sys.argv[1], sys.argv[2:]
    {"load": load, "compare": compare, "audit": audit, "duckdb": duck}[verb](*words)
