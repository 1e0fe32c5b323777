"""What is read from a fleet is what its store has: the same records, and the same output of each command.

usage: reading.py debug|release
"""

import difflib
import itertools
import json
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile

import clickhouse
import engines
from stores import COMMAND, ROOT, demo

CONFIGURATION = sys.argv[1]
# The identity that FleetReaderTests give to the store.
INSTALLATION = "61f0c404-5cb3-41e7-907b-a6006ad3dba0"


def test_records(server, store):
    """The reader beside the store's own, by every query that they have."""
    server.ask("CREATE DATABASE records")
    variables = dict(os.environ, WIREWEIGHT_FLEET_TEST=server.url("records"), WIREWEIGHT_FLEET_STORE=str(store))
    words = ["swift", "test", "-c", CONFIGURATION, "--skip-build", "--ignore-lock", "--disable-xctest"]
    done = subprocess.run(
        words + ["--filter", "FleetReadingTests.(FleetReaderTests|DetailSumsTests|InstallationTests|FleetTotalsTests)"], cwd=ROOT, env=variables, text=True,
        capture_output=True, timeout=600)
    said = done.stdout + done.stderr
    for line in said.splitlines():
        if line.startswith(("✘", "↳")) or "passed after" in line:
            print(line)
    assert done.returncode == 0 and "tests in 4 suites passed" in said, said[-3_000:]


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


def run(words, expected=0, environment=None):
    done = subprocess.run([COMMAND, *words], text=True, capture_output=True, timeout=120, env=environment)
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


def test_groupings(server):
    """Reports by where exchanges come from add up to the whole."""
    total = json.loads(run(["report", server.url("records"), "--json"])[0])["totals"]
    for by, name in ("service", "it's"), ("version", "2.3"), ("environment", ""), ("region", "eu"), ("machine", ""), ("installation", INSTALLATION):
        report = json.loads(run(["report", server.url("records"), "--by", by, "--json"])[0])
        assert report["totals"] == total, by
        assert [row[by] for row in report[f"{by}s"]] == [name], report
    report = json.loads(run(["report", server.url("records"), "--by", "carrier", "--json"])[0])
    assert [row["carrier"] for row in report["carriers"]] == ["it's mobile"] and report["countedFrom"] == "rows", report
    assert all(report["totals"][name] == total[name] for name in ("requests", "failures", "up", "down")), report
    report = json.loads(run(["report", server.url("records"), "--by", "hijacked", "--json"])[0])
    assert report["totals"] == total and {"method", "host", "template", "contentType", "usualType"} <= report["hijacked"][0].keys(), report
    assert "Usual type" in run(["report", server.url("records"), "--by", "hijacked"])[0]
    assert "Version" in run(["report", server.url("records"), "--by", "version"])[0]
    # What the address leaves out is nowhere.
    for parameter in "version=2.4", "service=its", "region=us", "installation=00000000-0000-4000-8000-000000000000":
        assert "has sent anything" in run(["report", f"{server.url('records')}?{parameter}"], 65)[1]
    same = json.loads(run(["report", f"{server.url('records')}?service=it%27s&version=2.3&region=eu", "--json"])[0])
    assert same["totals"] == total


def test_mistakes(server, store):
    """Each mistake ends with 65 or 64 and a sentence that says what to do."""
    for place, said in [
        (server.url("nowhere"), "check the name of the database 'nowhere'"),
        (server.url("records") + "?color=red", "there are service, version"),
        ("clickhouse://127.0.0.1:1/records", "cannot be reached"),
        ("clickhouse://me:secret@127.0.0.1/records", "WIREWEIGHT_CLICKHOUSE_PASSWORD"),
    ]:
        error = run(["report", place], 65)[1]
        assert said in error and "secret" not in error, error
    assert "is for a fleet" in run(["report", str(store), "--by", "hijacked"], 64)[1]
    assert "'--filter' counts rows" in run(["report", server.url("records"), "--by", "version", "--filter", "failed"], 64)[1]


def test_reader_account(server):
    """A user who can only read, and whose password has every character that needs care, reads the same."""
    environment = dict(os.environ, WIREWEIGHT_CLICKHOUSE_USER="reader", WIREWEIGHT_CLICKHOUSE_PASSWORD="it's <secret>")
    words = ["report", server.url("records"), "--json"]
    assert run(words, environment=environment) == run(words)
    assert "WIREWEIGHT_CLICKHOUSE_USER" in run(words, 65, dict(environment, WIREWEIGHT_CLICKHOUSE_PASSWORD="guess"))[1]


def test_budget(url, store, folder):
    """A budget that was recorded from one is the same from the other, and each holds for both."""
    for name, place in ("store", str(store)), ("fleet", url):
        run(["budget", "record", place, "--lockfile", str(folder / f"{name}.json")])
    assert (folder / "store.json").read_text() == (folder / "fleet.json").read_text()
    run(["budget", "check", url, "--lockfile", str(folder / "store.json")])


def main():
    with tempfile.TemporaryDirectory(prefix="fleet-") as name:
        folder = pathlib.Path(name)
        store, other = demo(folder), demo(folder, "other.db")
        for engine in engines.SERVING:
            with engine() as server:
                print(f"== ClickHouse {server.ask('SELECT version() FORMAT TSV').strip()}")
                test_records(server, store)
                test_commands(server.url("records"), store, other)
                test_budget(server.url("records"), store, folder)
                test_groupings(server)
                test_mistakes(server, store)
                if engine is clickhouse.serving:
                    test_reader_account(server)


main()
