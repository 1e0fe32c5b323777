"""Runs curl's tests alone and under `wireweight run`, side by side, and compares them test by test.

A test that ends in another way is run again, and differs only where it does so each time: curl's tests hang on time.

usage: curltests.py COMMAND BUILT FOLDER all|NUMBER…
"""

import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import time

# What is not HTTP, or needs a curl that was built for it.
OTHERS = {
    "FTP",
    "FTPS",
    "SMTP",
    "IMAP",
    "POP3",
    "SSH",
    "SCP",
    "SFTP",
    "TFTP",
    "RTSP",
    "SMB",
    "MQTT",
    "GOPHER",
    "TELNET",
    "LDAP",
    "DICT",
    "unittest",
    "TrackMemory",
    "DISABLED",
}
# Tests that have found something: a redirect to FTP, a resumed download that is complete, FTP and CONNECT for others through
# a proxy, libcurl's own socket, what verbose programs print, share locks.
FINDERS = {
    79,
    92,
    208,
    265,
    299,
    530,
    549,
    550,
    556,
    561,
    678,
    973,
    1008,
    1021,
    1055,
    1059,
    1077,
    1092,
    1098,
    1455,
    1554,
    2402,
}
PARTS = 2


class Way:
    """One way of running tests: a folder of their own, so that two can run at once."""

    def __init__(self, name, built, folder, prefix):
        self.name, self.prefix, self.folder = name, prefix, folder / name
        self.source = built / "source" / "tests"
        subprocess.run(["cp", "-rs", built / "build", self.folder], check=True)
        (self.folder / "tests/certs").mkdir(exist_ok=True)
        for file in (self.source / "certs").iterdir():
            link = self.folder / "tests/certs" / file.name
            if not link.exists():
                link.symlink_to(file)

    def run(self, numbers):
        """How each test ended: PASS, FAIL or SKIP."""
        environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(self.folder),
            "USER": os.environ.get("USER", "root"),
            "LC_ALL": "C.UTF-8",
            "srcdir": str(self.source),
        }
        ended = subprocess.run(
            [
                *self.prefix,
                "perl",
                f"-I{self.source}",
                str(self.source / "runtests.pl"),
                "-a",
                "-n",
                "-am",
                *map(str, numbers),
            ],
            cwd=self.folder / "tests",
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=1_800,
            check=False,
        )
        text = ended.stdout.decode("utf-8", "replace")
        return {int(number): verdict for verdict, number in re.findall(r"^(PASS|FAIL|SKIP): (\d+)", text, re.M)}, text


def chosen(source, words):
    """The numbers of the tests to run."""
    numbers = []
    for file in (source / "data").glob("test*"):
        if not re.fullmatch(r"test\d+", file.name):
            continue
        found = re.search(r"<keywords>(.*?)</keywords>", file.read_text("latin-1"), re.S)
        keywords = {line.strip() for line in found[1].splitlines()} if found else set()
        number = int(file.name[4:])
        if keywords & {"HTTP", "HTTPS"} and not keywords & OTHERS or number in FINDERS:
            numbers.append(number)
    disabled = {int(line) for line in (source / "data/DISABLED").read_text().splitlines() if line.strip().isdigit()}
    numbers = sorted(set(numbers) - disabled)
    if words == ["all"]:
        return numbers
    return [int(word) for word in words]


def main():
    command, built, folder = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    numbers = chosen(built / "source" / "tests", sys.argv[4:])
    ways = []
    for part in range(PARTS):
        ways.append((Way(f"alone{part}", built, folder, []), numbers[part::PARTS]))
        prefix = [
            command,
            "run",
            "--no-progress",
            "--db",
            str(folder / f"traffic{part}.db"),
            "--output",
            str(folder / f"summary{part}.json"),
            "--json",
            "--",
        ]
        ways.append((Way(f"metered{part}", built, folder, prefix), numbers[part::PARTS]))
    begin = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(len(ways)) as pool:
        ends = list(pool.map(lambda way: way[0].run(way[1]), ways))
    exchanges = sum(json.loads((folder / f"summary{part}.json").read_text())["exchanges"] for part in range(PARTS))
    alone, metered = {}, {}
    for index, (verdicts, _) in enumerate(ends):
        (metered if index % 2 else alone).update(verdicts)
    # Some are passed over: they want what this libcurl was not built with.
    if len(alone) < len(numbers) * 0.7:
        sys.exit(f"only {len(alone)} of {len(numbers)} tests were run:\n{ends[0][1][-3_000:]}")
    differing = sorted(number for number in alone.keys() | metered.keys() if alone.get(number) != metered.get(number))
    again = []
    for number in differing:
        print(f"test {number}: {alone.get(number)} alone, {metered.get(number)} metered; again", flush=True)
        plain, tapped = {alone.get(number)}, {metered.get(number)}
        texts = []
        for _ in range(3):
            plain.add(ways[0][0].run([number])[0].get(number))
            verdicts, text = ways[1][0].run([number])
            tapped.add(verdicts.get(number))
            texts.append(text)
        if not plain & tapped:
            again.append(number)
            print(texts[-1][-4_000:])
    failures = sorted(number for number, verdict in alone.items() if verdict == "FAIL" and number not in differing)
    print(
        f"curl's tests: {len(alone)} run, {sum(v == 'PASS' for v in alone.values())} pass alone and "
        f"{sum(v == 'PASS' for v in metered.values())} metered, {sum(v == 'SKIP' for v in alone.values())} skipped; "
        f"{exchanges} exchanges metered; {time.monotonic() - begin:.0f} s"
    )
    if failures:
        print("fail both ways:", *failures)
    if again:
        sys.exit("differ under the meter: " + " ".join(map(str, again)))
    print("no test differs")


main()
