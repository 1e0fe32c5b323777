"""Runs others' test suites alone and under `wireweight run`, and compares them test by test.

A test that ends in another way is run again, three times each way, and differs only where no run alone ended as one of the
metered runs did: some tests hang on time.

usage: peers.py COMMAND CACHE FOLDER [NAME…]: all suites, or those whose names start with NAME
"""

import ast
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree

HERE = pathlib.Path(__file__).resolve().parent
AGAIN = 3
# For a whole suite. Most take a few minutes; aiohttp's tests collect garbage after each, and take 19 on a busy machine.
LIMIT = 2_700
PLACE = "{folder}"


class Suite:
    """A suite; how it is run, and what it says, its kinds know."""

    part = None

    def __init__(self, name, cache):
        self.name, self.cache = name, cache

    def is_here(self):
        return (self.cache / f"{self.part}.ready").exists()

    def environment(self, folder):
        return {"PATH": os.environ["PATH"], "HOME": str(folder), "TMPDIR": str(folder), "LC_ALL": "C.UTF-8", "USER": "root"}

    def run(self, prefix, folder, tests=None):
        """How each test ended. `prefix` comes before the command; `tests`: only these."""
        folder.mkdir(parents=True)
        words, place, more = self.command(folder, tests)
        with open(folder / "log", "wb") as log:
            process = subprocess.Popen(
                [*prefix, *map(str, words)],
                cwd=place,
                env=self.environment(folder) | more,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
            try:
                process.wait(LIMIT)
            except subprocess.TimeoutExpired:
                print(f"{self.name}: not done after {LIMIT} s", flush=True)
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        return self.verdicts(folder)


class Python(Suite):
    """CPython's modules by regrtest."""

    part = "python"
    modules = """test_asyncio test_asynchat test_asyncore test_ftplib test_http_cookiejar test_http_cookies test_httplib test_httpservers
        test_imaplib test_nntplib test_poplib test_robotparser test_select test_selectors test_smtplib test_socket test_socketserver
        test_ssl test_telnetlib test_urllib test_urllib2 test_urllib2_localnet test_urllib_response test_wsgiref test_xmlrpc
        test_poll test_epoll test_os test_posix test_subprocess test_signal""".split()

    def command(self, folder, tests):
        words = [self.cache / "python/usr/bin/python", "-m", "test", "--timeout", "300", "--junit-xml", folder / "ends.xml"]
        # In a virtual machine they wait for its host.
        words += ["-i", "*VSOCK*"]
        modules = self.modules
        if tests:
            words += [word for test in tests for word in ("-m", test)]
            modules = sorted({test.split(".")[1] for test in tests})
        return [*words, *modules], folder, {"PYTHONHOME": str(self.cache / "python/usr"), "PYTHONDONTWRITEBYTECODE": "1"}

    def verdicts(self, folder):
        if not (folder / "ends.xml").exists():
            return {}
        ends = {}
        for case in xml.etree.ElementTree.parse(folder / "ends.xml").iter("testcase"):
            worst = [child.tag for child in case if child.tag in ("error", "failure", "skipped")]
            ends[case.get("name")] = worst[0] if worst else case.get("result")
        return ends


class Pytest(Suite):
    """A library's tests by pytest, with a plugin that writes down how they end."""

    part = "libraries"

    def __init__(self, name, cache, tests, *options, is_compiled=False):
        super().__init__(name, cache)
        self.tests, self.options, self.is_compiled = tests, options, is_compiled

    def command(self, folder, tests):
        # A copy, because tests leave files.
        source = folder / self.name
        shutil.copytree(self.cache / self.name, source)
        # The source has not been compiled; the package that was installed has.
        if self.is_compiled:
            shutil.rmtree(source / self.name)
        words = [self.cache / "venv/bin/python", "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "verdicts", "-p", "no:codspeed"]
        words += ["-o", "addopts=", "-o", "filterwarnings=", "--timeout", "120", *self.options]
        more = {"PYTHONPATH": str(HERE), "VERDICTS": str(folder / "ends"), "PYTHONDONTWRITEBYTECODE": "1"}
        # Some names of tests have their place in them.
        chosen = [test.replace(PLACE, str(folder)) for test in tests or [self.tests]]
        return [*words, *chosen], source, more

    def verdicts(self, folder):
        if not (folder / "ends").exists():
            return {}
        lines = (line.split("\t", 1) for line in (folder / "ends").read_text().splitlines())
        return {ast.literal_eval(name).replace(str(folder), PLACE): verdict for verdict, name in lines}


class Node(Suite):
    """Node's tests by its own runner."""

    part = "node"
    kinds = ("http", "https", "http2", "net", "tls")

    def is_here(self):
        return super().is_here() and shutil.which("node")

    def command(self, folder, tests):
        source = folder / "node"
        shutil.copytree(self.cache / "node", source)
        words = ["/usr/bin/python3", "tools/test.py", "--shell", shutil.which("node"), "-p", "tap", "-j", "2", "-t", "60"]
        return [*words, *(tests or [f"parallel/test-{kind}-*" for kind in self.kinds])], source, {}

    def verdicts(self, folder):
        text = (folder / "log").read_text(errors="replace")
        found = re.findall(r"^(ok|not ok) \d+ (\S+)(.*)$", text, re.M)
        return {name: "skipped" if "skip" in rest.lower() else verdict for verdict, name, rest in found}


def suites(cache):
    return [
        Pytest("requests", cache, "tests"),
        Pytest("httpx", cache, "tests"),
        Pytest("httpcore", cache, "tests"),
        Pytest("urllib3", cache, "test"),
        Node("node", cache),
        Python("cpython", cache),
        # Its benchmarks need a plugin of their own.
        Pytest("aiohttp", cache, "tests", "--ignore-glob=tests/test_benchmarks*", is_compiled=True),
    ]


def metering(command, folder):
    folder.mkdir(parents=True)
    return [command, "run", "--no-progress", "--db", folder / "traffic.db", "--output", folder / "summary.json", "--json", "--"]


def compare(suite, command, folder):
    """Runs a suite both ways, and returns its row of the table, and the tests that differ."""
    began = time.monotonic()
    prefix = metering(command, folder / "traffic")
    # In turn, because some suites use ports with fixed numbers.
    alone = suite.run([], folder / "alone")
    metered = suite.run(prefix, folder / "metered")
    seen = alone.keys() | metered.keys()
    suspects = sorted(test for test in seen if alone.get(test) != metered.get(test))
    plain, tapped = {test: {alone.get(test)} for test in suspects}, {test: {metered.get(test)} for test in suspects}
    for turn in range(AGAIN):
        open_tests = [test for test in suspects if not plain[test] & tapped[test]]
        if not open_tests:
            break
        for ends, name in ((plain, "alone"), (tapped, "metered")):
            words = metering(command, folder / f"traffic{turn}") if name == "metered" else []
            for test, end in suite.run(words, folder / f"{name}{turn}", open_tests).items():
                if test in ends:
                    ends[test].add(end)
    differing = [test for test in suspects if not plain[test] & tapped[test]]
    for test in suspects:
        kind = "differs" if test in differing else "luck"
        print(f"{kind}: {suite.name} {test}: {plain[test]} alone, {tapped[test]} metered", flush=True)
    summary = folder / "traffic/summary.json"
    exchanges = json.loads(summary.read_text())["exchanges"] if summary.exists() else 0
    passed = sum(end in ("passed", "completed", "ok") for end in metered.values())
    print(f"{suite.name}: {len(seen)} tests in {time.monotonic() - began:.0f} s", flush=True)
    return [suite.name, len(seen), passed, len(seen) - len(suspects), len(suspects) - len(differing), len(differing), exchanges], differing


def main():
    command, cache, folder = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    rows, differing = [], []
    for suite in suites(cache):
        if sys.argv[4:] and not any(suite.name.startswith(word) for word in sys.argv[4:]):
            continue
        if not suite.is_here():
            print(f"{suite.name}: left out")
            continue
        row, tests = compare(suite, command, folder / suite.name)
        rows.append(row)
        differing += tests
        if row[1] < 50:
            print((folder / suite.name / "alone/log").read_text(errors="replace")[-3_000:])
            sys.exit(f"{suite.name}: only {row[1]} tests were run")
    if not rows:
        sys.exit("no suite could be run")
    print("\n| suite | tests | pass metered | same verdict | by chance | differ | exchanges metered |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    for row in rows:
        print("| " + " | ".join(map(str, row)) + " |")
    if differing:
        sys.exit("differ under the meter: " + " ".join(differing))


main()
