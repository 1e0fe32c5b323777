"""Measures stores of several sizes, and prints the table of docs/measurements/scale.md; see Scripts/bench-scale.sh.

usage: measure.py COMMAND FIGURES STORE…

Each STORE is a file of `WireweightBenchmarks make-store`. FIGURES is written: what was measured, for plot.py. A time is
the whole process's on the clock, then the processor time of its threads; the median of three where it is short.
"""

import datetime
import json
import math
import os
import pathlib
import statistics
import subprocess
import sys
import time
import urllib.parse
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "Scripts/shared"))
from processes import memory, processor, serving  # noqa: E402

COMMAND, FIGURES, STORES = sys.argv[1], pathlib.Path(sys.argv[2]), [pathlib.Path(name) for name in sys.argv[3:]]
# Whole exports of more are left out: they take what each million takes, and hours.
WHOLE = int(os.environ.get("WHOLE", "10000000"))
LONG = 5
# The start of the traffic; hours later it is as dense as ever.
BEGIN = datetime.datetime(2026, 1, 5)
HOUR = [(BEGIN + datetime.timedelta(hours=hour)).isoformat() + "Z" for hour in (10, 11)]
RANGE = ["--since", HOUR[0], "--until", HOUR[1]]

COMMANDS = {
    "open, and one exchange by its number": ["show", "{}", "1"],
    "report, all APIs, all time": ["report", "{}", "--by", "api", "--limit", "20"],
    "report, one hour": ["report", "{}", "--by", "api", "--limit", "20", *RANGE],
    "report by path, the heaviest 20": ["report", "{}", "--by", "path", "--limit", "20"],
    "audit": ["audit", "{}", "--format", "json"],
    "list, the newest 100": ["exchanges", "{}", "--newest", "--limit", "100"],
    "search: the newest 100 of a host": ["exchanges", "{}", "--newest", "--limit", "100", "--host", "cdn3.example.com"],
    "search: the newest 100 with status 500": ["exchanges", "{}", "--newest", "--limit", "100", "--status", "500"],
    "search: a path that matches nothing": ["exchanges", "{}", "--newest", "--limit", "100", "--path", "/nobody/has/this"],
    "search: a word that matches nothing": ["exchanges", "{}", "--newest", "--limit", "100", "--filter", "nobodyhasthis"],
    "export, one hour, NDJSON": ["export", "{}", "--format", "ndjson", *RANGE],
    "export, one hour, CSV": ["export", "{}", "--format", "csv", *RANGE],
    "export, one hour, HAR": ["export", "{}", "--format", "har", *RANGE],
    "export, all, NDJSON": ["export", "{}", "--format", "ndjson"],
    "export, all, CSV": ["export", "{}", "--format", "csv"],
    "export, all, HAR": ["export", "{}", "--format", "har"],
}
CALLS = {
    "inspector: overview": "overview",
    "inspector: a new list, its first page": "exchanges?limit=100",
    "inspector: a page in the middle of it": "exchanges?limit=100&cursor={cursor}",
    "inspector: a text that matches nothing": "exchanges?limit=100&text=nobody-has-this",
}


def once(words):
    """Seconds on the clock, seconds of processor time, MB at most."""
    begin = time.perf_counter()
    process = subprocess.Popen([COMMAND, *words], stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"bench-scale: '{' '.join(words)}' ended with {process.returncode}")
    return time.perf_counter() - begin, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def repeated(measure):
    """The median of three, or the one measurement of what takes long."""
    runs = [measure()]
    while len(runs) < 3 and runs[0][0] < LONG:
        runs.append(measure())
    return [statistics.median(run[index] for run in runs) for index in range(len(runs[0]))]


def inspector(store):
    """What the inspector takes for each call, over one connection after the other."""
    begin = time.perf_counter()
    with serving(COMMAND, "inspect", store) as (process, base):
        took = [time.perf_counter() - begin, processor(process), memory(process, most=True)]
        figures = {"inspector: until it listens": took}
        cursor = ""
        for name, call in CALLS.items():

            def measure():
                nonlocal cursor
                address = base + "api/v1/" + call.format(cursor=urllib.parse.quote(cursor))
                before, computed = time.perf_counter(), processor(process)
                with urllib.request.urlopen(address, timeout=600) as answer:
                    page = json.load(answer)
                took = [time.perf_counter() - before, processor(process) - computed, memory(process, most=True)]
                if name.endswith("first page"):
                    cursor = f"{page['view']}:{max(0, page['total'] // 2)}"
                return took

            figures[name] = repeated(measure)
        return figures


def duration(seconds):
    return f"{seconds:.1f} s" if seconds >= 9.95 else f"{seconds:.2f} s" if seconds >= 0.995 else f"{seconds * 1000:.0f} ms"


def growth(sizes, values):
    """By which power of the size a time grows, from the smallest store to the largest that has it."""
    if len(values) < 2 or min(values) <= 0:
        return ""
    power = math.log(values[-1] / values[0]) / math.log(sizes[-1] / sizes[0])
    return "not" if power < 0.1 else f"power {power:.2f}"


def main():
    counts, figures, weights = [], {}, []
    for store in STORES:
        output = subprocess.run(
            [COMMAND, "report", str(store), "--by", "host", "--format", "json"], capture_output=True, text=True, check=True)
        count = json.loads(output.stdout)["totals"]["requests"]
        counts.append(count)
        weights.append(store.stat().st_size)
        for name, words in COMMANDS.items():
            if name.startswith("export, all") and count > WHOLE:
                continue
            print(f"{count}: {name}", file=sys.stderr, flush=True)
            figures.setdefault(name, {})[count] = repeated(lambda: once([word.format(store) for word in words]))
        print(f"{count}: inspector", file=sys.stderr, flush=True)
        for name, figure in inspector(store).items():
            figures.setdefault(name, {})[count] = figure
    FIGURES.write_text(json.dumps({"counts": counts, "bytes": weights, "figures": figures}, indent=1) + "\n")

    heads = [f"{count / 1e6:g} million" for count in counts]
    print("| what | " + " | ".join(heads) + " | grows | memory at most |")
    print("| --- |" + " ---: |" * (len(heads) + 2))
    print("| file | " + " | ".join(f"{weight / 1e6:,.0f} MB" for weight in weights) + " | | |")
    million = [f"{weight / count:.0f} MB" for weight, count in zip(weights, counts)]
    print("| — for each million | " + " | ".join(million) + f" | {growth(counts, weights)} | |")
    for name, by_count in figures.items():
        cells = [
            f"{duration(by_count[count][0])} ({duration(by_count[count][1])})" if count in by_count else "—"
            for count in counts
        ]
        times = [by_count[count][1] for count in counts if count in by_count]
        memory = max(figure[2] for figure in by_count.values())
        print(f"| {name} | " + " | ".join(cells) + f" | {growth(sorted(by_count), times)} | {memory:.0f} MB |")


main()
