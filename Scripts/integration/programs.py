"""Meters programs that are not ours, and holds what was metered against nginx' log and the kernel's count.

Each program runs alone and then metered. Output, errors and status must be the same, and so must what the server saw. Each
metered exchange must be, in both directions, as long as nginx says; what a connection in the clear carried by the
kernel's count must be the sum of its exchanges.

usage: programs.py COMMAND FOLDER
"""

import collections
import json
import os
import pathlib
import shutil
import subprocess
import sys
import urllib.parse

from webserver import WebServer

HERE = pathlib.Path(__file__).resolve().parent
TRANSFERS = HERE.parent.parent / "Tests" / "Programs" / "transfers.py"


class Failure(Exception):
    """What is not as it should be."""


def expect(condition, *words):
    if not condition:
        raise Failure(" ".join(map(str, words)))


def differences(left, right):
    """What is on one side alone, as text."""
    left, right = collections.Counter(left), collections.Counter(right)
    return f"\n  only the first: {sorted((left - right).items())[:12]}\n  only the second: {sorted((right - left).items())[:12]}"


class Programs:
    """Runs programs against one server."""

    def __init__(self, command, folder, server):
        self.command, self.folder, self.server = command, pathlib.Path(folder), server
        self.work = self.folder / "work"
        self.environment = {
            "PATH": os.environ["PATH"], "LC_ALL": "C", "HOME": str(self.folder / "home"), "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_TERMINAL_PROMPT": "0", "GIT_SSL_CAINFO": str(server.certificate),
            **{f"GIT_{who}_{what}": value for who in ("AUTHOR", "COMMITTER")
               for what, value in (("NAME", "Ada"), ("EMAIL", "ada@example.com"), ("DATE", "2026-01-01T00:00:00Z"))},
        }

    def run(self, words, **more):
        return subprocess.run(
            words, cwd=self.work, env=self.environment, stdin=subprocess.DEVNULL, capture_output=True, text=True,
            timeout=120, check=False, **more)

    def once(self, words, prepare):
        """One run from the same start, and what the server saw of it."""
        shutil.rmtree(self.work, ignore_errors=True)
        self.work.mkdir()
        prepare()
        ended = self.run(words)
        return ended, self.server.take_log()

    def lines(self, *words):
        output = subprocess.check_output([self.command, *words, "--format", "ndjson"], text=True)
        return [json.loads(line) for line in output.splitlines()]

    def check(self, name, words, at_least, prepare=lambda: None, side_by_side=False):
        """One program: it must make at least that number of exchanges.

        Where transfers run side by side, how many connections they need is another in each run.
        """
        store, summary = self.folder / "traffic.db", self.folder / "summary.json"
        for file in self.folder.glob("traffic.db*"):
            file.unlink()
        alone, seen_alone = self.once(words, prepare)
        expect(alone.returncode == 0, f"it ends with {alone.returncode}:", alone.stdout, alone.stderr)
        metered, seen = self.once(
            [self.command, "run", "--db", store, "--json", "--output", summary, "--", *words], prepare)
        for what in ("returncode", "stdout", "stderr"):
            expect(getattr(metered, what) == getattr(alone, what), f"its {what} is another:", metered.stderr,
                   metered.stdout, "instead of", alone.stdout)
        # Into which chunks a server cuts its answer, and git what it pushes, is another in each run.
        asked = [[(line["method"], line["target"], line["status"],
                   None if line["target"].endswith("git-receive-pack") else line["up"]) for line in log]
                 for log in (seen_alone, seen)]
        expect(sorted(asked[0]) == sorted(asked[1]), "the server saw something else:", differences(*asked))
        opened = [len({line["connection"] for line in log}) for log in (seen_alone, seen)]
        expect(side_by_side or opened[0] == opened[1], "it opens", opened[1], "connections and not", opened[0])
        expect(len(seen) >= at_least, "only", len(seen), "exchanges")
        expect(json.loads(summary.read_text())["exchanges"] == len(seen), "the summary counts",
               json.loads(summary.read_text())["exchanges"], "exchanges, the server", len(seen))
        self.compare(name, self.lines("exchanges", store), self.lines("connections", store), seen)

    def compare(self, name, exchanges, connections, seen):
        """What was metered, with what the server and the kernel say."""
        ports = {line["connection"]: line["localPort"] for line in connections}
        ours, theirs = collections.defaultdict(list), collections.defaultdict(list)
        # By HTTP/2 nginx counts a stream's frames in its own way; the ledger has to close all the same.
        exact = all(line["protocol"] != "HTTP/2.0" for line in seen)
        for line in exchanges:
            expect(line["outcome"] == "completed", "an exchange has not completed:", line)
            target = urllib.parse.urlsplit(line["url"])
            ours[ports[line["connection"]]].append((
                line["method"], target.path + ("?" + target.query if target.query else ""), line["response"]["status"],
                *((line["request"]["total"], line["response"]["total"]) if exact else ())))
        for line in seen:
            theirs[line["port"]].append((
                line["method"], line["target"], line["status"], *((line["up"], line["down"]) if exact else ())))
        expect(set(ours) == set(theirs), "other connections:", set(ours), set(theirs))
        for port, sent in theirs.items():
            expect(ours[port] == sent, f"on the connection from port {port}:", differences(ours[port], sent))
        for line in connections:
            expect(line["unaccounted"] == {"up": 0, "down": 0}, "the ledger does not close:", line)
            if line["remotePort"] == self.server.plain_port:
                carried = ours[line["localPort"]]
                up, down = sum(one[3] for one in carried), sum(one[4] for one in carried)
                expect(line["payload"] == {"up": up, "down": down}, "the kernel counted", line, "not", up, down)
        up = sum(line["request"]["total"] for line in exchanges)
        down = sum(line["response"]["total"] for line in exchanges)
        print(f"{name:44} {len(seen):5} exchanges on {len(theirs):3} connections  {up:9,} up {down:10,} down  "
              + ("as the server counted" if exact else "all told"), flush=True)


def make_repository(folder, environment):
    """A repository whose clone takes several requests, one of them in chunks."""
    script = """
        set -e; git init -q -b main source; cd source
        for i in $(seq 40); do head -c $((i * 900)) /dev/urandom >file$i; git add .; git commit -qm $i; git tag v$i; done
        git clone -q --bare . ../git/pristine.git; cd ../git/pristine.git
        git config http.receivepack true; git config pack.threads 1; git repack -adq
    """
    (folder / "git").mkdir()
    subprocess.run(["sh", "-c", script], cwd=folder, env=environment, check=True)


# Clones, looks at it, adds something upstream by way of a second clone, fetches that.
GIT = """
    set -e; url=$1/git/repository.git
    git clone -q "$url" first
    git -C first fsck --strict 2>&1
    git clone -q "$url" second
    cd second; head -c 300000 /dev/zero | openssl enc -aes-128-ctr -K 00 -iv 00 >large 2>/dev/null; git add .
    git commit -qm large; git -c http.postBuffer=65536 push -q origin main
    cd ../first; git fetch -q; git merge -q --ff-only origin/main
    for clone in first second; do
        cd ../$clone; git status --porcelain; git rev-list --all --objects | sort | sha1sum; cat * | sha1sum
    done
    cd ..; git clone -q --depth 1 --no-tags "$url" third; cat third/* | sha1sum
"""


def main():
    command, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    for name in ("home", "www/files", "www/private"):
        (folder / name).mkdir(parents=True)
    (folder / "www/files/small.txt").write_text("small\n")
    (folder / "www/private/secret.txt").write_text("for Ada\n")
    (folder / "www/files/large.bin").write_bytes(os.urandom(2_000_000))
    (folder / "www/files/list.json").write_text(json.dumps([{"number": i, "name": f"name {i}"} for i in range(5_000)]))
    with WebServer(folder) as server:
        programs = Programs(command, folder, server)
        make_repository(folder, programs.environment)

        def restore():
            shutil.rmtree(folder / "git" / "repository.git", ignore_errors=True)
            shutil.copytree(folder / "git" / "pristine.git", folder / "git" / "repository.git")

        plain = f"http://127.0.0.1:{server.plain_port}"
        tls = f"https://localhost:{server.tls_port}"
        h2 = f"https://localhost:{server.h2_port}"
        failures = []

        def case(name, words, at_least, prepare=lambda: None, side_by_side=False):
            try:
                programs.check(name, words, at_least, prepare, side_by_side)
            except (Failure, subprocess.SubprocessError) as failure:
                failures.append(name)
                print(f"{name}: FAILED: {failure}", file=sys.stderr)

        if os.environ.get("ONLY") is None: case("git, HTTP", ["sh", "-c", GIT, "sh", plain], 12, restore)
        if os.environ.get("ONLY") is None: case("git, HTTPS", ["sh", "-c", GIT, "sh", tls], 12, restore)
        if os.environ.get("ONLY") is None: case("git, HTTP/2", ["sh", "-c", GIT, "sh", h2], 12, restore)
        for what, python in (("Debian", "/usr/bin/python3"), ("wheel", folder / "venv/bin/python")):
            if not pathlib.Path(python).exists():
                continue
            for way in ("easy", "multi"):
                for scheme, address in (("HTTP", plain), ("HTTPS", tls)):
                    case(f"pycurl ({what}), {way}, {scheme}",
                         [python, TRANSFERS, way, address, server.certificate], 33, side_by_side=way == "multi")
        if failures:
            sys.exit(f"failed: {'; '.join(failures)}")


main()
