#!/usr/bin/env python3
"""Prints what the tap adds to an empty exchange of `curl`, in instructions and in system calls, by where they are.

usage: program.py FOLDER [--limit FIGURES NAME]

FOLDER has files COUNT.without and COUNT.with, which callgrind has written of `curl` with COUNT exchanges, for two counts.
The difference between the counts is what exchanges cost, without the start and the end of the program.

With --limit it also compares both sums with those of NAME in FIGURES (docs/measurements/figures.json), and fails if there are
3 % more instructions, or more system calls, or less than half of them: then it is not the tap that was counted.
"""
import collections
import pathlib
import re
import sys

import recorded

LIBRARIES = {"libcurl.so": "libcurl", "libc.so": "libc", "libWireweightPreload.so": "tap"}
PLACES = {
    "libcurl": "libcurl: messages and calls of the debug function, in verbose mode",
    "queries": "libcurl: figures that the tap asks for (`curl_easy_getinfo`)",
    "options": "libcurl: options that the tap sets",
    "tap": "the tap itself",
    "libc": "the C library, for both: memory, locks, text",
    "others": "the dynamic linker, other libraries",
}
# What libcurl does for a query or an option is a part of it.
PARTS = {"curl_easy_getinfo": "queries", "curl_easy_setopt": "options"}
SYSTEM_CALLS = {
    "accept", "close", "connect", "dup", "fcntl", "fstat", "getpeername", "getpid", "getsockname", "getsockopt", "gettid",
    "ioctl", "madvise", "mmap", "mprotect", "munmap", "open", "poll", "read", "readv", "recv", "recvfrom", "recvmsg", "send",
    "sendmmsg", "sendmsg", "sendto", "setsockopt", "shutdown", "sigaction", "socket", "stat", "syscall", "write", "writev",
}
WHAT, CALLS, SUM = "what the tap adds to an empty exchange of `curl`", "system calls", "sum"


def place_of(file):
    name = pathlib.Path(file).name
    return next((place for start, place in LIBRARIES.items() if name.startswith(start)), "others")


def bare(function):
    """`fstat` of `fstat64@@GLIBC_2.33'2`, which callgrind calls the second of a recursion."""
    return re.sub(r"^_+|(64)?(@.*|'.*)?$", "", function)


def read(path):
    """The instructions of each place, and the calls of functions that are system calls."""
    names = {"ob": {}, "fn": {}}
    current, called = {"ob": "", "fn": ""}, None
    times, instructions, calls = 0, collections.Counter(), collections.Counter()
    for line in path.open(errors="replace"):
        found = re.match(r"(c?)(ob|fn)=(\(\d+\))(?: (.*))?", line)
        if found:
            is_called, kind, number, text = found.groups()
            if text is not None:
                names[kind][number] = text
            if is_called:
                called = (called or {}) | {kind: names[kind].get(number, "")}
            else:
                current[kind] = names[kind].get(number, "")
        elif line.startswith("calls="):
            times = int(line[6:].split()[0])
        elif line[:1].isdigit() or line[:1] in "+-*":
            words = line.split()
            if len(words) < 2:
                continue
            cost, place = int(words[-1]), place_of(current["ob"])
            if called is None:
                instructions[place] += cost
                continue
            function, there = bare(called.get("fn", "")), place_of(called.get("ob", current["ob"]))
            if place != "libcurl" and there == "libcurl" and function in PARTS:
                instructions[PARTS[function]] += cost
                instructions["libcurl"] -= cost
            if place != "libc" and there == "libc" and function in SYSTEM_CALLS:
                calls[function] += times
            called = None
    return instructions, calls


def main(folder, limit=None, name=None):
    runs = {path.name: read(path) for path in pathlib.Path(folder).iterdir()}
    few, many = sorted({int(run.split(".")[0]) for run in runs})

    def more(which):
        def grown(way):
            return collections.Counter(
                {key: (runs[f"{many}.{way}"][which][key] - runs[f"{few}.{way}"][which][key]) / (many - few)
                 for run in runs.values() for key in run[which]})
        before, after = grown("without"), grown("with")
        return {key: after[key] - before[key] for key in before | after}

    instructions, calls = more(0), more(1)
    sums = {WHAT: sum(instructions.values()), CALLS: sum(calls.values())}
    print(f"| {WHAT} | instructions |")
    print("| --- | ---: |")
    for place, title in PLACES.items():
        print(f"| {title} | {instructions.get(place, 0):,.0f} |")
    print(f"| {SUM} | {sums[WHAT]:,.0f} |")
    print(f"\n| {CALLS} | more for an exchange |")
    print("| --- | ---: |")
    for call, count in sorted(calls.items(), key=lambda one: -one[1]):
        if abs(count) >= 0.05:
            print(f"| `{call}` | {count:.1f} |")
    print(f"| {SUM} | {sums[CALLS]:.1f} |")
    if limit is None:
        return 0
    changes = [recorded.change(limit, name, heading, SUM, now) for heading, now in sums.items()]
    is_above, is_half = max(changes) > recorded.ALLOWED, min(changes) < -0.5
    if is_half:
        print("program.py: less than half: is the tap loaded?", file=sys.stderr)
    if is_above:
        print(
            f"program.py: more than {100 * recorded.ALLOWED:.0f} % above; find what grew, or record the new figures with 'make bench-program'",
            file=sys.stderr)
    return 1 if is_above or is_half else 0


if __name__ == "__main__":
    match sys.argv[1:]:
        case [folder]:
            sys.exit(main(folder))
        case [folder, "--limit", figures, name]:
            sys.exit(main(folder, figures, name))
        case _:
            print(__doc__, file=sys.stderr)
            sys.exit(64)
