"""Prints what `wireweight verify` found in each scenario as a table in Markdown."""

import json
import sys

folder, scenarios = sys.argv[1], sys.argv[2:]
print("| protocol | scenario | connections | captured up | metered up | captured down | metered down | difference |")
print("| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |")
total = {"connections": 0, "up": 0, "down": 0, "difference": 0}
for scenario in scenarios:
    file, protocol, name = scenario.split("|")
    with open(f"{file}.lo.json") as opened:
        found = json.load(opened)
    captured, metered = found["totals"]["captured"], found["totals"]["metered"]
    # Connection by connection, so that one too many does not make up for one too few.
    difference = sum(
        abs(row["difference"][way]) for row in found["connections"] if row["difference"] for way in ("up", "down")
    )
    unmatched = sum(row["difference"] is None for row in found["connections"])
    cells = [protocol, name, f"{len(found['connections'])}"]
    cells += [f"{side[way]:,}" for way in ("up", "down") for side in (captured, metered)]
    cells.append(f"{difference:,}" + (f", {unmatched} not compared" if unmatched else ""))
    print("| " + " | ".join(cells) + " |")
    total["connections"] += len(found["connections"])
    total["difference"] += difference
    for way in ("up", "down"):
        total[way] += captured[way]
print()
print(
    f"Together {total['connections']:,} connections, {total['up']:,} bytes up and {total['down']:,} down; "
    f"difference {total['difference']:,}."
)
