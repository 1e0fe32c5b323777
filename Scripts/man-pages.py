#!/usr/bin/env python3
"""Writes a manual page for the command and for each of its subcommands, from what the command says of itself.

usage: wireweight --experimental-dump-help | man-pages.py VERSION FOLDER
"""

import datetime
import json
import os
import pathlib
import re
import sys

STATUS = "See wireweight-exit-status(7)."


def escaped(text):
    """Text as troff takes it literally."""
    text = text.replace("\\", r"\e").replace("-", r"\-")
    return re.sub(r"^([.'])", r"\\&\1", text, flags=re.M)


def paragraphs(text):
    """Text with its examples as they are: a line that is indented, or that starts with 'Example:', is not filled."""
    for block in re.split(r"\n\s*\n", text.strip()):
        if block.startswith("Example"):
            yield ".PP\n.nf\n" + escaped(block) + "\n.fi"
        else:
            yield ".PP\n" + escaped(block)


def spelled(names):
    """The names of an option, the short one first."""
    short = [f"-{one['name']}" for one in names if one["kind"] == "short"]
    long = [f"--{one['name']}" for one in names if one["kind"] == "long"]
    return short + long


def option(one):
    """One entry of OPTIONS or ARGUMENTS."""
    if one["kind"] == "positional":
        head = rf"\fI{escaped(one['valueName'])}\fR"
    else:
        head = ", ".join(rf"\fB{escaped(name)}\fR" for name in spelled(one["names"]))
        if one["kind"] == "option":
            head += rf" \fI{escaped(one['valueName'])}\fR"
    text = " ".join(filter(None, (one.get("abstract"), one.get("discussion"))))
    if one.get("allValues"):
        text += f" One of {', '.join(one['allValues'])}."
    if one.get("defaultValue"):
        text += f" Default: {one['defaultValue']}."
    return f".TP\n{head}\n{escaped(text) or 'No description.'}"


def synopsis(name, command):
    """How it is called."""
    words = [rf"\fB{escaped(name)}\fR"]
    shown = [one for one in command.get("arguments", []) if one["shouldDisplay"]]
    if command.get("subcommands"):
        words.append(r"\fIcommand\fR [\fIoption\fR ...]")
    elif any(one["kind"] != "positional" for one in shown):
        words.append(r"[\fIoption\fR ...]")
    for one in shown:
        if one["kind"] == "positional":
            word = rf"\fI{escaped(one['valueName'])}\fR" + (" ..." if one["isRepeating"] else "")
            words.append(f"[{word}]" if one["isOptional"] else word)
    return " ".join(words)


def page(path, command, version, others):
    """One manual page."""
    name = "-".join(path)
    date = datetime.datetime.fromtimestamp(int(os.environ.get("SOURCE_DATE_EPOCH", "0")) or None or datetime.datetime.now().timestamp())
    parts = [
        f'.TH {escaped(name).upper()} 1 "{date:%Y-%m-%d}" "wireweight {version}" "User Commands"',
        rf".SH NAME{chr(10)}{escaped(name)} \- {escaped(command.get('abstract', ''))}",
        f".SH SYNOPSIS\n{synopsis(' '.join(path), command)}",
    ]
    if command.get("discussion"):
        parts.append(".SH DESCRIPTION\n" + "\n".join(paragraphs(command["discussion"])).removeprefix(".PP\n"))
    shown = [one for one in command.get("arguments", []) if one["shouldDisplay"]]
    for title, kinds in (("ARGUMENTS", ("positional",)), ("OPTIONS", ("option", "flag"))):
        entries = [option(one) for one in shown if one["kind"] in kinds]
        if entries:
            parts.append(f".SH {title}\n" + "\n".join(entries))
    below = [one for one in command.get("subcommands", []) if one["shouldDisplay"] and one["commandName"] != "help"]
    if below:
        lines = [rf".TP{chr(10)}\fB{escaped(one['commandName'])}\fR{chr(10)}{escaped(one.get('abstract', ''))}" for one in below]
        parts.append(".SH COMMANDS\n" + "\n".join(lines))
    parts.append(f".SH EXIT STATUS\n{escaped(STATUS)}")
    also = [rf"\fB{escaped(one)}\fR(1)" for one in others if one != name] + [r"\fBwireweight\-exit\-status\fR(7)"]
    parts.append(".SH SEE ALSO\n" + ",\n".join(also))
    return "\n".join(parts) + "\n"


def walk(path, command):
    """Each command that is shown, with its path."""
    yield path, command
    for one in command.get("subcommands", []):
        if one["shouldDisplay"] and one["commandName"] != "help":
            yield from walk((*path, one["commandName"]), one)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__.strip().splitlines()[-1])
    version, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    top = json.load(sys.stdin)["command"]
    pages = list(walk((top["commandName"],), top))
    names = ["-".join(path) for path, _ in pages if len(path) <= 2]
    for path, command in pages:
        (folder / f"{'-'.join(path)}.1").write_text(page(path, command, version, names))


main()
