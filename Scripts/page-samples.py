#!/usr/bin/env python3
"""Runs the commands of README.md and of pages in docs, and compares their output with the samples.

usage: page-samples.py BUILD_DIR [--write] [PAGE…]

BUILD_DIR holds the built command. With --write the printed text replaces the old one; look at the difference.

A block of code is a sample if a comment precedes it:

    <!-- sample: columns=88 -->                                lines with '$ ' are run, the others are what they print
    <!-- sample: columns=88 command="wireweight demo --once" -->   what that command prints
    <!-- sample: runs -->                                      each line is run, and ends with status 0
    … digits                                                   numbers may be others (a demo's times decide its audit)
    … before="COMMAND"                                         is run first
    … fails                                                    the last command ends with status 1

All of a page run in one folder, on a terminal of the given width. The folder is empty, or a copy of the one that the page
names in `<!-- samples in: FOLDER -->`. A line that begins with '…' stands for any lines. Sizes, times, shares, ports and
numbers of processes may differ from those in the file; words, columns and their order may not.
"""

import argparse
import difflib
import fcntl
import os
import pathlib
import pty
import re
import shlex
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import termios

HERE = pathlib.Path(__file__).resolve().parent.parent
BLOCK = re.compile(r"<!-- sample: (?P<options>.*?) -->\n```\w*\n(?P<text>.*?)^```$", re.S | re.M)
PLACE = re.compile(r"<!-- samples in: (?P<folder>\S+) -->")
PORT = "8123"
VOLATILE = [
    (r"\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} \d{4} [\d:]{8} GMT", "#"),
    (r"\d{4}-\d\d-\d\d[T ][\d:.]+Z?", "#"),
    (r"\d{4}-\d\d-\d\d", "#"),
    (r"\b127\.0\.0\.1:\d{5}\b", "127.0.0.1:#"),
    (r"\(\d+\)", "(#)"),
    (r"~?[+−×]?\d[\d,.]*\s?(?:B|KB|MB|GB|µs|ms|s|min|h|%)(?!\w)", "#"),
    (r"\b\d{1,3}(?:,\d{3})+(?:\.\d+)?\b", "#"),
    (r"\b\d+\.\d+\b", "#"),
    (r"[▁-█▏▎▍▌▋▊▉]+", "█"),
    (r"─+", "─"),
]


# A report has them if its traffic lies in more than one minute: a demo's may.
BARS = re.compile(r"^(?:Requests|Bytes) +[▁-█ ]+ +at most .*\n|^\S+ \S+ to \S+ \S+ \S+, .* a bar\n", re.M)


def words(text, digits):
    """A text as words, without what may be another in each run."""
    # Addresses stay when numbers go.
    for pattern, mark in VOLATILE:
        text = re.sub(pattern, mark, text)
    if digits:
        text = re.sub(r"(?<![\w.])\d+(?![\w.])", "#", text)
    return [word for word in text.split() if word != "█"]


def is_elision(line):
    return line.lstrip().startswith("…")


def pieces(lines):
    """The runs of lines between elisions."""
    result = [[]]
    for line in lines:
        if is_elision(line):
            result.append([])
        else:
            result[-1].append(line)
    return result


def fits(stands, printed, digits):
    """Whether the output matches the sample."""
    wanted = [words("\n".join(piece), digits) for piece in pieces(stands)]
    text = "\n".join(printed)
    have = words(text if BARS.search("\n".join(stands) + "\n") else BARS.sub("", text + "\n"), digits)
    if len(wanted) == 1:
        return wanted[0] == have
    first, last = wanted[0], wanted[-1]
    if have[:len(first)] != first or (last and have[-len(last):] != last) or len(first) + len(last) > len(have):
        return False
    at, end = len(first), len(have) - len(last)
    for piece in wanted[1:-1]:
        at = next((begin + len(piece) for begin in range(at, end - len(piece) + 1) if have[begin:begin + len(piece)] == piece), -1)
        if at < 0:
            return False
    return True


def replaced(stands, printed):
    """The printed text, as much of it as the block has before and after an elision."""
    elisions = [index for index, line in enumerate(stands) if is_elision(line)]
    if not elisions:
        return printed
    head, tail = elisions[0], len(stands) - 1 - elisions[-1]
    if len(elisions) > 1:
        sys.exit("page-samples: --write knows one elision in what a command prints")
    return printed[:head] + [stands[head]] + (printed[-tail:] if tail else [])


class Session:
    """A folder, and what runs in it."""

    def __init__(self, build, folder):
        self.folder, self.groups = folder, []
        self.port = str(self.free_port())
        self.environment = {name: value for name, value in os.environ.items() if name in ("HOME", "LANG", "LC_ALL", "TMPDIR")}
        self.environment |= {"PATH": f"{build}:{os.environ['PATH']}", "TERM": "dumb", "TZ": "UTC", "LANG": "C.UTF-8", "no_proxy": "*", "XDG_STATE_HOME": f"{folder}/.state"}

    @staticmethod
    def free_port():
        """One of four digits: the length of a port is part of what a request weighs."""
        for port in range(8123, 10_000):
            with socket.socket() as probe:
                try:
                    probe.bind(("127.0.0.1", port))
                    return port
                except OSError:
                    continue
        sys.exit("page-samples: no port is free")

    def run(self, command, columns):
        """Status and output of a command, on a terminal of its own."""
        command = command.replace(PORT, self.port)
        if re.search(r"(?<!&)&(?!&|>)(?!\d)", re.sub(r"\d?>&\d", "", command)):
            # What goes on is in a session of its own, without a terminal that could be taken from it.
            child = subprocess.Popen(["bash", "-c", command], cwd=self.folder, env=self.environment, start_new_session=True,
                                     stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            self.groups.append(child.pid)
            return child.wait(timeout=60), []
        leader, follower = pty.openpty()
        fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
        child = subprocess.Popen(["bash", "-c", command], cwd=self.folder, env=self.environment, start_new_session=True,
                                 stdin=subprocess.DEVNULL, stdout=follower, stderr=follower)
        os.close(follower)
        output = b""
        while True:
            try:
                piece = os.read(leader, 65_536)
            except OSError:
                # The other end is closed.
                break
            if not piece:
                break
            output += piece
        os.close(leader)
        status = child.wait(timeout=120)
        text = output.decode(errors="replace").replace("\r\n", "\n").replace(self.port, PORT)
        return status, [line.rstrip() for line in text.rstrip("\n").split("\n")] if text else []

    def end(self):
        for group in self.groups:
            try:
                os.killpg(group, signal.SIGTERM)
            except ProcessLookupError:
                pass


def options(text):
    """`columns=88 digits command="…"` as a dictionary."""
    result = {}
    for word in shlex.split(text):
        name, _, value = word.partition("=")
        result[name] = value
    return result


def steps(text, given):
    """Commands and the lines that follow them."""
    lines = text.split("\n")[:-1]
    if "command" in given:
        return [(None, given["command"], lines)]
    result = []
    for line in lines:
        if line.startswith("$ "):
            result.append((line, line[2:], []))
        elif result:
            result[-1][2].append(line)
    return result


def follow(page, text, build):
    """Runs the samples of a page: its text with what was printed, what was wrong, and the number of blocks."""
    wrong, count = [], 0
    with tempfile.TemporaryDirectory(prefix="wireweight-page-") as folder:
        if place := PLACE.search(text):
            shutil.copytree(HERE / place["folder"], folder, dirs_exist_ok=True)
        session = Session(build, folder)

        def block(match):
            nonlocal count
            given = options(match["options"])
            columns = int(given.get("columns", 200))
            count += 1
            if "before" in given and session.run(given["before"], columns)[0]:
                wrong.append(f"{page}: '{given['before']}' failed")
            if "runs" in given:
                for line in match["text"].split("\n"):
                    if line.strip() and (result := session.run(line, columns))[0]:
                        wrong.append(f"{page}: '{line}' ended with {result[0]}:\n" + "\n".join(result[1]))
                return match[0]
            made = []
            all_steps = steps(match["text"], given)
            for number, (shown, command, stands) in enumerate(all_steps, 1):
                status, printed = session.run(command, columns)
                if status != (1 if "fails" in given and number == len(all_steps) else 0):
                    wrong.append(f"{page}: '{command}' ended with {status}:\n" + "\n".join(printed))
                if shown:
                    made.append(shown)
                if fits(stands, printed, "digits" in given):
                    made += stands
                    continue
                made += replaced(stands, printed)
                wrong.append(f"{page}: '{command}' prints something else than the page has:\n"
                             + "\n".join(difflib.unified_diff(stands, replaced(stands, printed), str(page), "printed", lineterm="")))
            head = match[0][:match.start("text") - match.start()]
            return head + "".join(line + "\n" for line in made) + "```"

        try:
            made = BLOCK.sub(block, text)
        finally:
            session.end()
    return made, wrong, count


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("pages", nargs="*")
    parser.add_argument("--write", action="store_true")
    choice = parser.parse_args()
    build = pathlib.Path(choice.build).resolve()
    if not (build / "wireweight").exists() or not (build / "libWireweightPreload.so").exists():
        sys.exit(f"page-samples: '{build}' has no wireweight and libWireweightPreload.so; 'make build' makes them")
    wrong, count = [], 0
    pages = [pathlib.Path(page).resolve() for page in choice.pages] or sorted(
        page for page in (HERE / "README.md", *(HERE / "docs").glob("*.md")) if BLOCK.search(page.read_text(encoding="utf-8")))
    for page in pages:
        text = page.read_text(encoding="utf-8")
        made, faults, blocks = follow(page.relative_to(HERE), text, build)
        if not blocks:
            sys.exit(f"page-samples: {page.relative_to(HERE)} has no samples")
        count += blocks
        wrong += faults
        if choice.write:
            page.write_text(made, encoding="utf-8")
    if choice.write:
        print("\n\n".join(wrong) or "the pages are as they were")
        return
    if wrong:
        sys.exit("\n\n".join(wrong) + "\n\npage-samples: 'make pages' writes what is printed now into the pages")
    print(f"page-samples: {count} blocks of {len(pages)} pages print what the pages have")


if __name__ == "__main__":
    main()
