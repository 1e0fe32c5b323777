"""Times reports on a large store, and DuckDB adding up the same exchanges; prints rows of a Markdown table.

    compare.py load FILE.parquet          rows from standard input (WireweightBenchmarks print-rows) to Parquet
    compare.py compare COMMAND STORE FILE.parquet
    compare.py duckdb FILE.parquet KIND SINCE     one measurement of DuckDB's, in a process of its own

DuckDB reads a Parquet file with one row for each exchange, and its time is that of the query alone; the command's
time is that of the whole process, from its start to its exit.
"""

import json
import os
import resource
import statistics
import subprocess
import sys
import time

RUNS = 5
SUMS = """
    count(*), count(*) FILTER (status > 0), sum(failed), sum(up), sum(down), sum(up_fields), sum(down_fields),
    sum(cookies), sum(encoded), sum(decoded), count(*) FILTER (status = 304), sum(opened), sum(reused),
    min(started), max(started)"""
PHASES = ["total", "dns", "tcp", "tls", "wait", "receive"]
QUANTILES = ", ".join(f"quantile_disc({name}, [0.5, 0.9, 0.95, 0.99])" for name in PHASES)


def query(path, kind, since):
    columns = SUMS if kind == "sums" else SUMS + ", " + QUANTILES
    return f"""SELECT method, host, template, {columns} FROM '{path}' WHERE started >= {since}
        GROUP BY method, host, template"""


def load(path):
    import duckdb

    duckdb.sql(
        f"""COPY (SELECT * FROM read_csv('/dev/stdin', header = true, sample_size = 100000, nullstr = ''))
        TO '{path}' (FORMAT parquet)"""
    )


def duck(path, kind, since):
    """Prints the milliseconds, the peak of the memory in MB, and the sums of counts and bytes."""
    import duckdb

    connection = duckdb.connect()
    connection.execute("SELECT 1").fetchall()
    begin = time.perf_counter()
    rows = connection.execute(query(path, kind, since)).fetchall()
    took = (time.perf_counter() - begin) * 1000
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
    print(json.dumps([took, peak, sum(r[3] for r in rows), sum(r[6] + r[7] for r in rows)]))


def run(words):
    """The milliseconds of a process, its peak of memory in MB, its output."""
    begin = time.perf_counter()
    process = subprocess.Popen(words, stdout=subprocess.PIPE)
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    took = (time.perf_counter() - begin) * 1000
    if status != 0:
        sys.exit(f"compare: {' '.join(words)} failed")
    return took, usage.ru_maxrss / 1000, output


def median(values):
    return statistics.median(values)


def compare(command, store, parquet):
    last = json.loads(run([command, "report", store, "--by", "method", "--format", "json"])[2])["totals"]["lastSeen"]
    hour = subprocess.check_output(["date", "-u", "-d", f"{last} 1 hour ago", "+%Y-%m-%dT%H:%M:00Z"], text=True).strip()
    seconds = int(subprocess.check_output(["date", "-u", "-d", hour, "+%s"], text=True))
    for name, words, since in [("all time", [], 0), ("the last hour", ["--since", hour], seconds * 10**9)]:
        ours = [run([command, "report", store, "--by", "api", "--format", "json"] + words) for _ in range(RUNS)]
        totals = json.loads(ours[0][2])["totals"]
        took = median([one[0] for one in ours])
        memory = max(one[1] for one in ours)
        cells = [f"`report --by api`, {name}, {totals['requests']:,} exchanges", f"{took:.0f} ms", f"{memory:.0f} MB"]
        for kind in ["sums", "percentiles"]:
            theirs = [
                json.loads(run([sys.executable, __file__, "duckdb", parquet, kind, str(since)])[2]) for _ in range(RUNS)
            ]
            if theirs[0][2:] != [totals["requests"], totals["up"] + totals["down"]]:
                sys.exit(f"compare: DuckDB counts {theirs[0][2:]}, the report {totals['requests']} requests")
            other = median([one[0] for one in theirs])
            cells += [f"{other:.0f} ms", f"{max(one[1] for one in theirs):.0f} MB", f"{took / other:.2f}"]
        print("| " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    verb, words = sys.argv[1], sys.argv[2:]
    {"load": load, "compare": compare, "duckdb": duck}[verb](*words)
