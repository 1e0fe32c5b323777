"""The two taps are two independent meters of the same bytes: one in libcurl's calls, one in those of sockets and of TLS.

curl, and for WebSockets pycurl, makes the hostile cases twice, once with each. The tap of sockets must agree with the server's log, and with the tap of
libcurl in each part of each exchange and of each connection. Where the two differ for a reason, `KNOWN` has it. Last,
each figure that is compared is altered, to see that the comparison finds it.

usage: taps.py COMMAND FOLDER [NAME…]        with FOLDER/venv/bin/python, where there is one, for pycurl
"""

import collections
import concurrent.futures
import dataclasses
import fnmatch
import os
import pathlib
import re
import sys
import time
import traceback

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import cases  # noqa: E402,F401 pylint: disable=wrong-import-position,unused-import
from case import CASES, Clients  # noqa: E402 pylint: disable=wrong-import-position
from hostile import Run  # noqa: E402 pylint: disable=wrong-import-position
from judge import BESIDE, Judge, Metered  # noqa: E402 pylint: disable=wrong-import-position
from wire import PARTS  # noqa: E402 pylint: disable=wrong-import-position

TAPS = ("libcurl", "stream")
# TLS takes another number of bytes in each run.
FLOWS = ("messages", "unaccounted", *(name for name in BESIDE if name not in ("tlsOverhead", "proxyTLSOverhead")))

GIVES_UP = "why libcurl gives up, it keeps to itself: below it, the client leaves, or has all that it asked for"
REFUSED = "libcurl does not show the content of a CONNECT's refusal"
SURPLUS = "what follows a message in one read is the message's framing to libcurl, and the connection's own below it"
RESET = "a frame of a stream after its end is the exchange's in libcurl if it is read with that end, and the connection's own below it"
# What differs for a reason: the cases, what of them, and the reason. What is here and differs no more fails the run.
KNOWN = (
    (
        "connect-refused* ftp-connect imap-connect https-proxy-refuses tls-in-tls-handshake-fails timeout* h2-timeout* too-large "
        "redirect-to-refusing-proxy redirect-too-often redirect-to-no-protocol redirect-not-allowed http09-refused ws-refused",
        "exchange's outcome:", GIVES_UP,
    ),
    ("https-proxy-refuses proxy-gone-after-challenge", "exchange's response", REFUSED),
    ("https-proxy-refuses proxy-gone-after-challenge", "connection's", REFUSED),
    ("http09-refused", "exchange's response", "libcurl takes content without a head for a head that it does not know"),
)
# The same, where it is another number in each run, or none: what comes in one read is chance.
CHANCE = (
    ("surplus-after-*", "exchange's response", SURPLUS),
    ("surplus-after-*", "connection's", SURPLUS),
    ("too-large", "exchange's response", "libcurl does not show content that it refuses, where some came with the head"),
    ("too-large", "connection's", "libcurl does not show content that it refuses, where some came with the head"),
    ("*head-with-content* 204-with-* 304-with-*", "connection's afterMessage", "the client closes, and has read a part of what follows"),
    ("h2-rst-after-end*", "exchange's response", RESET),
    ("h2-rst-after-end*", "connection's", RESET),
    ("h2-goaway-in-content*", "connection's http2Overhead", "the client leaves before or after it has acknowledged the settings"),
)
# Cases that are left out unless they are named: to a tap each is like another one, or it waits.
ALIKE = ("redirect-*", "kept-*", "*timeout*", "h2-*-clear")
# How often both are run before a difference is not one of two runs.
TRIES = 3


def normal(text):
    return re.sub(r":\d+", ":PORT", text) if isinstance(text, str) else text


def exchanges(rows):
    """What must be equal of the exchanges. Of a request of which no byte left, only libcurl knows."""
    each = [
        {
            "method": row["method"],
            "path": normal(row["url"].split("/", 3)[-1]),
            "httpVersion": row["httpVersion"],
            "outcome": row["outcome"],
            **{
                f"{side} {part}": (row[side] or {}).get(part) or 0
                for side in ("request", "response")
                for part in (*PARTS, "cookies", "total", "status")
            },
        }
        for row in rows
        if row["request"]["total"] or row["response"]
    ]
    return sorted(each, key=str)


def connections(lines):
    """What must be equal of the connections that have carried exchanges."""
    each = [
        {
            "exchanges": line["exchanges"],
            "protocol": line["protocol"],
            **{f"{name} {way}": line[name][way] for name in FLOWS if line[name] for way in ("up", "down")},
            **{f"{name} of WebSocket": counts for name, counts in (line["websocket"] or {}).items()},
        }
        for line in lines
        if line["exchanges"] and line["payload"]
    ]
    return sorted(each, key=str)


def differences(metered):
    """What the two taps say differently."""
    for name, these, those in (
        ("exchange", *(exchanges(one.rows) for one in metered)),
        ("connection", *(connections(one.connections) for one in metered)),
    ):
        if len(these) != len(those):
            yield f"{name}s: {len(these)} and {len(those)}: {these} and {those}"
            continue
        for this, that in zip(these, those):
            for key in sorted(this | that):
                if this.get(key) != that.get(key):
                    yield f"{name}'s {key}: {this.get(key)} and {that.get(key)} of {this}"


def lies(metered):
    """Every figure that is compared, altered alone: its name, and how to alter it and to take that back."""
    for row in metered.rows:
        for key in ("method", "httpVersion", "outcome"):
            yield row, key
        for side in ("request", "response"):
            for key in (*PARTS, "cookies", "total", "status"):
                if isinstance((row[side] or {}).get(key), int):
                    yield row[side], key
    for line in metered.connections:
        if not line["exchanges"] or not line["payload"]:
            continue
        yield line, "exchanges"
        for name in FLOWS + (("websocket",) if line["websocket"] else ()):
            for key in line[name] or ():
                yield line[name], key


def unseen_lies(metered):
    """How many figures there are to be altered, and those whose alteration no comparison sees."""
    count, unseen = 0, []
    other = metered[1]
    for place, key in lies(other):
        truth = place[key]
        place[key] = truth + 1 if isinstance(truth, int) else "another"
        count += 1
        if not any(differences(metered)):
            unseen.append(f"{key} {truth}")
        place[key] = truth
    return count, unseen


class Below(Judge):
    """What depends on the tap."""

    def outcomes(self):
        """They are compared with the other tap's."""

    sheets = sums = sentence = outcomes

    def verdict(self):
        # Where the server saw no request, there is no row.
        return super().verdict() if self.rows or any(one.messages for one in self.log) else []


def run(command, folder, clients, case, client, environment, certificate):
    """Problems of a case, and what was metered of it with each tap."""
    problems, both = [], []
    for tap in TAPS:
        store, summary = folder / f"{case.name}-{client}.{tap}.db", folder / f"{case.name}-{client}.{tap}.txt"
        prefix = [command, "run", "--db", str(store), "--output", str(summary), "--no-progress"]
        if case.keeps_bodies:
            prefix += ["--keep-bodies", str(case.keeps_bodies)]
        seen = Run(clients, case, client, prefix + ["--"], environment | {"WIREWEIGHT_TAPS": tap}, certificate)
        both.append(Metered(command, str(store), summary))
        if tap == "stream":
            # What never left is no row.
            judged = dataclasses.replace(case, unseen=0, special=None)
            problems += [f"log: {problem}" for problem in Below(judged, client, both[-1], seen.log).verdict()]
        for file in folder.glob(f"{case.name}-{client}.{tap}.*"):
            file.unlink()
    if not case.is_racing:
        problems += differences(both)
    return problems, both


def reasons(case, problem):
    return [
        one for one in KNOWN + CHANCE
        if any(fnmatch.fnmatch(case.name, name) for name in one[0].split()) and problem.startswith(one[1])
    ]


def check(*words):
    """The same, of a run in which nothing differs that is not known, if there is one."""
    for _ in range(TRIES):
        problems, both = run(*words)
        if all(reasons(words[3], problem) for problem in problems):
            break
    return problems, both


def main():
    command, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    certificate = folder / "certificate.pem"
    environment = {"PATH": os.environ["PATH"], "LC_ALL": "C", "HOME": str(folder)}
    clients = Clients(folder, certificate, False)
    has_pycurl = (folder / "venv/bin/python").exists()
    chosen = [
        (case, client) for case in CASES for client in ("cp" if has_pycurl and case.name.startswith("ws") else "c")
        if client in case.clients
        and (
            any(case.name.startswith(word) for word in sys.argv[3:])
            if sys.argv[3:] else not any(fnmatch.fnmatch(case.name, one) for one in ALIKE)
        )
    ]
    failed, used, begin, totals = [], set(), time.monotonic(), collections.Counter()

    def work(job):
        case, client = job
        try:
            return case, *check(command, folder, clients, case, client, environment, certificate)
        except Exception:  # pylint: disable=broad-except # a broken case is a failed one
            return case, ["broken: " + traceback.format_exc()], None

    with concurrent.futures.ThreadPoolExecutor(int(os.environ.get("HOSTILE_JOBS", "2"))) as pool:
        for case, problems, both in pool.map(work, chosen):
            for problem in problems:
                used.update(reasons(case, problem))
                if not reasons(case, problem):
                    failed.append(case.name)
                    print(f"FAILED: {case.name}: {problem[:1500]}", flush=True)
            totals["equal" if not problems else "known"] += 1
            if both and not problems:
                totals["exchanges"] += len(both[0].rows)
                totals["connections"] += len(both[0].connections)
                count, unseen = unseen_lies(both)
                totals["figures"] += count
                failed += [case.name] * bool(unseen)
                for each in unseen:
                    print(f"FAILED: {case.name}: no comparison sees another {each}", flush=True)
    print(
        f"{2 * len(chosen)} runs of {len(chosen)} cases: in {totals['equal']} both taps agree, in {totals['exchanges']} "
        f"exchanges on {totals['connections']} connections; {totals['figures']} figures, each of which was altered, and seen; "
        f"{time.monotonic() - begin:.0f} s"
    )
    for one in KNOWN:
        if one in used:
            print("known:", *one)
        elif not sys.argv[3:]:
            failed.append("known, and agrees: " + " ".join(one))
    if failed:
        sys.exit("failed: " + "; ".join(sorted(set(failed))))


if __name__ == "__main__":
    main()
