"""The inspector's API answers the same of a fleet as of the store that was shipped to it, at each of its addresses.

usage: inspecting.py debug|release
"""

import contextlib
import difflib
import itertools
import json
import pathlib
import re
import subprocess
import tempfile
import urllib.error
import urllib.parse
import urllib.request

import engines
import stores

GROUPINGS = ["api", "host", "path", "status", "type", "method", "process", "device", "network", "direction"]
FILTERS = [
    {}, {"status": "4xx"}, {"status": "none"}, {"type": "application/json"}, {"method": "POST"}, {"host": "127.0.0.1"},
    {"path": "/"}, {"failed": "1"}, {"slower": "20"}, {"text": "users"}, {"text": "has:set-cookie larger:1k"},
    {"direction": "called"}, {"direction": "served"}, {"exchanges": "1,5,77,10000000"}, {"marked": "1"},
]
SORTS = ["start", "duration", "up", "down", "status", "method", "host", "path", "type"]


@contextlib.contextmanager
def inspecting(*words):
    """The address of an inspector until the end of the block."""
    process = subprocess.Popen(
        [stores.COMMAND, "inspect", *map(str, words)], text=True, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)
    try:
        line = process.stderr.readline()
        found = re.search(r"http://\S+", line)
        assert found, line + process.stderr.read()
        yield found[0].rstrip("/")
    finally:
        process.terminate()
        process.wait(30)
        process.stderr.close()


def answer(base, path, body=None):
    """Status, type and content of a response; what names the file, a view or a start of the inspector is left out."""
    request = urllib.request.Request(
        f"{base}/api/v1/{path}", data=body, method="GET" if body is None else "POST", headers={"X-Wireweight": "1"})
    try:
        response = urllib.request.urlopen(request, timeout=120)
    except urllib.error.HTTPError as error:
        response = error
    with response:
        kind = response.headers["Content-Type"]
        content = response.read()
    if kind.startswith("application/json"):
        value = json.loads(content)
        for name in ("name", "file", "generation", "view", "cursor") if isinstance(value, dict) else ():
            if name in value:
                value[name] = "…"
        content = json.dumps(value, indent=1, ensure_ascii=False).encode()
    return f"{response.status} {kind}\n{content.decode(errors='replace')}"


def address(path, /, **items):
    return f"{path}?{urllib.parse.urlencode(items)}" if items else path


def addresses(base):
    """All addresses to ask, by what the store has."""
    rows = json.loads(answer(base, "exchanges?limit=500").split("\n", 1)[1])["exchanges"]
    apis = json.loads(answer(base, "apis").split("\n", 1)[1])["apis"]
    begins = sorted(row["start"] for row in rows)
    middle, host = begins[len(begins) // 2], apis[0]["host"]
    ranges = [{"since": middle}, {"until": middle}, {"since": begins[0], "until": middle}, {"since": begins[-1] + 1}]
    api = [" ".join([row["method"], row["host"], row["template"]]) for row in apis[:2]]
    yield from ["overview", "files", "marks", "audit", "connections", "exchanges/0", "exchanges/100000", "nothing"]
    filters = FILTERS + ranges + [
        {"api": api[0]}, {"host": host, "status": "200"}, {"task": rows[0]["task"]}, {"process": rows[0]["process"]},
        {"connection": next(row["connection"] for row in rows if row["connection"])}]
    for items in filters:
        for path in "exchanges", "sums", "timeline":
            yield address(path, **items)
        yield address("exchanges", within=10000, **items)
    for sort in SORTS:
        yield address("exchanges", sort=sort)
        yield address("exchanges", sort=f"-{sort}", limit=7, id=rows[3]["id"])
    for by in GROUPINGS:
        yield address("apis", by=by)
        yield address("apis", by=by, host=host)
        yield address("apis", by=by, since=middle, direction="called")
    for items in ranges:
        yield address("audit", **items)
        yield address("timeline", slots=24, **items)
    for items in {"direction": "called"}, {"direction": "served"}, {"limit": 2}:
        yield address("connections", **items)
    yield address("compare")
    yield address("compare", before="named-1")
    yield address("compare", since=middle, **{"before": "this", "before.until": middle})
    yield address("compare", **{"api.a": api[0], "api.b": api[-1]})
    yield address("overview", file="named-1")
    yield address("apis", by="color")
    for form in "har", "csv", "ndjson":
        for items in {}, {"failed": "1"}:
            yield address("export", format=form, **items)
    for items in {}, {"zone": 60}, {"status": "4xx"}:
        yield address("report", **items)
    for row in rows:
        yield f"exchanges/{row['id']}"
    for row in rows[::20]:
        yield from (f"exchanges/{row['id']}/{what}" for what in ["har", "repeats", "bodies/request", "bodies/response"])


def comparable(text):
    """Without when it was made, without what marks its file, and without whether it can be copied, as only a file can."""
    text = re.sub(r'"(startedDateTime|comment)": *"[^"]*Wireweight[^"]*"', "", text)
    text = re.sub(r'("copy": *)(true|false)', r"\1WHETHER", text)
    # A report says when it was made, to the minute.
    text = re.sub(r"[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2} \(UTC\)", "NOW", text)
    return re.sub(r"(fleet|demo\.db)\b", "FILE", text)


def test_pages(bases):
    """Cursors lead through all rows in the same order."""
    for path, rows, limit in ("exchanges", "exchanges", 90), ("connections", "connections", 3):
        seen = []
        for base in bases:
            seen.append([])
            cursor = ""
            while cursor is not None:
                with urllib.request.urlopen(f"{base}/api/v1/{path}?limit={limit}{cursor}", timeout=120) as response:
                    page = json.load(response)
                seen[-1] += page[rows]
                cursor = page["cursor"] and f"&cursor={page['cursor']}"
        assert seen[0] == seen[1] and len(seen[0]) > limit, path


def test_events(bases):
    """The stream of events begins with the same status, and has a mark that is set meanwhile."""
    for base in bases:
        with urllib.request.urlopen(f"{base}/api/v1/events", timeout=60) as stream:
            for marks in 0, 1:
                while not (line := stream.readline()).startswith(b"data:"):
                    assert line, base
                status = json.loads(line[5:])
                assert (status["exchanges"] > 0, status["marks"]) == (True, marks), status
                if not marks:
                    answer(base, "marks", b'{"exchanges":[5,7],"marked":true,"note":"slow"}')


def compare(bases):
    count = size = 0
    differing = []
    changes = [("pause", b""), ("marks", b'{"exchanges":[7],"marked":true}'), ("marks", b'{"exchanges":[]}')]
    for path, body in itertools.chain(changes, ((path, None) for path in addresses(bases[0]))):
        wanted, found = (comparable(answer(base, path, body)) for base in bases)
        if wanted != found:
            lines = difflib.unified_diff(
                wanted.splitlines(), found.splitlines(), "of the store", "of the fleet", lineterm="", n=2)
            differing.append(f"{path}:\n" + "\n".join(line[:300] for line in itertools.islice(lines, 40)))
        count, size = count + 1, size + len(found)
    assert not differing, f"{len(differing)} of {count} addresses differ:\n" + "\n".join(differing[:10])
    return count, size


def test_several(server, several, more):
    """Of several installations the page has sums, also over time, and says of lists that they need one of them."""
    stores.make_tables(server, "several")
    url = server.url("several")
    counts = [json.loads(stores.run("report", store, "--json")[0])["totals"]["requests"] for store in several]
    for version, store in enumerate(several):
        stores.run("ship", store, "--to", url, "--sums", "hours", "--service-version", version, "--no-audit", *more)
    for totals in [], ["fleet", "totals", url, "--settling", "0"]:
        if totals:
            stores.run(*totals)
        with inspecting(url) as base:
            def asked(path):
                status, content = answer(base, path).split("\n", 1)
                return status.split()[0], json.loads(content)

            for by in [by for by in GROUPINGS if by != "device"] + ["version", "installation", "hijacked"]:
                status, table = asked(address("apis", by=by))
                rows = next(value for value in table.values() if isinstance(value, list))
                assert status == "200" and table["totals"]["requests"] == sum(counts), (by, table)
                # Exchanges are not listed here, so what counts them has no line over time.
                wanted = [0 if by in ("path", "network", "hijacked") else row["requests"] for row in rows]
                assert [sum(row["spark"]) for row in rows] == wanted, (by, rows)
            for path in "overview", "limits", "sums", "marks", "apis?direction=served":
                assert asked(path)[0] == "200", path
            assert sum(asked("timeline")[1]["requests"]) == sum(counts)
            for path in "exchanges", "exchanges/1", "connections", "audit", "timeline?status=4xx", "sums?status=4xx", "apis?by=status&host=a":
                status, said = asked(path)
                assert status == "409" and said["error"]["code"] == "installations", (path, status, said)
                assert re.search("selects 2 installations.*'installation=[0-9a-f-]{36}'", said["error"]["message"]), said
    print("of two installations the page has their sums")


def main():
    with tempfile.TemporaryDirectory(prefix="inspecting-") as name:
        folder = pathlib.Path(name)
        store, other = stores.demo(folder), stores.demo(folder, "other.db")
        several = [stores.demo(folder, f"{name}.db") for name in ("one", "two")]
        for number, engine in enumerate(engines.SERVING):
            with engine() as server:
                print(f"== ClickHouse {server.ask('SELECT version() FORMAT TSV').strip()}")
                stores.make_tables(server, "fleet")
                again = ["--reset"] if number else []
                stores.run("ship", store, "--to", server.url("fleet"), "--share", "all", "--sums", "minutes", *again)
                test_several(server, several, again)
                with inspecting(store, "--compare", other) as one, inspecting(server.url("fleet"), "--compare", other) as two:
                    test_events([one, two])
                    count, size = compare([one, two])
                    test_pages([one, two])
                pathlib.Path(f"{store}.marks.json").unlink()
                print(f"{count} addresses of the inspector have the same {size:,} bytes of the fleet as of the store")
                # A fleet is also what a file is compared with.
                with inspecting(store, "--compare", server.url("fleet")) as base:
                    text = answer(base, "compare")
                    assert text.startswith("200") and '"heavier"' not in text, text[:2_000]


if __name__ == "__main__":
    main()
