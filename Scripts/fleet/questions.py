"""The queries of docs/fleet-sql.md and of the dashboard run on a fleet, on each ClickHouse, and agree with the reports.

usage: questions.py debug|release
"""

import json
import pathlib
import re
import tempfile

import engines
import stores

PAGE = stores.ROOT / "docs" / "fleet-sql.md"
DASHBOARD = stores.ROOT / "Examples" / "Fleet" / "grafana.json"


def rows(server, sql):
    return [json.loads(line) for line in server.ask(f"{sql} FORMAT JSONEachRow", "fleet").splitlines()]


def test_page(server):
    """Each query of the page gives rows, and the sums are those of the report."""
    sections = dict(re.findall(r"^## (.+?)$.*?```sql\n(.+?)```", PAGE.read_text(), re.S | re.M))
    assert len(sections) == PAGE.read_text().count("```sql"), sections.keys()
    found = {title: rows(server, sql) for title, sql in sections.items()}
    for title, result in found.items():
        assert result or title == "What was lost", title
    report = json.loads(stores.run("report", server.url("fleet"), "--json")[0])
    hosts = found["Which hosts cost most, by version"]
    for name in "requests", "up", "down":
        assert sum(int(row[name]) for row in hosts) == report["totals"][name], name
    apis = {(row["method"], row["authority"], row["template"]): float(row["p95_ms"]) for row in found["How slow is each API"]}
    compared = 0
    for api in report["apis"]:
        if (key := (api["method"], api["host"], api["template"])) in apis and api["latency"]["p95"]:
            # A bucket has one middle here, and another by one there where a rank falls between two.
            assert abs(apis[key] / api["latency"]["p95"] - 1) < 0.03, (key, apis[key], api["latency"])
            compared += 1
    assert compared > 3, report["apis"]
    print(f"{len(sections)} queries of the page run, and agree with the report")


def expanded(sql):
    """What the data source makes of a panel's query for a range of years and all values of the variables."""
    for old, new in [("$__fromTime", "toDateTime(0)"), ("$__toTime", "toDateTime(2000000000)"),
                     ("${service:singlequote}", "'shop'"), ("${version:singlequote}", "'2.3'")]:
        sql = sql.replace(old, new)
    assert "$" not in sql, sql
    return sql


def test_dashboard(server):
    """Each panel and each variable has a query that gives rows, and no panel covers another."""
    board = json.loads(DASHBOARD.read_text())
    covered = set()
    for panel in board["panels"]:
        place = panel["gridPos"]
        area = {(x, y) for x in range(place["x"], place["x"] + place["w"]) for y in range(place["y"], place["y"] + place["h"])}
        assert not area & covered and max(x for x, _ in area) < 24, panel["title"]
        covered |= area
        (target,) = panel["targets"]
        result = rows(server, expanded(target["rawSql"]))
        assert result or panel["title"] == "Lost", panel["title"]
        if panel["type"] == "timeseries":
            assert re.match(r"SELECT toDateTime\(.+\) AS time,", target["rawSql"]) and "time" in result[0], panel["title"]
    for variable in board["templating"]["list"]:
        if variable["type"] == "query":
            assert rows(server, expanded(variable["query"])), variable["name"]
    assert len({panel["id"] for panel in board["panels"]}) == len(board["panels"])
    print(f"{len(board['panels'])} panels of the dashboard have their rows")


def main():
    with tempfile.TemporaryDirectory(prefix="questions-") as name:
        store = stores.demo(pathlib.Path(name))
        for number, engine in enumerate(engines.SERVING):
            with engine() as server:
                print(f"== ClickHouse {server.ask('SELECT version() FORMAT TSV').strip()}")
                stores.make_tables(server, "fleet")
                stores.run("ship", store, "--to", server.url("fleet"), "--share", "all", "--service", "shop",
                           "--service-version", "2.3", *(["--reset"] if number else []))
                test_page(server)
                test_dashboard(server)


main()
