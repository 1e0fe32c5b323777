"""What is read from a fleet is what its store has: the same records, and the same output of each command.

usage: reading.py debug|release
"""

import difflib
import itertools
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile

import clickhouse

ROOT = pathlib.Path(__file__).resolve().parents[2]
CONFIGURATION = sys.argv[1]
COMMAND = ROOT / ".build" / CONFIGURATION / "wireweight"


def test_records(server, store):
    """The reader beside the store's own, by every query that they have."""
    server.ask("CREATE DATABASE records")
    variables = dict(os.environ, WIREWEIGHT_FLEET_TEST=server.url("records"), WIREWEIGHT_FLEET_STORE=str(store))
    words = ["swift", "test", "-c", CONFIGURATION, "--skip-build", "--ignore-lock", "--disable-xctest"]
    done = subprocess.run(
        words + ["--filter", "FleetReadingTests.FleetReaderTests"], cwd=ROOT, env=variables, text=True,
        capture_output=True, timeout=600)
    said = done.stdout + done.stderr
    for line in said.splitlines():
        if line.startswith(("✘", "↳")) or "passed after" in line:
            print(line)
    assert done.returncode == 0 and "tests in 1 suite passed" in said, said[-3_000:]


GROUPINGS = ["api", "host", "path", "status", "type", "method", "process", "network", "direction"]

# Every command that takes a fleet where it takes a file, with the place of both as FILE.
COMMANDS = [
    *(f"report FILE --by {by} --format {form}" for by in GROUPINGS for form in ["json", "csv", "table", "markdown"]),
    "report FILE --show latency --sort wait", "report FILE --since 2026-01-01 --json", "report FILE --filter status:4xx,5xx",
    "report FILE --by host --filter host:127.0.0.1", "report FILE --direction called --limit 3",
    "exchanges FILE", "exchanges FILE --json", "exchanges FILE --limit 5", "exchanges FILE --filter 'failed' --json",
    "exchanges FILE --filter 'has:set-cookie larger:1k' --json", "exchanges FILE --filter 'path:~users -status:404' --json",
    "show FILE 1", "show FILE 77 --json", "show FILE 199", "connections FILE", "connections FILE --json",
    *(f"export FILE --format {form}" for form in ["har", "csv", "ndjson", "curl", "openmetrics", "otlp-json"]),
    "audit FILE", "audit FILE --json", "diff FILE FILE", "diff FILE OTHER --json", "diff OTHER FILE --format csv",
]


def run(words, expected=0):
    done = subprocess.run([COMMAND, *words], text=True, capture_output=True, timeout=120)
    assert done.returncode == expected, f"{words}: {done.returncode}: {done.stderr}"
    return done.stdout, done.stderr


def test_commands(url, store, other):
    """Each command prints the same of the fleet as of the store."""
    total = 0
    for line in COMMANDS:
        def words(place):
            return [place if word == "FILE" else str(other) if word == "OTHER" else word for word in shlex.split(line)]

        wanted, found = run(words(str(store))), run(words(url))
        wanted = tuple(text.replace(str(store), "FILE") for text in wanted)
        found = tuple(text.replace(url, "FILE") for text in found)
        if wanted != found:
            lines = difflib.unified_diff(
                "".join(wanted).splitlines(), "".join(found).splitlines(), "of the store", "of the fleet", lineterm="", n=1)
            raise AssertionError(f"{line}:\n" + "\n".join(itertools.islice(lines, 40)))
        total += len(found[0].encode())
    print(f"{len(COMMANDS)} commands print the same {total:,} bytes of the fleet as of the store")


def test_budget(url, store, folder):
    """A budget that was recorded from one is the same from the other, and each holds for both."""
    for name, place in ("store", str(store)), ("fleet", url):
        run(["budget", "record", place, "--lockfile", str(folder / f"{name}.json")])
    assert (folder / "store.json").read_text() == (folder / "fleet.json").read_text()
    run(["budget", "check", url, "--lockfile", str(folder / "store.json")])


def main():
    with tempfile.TemporaryDirectory(prefix="fleet-") as name, clickhouse.serving() as server:
        folder = pathlib.Path(name)
        store = folder / "demo.db"
        subprocess.run(
            [COMMAND, "demo", "--once", "--json", "--db", store], stdout=subprocess.DEVNULL, check=True, timeout=120)
        other = folder / "other.db"
        subprocess.run(
            [COMMAND, "demo", "--once", "--json", "--db", other], stdout=subprocess.DEVNULL, check=True, timeout=120)
        test_records(server, store)
        test_commands(server.url("records"), store, other)
        test_budget(server.url("records"), store, folder)


main()
