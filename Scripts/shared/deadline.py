#!/usr/bin/env python3
"""Runs a command until it ends or its time is over, so that what hangs is a failure that says where, and the rest goes on.

When the time is over, standard error has the tree of its processes; Python's say where each of their threads is. Then all
of them are killed, also those that have left its session, and the status is 124. Otherwise it is the command's.

usage: deadline.py SECONDS COMMAND [WORD…]
"""

import ctypes
import os
import pathlib
import re
import signal
import subprocess
import sys
import time

IS_SUBREAPER = 36  # PR_SET_CHILD_SUBREAPER, prctl(2): orphans become children of this process, and are found below it


class Process:
    """One process, by proc(5)."""

    def __init__(self, number):
        folder = pathlib.Path("/proc", str(number))
        # Its name is in parentheses and can hold any character.
        fields = (folder / "stat").read_text(errors="replace").rpartition(")")[2].split()
        self.number, self.state, self.parent = number, fields[0], int(fields[1])
        started = int(fields[19]) / os.sysconf("SC_CLK_TCK")
        self.seconds = time.clock_gettime(time.CLOCK_BOOTTIME) - started
        self.computed = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        self.words = " ".join(re.split(r"[\0\s]+", (folder / "cmdline").read_text(errors="replace"))).strip()
        self.is_python = "python" in os.path.basename(os.path.realpath(folder / "exe"))


def below(number):
    """The processes below that one, each after its parent, with how deep it is."""
    every = []
    for name in os.listdir("/proc"):
        try:
            if name.isdigit():
                every.append(Process(int(name)))
        except (OSError, IndexError, ValueError):
            pass  # It has ended meanwhile.

    def walk(parent, depth):
        for each in every:
            if each.parent == parent:
                yield depth, each
                yield from walk(each.number, depth + 1)

    return list(walk(number, 0))


def send(number, name):
    try:
        os.kill(number, name)
    except ProcessLookupError:
        pass


def end(command):
    """Kills all that is below this process, however often it starts more."""
    for _ in range(100):
        left = [each for _, each in below(os.getpid()) if each.state != "Z"]
        if not left:
            break
        for each in left:
            send(each.number, signal.SIGKILL)
        time.sleep(0.05)
    command.wait()


def report(seconds, words):
    print(f"deadline: after {seconds} s it still runs: {' '.join(words)}", file=sys.stderr)
    tree = below(os.getpid())
    for depth, each in tree:
        line = f"{'  ' * depth}{each.number} {each.state} {each.seconds:.0f} s, computed {each.computed:.1f} s: {each.words or '(ended)'}"
        print(line[:200], file=sys.stderr)
    sys.stderr.flush()
    # The innermost first: who waits for it has not gone on yet.
    for _, each in reversed(tree):
        if each.is_python and each.state != "Z":
            print(f"deadline: where {each.number} is:", file=sys.stderr, flush=True)
            send(each.number, signal.SIGABRT)
            time.sleep(0.5)


def main():
    if len(sys.argv) < 3 or not sys.argv[1].isdigit():
        sys.exit(__doc__.strip().splitlines()[-1])
    seconds, words = int(sys.argv[1]), sys.argv[2:]
    ctypes.CDLL(None).prctl(IS_SUBREAPER, 1, 0, 0, 0)
    # A shell has what it starts in the background ignore these. The command is to be as one in the foreground.
    for number in (signal.SIGINT, signal.SIGQUIT):
        signal.signal(number, signal.SIG_DFL)
    # By it, Python prints where its threads are when SIGABRT comes.
    command = subprocess.Popen(words, env={**os.environ, "PYTHONFAULTHANDLER": "1"})

    def stop(number, _):
        end(command)
        os._exit(128 + number)

    # An interrupt by the keyboard reaches all of them, and the command says how it ends.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, stop)
    try:
        status = command.wait(seconds)
    except subprocess.TimeoutExpired:
        report(seconds, words)
        end(command)
        sys.exit(124)
    sys.exit(status if status >= 0 else 128 - status)


main()
