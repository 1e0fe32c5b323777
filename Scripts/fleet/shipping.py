"""A store that is shipped arrives whole and once, whatever fails on the way.

usage: shipping.py debug|release
"""

import collections
import contextlib
import http.server
import json
import os
import pathlib
import random
import re
import shutil
import signal
import sqlite3
import subprocess
import tempfile
import threading
import time
import urllib.error
import urllib.request

import clickhouse
from stores import COMMAND, compare, demo, make_tables, run

TABLES = ["exchange", "connection", "sums", "template", "loss", "installation", "finding", "audit"]


def counts(server, database):
    """The rows of each table, all of them and those that count."""
    return [
        tuple(int(server.ask(f"SELECT count() FROM {database}.{table}{final}")) for final in ("", " FINAL"))
        for table in TABLES
    ]


class Trouble(http.server.BaseHTTPRequestHandler):
    """In front of ClickHouse: passes requests on, but loses responses, refuses for a while, or refuses large bodies."""

    protocol_version = "HTTP/1.1"
    upstream = 0
    dice = random.Random(4)
    most = 1 << 30
    seen = {"passed": 0, "lost": 0, "refused": 0, "large": 0}

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if len(body) > self.most:
            return self.respond(413, b"", "large")
        roll = self.dice.random()
        if roll < 0.2:
            return self.respond(503, b"", "refused")
        request = urllib.request.Request(f"http://127.0.0.1:{self.upstream}{self.path}", data=body)
        if "Content-Encoding" in self.headers:
            request.add_header("Content-Encoding", self.headers["Content-Encoding"])
        try:
            with urllib.request.urlopen(request, timeout=60) as response:
                status, said = response.status, response.read()
        except urllib.error.HTTPError as error:
            status, said = error.code, error.read()
        if roll < 0.4 and status == 200:
            # ClickHouse has the rows, and who sent them does not know.
            self.seen["lost"] += 1
            self.close_connection = True
            return self.connection.close()
        return self.respond(status, said, "passed")

    def respond(self, status, said, name):
        self.seen[name] += 1
        # A shipper that was killed no longer listens.
        with contextlib.suppress(OSError):
            self.send_response(status)
            self.send_header("Content-Length", str(len(said)))
            self.end_headers()
            self.wfile.write(said)

    def log_message(self, *arguments):
        pass


@contextlib.contextmanager
def trouble(port):
    Trouble.upstream = port
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Trouble)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server.server_address[1]
    finally:
        server.shutdown()


def test_whole(server, store):
    """A store arrives whole; shipping it again sends nothing, and starting anew is another installation."""
    make_tables(server, "whole")
    url = server.url("whole")
    assert "all 9 tables are there" in run("fleet", "check", url)[0]
    run("ship", store, "--to", url, "--share", "all", "--sums", "minutes", "--service", "shop")
    compare(store, url + "?service=shop")
    before = counts(server, "whole")
    assert "nothing new" in run("ship", store, "--to", url, "--share", "all", "--sums", "minutes")[0]
    assert counts(server, "whole") == before
    print(f"a store of {before[0][0]} exchanges arrives whole, and once")


def test_earlier(server, store):
    """Tables of an earlier version get what 'fleet check' says; their rows stay, and read as before."""
    make_tables(server, "earlier")
    url = server.url("earlier")
    run("ship", store, "--to", url, "--share", "all", "--sums", "minutes", "--service", "shop")
    later = [tuple(line.split("\t")) for line in server.ask(
        "SELECT table, name FROM system.columns WHERE database = 'earlier' FORMAT TSV").splitlines()]
    later = [(table, name) for table, name in later if table in TABLES and name in ("region", "carrier")
             or (table, name) == ("sums", "arrived") or table == "connection" and name.startswith(("handshake_", "certificate_", "opening_"))]
    assert len(later) == 16 + 2 * len(TABLES), later
    for table, name in later:
        server.ask(f"ALTER TABLE earlier.{table} DROP COLUMN {name}")
    said = run("fleet", "check", url, expected=1)[0]
    additions = re.findall(r"column \w+\.\w+ is missing; add it: (.*)", said)
    assert len(additions) == len(later), said
    for statement in additions:
        server.ask(statement, "earlier", **server.labels())
    assert "all 9 tables are there" in run("fleet", "check", url)[0]
    texts = [json.loads(run("connections", place, "--json")[0])["connections"] for place in (str(store), url + "?service=shop")]
    for one in texts[0]:
        one["handshake"] = one["opening"] = None
    assert texts[0] == texts[1], "connections that were shipped before are others"
    for by in "region", "carrier":
        report = json.loads(run("report", url, "--by", by, "--json")[0])
        assert [row[by] for row in report[f"{by}s"]] == [""] and report["totals"]["requests"] == 200, report
    print(f"tables of an earlier version get {len(later)} columns, and keep {len(texts[1])} connections")


def test_share(server, store):
    """By default nothing of paths, queries, headers and addresses is in the database."""
    make_tables(server, "share")
    run("ship", store, "--to", server.url("share"), "--details", "0.5")
    row = server.ask(
        "SELECT count() > 0, countIf(path != '' OR query IS NOT NULL OR request_lines != '' OR response_lines != '' "
        "OR remote_address != ''), any(weight) FROM share.exchange").split()
    assert row == ["1", "0", "2"], row
    sums = "SELECT sum(requests) FROM {}.sums FINAL WHERE whole = 1"
    assert server.ask(sums.format("share")) == server.ask(sums.format("whole"))
    claims_nothing(server.url("share"))
    print("half of the details are sent without paths, and sums of everything")


def test_sums_alone(server, store):
    """Reports of what was sent one by one say how many installations are missing, whatever made them send sums alone."""
    make_tables(server, "alone")
    url = server.url("alone")
    run("ship", store, "--to", url, "--details", "0.5")
    for number, words in enumerate([["--details", "0"], ["--cohort", "0"]]):
        other = store.with_name(f"alone-{number}.db")
        shutil.copy(store, other)
        run("ship", other, "--to", url, "--reset", *words)
        missing = f"{number + 1} of {number + 2} installations sent no details of this time"
        for by in "path", "network":
            assert missing in run("report", url, "--by", by)[0], by
    assert json.loads(run("report", url, "--by", "path", "--json")[0])["totals"]["details"] == {"installations": 3, "without": 2}
    assert missing in run("report", url, "--by", "path", "--format", "csv")[1]
    assert "no details" not in run("report", url)[0]
    print("installations that send sums alone are counted in reports that they are not in")


def claims_nothing(url):
    """A report without all connections does not say that it is exact."""
    text = run("report", url)[0]
    assert "Not all connections are known here" in text and "exact to the byte" not in text, text
    assert not json.loads(run("report", url, "--json")[0])["totals"]["exact"]


def test_several(server, store):
    """Two installations are added up, each once; their versions are two rows, and are compared."""
    make_tables(server, "several")
    url = server.url("several")
    other = store.with_name("other.db")
    shutil.copy(store, other)
    run("ship", store, "--to", url, "--share", "all", "--service", "shop", "--service-version", "2.3")
    run("ship", other, "--to", url, "--share", "all", "--service", "shop", "--service-version", "2.4", "--reset")
    claims_nothing(url)
    one, both = (json.loads(run("report", place, "--json")[0])["totals"] for place in (store, url))
    assert (both["requests"], both["up"], both["down"]) == tuple(2 * one[name] for name in ("requests", "up", "down"))
    versions = json.loads(run("report", url, "--by", "version", "--json")[0])["versions"]
    assert {row["version"]: row["requests"] for row in versions} == {"2.3": one["requests"], "2.4": one["requests"]}
    text = run("diff", url + "?version=2.3", url + "?version=2.4")[0]
    assert "200 → 200 requests" in text and "(0 %)" in text, text
    said = run("exchanges", url, expected=65)[1]
    assert "installation=" in said, said
    print("two installations add up, their versions are compared, and nothing is called exact")


def test_sources(server, store):
    """Regions and carriers have the requests and failures in a fleet that they have in the files."""
    make_tables(server, "sources")
    url = server.url("sources")
    wanted = {"region": collections.Counter(), "carrier": collections.Counter()}
    failures = {"region": collections.Counter(), "carrier": collections.Counter()}
    for region, carriers in ("eu", ["A", "B"]), ("us", ["B", ""]):
        file = store.with_name(f"{region}.db")
        shutil.copy(store, file)
        with contextlib.closing(sqlite3.connect(file)) as database, database:
            # The program names another carrier before its 101st request.
            database.execute("UPDATE resource SET region = ?, carrier = ?", (region, carriers[0]))
            database.execute(
                "INSERT INTO resource(first_exchange, run, service, version, environment, host_name, os, os_version, region, carrier) "
                "SELECT 101, run, service, version, environment, host_name, os, os_version, region, ? FROM resource", carriers[1:])
        run("ship", file, "--to", url, "--share", "all", "--sums", "minutes", "--reset")
        for by in wanted:
            report = json.loads(run("report", file, "--by", by, "--json")[0])
            assert report["countedFrom"] == "rows", report
            for row in report[f"{by}s"]:
                wanted[by][row[by]] += row["requests"]
                failures[by][row[by]] += row["failures"]
    assert wanted == {"region": {"eu": 200, "us": 200}, "carrier": {"A": 100, "B": 200, "": 100}}, wanted
    for by in wanted:
        report = json.loads(run("report", url, "--by", by, "--json")[0])
        assert {row[by]: row["requests"] for row in report[f"{by}s"]} == wanted[by], report
        assert {row[by]: row["failures"] for row in report[f"{by}s"]} == failures[by] and failures[by]["us" if by == "region" else "B"], report
        text = run("report", url, "--by", by)[0]
        assert by.capitalize() in text and "Fail %" in run("report", url, "--by", by, "--format", "markdown")[0], text
    eu = json.loads(run("report", url + "?region=eu", "--by", "carrier", "--json")[0])["carriers"]
    assert sorted(row["carrier"] for row in eu) == ["A", "B"], eu
    assert "use parameters of the address" in run("report", url, "--by", "carrier", "--filter", "failed", expected=64)[1]
    failed = json.loads(run("report", file, "--by", "carrier", "--filter", "failed", "--json")[0])
    assert sum(row["requests"] for row in failed["carriers"]) == failures["region"]["us"], failed
    print(f"two regions and three carriers have the requests and failures of their files: {dict(failures['carrier'])}")


def test_missing(server, store):
    """Without tables, 'check' says what is missing, and 'ship' stops and keeps everything."""
    server.ask("CREATE DATABASE bare")
    assert "table sums is missing" in run("fleet", "check", server.url("bare"), expected=1)[0]
    said = run("ship", store, "--to", server.url("bare"), expected=69)[1]
    assert "the next 'ship' goes on" in said, said
    print("a database without tables is said to be one")


def test_trouble(server, store):
    """Lost responses, refusals, small limits and killed shippers leave nothing out and nothing twice."""
    make_tables(server, "trouble")
    with trouble(server.port) as port:
        url = f"clickhouse://127.0.0.1:{port}/trouble"
        words = [COMMAND, "ship", store, "--to", url, "--share", "all", "--sums", "minutes", "--follow"]
        Trouble.most = 9_000
        for pause in (0.2, 0.5, 0.9, 1.3, 2):
            shipper = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(pause)
            shipper.send_signal(signal.SIGKILL)
            shipper.wait()
        deadline = time.monotonic() + 240
        while "nothing new" not in (said := subprocess.run(
                words[:-1], text=True, capture_output=True, timeout=300)).stdout:
            assert time.monotonic() < deadline, said.stderr
    assert min(Trouble.seen.values()) > 0, Trouble.seen
    compare(store, server.url("trouble"))
    found = dict(zip(TABLES, counts(server, "trouble")))
    assert found["loss"][1] == 0, found
    print(f"after {Trouble.seen}, five shippers killed: {found['exchange'][0]} rows, {found['exchange'][1]} exchanges")


def main():
    with tempfile.TemporaryDirectory(prefix="shipping-") as name, clickhouse.serving() as server:
        store = demo(pathlib.Path(name))
        os.environ.pop("OTEL_SERVICE_NAME", None)
        for test in (test_whole, test_earlier, test_share, test_sums_alone, test_several, test_sources, test_missing, test_trouble):
            test(server, store)


main()
