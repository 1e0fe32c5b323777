"""A fleet on a cluster of ClickHouse: what arrives is read on each server as of the store, and what is left when a server is
killed or loses its disk while many installations ship.

usage: shards.py debug|release [INSTALLATIONS]
"""

import collections
import concurrent.futures
import contextlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading
import time

import cluster as clusters
import nginx
import processes
from stores import COMMAND, compare, demo, run

INSTALLATIONS = int(sys.argv[2]) if len(sys.argv) > 2 else 16
TABLES = ["exchange", "connection", "sums", "template", "loss", "installation", "finding", "audit", "total"]

# A gateway before the servers: a server that does not respond is left out. Other failures are not, because rows that one
# server cannot read would take all of them out; a shipper tries again by itself.
GATEWAY = """
upstream fleet {{ {servers} }}
server {{
    listen 127.0.0.1:{port};
    location / {{
        set $args "$args{settings}";
        proxy_pass http://fleet;
        proxy_connect_timeout 2s;
        proxy_next_upstream error timeout non_idempotent;
    }}
}}
"""
QUORUM = "&insert_quorum=2&insert_quorum_timeout=10000"


class Gateway:
    """nginx before the servers."""

    def __init__(self, folder, cluster, settings):
        (self.port,) = processes.free_ports(1)
        servers = " ".join(f"server 127.0.0.1:{server.port} max_fails=1 fail_timeout=2s;" for server in cluster.servers)
        self.words = nginx.prepare(folder, GATEWAY.format(servers=servers, port=self.port, settings=settings))
        self.start()

    def start(self):
        self.process = subprocess.Popen(self.words, stdin=subprocess.DEVNULL)

    def stop(self):
        """Ends it and its workers at once, with what passes through them."""
        self.process.terminate()
        self.process.wait()


def make_tables(cluster, database):
    for server in cluster.servers:
        server.ask(f"CREATE DATABASE IF NOT EXISTS {database}")
    for statement in run("fleet", "schema", "--cluster", clusters.NAME, "--database", database)[0].split(";\n"):
        if statement.strip():
            cluster.servers[-1].ask(statement)


def wait_for_replicas(cluster):
    """Waits until each server has what the other one of its shard has."""
    deadline = time.monotonic() + 240
    waiting = "SELECT sum(queue_size + absolute_delay) FROM system.replicas WHERE database = '{}'"
    while any(int(server.ask(waiting.format(cluster.database))) for server in cluster.servers):
        assert time.monotonic() < deadline, "the replicas do not become equal"
        time.sleep(0.5)


def test_whole(cluster, store):
    """Installations go to a shard each; every server reads all of them, with and without parameters."""
    make_tables(cluster, "whole")
    places = [server.url("whole") for server in cluster.servers]
    assert "all 9 tables are there" in run("fleet", "check", places[0])[0]
    words = ["--share", "all", "--sums", "minutes", "--service", "shop"]
    run("ship", store, "--to", places[0], *words)
    for place in places:
        compare(store, place + "?service=shop")
    shards = ["SELECT count() FROM whole.exchange_shard"]
    other = store.with_name("other.db")
    shutil.copy(store, other)
    for _ in range(40):
        run("ship", other, "--to", places[1], *words, "--service-version", "2", "--reset")
        if all(int(cluster.servers[place].ask(shards[0])) for place in (0, 2)):
            break
    else:
        raise AssertionError("all of 41 installations are in one shard")
    totals = [json.loads(run("report", place, "--by", "version", "--json")[0]) for place in places]
    assert all(one == totals[0] for one in totals) and len(totals[0]["versions"]) == 2, totals
    assert json.loads(run("fleet", "audit", places[2] + "?service=shop", "--json")[0])["audited"] > 1
    # Totals are in one shard, and say the same on each server as the sums of all shards.
    before = [run("report", places[0], "--by", by, "--json")[0] for by in ("api", "version", "status")]
    time.sleep(2)
    made = json.loads(run("fleet", "totals", places[3], "--settling", "0", "--json")[0])
    assert made["slots"] > 0, made
    for place in places:
        assert [run("report", place, "--by", by, "--json")[0].replace(place, places[0]) for by in ("api", "version", "status")] == before
    for words in (["report", "--by", "path"], ["report", "--by", "hijacked"], ["report", "--by", "api"]):
        texts = {run(words[0], place + "?service=shop", *words[1:])[0] for place in places}
        assert len(texts) == 1, words
    print("a store is the same on each server of the cluster, and several are added up over its shards")


def test_check(cluster):
    """What a user's settings lack is said."""
    # Columns are not tried: Debian's server ends when a table that is replicated is altered.
    os.environ |= {"WIREWEIGHT_CLICKHOUSE_USER": "reader", "WIREWEIGHT_CLICKHOUSE_PASSWORD": "it's <secret>"}
    said = run("fleet", "check", cluster.servers[0].url("whole"), expected=1)[0]
    del os.environ["WIREWEIGHT_CLICKHOUSE_USER"], os.environ["WIREWEIGHT_CLICKHOUSE_PASSWORD"]
    assert "insert_distributed_sync is 0" in said and "distributed_product_mode is deny" in said, said
    print("settings that a cluster's user lacks are said")


def ship_all(cluster, store, gateway, database, on_finished):
    """Ships that many installations, four at once; gives how often one had to begin anew."""
    anew, lock = collections.Counter(), threading.Lock()

    def ship(number):
        own = store.with_name(f"{database}-{number}.db")
        shutil.copy(store, own)
        words = [COMMAND, "ship", own, "--to", f"clickhouse://127.0.0.1:{gateway.port}/{database}"]
        deadline, reset = time.monotonic() + 900, ["--reset"]
        while True:
            done = subprocess.run([*words, *reset], text=True, capture_output=True, timeout=600)
            # Otherwise it becomes another installation each time.
            reset = []
            assert "set aside" not in done.stderr, done.stderr
            if done.returncode == 0:
                break
            assert done.returncode == 69 and time.monotonic() < deadline, done.stderr
            with lock:
                anew["begun anew"] += 1
        own.unlink()
        with lock:
            anew["finished"] += 1
            on_finished(anew["finished"])

    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        for one in [pool.submit(ship, number) for number in range(INSTALLATIONS)]:
            one.result()
    return anew["begun anew"]


def test_trouble(cluster, store, database, *, loses_disk=False, quorum=False):
    """At 40 % a server is killed, at 60 % the gateway, and at the end the server comes back; gives what is missing then."""
    cluster.database = database
    make_tables(cluster, database)
    exchanges = int(json.loads(run("report", store, "--json")[0])["totals"]["requests"])
    killed = cluster.servers[0]

    with tempfile.TemporaryDirectory(prefix="before-") as name:
        gateway = Gateway(pathlib.Path(name), cluster, QUORUM if quorum else "")

        def back():
            if loses_disk:
                cluster.lose(killed, database, TABLES)
            killed.start()
            make_tables(cluster, database)
            if loses_disk and quorum:
                wait_for_replicas(cluster)
                cluster.give_up_waiting(killed, database, TABLES)

        def on_finished(count):
            if count == INSTALLATIONS * 4 // 10:
                killed.process.kill()
                killed.process.wait()
                # Without it, nothing of its shard is acknowledged under a quorum.
                if quorum:
                    threading.Timer(20, back).start()
            if count == INSTALLATIONS * 6 // 10:
                gateway.stop()
                time.sleep(1)
                gateway.start()

        try:
            anew = ship_all(cluster, store, gateway, database, on_finished)
        finally:
            gateway.stop()
    if not quorum:
        back()
    wait_for_replicas(cluster)
    counts = "SELECT count(), uniqExact(installation) FROM {}.exchange FINAL"
    sums = "SELECT sum(requests) FROM {}.sums FINAL WHERE whole = 1"
    found = {tuple(int(word) for query in (counts, sums) for word in server.ask(query.format(database)).split())
             for server in cluster.servers}
    assert len(found) == 1, f"the servers have {found}"
    (rows, _, requests), = found
    expected = INSTALLATIONS * exchanges
    assert rows <= expected and requests <= expected, f"{rows} rows, {requests} requests of {expected}: some count twice"
    print(f"{database}: {INSTALLATIONS} installations, shippers that began anew: {anew}; "
          f"missing: {expected - rows} exchanges and {expected - requests} requests in sums, of {expected}")
    return expected - rows, expected - requests


def main():
    with tempfile.TemporaryDirectory(prefix="shards-") as name, clusters.serving() as cluster:
        store = demo(pathlib.Path(name))
        test_whole(cluster, store)
        test_check(cluster)
        assert test_trouble(cluster, store, "killed") == (0, 0)
        assert test_trouble(cluster, store, "quorum", loses_disk=True, quorum=True) == (0, 0)
        # Nothing promises these: a batch may have been on the lost disk alone.
        test_trouble(cluster, store, "disk", loses_disk=True)


with contextlib.suppress(KeyboardInterrupt):
    main()
