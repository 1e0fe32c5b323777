#!/usr/bin/env python3
"""Reads what callgrind has counted, and prints what metering adds: instructions and allocations of the program's own threads.

usage: instructions.py FOLDER

FOLDER has files NAME.SIZE.COUNT.without and NAME.SIZE.COUNT.with, of the same program that made COUNT exchanges of SIZE
bytes, for two counts: the difference between them is what exchanges cost, without the start and the end of the program.
With --separate-threads there is a file for each thread, with the thread's number after its name.
"""
import collections
import pathlib
import re
import sys

ALLOCATING = {"malloc", "calloc", "realloc", "posix_memalign", "aligned_alloc", "memalign"}
# The threads of the meter's own, by a function that runs on them only: CurlObserver.drain, BatchWriter.work.
OWN_THREADS = ("CurlObserverAAC5drain", "BatchWriterC4work")


def read(path):
    """Instructions, calls of allocating functions, and whether the thread is one of the meter's."""
    names, instructions, allocations, is_own = {}, 0, 0, False
    called, skips = None, False
    for line in path.open(errors="replace"):
        if line.startswith(("fn=", "cfn=")):
            number, _, name = re.match(r"c?fn=(\(\d+\))( (.*))?", line.rstrip("\n")).groups()
            if name is not None:
                names[number] = name
            name = names.get(number, "")
            if line.startswith("cfn="):
                called = name.split("@")[0].split("'")[0]
            is_own = is_own or any(own in name for own in OWN_THREADS)
        elif line.startswith("calls="):
            if called in ALLOCATING:
                allocations += int(line[6:].split()[0])
            skips = True
        elif line[:1].isdigit() or line[:1] in "+-*":
            if skips:
                skips = False
                continue
            words = line.split()
            if len(words) > 1:
                instructions += int(words[-1])
    return instructions, allocations, is_own


def thousands(value):
    return f"{value:,.0f}"


def main(folder):
    # (name, size, way) -> count -> [instructions, allocations] of the program's threads, and instructions of the meter's
    runs = collections.defaultdict(lambda: collections.defaultdict(lambda: [0, 0, 0]))
    for path in sorted(pathlib.Path(folder).iterdir()):
        match = re.match(r"(.+?)\.(\d+)\.(\d+)\.(without|with)(-\d+)?$", path.name)
        if not match or path.stat().st_size == 0:
            continue
        name, size, count, way, _ = match.groups()
        instructions, allocations, is_own = read(path)
        sums = runs[name, int(size), way][int(count)]
        if is_own:
            sums[2] += instructions
        else:
            sums[0] += instructions
            sums[1] += allocations

    def each(name, size, way, what):
        counts = runs[name, size, way]
        few, many = min(counts), max(counts)
        return (counts[many][what] - counts[few][what]) / (many - few)

    print("| an exchange | instructions without | with | more | ÷ | allocations without | more | on the meter's own threads |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    more = collections.defaultdict(dict)
    for name, size in sorted({key[:2] for key in runs}):
        before, after = each(name, size, "without", 0), each(name, size, "with", 0)
        allocated = each(name, size, "with", 1) - each(name, size, "without", 1)
        own = each(name, size, "with", 2)
        more[name][size] = (before, after)
        print(
            f"| {name.replace('_', ' ')}, {size:,} bytes | {thousands(before)} | {thousands(after)} "
            f"| {thousands(after - before)} | {after / before:.3f} | {each(name, size, 'without', 1):.1f} | {allocated:.1f} "
            f"| {thousands(own) if own else '–'} |")
    for name, sizes in more.items():
        small, large = min(sizes), max(sizes)
        pieces = (large - small) / 16_384
        before, after = ((sizes[large][way] - sizes[small][way]) / pieces for way in (0, 1))
        print(
            f"| {name.replace('_', ' ')}, for each 16 KiB of body | {thousands(before)} | {thousands(after)} "
            f"| {thousands(after - before)} | | | | |")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        sys.exit(64)
    main(sys.argv[1])
