"""Hostile and odd traffic by curl, direct and through the proxy, judged from outside.

The cases are those of hostile/cases.py with an origin and no proxy of their own. The client must print the same, and the
origin must get the same messages, part by part. What the proxy has of its two sides must be the same as what a tap in curl
has of its side, and what the origin's own log has of the other.

usage: proxied.py COMMAND FOLDER [NAME…]
"""

import collections
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import time
import traceback

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "hostile"))

import cases  # noqa: E402,F401 pylint: disable=wrong-import-position,unused-import
from case import CASES, Clients  # noqa: E402 pylint: disable=wrong-import-position
from hostile import Run, TRIES  # noqa: E402 pylint: disable=wrong-import-position

# Where a proxy cannot be transparent, and why.
DIFFERENT = {
    "refused": "the proxy says with 502 what the client would have met itself",
    "unknown-host": "as refused",
    "redirect-to-no-name": "as refused",
    "gone-on-second": "as refused",
    "gone-after-challenge": "as refused",
    "tls-of-another": "the name has no address for the proxy; the client alone has one",
    "options-star": "a request to a proxy names the server in its target",
    "target-absolute": "as options-star",
    "proxy-line": "a proxy is a server of HTTP, and refuses a client's PROXY line",
}

# The stream tap and the one in libcurl name the same bytes differently.
NAMED_DIFFERENTLY = {
    "surplus-after-length-kept": "bytes after a response: of it, or of none",
    "surplus-after-chunks": "as surplus-after-length-kept",
    "http09-refused": "a response without a status line: content, or a start line",
}

MESSAGES = ("request", "response")
PARTS = ("startLine", "fields", "interim", "body", "framing", "total")


def rows(command, store, verb="exchanges"):
    ended = subprocess.run(
        [command, verb, str(store), "--format", "ndjson"], capture_output=True, text=True, timeout=60, check=True
    )
    return [json.loads(line) for line in ended.stdout.splitlines()]


def parts(row, names=PARTS):
    """Each message's sizes, or nothing where the meter does not know them."""
    return tuple(tuple((row[message] or {}).get(name) for name in names) for message in MESSAGES)


def is_plain(case):
    return all(one.scheme == "http" and not one.url.startswith("https") for one in case.transfers)


def course(run):
    """What must be the same with the proxy and without it. curl prints a tunnel's head as if it were the response's."""
    status, text, errors = run.printed
    text = text.replace("HTTP/1.1 200 Connection established\r\n\r\n", "")
    return {"it prints": (status, text, errors), "the origin saw": run.seen}


def has_own_proxy(case):
    """Whether the client has a proxy of its own, or speaks what this one does not."""
    words = [*case.curl, *case.environment, *(word for one in case.transfers for word in one.curl)]
    words += [one.url for one in case.transfers]
    foreign = ("proxy", "socks", "ftp:", "imap:", "--http2-prior-knowledge")
    return any(word == "-x" or any(part in word for part in foreign) for word in words)


def check(command, folder, clients, case, environment, certificate):
    """The problems of a case, and the proxied run."""
    name = case.name.replace("/", "-")
    store, own, summary = folder / f"{name}.db", folder / f"{name}.own.db", folder / f"{name}.txt"
    for file in folder.glob(f"{name}.*"):
        file.unlink()
    direct = Run(clients, case, "c", [], environment, certificate)
    prefix = [command, "proxy", "--db", str(store), "--listen", "0", "--output", str(summary), "--"]
    prefix += [command, "run", "--db", str(own), "--output", f"{summary}.own", "--no-progress", "--"]
    proxied = Run(clients, case, "c", prefix, environment, certificate)
    problems = []
    if case.name in DIFFERENT:
        return problems, proxied
    tries = 1
    while not case.is_racing and course(proxied) != course(direct) and tries < TRIES:
        tries += 1
        direct = Run(clients, case, "c", [], environment, certificate)
    if not case.is_racing:
        problems += [
            f"{what} {seen} and direct, in {tries} runs, {course(direct)[what]}"
            for what, seen in course(proxied).items()
            if seen != course(direct)[what]
        ]
    metered = rows(command, store)
    for row in metered:
        if (row["direction"], row["process"]) != ("served", "this computer") and row["outcome"] != "incomplete":
            problems.append(f"exchange {row['exchange']} is {row['direction']}, of {row['process']}")
    for one in () if case.is_racing else rows(command, store, "connections"):
        # What a client that leaves early has sent of a request is in no message.
        if one["unaccounted"]["down"] or (one["unaccounted"]["up"] and not case.leaves_early):
            problems.append(f"the ledger of connection {one['connection']} does not close: {one['unaccounted']}")
    if is_plain(case):
        # The device's side: what a tap in the device's own program says.
        theirs = collections.Counter(parts(row) for row in rows(command, own))
        ours = collections.Counter(parts(row) for row in metered)
        is_fixed = not (case.is_racing or case.hides_head or case.leaves_early or case.name in NAMED_DIFFERENTLY)
        if theirs != ours and is_fixed:
            problems.append(f"the proxy has of the device {ours - theirs}, and the device {theirs - ours}")
        # The server's side: what the origin says.
        logged = collections.Counter((message.total("up"), message.total("down")) for one in proxied.log for message in one.messages)
        called = collections.Counter(
            tuple((row["serverLeg"][message] or {}).get("total") or 0 for message in MESSAGES)
            for row in metered
            if "serverLeg" in row
        )
        if logged != called and not case.is_racing and not case.leaves_early:
            problems.append(f"the proxy has of the origin {called - logged}, and the origin {logged - called}")
    if os.environ.get("HOSTILE_KEEP") is None:
        for file in folder.glob(f"{name}.*"):
            file.unlink()
    return problems, proxied


def main():
    command, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    certificate = folder / "certificate.pem"
    environment = {"PATH": os.environ["PATH"], "LC_ALL": "C", "HOME": str(folder)}
    clients = Clients(folder, certificate, False)
    jobs = [
        case
        for case in CASES
        if "c" in case.clients and set(case.roles) == {"origin"} and not has_own_proxy(case)
        and (not sys.argv[3:] or any(case.name.startswith(word) for word in sys.argv[3:]))
    ]
    failed, totals, began = [], collections.Counter(), time.monotonic()

    def work(case):
        try:
            return (case, *check(command, folder, clients, case, environment, certificate))
        except Exception:  # pylint: disable=broad-except # a broken case is a failed one
            return case, ["broken: " + traceback.format_exc()], None

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for case, problems, run in pool.map(work, jobs):
            if problems:
                failed.append(case.name)
            for problem in problems:
                print(f"FAILED: {case.name}: {problem[:1500]}", flush=True)
            for one in run.log if run else ():
                totals["connections"] += 1
                totals["exchanges"] += len(one.messages)
    for name, reason in {**DIFFERENT, **NAMED_DIFFERENTLY}.items():
        print(f"different: {name}: {reason}")
    print(
        f"{len(jobs)} cases through the proxy: {len(jobs) - len(failed)} passed, {len(failed)} failed; "
        f"{totals['exchanges']} exchanges on {totals['connections']} connections; {time.monotonic() - began:.0f} s"
    )
    if failed:
        sys.exit("failed: " + "; ".join(failed))


if __name__ == "__main__":
    main()
