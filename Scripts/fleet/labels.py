"""A flood of made-up hosts and APIs through Examples/Fleet/labels.sql has no more names than its caps, and counts as before.

usage: labels.py debug|release
"""

import json
import pathlib
import re
import tempfile

import stores
import today

SQL = pathlib.Path(__file__).resolve().parents[2] / "Examples" / "Fleet" / "labels.sql"
HOSTS, APIS, BATCH = 200, 2000, 50


def make(server):
    """The tables, and the database of the door before them."""
    stores.make_tables(server, "fleet")
    text = re.sub(r"^--.*\n", "", SQL.read_text(), flags=re.M)
    for statement in text.split(";\n"):
        if statement.strip():
            server.ask(statement)


def counts(server):
    """The different hosts, APIs and other names that the sums have."""
    return [int(word) for word in server.ask(
        "SELECT uniqExact(authority), uniqExact(authority, template), sum(requests) FROM fleet.sums FINAL WHERE whole = 1 "
        "FORMAT TSV").split()]


def flood(server, batches, table="sums", host="'h' || toString(number)", api="'/'"):
    """Rows of made-up names, in batches."""
    for first in range(0, batches * BATCH, BATCH):
        columns = "installation, authority, template" + (", kind, whole, requests" if table == "sums" else ", number")
        values = "1, 1, 1" if table == "sums" else "number"
        server.ask(f"INSERT INTO door.{table} ({columns}) SELECT generateUUIDv4(), {host}, {api}, {values} FROM numbers({first}, {BATCH})")


def main():
    import today

    with tempfile.TemporaryDirectory(prefix="labels-") as name, today.serving() as server:
        store = stores.demo(pathlib.Path(name))
        make(server)
        stores.run("ship", store, "--to", server.url("door"), "--share", "all", "--sums", "minutes", "--service", "shop")
        stores.compare(store, server.url("fleet") + "?service=shop")
        hosts, apis, requests = counts(server)
        flood(server, 10)
        after = counts(server)
        # One batch may begin below the cap.
        assert HOSTS < after[0] <= HOSTS + BATCH + 1 and after[2] == requests + 10 * BATCH, after
        flood(server, 60, host="'h1'", api="'/' || toString(number)")
        after = counts(server)
        assert APIS < after[1] <= HOSTS + APIS + 2 * BATCH + 2 and after[2] == requests + 70 * BATCH, after
        flood(server, 2, "exchange", host="'x' || toString(number)")
        assert server.ask("SELECT groupUniqArray(authority) FROM fleet.exchange WHERE service = '' FORMAT TSV").strip() == "['other (new)']"
        # What was known before is as it was, and the rest is one row.
        stores.compare(store, server.url("fleet") + "?service=shop")
        report = json.loads(stores.run("report", server.url("fleet"), "--by", "host", "--json")[0])
        assert [row["requests"] for row in report["hosts"] if row["host"] == "other (new)"][0] > 200, report["hosts"][:3]
        # An hour later, new names are new again.
        server.ask("CREATE TABLE fleet.before AS fleet.label")
        server.ask("INSERT INTO fleet.before SELECT kind, name, first - INTERVAL 1 HOUR FROM fleet.label")
        server.ask("EXCHANGE TABLES fleet.before AND fleet.label")
        flood(server, 1, host="'later' || toString(number)")
        assert counts(server)[0] == after[0] + BATCH, counts(server)
        print(f"{70 * BATCH} made-up hosts and APIs: {after[0] - hosts} hosts and {after[1] - apis} APIs have names, and all count")


main()
