"""What audits of installations have found: `fleet audit` says what `audit` says of each store, added up.

usage: auditing.py debug|release
"""

import csv
import io
import json
import pathlib
import shutil
import tempfile

import engines
import stores

KEYS = ["rule", "method", "host", "template", "direction"]


def read(url, *words):
    return json.loads(stores.run("fleet", "audit", url, "--json", *words)[0])


def of_store(store):
    return json.loads(stores.run("audit", store, "--json")[0])


def by_key(findings):
    return {tuple(finding[key] for key in KEYS): finding for finding in findings}


def ship(store, url, *words):
    stores.run("ship", store, "--to", url, "--service", "shop", *words)


def check(fleet, audit, times):
    """The fleet's findings are those of a store, that many times."""
    assert fleet["audited"] == times and fleet["requests"] == times * audit["requests"], fleet
    found, wanted = by_key(fleet["findings"]), by_key(audit["findings"])
    assert found.keys() == wanted.keys() and len(wanted) > 3, found.keys() ^ wanted.keys()
    for key, one in wanted.items():
        row = found[key]
        assert row["bytes"] == {"count": times * one["saving"]["bytes"], "error": 0}, (row, one)
        # Each installation sends whole microseconds.
        assert abs(row["milliseconds"]["count"] - times * one["saving"]["milliseconds"]) <= 1, (row, one)
        assert row["calls"] == times * one["calls"] and row["affectedCalls"] == times * one["affectedCalls"], (row, one)
        assert row["installations"] == {"count": times, "error": 0, "share": 1}, row
        assert row["estimated"] == (one["basis"] == "estimated" and (one["saving"]["bytes"] + one["saving"]["milliseconds"] > 0)), row
        remedy = one["said"]["remedy"]
        kind = remedy["values"].get("kind", {}).get("content", "text")
        assert row["alarm"] == one["alarm"] and row["remedy"].replace("text", kind) == one["remedy"].replace("text", kind), (row, one)


def test_sums(server, store):
    """One installation has what its store has, and a second one doubles it; the order is that of the store."""
    stores.make_tables(server, "audits")
    url = server.url("audits")
    assert "No installation has sent an audit" in stores.run("fleet", "audit", empty(server, store))[0]
    ship(store, url, "--service-version", "2.3")
    audit = of_store(store)
    one = read(url)
    check(one, audit, 1)
    for sort in "saving", "bytes", "time":
        wanted = [tuple(row[key] for key in KEYS) for row in json.loads(stores.run("audit", store, "--json", "--sort", sort)[0])["findings"]]
        assert [tuple(row[key] for key in KEYS) for row in read(url, "--sort", sort)["findings"]] == wanted, sort
    ship(store, url, "--service-version", "2.4", "--reset")
    both = read(url)
    check(both, audit, 2)
    check(read(url + "?version=2.3"), audit, 1)
    check(read(url + "?since=1d"), audit, 2)
    assert read(url + "?until=1d")["audited"] == 0
    few = read(url, "--limit", "2")
    assert few["findings"] == both["findings"][:2] and few["more"] == len(both["findings"]) - 2, few
    rows = list(csv.DictReader(io.StringIO(stores.run("fleet", "audit", url, "--format", "csv")[0])))
    assert [row["bytesCount"] for row in rows] == [str(row["bytes"]["count"]) for row in both["findings"]]
    text = stores.run("fleet", "audit", url)[0]
    assert "Audits of 2 installations" in text and both["findings"][0]["rule"] in text and "±" not in text, text
    print(f"{len(both['findings'])} findings of two installations are twice those of their store")


def empty(server, store):
    """A fleet whose installation sends no audits."""
    stores.make_tables(server, "silent")
    other = store.with_name("silent.db")
    shutil.copy(store, other)
    ship(other, server.url("silent"), "--reset", "--no-audit")
    return server.url("silent")


def test_current(server, store):
    """What the newest audit of an installation no longer has is over, and an audit that comes twice counts once."""
    url = server.url("audits")
    before = read(url + "?version=2.4")
    columns = "installation, service, version, environment, host_name, os, os_version, run, weight, requests, examined, findings, first_us, last_us"
    server.ask(f"INSERT INTO audits.audit ({columns}, revision) SELECT {columns}, revision FROM audits.audit FINAL")
    assert read(url + "?version=2.4") == before
    server.ask(
        f"INSERT INTO audits.audit ({columns}, revision) SELECT {columns}, revision + 1 FROM audits.audit FINAL WHERE version = '2.4'")
    after = read(url + "?version=2.4")
    assert after["audited"] == 1 and after["findings"] == [], after
    assert "Nothing found" in stores.run("fleet", "audit", url + "?version=2.4")[0]
    check(read(url + "?version=2.3"), of_store(store), 1)
    print("what the newest audit no longer finds is over")


def test_cohort(server, store):
    """Of a cohort each stands for several, with an error that is that of independent draws."""
    stores.make_tables(server, "cohort")
    url = server.url("cohort")
    sent = 0
    for number in range(200):
        other = store.with_name(f"cohort{number}.db")
        shutil.copy(store, other)
        ship(other, url, "--reset", "--cohort", "0.25", "--details", "0")
        sent = int(server.ask("SELECT count() FROM cohort.audit FINAL"))
        if sent >= 2 and number >= 7:
            break
    fleet, audit = read(url), of_store(store)
    assert fleet["audited"] == sent, fleet
    # The variance of a sum over those that were drawn with the probability p is that of 1/p (1/p - 1) each.
    error = round((sent * 4 * 3) ** 0.5)
    assert fleet["installations"] == {"count": 4 * sent, "error": error}, fleet
    found, wanted = by_key(fleet["findings"]), by_key(audit["findings"])
    for key, one in wanted.items():
        bytes = one["saving"]["bytes"]
        assert found[key]["bytes"]["count"] == 4 * sent * bytes, (found[key], one)
        assert abs(found[key]["bytes"]["error"] - (sent * 4 * 3) ** 0.5 * bytes) <= 1, found[key]
    assert "±" in stores.run("fleet", "audit", url)[0]
    print(f"{sent} of {number + 1} installations stand for {4 * sent} ± {error}")


def main():
    with tempfile.TemporaryDirectory(prefix="auditing-") as name:
        for engine in engines.SERVING:
            folder = pathlib.Path(tempfile.mkdtemp(dir=name))
            store = stores.demo(folder)
            with engine() as server:
                print(f"== ClickHouse {server.ask('SELECT version() FORMAT TSV').strip()}")
                test_sums(server, store)
                test_current(server, store)
                test_cohort(server, store)


main()
