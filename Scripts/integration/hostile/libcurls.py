"""The hostile cases with many libcurls: pycurl, built against each, makes each case alone and metered.

A version that cannot do a case alone is not asked to do it metered. Where it does a case in its own way, the outcomes of the
rows must be what the program itself printed; all else is judged as in hostile.py. Of a version that the tap does not
support, nothing may be metered, and the summary must say so.

usage: [CASES=…] libcurls.py COMMAND FOLDER CACHE NAME…
"""

import collections
import concurrent.futures
import dataclasses
import os
import pathlib
import subprocess
import sys
import time
import traceback

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import cases  # noqa: E402,F401 pylint: disable=wrong-import-position,unused-import
from case import CASES, Clients  # noqa: E402 pylint: disable=wrong-import-position
from hostile import Run, check  # noqa: E402 pylint: disable=wrong-import-position
from judge import Judge, Unequal, expect  # noqa: E402 pylint: disable=wrong-import-position

PYTHON = "/usr/bin/python3"
# Of each topic, and all that one version or another did in its own way.
SOME = """
    proxy-forward connect-tls connect-then-dropped https-proxy-connect https-proxy-until-close tls-in-tls tls-in-tls-h2
    tls-in-tls-handshake-fails socks5 socks5-refused proxy-line proxy-line-tls digest-put-chunked head-with-content
    resumed-416 redirect-elsewhere-chunked redirect-to-no-protocol expect-417 early-413 http09-refused
    timeout-in-content stopped-in-content never-asks doh-tls kept-1000 h2-one h2-one-clear
    h2-rst-in-content h2-trailers tls verbose-doh-easy-log verbose-h2-multi-debug
""".split()
# What a result that is printed means for the last row of its transfer.
OUTCOMES = {"0": {"completed"}, "28": {"timedOut"}, "removed": {"cancelled"}, "silent": {"completed", "cancelled"}}


class Different(Judge):
    """Judges a version that may end a transfer in another way than the newest one does."""

    printed = ""
    names_refused = True

    def http(self):
        """Without connections that carried no message and have no ledger, where libcurl names none that its SOCKS server
        refuses."""
        if self.names_refused:
            return super().http()
        ports = {line["localPort"] for line in self.ledger}
        return [one for one in super().http() if one.messages or one.port in ports]

    def outcomes(self):
        try:
            super().outcomes()
        except Unequal:
            last = {row["task"]: row["outcome"] for row in self.rows}
            words = [line.split()[0] for line in self.printed.splitlines()]
            wanted = [OUTCOMES.get(word, {"failed", "cancelled"}) for word in words]
            expect(
                len(last) == len(wanted) and all(one in each for one, each in zip(last.values(), wanted)),
                *("outcomes are", [row["outcome"] for row in self.rows], "and it printed", words),
            )


class StepsAside(Judge):
    """Judges a version that the tap does not support, or a transfer that it leaves alone with that version."""

    def verdict(self):
        summary = self.metered.summary
        if self.case.name.startswith("doh") and "not tapped" in summary:
            return []  # the resolver's own requests are metered, the transfer is not
        if self.rows or self.ledger:
            return ["aside: it was metered"]
        return [] if "the tap does not support this version" in summary else [f"aside: the summary says {summary}"]


def is_metered(version, case):
    """Whether the tap meters the case's transfers: not where libcurl would show that it does."""
    shows_resolver = (7, 65, 0) <= version < (7, 76, 0) and case.name.startswith("doh")
    return version >= (7, 61, 0) and version != (7, 64, 1) and not shows_resolver


def is_known(version, problem):
    """Whether that is what docs/accuracy.md says of the version: it names no connection for a request that goes over one
    that has TLS already."""
    return (7, 75, 0) <= version <= (7, 76, 1) and problem.startswith(("rows_are_messages: on port", "connections_are_kernels:"))


class Library:
    """One libcurl, and what came of its cases."""

    def __init__(self, name, command, folder, cache):
        self.name, self.command, self.folder = name, command, folder / name
        self.folder.mkdir()
        self.certificate = folder / "certificate.pem"
        self.clients = Clients(self.folder, self.certificate, False)
        self.clients.python = PYTHON
        self.environment = {"PATH": os.environ["PATH"], "LC_ALL": "C", "HOME": str(folder), "PYTHONPATH": str(cache / name)}
        # libcurl's tap alone is judged, also where it leaves a version alone.
        self.environment["WIREWEIGHT_STREAMS"] = "off"
        asks = "import pycurl; i = pycurl.version_info(); print(i[1], i[5], 'h2' if i[4] & pycurl.VERSION_HTTP2 else '')"
        told = subprocess.run([PYTHON, "-c", asks], env=self.environment, capture_output=True, text=True, check=True).stdout
        self.version, self.tls, *has_http2 = told.split()
        self.has_http2 = bool(has_http2)
        self.number = tuple(int(one) for one in self.version.split("-")[0].split("."))
        self.counts, self.left_out, self.problems = collections.Counter(), collections.Counter(), []

    def work(self, case):
        """Makes the case; what came of it, and why."""
        if "h2" in case.name:
            if not self.has_http2:
                return "left out", ["no HTTP/2"]
            # Before 7.62 that is not what libcurl does by itself.
            case = dataclasses.replace(case, easy={"HTTP_VERSION": 4} | case.easy)
        is_hasty = (8, 5, 0) <= self.number < (8, 7, 0)
        if is_hasty and case.name in ("head-with-content", "https-proxy-until-close"):
            return "left out", ["its result depends on how the bytes arrive, also alone"]
        if case.name == "digest-put-chunked" and (self.number < (7, 88, 0) or is_hasty):
            # It may close the connection before it has read the challenge's content.
            case = dataclasses.replace(case, leaves_early=True)
        try:
            alone = Run(self.clients, case, "p", [], self.environment, self.certificate)
        except (AssertionError, subprocess.TimeoutExpired) as problem:
            return "left out", [f"alone, the server or the program does not end: {type(problem).__name__}"]
        if alone.printed[0] != 0:
            return "left out", [alone.printed[2].strip().splitlines()[-1]]
        if not case.unseen and case.mode != "connect-only" and not any(one.messages for one in alone.log):
            return "left out", ["it asks the servers nothing"]
        metered = is_metered(self.number, case)
        names_refused = self.number >= (7, 88, 0) and self.number not in ((8, 12, 1), (8, 16, 0))
        kind = type(
            "", (Different if metered else StepsAside,), {"printed": alone.printed[1], "names_refused": names_refused}
        )
        try:
            problems, _, _, judge = check(
                self.command, self.folder, self.clients, case, "p", self.environment, self.certificate, alone, kind
            )
        except Exception:  # pylint: disable=broad-except # a broken case is a failed one
            return "failed", ["broken: " + traceback.format_exc()]
        if problems:
            return "failed" if not all(is_known(self.number, one) for one in problems) else "without their connection", problems
        return ("exact" if judge.is_exact() else "labelled") if metered else "not metered, and said so", []

    def run(self, wanted):
        """Makes all cases; whether none failed."""
        began = time.monotonic()
        with concurrent.futures.ThreadPoolExecutor(int(os.environ.get("HOSTILE_JOBS", "2"))) as pool:
            for case, (result, why) in zip(wanted, pool.map(self.work, wanted)):
                self.counts[result] += 1
                if result == "left out":
                    self.left_out[why[0]] += 1
                for problem in why if result == "failed" else []:
                    print(f"FAILED: {self.version}: {case.name}: {problem[:1500]}", flush=True)
        told = [f"{self.counts[name]} {name}" for name in ("exact", "labelled", "without their connection", "not metered, and said so") if self.counts[name]]
        print(
            f"libcurl {self.version}, {self.tls}: {sum(self.counts.values()) - self.counts['left out']} cases: "
            + "; ".join(told + [f"{self.counts['failed']} failed", f"{self.counts['left out']} left out"])
            + f"; {time.monotonic() - began:.0f} s",
            flush=True,
        )
        for reason, count in self.left_out.most_common():
            print(f"    left out: {count}: {reason}", flush=True)
        return not self.counts["failed"]


def main():
    words = sys.argv[1:]
    command, folder, cache = words[0], pathlib.Path(words[1]), pathlib.Path(words[2])
    unknown = set(SOME) - {case.name for case in CASES}
    assert not unknown, unknown
    only = os.environ.get("CASES", "").split()
    wanted = [
        case
        for case in CASES
        # How much of large bodies is kept depends on the machine's load, and on no libcurl.
        if "p" in case.clients
        and "million" not in case.name
        and (only == ["all"] or (case.name.startswith(tuple(only)) if only else case.name in SOME))
    ]
    failed = [name for name in words[3:] if not Library(name, command, folder, cache).run(wanted)]
    if failed:
        sys.exit("failed: " + ", ".join(failed))


if __name__ == "__main__":
    main()
