#!/usr/bin/env python3
"""Keeps the figures of benchmarks in one file, and makes the pages of them.

Scripts/figures.py run NAME -- COMMAND…   run a benchmark, show what it prints, record its tables, and make the pages
Scripts/figures.py pages                  make the pages again
Scripts/figures.py check                  fail where a page is not what the figures make of it

The file is docs/measurements/figures.json: for each benchmark where and when it ran, and its tables as it printed them, in
Markdown. A table is called by its first heading, a row by its first cell.

A page of docs/measurements has its tables between marks, which are filled:

    <!-- figures: bench -->                  where and when it ran
    <!-- figures: bench, what, 2-6 -->       rows of a table; all without numbers
    <!-- end of figures -->

docs/performance.md is made whole, of docs/measurements/performance.md.in, with {{NAME, TABLE, ROW, COLUMN}} for a
cell. `ROW#2` is the second row of that name, `ROW…` a row that starts with it. What follows a bar changes the figure: `| 2` rounds it to two digits, `| part 2`
takes the second of several that semicolons separate, `| until (` what precedes a bracket, `| grouped` has commas.
"""

import datetime
import decimal
import json
import os
import pathlib
import platform
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent.parent
PAGES = HERE / "docs/measurements"
FILE = PAGES / "figures.json"
MARK = re.compile(r"(<!-- figures: ([^\n]*?) -->\n).*?(<!-- end of figures -->)", re.S)
CELL = re.compile(r"\{\{(.*?)\}\}", re.S)
FACTS = ("machine", "versions", "date")


class Fault(Exception):
    """Something that a person has to fix."""


# Tables


def cells(line):
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def tables(text):
    """The tables of what a benchmark printed, by their first heading."""
    found, table = {}, None
    lines = text.splitlines()
    for line, after in zip(lines, lines[1:] + [""]):
        if not line.startswith("|"):
            table = None
        elif re.fullmatch(r"\|[-:| ]+\|", line):
            table["align"] = cells(line)
        elif re.fullmatch(r"\|[-:| ]+\|", after):
            table = {"columns": cells(line), "rows": []}
            name = table["columns"][0]
            if name in found:
                raise Fault(f"two tables begin with '{name}'")
            found[name] = table
        elif table:
            table["rows"].append(cells(line))
    return found


def markdown(table, rows):
    lines = [table["columns"], table["align"]] + rows
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)


# Figures


def read():
    return json.loads(FILE.read_text())


def run_of(figures, name):
    if name not in figures:
        raise Fault(f"no benchmark '{name}'; there are {', '.join(figures)}")
    return figures[name]


def table_of(figures, name, heading):
    found = run_of(figures, name)["tables"]
    if heading not in found:
        raise Fault(f"{name} has no table '{heading}'; it has {', '.join(found)}")
    return found[heading]


def is_called(cell, name):
    return cell.startswith(name[:-1]) if name.endswith("…") else cell == name


def figure_of(found, place, rest):
    """The cell of a benchmark's table that TABLE, ROW, COLUMN names."""
    matches = []
    for heading, table in found["tables"].items():
        for column, title in enumerate(table["columns"]):
            if not rest.startswith(heading + ", ") or not rest.endswith(", " + title):
                continue
            row, _, number = rest[len(heading) + 2 : -len(title) - 2].partition("#")
            rows = [one for one in table["rows"] if is_called(one[0], row)]
            # Of two columns with one heading, the first.
            if rows and column == table["columns"].index(title):
                matches.append(rows[int(number or 1) - 1][column])
    if len(matches) != 1:
        raise Fault(f"'{place}' is {len(matches)} cells of {FILE.name}")
    return matches[0]


def cell(figures, expression):
    """A cell, as {{NAME, TABLE, ROW, COLUMN | CHANGE}} calls it. TABLE and ROW may have commas: two that fit are a fault."""
    place, *changes = (one.strip() for one in " ".join(expression.split()).split(" | "))
    name, rest = place.split(", ", 1)
    found = run_of(figures, name)
    figure = found[rest] if rest in FACTS else figure_of(found, place, rest)
    for change in changes:
        if change.startswith("part "):
            figure = figure.split(";")[int(change.removeprefix("part ")) - 1].strip()
        elif change.startswith("until "):
            figure = figure.split(change.removeprefix("until "))[0].strip()
        elif change == "grouped":
            figure = f"{int(figure):,}"
        else:
            number = decimal.Decimal(re.match(r"-?[0-9.]+", figure)[0])
            figure = str(number.quantize(decimal.Decimal(1).scaleb(-int(change)), decimal.ROUND_HALF_UP))
    return figure


# Pages


def rows_of(table, numbers):
    if not numbers:
        return table["rows"]
    wanted = []
    for part in numbers.split():
        first, _, last = part.partition("-")
        wanted += range(int(first), int(last or first) + 1)
    return [table["rows"][number - 1] for number in wanted]


def region(figures, mark):
    name, *rest = mark.split(", ")
    numbers = rest.pop() if rest and re.fullmatch(r"[\d -]+", rest[-1]) else ""
    if not rest:
        return "".join(f"- {fact}: {run_of(figures, name)[fact]}\n" for fact in FACTS)
    table = table_of(figures, name, ", ".join(rest))
    return markdown(table, rows_of(table, numbers))


def pages(figures):
    """Each page that is made of figures: where it is, and what it has to be."""
    for page in sorted(PAGES.glob("*.md*")):
        try:
            if page.suffix == ".in":
                text = CELL.sub(lambda found: cell(figures, found[1]), page.read_text())
                note = f"<!-- Made by Scripts/figures.py of measurements/{page.name}. -->\n\n"
                yield HERE / "docs" / page.stem, note + text
            elif "<!-- figures: " in page.read_text():
                yield page, MARK.sub(lambda found: found[1] + region(figures, found[2]) + found[3], page.read_text())
        except (Fault, IndexError, TypeError, ValueError) as fault:
            raise Fault(f"docs/measurements/{page.name}: {fault}") from fault


def write():
    for page, text in pages(read()):
        page.write_text(text)


def check():
    stale = [page for page, text in pages(read()) if not page.exists() or page.read_text() != text]
    if stale:
        names = ", ".join(str(page.relative_to(HERE)) for page in stale)
        raise Fault(f"not what the figures make: {names}. Run Scripts/figures.py pages")


# Benchmarks


def output(*command):
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True, cwd=HERE).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""


def facts():
    """Where and when something is measured."""
    info = pathlib.Path("/proc/cpuinfo")
    model = re.search(r"^model name\s*: (.*)", info.read_text() if info.exists() else "", re.M)
    changed = " with changes" if output("git", "status", "--porcelain") else ""
    swift = re.search(r"Swift version (\S+)", output("swift", "--version"))
    versions = output(str(HERE / ".build/release/WireweightBenchmarks"), "versions")
    return {
        "machine": f"{model[1] if model else platform.machine()}, {os.cpu_count()} cores, {platform.system()} {platform.release()}",
        "versions": ", ".join(one for one in (swift and f"Swift {swift[1]}", versions) if one),
        "date": f"{datetime.date.today()}, commit {output('git', 'rev-parse', '--short', 'HEAD') or 'unknown'}{changed}, "
        f"load before it began {os.getloadavg()[0]:.1f}",
    }


def run(name, command):
    made = facts()
    for fact in FACTS:
        print(f"- {fact}: {made[fact]}", flush=True)
    print(flush=True)
    lines = []
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        for line in process.stdout:
            sys.stdout.write(line)
            sys.stdout.flush()
            lines.append(line)
    if process.returncode:
        return process.returncode
    # What a benchmark compares with, it names itself.
    for line in lines:
        if line.startswith("- with: "):
            made["versions"] += ", " + line.removeprefix("- with: ").strip()
    figures = read()
    figures[name] = made | {"tables": tables("".join(lines))}
    FILE.write_text(json.dumps(figures, indent=1, ensure_ascii=False) + "\n")
    write()
    print(f"\nRecorded as '{name}' in docs/measurements/figures.json, and the pages with it; 'git diff docs' shows what changed.")
    return 0


def main():
    match sys.argv[1:]:
        case ["run", name, "--", *command] if command:
            return run(name, command)
        case ["pages"]:
            write()
        case ["check"]:
            check()
        case _:
            print(__doc__, file=sys.stderr)
            return 64
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Fault as fault:
        sys.exit(f"figures: {fault}")
