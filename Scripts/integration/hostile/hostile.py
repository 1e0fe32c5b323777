"""Hostile and odd traffic, judged from outside.

Each case is driven by curl, by pycurl with a libcurl of its own, and by a program on URLSession, once alone and once under
`wireweight run`, against servers that log every byte with a parser of their own. What the program prints, how it ends and
what the servers see must be the same; what was metered must be what they saw. See judge.py for what is compared. A few clients
differ from run to run without the meter; then a metered run must be as one of several runs alone, and the output names it.

usage: hostile.py COMMAND FOLDER [NAME…]
"""

import collections
import concurrent.futures
import fnmatch
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time
import traceback

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import cases  # noqa: E402,F401 pylint: disable=wrong-import-position,unused-import
from case import CASES, Clients  # noqa: E402 pylint: disable=wrong-import-position
from judge import Judge, Metered, Unequal  # noqa: E402 pylint: disable=wrong-import-position
from pending import PENDING  # noqa: E402 pylint: disable=wrong-import-position
from wire import Server  # noqa: E402 pylint: disable=wrong-import-position

NAMES = {"c": "curl", "p": "pycurl", "s": "URLSession", "g": "git"}


class Run:
    """One run of a case's program."""

    # Which of several alike it is.
    tries = 1

    def __init__(self, clients, case, client, prefix, environment, certificate):
        server = Server(case.roles, certificate, certificate.with_name("key.pem"))
        ports = {role: server.address(role) for role in case.roles}

        def fill(text):
            for role, address in ports.items():
                text = (
                    text.replace("{%s}" % role, address)
                    .replace("{%s-port}" % role, address.split(":")[1])
                    .replace("{%s-local}" % role, "localhost:" + address.split(":")[1])
                )
            return text.replace("{certificate}", str(certificate))

        environment = environment | {name: fill(value) for name, value in case.environment.items()}
        words = clients.words(client, case, fill)
        began = time.monotonic()
        try:
            ended = subprocess.run(
                prefix + words, env=environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=40, check=False
            )
        finally:
            server.stop()
        self.seconds = time.monotonic() - began
        self.log = sorted(server.connections, key=lambda one: (one.role, one.number))

        def neutral(data):
            if len(data) > 1_000_000:
                return hashlib.sha256(data).hexdigest()
            text = data.decode("latin-1")
            for address in ports.values():
                text = re.sub(rf"\b{address.split(':')[1]}\b", "PORT", text)
            # Of the client's own end, and where a connection is in memory: libcurl names both in verbose mode.
            text = re.sub(r"\b0x[0-9a-f]+", "0xN", re.sub(r"\bport \d+", "port PORT", text))
            # Whether that comes before the response's headers hangs on who is faster.
            text = re.sub(r"\* (Request completely sent off|We are completely uploaded and fine)\n", "", text)
            # How long it took.
            return re.sub(r"after \d+ m(illi)?s(econds)?|in \d+ milliseconds", "after a while", text)

        self.printed = (ended.returncode, neutral(ended.stdout), neutral(ended.stderr))
        self.seen = collections.Counter(
            (one.role, message.method, re.sub(r":\d+", ":PORT", message.target), message.status, message.asked)
            for one in self.log
            for message in one.messages
        )
        self.opened = collections.Counter(one.role for one in self.log)

    @property
    def course(self):
        """What must be the same with the meter and without it."""
        return {"it prints": self.printed, "the servers saw": self.seen, "it opens": self.opened}


# How often a case is run alone before a difference is the meter's doing: some clients are not the same each time.
TRIES = 8


def check(command, folder, clients, case, client, environment, certificate, alone=None, judges=Judge):
    """The case's problems in the hands of that client, both runs, and the judge; `alone` if that run was made already."""
    name = f"{case.name}-{client}"
    for file in folder.glob(f"{name}.*"):
        file.unlink()
    store, summary = folder / f"{name}.db", folder / f"{name}.txt"
    alone = alone or Run(clients, case, client, [], environment, certificate)
    prefix = [command, "run", "--db", str(store), "--output", str(summary), "--no-progress"]
    if case.keeps_bodies:
        prefix += ["--keep-bodies", str(case.keeps_bodies)]
    metered = Run(clients, case, client, prefix + ["--"], environment, certificate)
    problems, judge = [], None
    if not case.is_racing:
        tries = alone.tries
        while metered.course != alone.course and tries < TRIES:
            tries += 1
            alone = Run(clients, case, client, [], environment, certificate)
            alone.tries = tries
        problems += [
            f"unchanged: {what} {seen} and alone, in {tries} runs, {alone.course[what]}"
            for what, seen in metered.course.items()
            if seen != alone.course[what]
        ]
    try:
        judge = judges(case, client, Metered(command, str(store), summary), metered.log)
        problems += judge.verdict()
    except Unequal as problem:
        problems.append(f"readable: {problem}")
    if os.environ.get("HOSTILE_KEEP") is None:
        for file in folder.glob(f"{name}.*"):
            file.unlink()
    return problems, alone, metered, judge


def is_pending(case, client, problem, used):
    """Whether that problem is known, and why it is there is written down."""
    for entry in PENDING:
        names, check_name, _ = entry
        if any(fnmatch.fnmatch(f"{case.name}/{client}", one) for one in names.split()) and problem.startswith(
            check_name + ":"
        ):
            used.add(entry)
            return True
    return False


def main():
    command, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    certificate = folder / "certificate.pem"
    environment = {"PATH": os.environ["PATH"], "LC_ALL": "C", "HOME": str(folder)}
    session_trusts = os.environ.get("HOSTILE_SESSION_TLS") == "1"
    clients = Clients(folder, certificate, session_trusts)
    there = (
        "c" + ("p" if (folder / "venv/bin/python").exists() else "") + ("s" if (folder / "sessions").exists() else "")
        + ("g" if shutil.which("git") else "")
    )
    jobs = []
    for case in CASES:
        if sys.argv[3:] and not any(case.name.startswith(word.split("/")[0]) for word in sys.argv[3:]):
            continue
        for client in case.clients:
            if client not in there:
                continue
            if (
                client == "s"
                and not session_trusts
                and any(t.scheme == "https" or t.url.startswith("https") for t in case.transfers)
            ):
                continue
            if sys.argv[3:] and not any("/" not in word or word.split("/")[1] == client for word in sys.argv[3:]):
                continue
            jobs.append((case, client))
    totals, failed, used, slowest, begin = collections.Counter(), [], set(), [], time.monotonic()

    def work(job):
        case, client = job
        began = time.monotonic()
        try:
            problems, alone, metered, _ = check(command, folder, clients, case, client, environment, certificate)
        except Exception:  # pylint: disable=broad-except # a broken case is a failed one
            return job, ["broken: " + traceback.format_exc()], None, None, time.monotonic() - began
        return job, problems, alone, metered, time.monotonic() - began

    with concurrent.futures.ThreadPoolExecutor(int(os.environ.get("HOSTILE_JOBS", "2"))) as pool:
        for (case, client), problems, alone, metered, seconds in pool.map(work, jobs):
            name = f"{case.name}, {NAMES[client]}"
            if alone and alone.tries > 1 and not problems:
                print(f"by chance: {name}: alone, too, it is not the same each time; as metered in run {alone.tries}", flush=True)
            if os.environ.get("HOSTILE_VERBOSE"):
                print(
                    f"{name}: {seconds:.1f} s {alone.printed if alone else ''} {metered.log if metered else ''}",
                    flush=True,
                )
            known = [problem for problem in problems if is_pending(case, client, problem, used)]
            if len(known) < len(problems):
                failed.append(name)
                for problem in problems:
                    print(f"FAILED: {name}: {problem[:1500]}", flush=True)
            totals["pending" if known else "passed"] += not len(known) < len(problems)
            totals[client] += 1
            slowest.append((seconds, name))
            if metered:
                for one in metered.log:
                    totals["connections"] += 1
                    totals["exchanges"] += len(one.messages)
                    totals["up"] += one.raw[0]
                    totals["down"] += one.raw[1]
    print(
        f"{len({case.name for case, _ in jobs})} cases: {totals['c']} by curl, {totals['p']} by pycurl, {totals['s']} by URLSession, {totals['g']} by git; "
        f"{totals['passed']} passed, {totals['pending']} failed as they are known to, {len(failed)} failed; {totals['exchanges']} exchanges on "
        f"{totals['connections']} connections, {totals['up']:,} bytes up, {totals['down']:,} down; "
        f"{time.monotonic() - begin:.0f} s"
    )
    print("slowest:", *(f"{name} {seconds:.1f} s;" for seconds, name in sorted(slowest, reverse=True)[:6]))
    for entry in PENDING:
        if entry in used:
            print("known:", *entry)
        elif not sys.argv[3:]:
            failed.append("known, and passes: " + " ".join(entry))
    if failed:
        sys.exit("failed: " + "; ".join(failed))


if __name__ == "__main__":
    main()
