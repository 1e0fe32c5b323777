#!/usr/bin/env python3
"""Prints what an exchange costs the command, step by step, in instructions: what callgrind has counted of two replays.

usage: steps.py FOLDER [--limit FIGURES NAME]

FOLDER has files replay.COUNT-THREAD, of `wireweight run -- replay COUNT` for two counts. The difference between them is
what exchanges cost, without the start and the end of the command.

With --limit it also compares the sum with that of NAME in FIGURES (docs/measurements/figures.json), and fails if it is more
than 3 % above.
"""
import collections
import pathlib
import re
import sys

import recorded

# Each step: its name, and a part of the mangled names of its functions. Those of one step do not call each other. A step
# with a higher level is a part of the one before it. A function that was inlined is a part of its caller.
THREADS = [
    ("reader", "TapListenerC4Loop"),
    ("writer", "BatchWriterC4work"),
]
STEPS = [
    (0, "reader", "the reader's thread", None),
    (1, "reader", "frames: decoding", r"^\$s12CurlObserver14TapFrameReaderV"),
    (1, "reader", "a request begins: its target, its connection", r"^\$s12CurlObserver9TapReaderC5begin.*F$"),
    (1, "reader", "an exchange ends: sizes, phases, records", r"^\$s12CurlObserver9TapReaderC6finish_4with"),
    (2, "reader", "headers, read once", r"^\$s8HTTPWire(13ResponseHeadsV|11RequestHeadV)(yACSay|yACs10ArraySlice)"),
    (2, "reader", "the connection's account", r"^\$s18ConnectionAccounts0A5TableV(3add|10correction|5count)"),
    (1, "reader", "the records are sent on", r"^\$s12CurlObserver9TapReaderC10sendEvents"),
    (2, "reader", "redaction of headers", r"^\$s15TrafficPipeline8RedactorV(6redact|8redacted)"),
    (2, "reader", "sums of the summary", r"^\$s15TrafficPipeline0A5TallyC6record"),
    (2, "reader", "queue of the writer", r"^\$s12TrafficStore11BatchWriterC6record"),
    (0, "writer", "the writer's thread", None),
    (1, "writer", "SQLite's statements", "^sqlite3_step"),
    (0, None, "the command", None),
]


class Thread:
    """The instructions of a thread: all, and with what it calls of each function."""

    def __init__(self, path):
        self.total = 0
        self.inclusive = collections.Counter()
        self.called_by = collections.defaultdict(collections.Counter)
        names, name, called = {}, "", None
        for line in path.open(errors="replace"):
            if line.startswith(("fn=", "cfn=")):
                number, _, text = re.match(r"c?fn=(\(\d+\))( (.*))?", line.rstrip("\n")).groups()
                if text is not None:
                    names[number] = text
                if line.startswith("cfn="):
                    called = names.get(number, "")
                else:
                    name = names.get(number, "")
            elif line[:1].isdigit() or line[:1] in "+-*":
                words = line.split()
                if len(words) < 2:
                    continue
                cost = int(words[-1])
                self.inclusive[name] += cost
                if called is None:
                    self.total += cost
                else:
                    self.called_by[called][name] += cost
                    called = None
        self.names = set(names.values())

    def matching(self, pattern):
        """The instructions of the functions with such names, called from others."""
        names = {name for name in self.names if re.search(pattern, name)}
        return sum(
            cost for name in names for caller, cost in self.called_by[name].items() if caller not in names)


def read(folder):
    """COUNT -> role of a thread -> its instructions."""
    runs = collections.defaultdict(lambda: collections.defaultdict(list))
    for path in sorted(pathlib.Path(folder).glob("replay.*-*")):
        if path.stat().st_size == 0:
            continue
        thread = Thread(path)
        roles = [role for role, own in THREADS if any(own in name for name in thread.names)]
        runs[int(path.name.split(".")[1].split("-")[0])][roles[0] if len(roles) == 1 else "other"].append(thread)
    return runs


def each(runs, cost):
    """The difference between the two counts, for one exchange."""
    few, many = min(runs), max(runs)
    return (cost(runs[many]) - cost(runs[few])) / (many - few)


def main(folder, limit=None, name=None):
    runs = read(folder)
    if len(runs) != 2:
        sys.exit(f"steps.py: '{folder}' has {len(runs)} counts of exchanges, not two")
    whole = each(runs, lambda roles: sum(one.total for threads in roles.values() for one in threads))
    print("| an exchange, by step | instructions | share |")
    print("| --- | ---: | ---: |")
    for level, role, step, pattern in STEPS:
        if role is None:
            cost = whole
        elif pattern is None:
            cost = each(runs, lambda roles: sum(one.total for one in roles[role]))
        else:
            cost = each(runs, lambda roles: sum(one.matching(pattern) for one in roles[role]))
        print(f"| {'– ' * level}{step} | {cost:,.0f} | {100 * cost / whole:.0f} % |")
    if limit is None:
        return 0
    change = recorded.change(limit, name, "an exchange, by step", "the command", whole, unit="instructions")
    if change > recorded.ALLOWED:
        print(
            f"steps.py: more than {100 * recorded.ALLOWED:.0f} % above; find the step that grew, or record the new figures with 'make bench-steps'",
            file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    match sys.argv[1:]:
        case [folder]:
            sys.exit(main(folder))
        case [folder, "--limit", figures, name]:
            sys.exit(main(folder, figures, name))
        case _:
            print(__doc__, file=sys.stderr)
            sys.exit(64)
