"""`diff` of two halves of one fleet finds no difference, and finds the API that is slower or heavier in a third part.

usage: halves.py debug|release
"""

import json
import pathlib
import random
import tempfile
import time

import engines
import stores

# Median and spread of the durations in ms, and of the bodies in bytes.
APIS = {"/users": (40, 0.6, 900, 0.3), "/search": (180, 0.9, 6_000, 0.8), "/login": (90, 0.4, 300, 0.05), "/feed": (60, 0.7, 20_000, 0.5)}
INSTALLATIONS = 10
REQUESTS = 60


def entry(chance, number, path, slower, heavier):
    wait, spread, size, of_sizes = APIS[path]
    milliseconds = round(slower * wait * chance.lognormvariate(0, spread), 3)
    body = round(heavier * size * chance.lognormvariate(0, of_sizes))
    response = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {body}\r\n\r\n"
    headers = [{"name": "Content-Type", "value": "application/json"}, {"name": "Content-Length", "value": str(body)}]
    return {
        "startedDateTime": f"2026-11-20T10:{number // 60:02}:{number % 60:02}.000Z", "time": milliseconds,
        "request": {"method": "GET", "url": f"https://api.example.com{path}", "httpVersion": "HTTP/1.1", "cookies": [],
                    "headers": [{"name": "Host", "value": "api.example.com"}], "queryString": [], "headersSize": 60, "bodySize": 0},
        "response": {"status": 200, "statusText": "OK", "httpVersion": "HTTP/1.1", "cookies": [], "headers": headers,
                     "content": {"size": body, "mimeType": "application/json"}, "redirectURL": "",
                     "headersSize": len(response), "bodySize": body},
        "cache": {}, "timings": {"send": 0, "wait": milliseconds, "receive": 0}}


def make(folder, version, number, slower=(), heavier=()):
    """The store of one installation, always the same for the same number."""
    chance = random.Random(number)
    entries = []
    for count in range(REQUESTS):
        path = chance.choice(list(APIS))
        entries.append(entry(chance, count, path, 1.3 if path in slower else 1, 1.3 if path in heavier else 1))
    har = folder / f"{version}-{number}.har"
    har.write_text(json.dumps({"log": {"version": "1.2", "creator": {"name": "halves", "version": "1"}, "entries": entries}}))
    store = har.with_suffix(".db")
    stores.run("import", har, "--db", store)
    return version, store


def findings(url, before, after):
    rows = json.loads(stores.run("diff", f"{url}?version={before}", f"{url}?version={after}", "--json")[0])["apis"]
    assert {row["template"] for row in rows} == set(APIS), rows
    assert all(row["before"]["requests"] > 100 and row["after"]["requests"] > 100 for row in rows), rows
    return {row["template"]: (row["latency"]["finding"], row["perCall"]["finding"]) for row in rows}


def test_share(server, url, store):
    """Of an installation that sends a share, the report by path is an estimate, and the one by API is not."""
    stores.run("ship", store, "--to", url, "--service-version", "4", "--details", "0.5", "--share", "paths", "--no-audit", "--reset")
    url += "?version=4"
    counted = int(server.ask("SELECT count() FROM exchange FINAL WHERE version = '4' FORMAT TSV", "halves"))
    totals = json.loads(stores.run("report", url, "--by", "path", "--json")[0])["totals"]
    assert 0 < counted < REQUESTS and totals["requests"] == 2 * counted, (counted, totals)
    # Each task has one exchange, and stands for two.
    assert totals["estimated"]["counted"] == counted and totals["estimated"]["requestsError"] == round((2 * counted) ** 0.5), totals
    assert "Estimated from" in stores.run("report", url, "--by", "path")[0]
    assert json.loads(stores.run("report", url, "--json")[0])["totals"]["requests"] == REQUESTS


def test_totals(url):
    """Reports and `diff` say the same with totals as without; a second time there is nothing to make."""
    def said():
        return [stores.run(*words)[0] for words in (
            ["report", url, "--json"], ["report", url, "--by", "version", "--show", "latency"], ["report", f"{url}?since=2026-11-20T10:00:30Z", "--json"],
            ["report", url, "--by", "installation", "--json"], ["diff", f"{url}?version=2", f"{url}?version=3", "--json"])]

    before = said()
    # What arrived in this second may be in the totals or not.
    time.sleep(1.1)
    made = [json.loads(stores.run("fleet", "totals", url, "--settling", "0", "--json")[0]) for _ in range(2)]
    assert made[0]["slots"] > 0 == made[1]["slots"], made
    assert said() == before
    assert "totals of 0 hours" in stores.run("fleet", "totals", url)[0]
    assert "of a whole database" in stores.run("fleet", "totals", f"{url}?version=2", expected=65)[1]


def main():
    with tempfile.TemporaryDirectory(prefix="halves-") as name:
        folder = pathlib.Path(name)
        numbers = range(INSTALLATIONS)
        made = [make(folder, version, place * INSTALLATIONS + number, **other) for number in numbers for place, (version, other) in
                enumerate([("1", {}), ("2", {}), ("3", {"slower": ["/login"], "heavier": ["/users"]})])]
        for number, engine in enumerate(engines.SERVING):
            with engine() as server:
                print(f"== ClickHouse {server.ask('SELECT version() FORMAT TSV').strip()}")
                stores.make_tables(server, "halves")
                url = server.url("halves")
                for version, store in made:
                    stores.run("ship", store, "--to", url, "--service-version", version, "--no-audit", *(["--reset"] if number else []))
                same = {path: ("noise", "noise") for path in APIS}
                assert findings(url, "1", "2") == same, findings(url, "1", "2")
                assert findings(url, "2", "3") == same | {"/login": ("slower", "noise"), "/users": ("noise", "heavier")}, findings(url, "2", "3")
                test_totals(url)
                test_share(server, url, made[0][1])
                print(f"two halves of {len(made) * 2 // 3} installations do not differ, and what differs in a third part is found")


main()
