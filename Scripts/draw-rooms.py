#!/usr/bin/env python3
"""Draws the rooms and their imports into ARCHITECTURE.md, as Package.swift has them.

This script writes the picture between the marks there. With --check it writes nothing, and ends with status 1 if the picture
differs from Package.swift, if the table or the picture of the flow names a room that does not exist or lacks one that does, or
if a target declares what its sources do not import, or imports what it does not declare.

usage: Scripts/draw-rooms.py [--check]      such as: make rooms
"""

import difflib
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "ARCHITECTURE.md"
# What the package gives to others, and what it leans on, each as Mermaid draws it.
SHAPES = {"product": '(["{0}"])', "room": '["{0}"]', "package": '[("{0}")]'}
IMPORT = re.compile(
    r"^\s*(?:@\w+ +)*(?:(?:public|package|internal|private|fileprivate) +)?import +(?:(?:struct|class|enum|protocol|func) +)?(\w+)",
    re.MULTILINE)
INCLUDE = re.compile(r'^\s*#\s*include "([^"]+)"', re.MULTILINE)


class Target:
    """A target of the manifest: what it may import, and what its sources do import."""

    def __init__(self, manifest):
        self.name = manifest["name"]
        self.type = manifest["type"]
        folder = "Tests" if self.type == "test" else "Sources"
        self.path = pathlib.PurePosixPath(manifest.get("path") or f"{folder}/{self.name}")
        self.imports = [next(iter(each.values()))[0] for each in manifest["dependencies"]]
        # Beside the rooms are tests and what only they and measurements use.
        self.is_room = self.path.parts[0] == "Sources"

    def files(self, others):
        """Its own sources: other targets may lie in folders below it."""
        below = [ROOT / other.path for other in others if other is not self and self.path in other.path.parents]
        for file in sorted((ROOT / self.path).rglob("*")):
            if file.suffix in (".swift", ".c", ".h", ".m") and not any(folder in file.parents for folder in below):
                yield file

    def used(self, others):
        """The modules that its sources name; a C target is named by any of its headers."""
        names = set()
        for file in self.files(others):
            text = file.read_text(errors="replace")
            if file.suffix == ".swift":
                names.update(IMPORT.findall(text))
                continue
            for header in INCLUDE.findall(text):
                names.update(other.name for other in others if any((ROOT / other.path).rglob(header)))
        return names - {self.name}


def read_manifest():
    """The targets, in the manifest's order, and the names of the products."""
    try:
        # A folder of its own, so that it does not wait for a build that is running.
        with tempfile.TemporaryDirectory() as scratch:
            dump = subprocess.run(
                ["swift", "package", "--scratch-path", scratch, "dump-package"], cwd=ROOT, check=True,
                capture_output=True, text=True).stdout
    except subprocess.CalledProcessError as error:
        sys.exit(f"draw-rooms: 'swift package dump-package' failed:\n{error.stderr}")
    manifest = json.loads(dump)
    products = {target for product in manifest["products"] for target in product["targets"]}
    return [Target(target) for target in manifest["targets"]], products


def picture(targets, products):
    """The rooms as Mermaid; an arrow that others imply is left out."""
    rooms = {target.name: target for target in targets if target.is_room}

    def reaches(name, goal):
        imports = rooms[name].imports if name in rooms else []
        return goal in imports or any(reaches(each, goal) for each in imports)

    lines = ["```mermaid", "flowchart TB"]
    for name in rooms:
        lines.append(f"    {name}" + SHAPES["product" if name in products else "room"].format(name))
    outside = sorted({each for room in rooms.values() for each in room.imports if each not in rooms})
    lines += [f"    {name}" + SHAPES["package"].format(name) for name in outside]
    for room in rooms.values():
        for each in room.imports:
            if not any(reaches(other, each) for other in room.imports if other != each):
                lines.append(f"    {room.name} --> {each}")
    return lines + ["```"]


def replaced(text, mark, lines):
    """The page with those lines between the two marks of that name."""
    begin, end = f"<!-- {mark}: written by Scripts/draw-rooms.py -->", f"<!-- end of {mark} -->"
    if text.count(begin) != 1 or text.count(end) != 1 or text.index(begin) > text.index(end):
        sys.exit(f"draw-rooms: {PAGE.name} must have the marks '{begin}' and '{end}' once each, in this order")
    head, rest = text.split(begin)
    return head + begin + "\n" + "\n".join(lines) + "\n" + end + rest.split(end)[1]


def faults(text, targets):
    """What else does not agree, in sentences."""
    known = {target.name for target in targets}
    for target in targets:
        if target.type == "system":
            continue
        used = target.used(targets)
        for each in target.imports:
            if each not in used:
                yield f"Package.swift: '{target.name}' declares '{each}' and does not import it; remove it there"
        for each in sorted(used & known - set(target.imports)):
            yield f"Package.swift: '{target.name}' imports '{each}' and does not declare it; add it there"
    rows = text.split("| target | purpose |")[1].split("\n\n")[0]
    described = set(re.findall(r"^\| `(\w+)` \|", rows, re.MULTILINE))
    for name in sorted(described - known):
        yield f"{PAGE.name}: the table of the rooms names '{name}', which is no target; remove or rename the row"
    for target in targets:
        if target.is_room and target.name not in described:
            yield f"{PAGE.name}: the table of the rooms lacks '{target.name}'; say there what it is for"
    flow = text.split("## The flow")[1].split("```mermaid")[1].split("```")[0]
    # In the picture of the flow, a box's first word in bold is a room.
    drawn = set(re.findall(r"<b>(\w+)</b>", flow))
    if not drawn:
        yield f"{PAGE.name}: the picture of the flow names no room"
    for name in sorted(drawn - known):
        yield f"{PAGE.name}: the picture of the flow names '{name}', which is no target; rename it"


def main():
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit(__doc__)
    targets, products = read_manifest()
    before = PAGE.read_text()
    after = replaced(before, "picture", picture(targets, products))
    found = list(faults(after, targets))
    if not sys.argv[1:]:
        PAGE.write_text(after)
    elif after != before:
        found.append(
            f"{PAGE.name} does not show what Package.swift has; 'make rooms' writes it:\n" + "\n".join(
                line for line in difflib.unified_diff(before.split("\n"), after.split("\n"), lineterm="", n=0)
                if line[:3] not in ("---", "+++") and line[:2] != "@@"))
    for fault in found:
        print(f"draw-rooms: {fault}", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
