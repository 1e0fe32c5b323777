#!/usr/bin/env python3
"""Joins what Scripts/prove-on-apple.sh has written into report.json and report.md.

usage: Scripts/join-proofs.py FOLDER

Exits with 1 if a step failed, or if the host's own proof is missing.
"""

import json
import pathlib
import platform
import subprocess
import sys

PLACES = ["host", "simulator"]


def output(*command):
    """What a command says; empty if it is not there."""
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=60).stdout.strip()
    except OSError:
        return ""


def main():
    if len(sys.argv) != 2 or not pathlib.Path(sys.argv[1], "steps").exists():
        sys.exit(__doc__[__doc__.index("usage:"):])
    folder = pathlib.Path(sys.argv[1])
    steps = [line.split("\t") for line in (folder / "steps").read_text().splitlines()]
    steps = [{"name": name, "status": int(status), "seconds": int(seconds)} for name, status, seconds in steps]
    machine = {
        "system": output("sw_vers") or platform.platform(), "processor": platform.machine(),
        "swift": output("swift", "--version").splitlines()[:1], "xcode": output("xcodebuild", "-version"),
        "commit": output("git", "rev-parse", "HEAD"),
    }
    proofs = {
        place: json.loads((folder / place / "proof.json").read_text())
        for place in PLACES if (folder / place / "proof.json").exists()
    }
    report = {"machine": machine, "steps": steps, "proofs": proofs}
    (folder / "report.json").write_text(json.dumps(report, indent=1, ensure_ascii=False) + "\n")

    text = ["# Report", "", "| step | status | seconds |", "| --- | ---: | ---: |"]
    text += [f"| {each['name']} | {each['status']} | {each['seconds']} |" for each in steps]
    text += [""] + [f"- {name}: {' '.join(value) if isinstance(value, list) else value}" for name, value in machine.items()]
    for place in proofs:
        # The proof's own headings are one level below.
        lines = (folder / place / "proof.md").read_text().splitlines()
        text += [""] + [f"#{line}" if line.startswith("#") else line for line in lines]
    (folder / "report.md").write_text("\n".join(text) + "\n")
    print(f"{folder}/report.md and report.json: {', '.join(proofs) or 'no proof'}")
    sys.exit(0 if "host" in proofs and all(each["status"] == 0 for each in steps) else 1)


if __name__ == "__main__":
    main()
