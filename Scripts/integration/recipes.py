"""Runs the commands of docs/recipes.md with real programs, and checks what was metered against what their server logged.

A command is taken from the page as it is; only names of places and of the reader's own programs are replaced.

usage: recipes.py COMMAND FOLDER [NAME…]
"""

import json
import os
import pathlib
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "shared"))
import nginx  # noqa: E402 pylint: disable=wrong-import-position
from processes import free_ports  # noqa: E402 pylint: disable=wrong-import-position
from webserver import WebServer  # noqa: E402 pylint: disable=wrong-import-position

PAGE = (HERE.parents[1] / "docs" / "recipes.md").read_text()


class Failure(Exception):
    """What is not as it should be."""


def expect(condition, *words):
    if not condition:
        raise Failure(" ".join(map(str, words)))


def block(heading):
    """The first block of code of a section."""
    section = re.split(r"^## ", PAGE, flags=re.M)
    text = next(part for part in section if part.startswith(heading + "\n"))
    return re.search(r"```\w*\n(.*?)^```$", text, re.S | re.M)[1]


class Recipes:
    """The recipes, each in a folder of its own."""

    def __init__(self, command, folder, server):
        self.command, self.root, self.server = str(command), pathlib.Path(folder), server
        self.url = f"http://127.0.0.1:{server.plain_port}"
        self.folder = self.root

    def replaced(self, line, places):
        for old, new in places.items():
            expect(old in line, f"the page has no '{old}' in: {line}")
            line = line.replace(old, str(new))
        return line

    def environment(self, **more):
        """What a service or a container has, and little else."""
        return {"PATH": f"{self.folder}/bin:/usr/local/bin:/usr/bin:/bin:/usr/sbin", "HOME": str(self.folder),
                "XDG_STATE_HOME": f"{self.folder}/state", **more}

    def shell(self, text, status=0, **options):
        """Runs lines in a shell that stops at the first failure."""
        done = subprocess.run(["sh", "-ec", text], cwd=self.folder, env=self.environment(), text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120, check=False, **options)
        expect(done.returncode == status, f"status {done.returncode} instead of {status} of: {text}\n{done.stdout}")
        return done.stdout

    def rows(self, store="traffic.db", direction="called"):
        said = subprocess.run([self.command, "exchanges", self.folder / store, "--format", "ndjson"], check=True,
                              stdout=subprocess.PIPE, text=True, env=self.environment()).stdout
        return [row for row in map(json.loads, said.splitlines()) if row["direction"] == direction]

    def compare(self, rows):
        """Each exchange as the server has it: what was requested, the status, and all bytes both ways."""
        logged = sorted((line["method"], line["target"], line["status"], line["up"], line["down"])
                        for line in self.server.take_log())
        metered = sorted((row["method"], row["url"][len(self.url):], row["response"]["status"],
                          row["request"]["total"], row["response"]["total"]) for row in rows)
        expect(logged and metered == logged, f"metered {metered}, and the server has {logged}")
        for row in rows:
            expect({row["request"]["evidence"], row["response"]["evidence"]} == {"captured"}, row)
        return len(rows)

    def program(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(0o755)
        return path

    def run(self, name):
        self.folder = self.root / name
        self.folder.mkdir()
        self.folder.chmod(0o755)
        (self.folder / "bin").mkdir()
        (self.folder / "bin" / "wireweight").symlink_to(self.command)
        self.server.take_log()
        return getattr(self, name)()

    # MARK: the recipes

    def git(self):
        lines = block("git")
        self.shell(self.replaced(lines, {"https://example.com/repository.git": f"{self.url}/git/one.git"}))
        return self.compare(self.rows("fetch.db"))

    def shell_of_its_own(self):
        command = re.search(r"`(wireweight run -- bash)`", PAGE)[1]
        self.shell(f"{command} --norc", input=f"curl -s {self.url}/files/small.txt\nexit\n")
        said = subprocess.run([self.command, "exchanges", "--format", "ndjson"], check=True, text=True,
                              stdout=subprocess.PIPE, env=self.environment()).stdout
        return self.compare([json.loads(line) for line in said.splitlines()])

    def tests(self):
        (self.folder / "test_shop.py").write_text(
            "import urllib.error\nimport urllib.request\n\n\n"
            f"def test_files():\n    assert urllib.request.urlopen('{self.url}/files/small.txt').status == 200\n\n\n"
            f"def test_none():\n    try:\n        urllib.request.urlopen('{self.url}/none')\n"
            "    except urllib.error.HTTPError as error:\n        assert error.code == 404\n")
        python = self.root / "venv" / "bin" / "python"
        if not python.exists():
            return None
        # A link would not find its packages.
        self.program("bin/python3", f"#!/bin/sh\nexec {python} \"$@\"\n")
        said = self.shell(block("A test suite"))
        expect("python" in said, said)
        return self.compare(self.rows("tests.db"))

    def github(self):
        steps = re.findall(r"^- run: (.*)$", block("GitHub Actions"), re.M)
        self.program("integration-tests", f"#!/bin/sh\nexec curl -s {self.url}/files/small.txt\n")
        record = "wireweight run --db old.db -- ./integration-tests; wireweight budget record old.db"
        self.shell(record)
        self.server.take_log()
        environment = f"export GITHUB_STEP_SUMMARY={self.folder}/summary.md; "
        for step in steps:
            self.shell(environment + step)
        summary = (self.folder / "summary.md").read_text()
        expect("Traffic budget: kept" in summary, f"the summary of the budgets: {summary}")
        count = self.compare(self.rows("new.db"))
        # A larger response breaches the budget.
        self.program("integration-tests", f"#!/bin/sh\nfor n in 1 2 3; do curl -s {self.url}/files/small.txt; done\n")
        self.shell(environment + steps[0])
        self.shell(environment + steps[1], status=1)
        self.program("integration-tests", "#!/bin/sh\n")
        self.shell(environment + steps[0], status=1)
        return count

    def systemd(self):
        unit = dict(line.split("=", 1) for line in block("systemd").splitlines() if "=" in line)
        if shutil.which("systemd-analyze"):
            text = self.replaced(block("systemd"), {"/usr/bin/wireweight": self.command, "/usr/bin/shop": "/bin/true"})
            (self.folder / "shop.service").write_text(text)
            said = subprocess.run(["systemd-analyze", "verify", self.folder / "shop.service"], check=False, text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=self.environment()).stdout
            expect("shop.service:" not in said, said)
        self.program("shop", "#!/usr/bin/python3\nimport signal, sys, time, urllib.request\n"
                             "def end(*_):\n    print('the end', flush=True)\n    sys.exit(0)\n"
                             "signal.signal(signal.SIGTERM, end)\n"
                             f"urllib.request.urlopen('{self.url}/files/small.txt').read()\n"
                             "print('ready', flush=True)\ntime.sleep(60)\n")
        (self.folder / "shop-state").mkdir()
        line = self.replaced(unit["ExecStart"], {
            "/usr/bin/wireweight": self.command, "%S/shop": self.folder / "shop-state",
            "/usr/bin/shop": self.folder / "shop"})
        said = self.stopped_service(shlex.split(line), STATE_DIRECTORY=str(self.folder / "shop-state"))
        expect("the end" in said and "Metered 1 exchange" in said, said)
        return self.compare(self.rows("shop-state/traffic.db"))

    def stopped_service(self, words, is_wrapped=False, **environment):
        """What a service prints that is stopped by SIGTERM once it is ready, and ends with status 0.

        If it is wrapped, it is the only child of what is started, and gets the signal."""
        log = self.folder / "journal"
        with log.open("w") as output:
            service = subprocess.Popen(words, cwd="/", stdin=subprocess.DEVNULL, stdout=output, stderr=output,
                                       env=self.environment(**environment))
            end = time.monotonic() + 60
            while "ready" not in log.read_text():
                expect(service.poll() is None and time.monotonic() < end, f"no service: {log.read_text()}")
                time.sleep(0.02)
            children = pathlib.Path(f"/proc/{service.pid}/task/{service.pid}/children")
            os.kill(int(children.read_text()) if is_wrapped else service.pid, signal.SIGTERM)
            expect(service.wait(60) == 0, f"status {service.returncode}: {log.read_text()}")
        return log.read_text()

    def docker(self):
        """As the first process of a namespace, as in a container; the image itself is not built."""
        words = json.loads(re.search(r"^CMD (\[.*\])$", block("Docker"), re.M)[1])
        expect(words[-2:] == ["python3", "app.py"] and "/data/traffic.db" in words, words)
        app = self.program("app.py", "import signal, sys, time, urllib.request\n"
                                     "signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))\n"
                                     f"urllib.request.urlopen('{self.url}/files/small.txt').read()\n"
                                     "print('ready', flush=True)\ntime.sleep(60)\n")
        places = {"/data/traffic.db": str(self.folder / "traffic.db"), "app.py": str(app), "wireweight": self.command}
        words = [places.get(word, word) for word in words]
        if subprocess.run(["unshare", "--pid", "--fork", "true"], check=False, stderr=subprocess.DEVNULL).returncode:
            return None
        self.stopped_service(["unshare", "--pid", "--fork", "--mount-proc"] + words, is_wrapped=True)
        return self.compare(self.rows())

    def server_of_ours(self):
        line = block("A server").strip()
        port, = free_ports(1)
        inner = f"server {{ listen 127.0.0.1:{port}; location / {{ proxy_pass {self.url}; }} }}"
        words = nginx.prepare(self.folder, inner)
        configuration = self.folder / "nginx.conf"
        configuration.write_text(configuration.read_text().replace("daemon off;\n", ""))
        line = self.replaced(line, {"nginx -g": shlex.join(words) + " -g"})
        service = subprocess.Popen(["sh", "-c", f"exec {line}"], cwd=self.folder, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL, env=self.environment())
        self.until_it_listens(("127.0.0.1", port), service)
        subprocess.run(["curl", "-s", "-o", os.devnull, f"http://127.0.0.1:{port}/files/small.txt"], check=True)
        service.send_signal(signal.SIGTERM)
        expect(service.wait(60) == 0, f"status {service.returncode}")
        served = [row["path"] for row in self.rows("site.db", "served")]
        expect(served == ["/files/small.txt"], f"served {served}")
        self.shell("wireweight report site.db --direction served")
        return self.compare(self.rows("site.db"))

    @staticmethod
    def until_it_listens(address, process):
        end = time.monotonic() + 60
        family = socket.AF_INET if isinstance(address, tuple) else socket.AF_UNIX
        while True:
            with socket.socket(family) as attempt:
                try:
                    return attempt.connect(address)
                except OSError:
                    expect(process.poll() is None and time.monotonic() < end, f"nothing listens at {address}")
            time.sleep(0.02)

    def php_fpm(self):
        program = next((found for name in ("php-fpm8.2", "php-fpm8.4", "php-fpm") if (found := shutil.which(
            name, path="/usr/sbin:/usr/bin"))), None)
        if not program:
            return None
        port, = free_ports(1)
        pool = self.folder / "fpm.conf"
        owner = "user = www-data\ngroup = www-data\n" if os.getuid() == 0 else ""
        pool.write_text(f"[global]\nerror_log = {self.folder}/fpm.log\n[www]\n{owner}listen = {self.folder}/fpm.sock\n"
                        "listen.mode = 0666\npm = static\npm.max_children = 2\n")
        (self.folder / "index.php").write_text(
            f"<?php $c = curl_init('{self.url}/files/small.txt');\ncurl_setopt($c, CURLOPT_RETURNTRANSFER, true);\n"
            f"echo strlen(curl_exec($c)), ' ', strlen(file_get_contents('{self.url}/files/page.json'));\n")
        line = self.replaced(block("PHP-FPM").strip(), {
            "/var/lib/shop": self.folder, "php-fpm8.2 --nodaemonize": f"{program} --nodaemonize --fpm-config {pool}"})
        # The workers run as another user, who must reach the page.
        master = subprocess.Popen(["sh", "-c", f"exec {line}"], cwd=self.folder, stdout=subprocess.DEVNULL,
                                  stderr=subprocess.DEVNULL, env=self.environment())
        self.until_it_listens(f"{self.folder}/fpm.sock", master)
        web = self.folder / "web"
        web.mkdir()
        words = nginx.prepare(web, f"server {{ listen 127.0.0.1:{port}; root {self.folder}; location ~ \\.php$ {{ "
                                   f"include /etc/nginx/fastcgi_params; fastcgi_param SCRIPT_FILENAME {self.folder}"
                                   f"$fastcgi_script_name; fastcgi_pass unix:{self.folder}/fpm.sock; }} }}")
        front = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            self.until_it_listens(("127.0.0.1", port), front)
            for _ in range(4):
                said = subprocess.run(["curl", "-s", f"http://127.0.0.1:{port}/index.php"], check=True, text=True,
                                      stdout=subprocess.PIPE).stdout
                expect(re.fullmatch(r"[1-9]\d* [1-9]\d*", said), f"PHP says '{said}'")
        finally:
            front.terminate()
            front.wait(30)
        # What FPM takes for an end at once.
        master.send_signal(signal.SIGTERM)
        expect(master.wait(60) in (0, 143), f"status {master.returncode}")
        expect(not self.rows(direction="served"), "FastCGI is not HTTP")
        return self.compare(self.rows())


def main():
    command, folder = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    www = folder / "www" / "files"
    www.mkdir(parents=True)
    (www / "small.txt").write_text("small\n" * 100)
    (www / "page.json").write_text(json.dumps(list(range(1_000))))
    repository = folder / "git" / "one.git"
    subprocess.run(["git", "init", "-q", "--bare", repository], check=True)
    work = folder / "work"
    subprocess.run(["git", "clone", "-q", repository, work], check=True, stderr=subprocess.DEVNULL)
    (work / "readme").write_text("words\n" * 500)
    author = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com"]
    for words in (["add", "readme"], [*author, "commit", "-q", "-m", "First"], ["push", "-q", "origin", "HEAD"]):
        subprocess.run(["git", "-C", work, *words], check=True, stderr=subprocess.DEVNULL)
    branch = subprocess.check_output(["git", "-C", work, "branch", "--show-current"], text=True).strip()
    subprocess.run(["git", "-C", repository, "symbolic-ref", "HEAD", f"refs/heads/{branch}"], check=True)
    names = ["git", "shell_of_its_own", "tests", "github", "systemd", "docker", "server_of_ours", "php_fpm"]
    failed = False
    with WebServer(folder) as server:
        recipes = Recipes(command, folder / "runs", server)
        recipes.root.mkdir()
        if (folder / "venv").exists():
            (recipes.root / "venv").symlink_to(folder / "venv")
        for name in sys.argv[3:] or names:
            try:
                count = recipes.run(name)
                what = "left out: this machine lacks what it needs" if count is None else f"{count} exchanges, as the server has them"
                print(f"{name}: {what}", flush=True)
            except (Failure, subprocess.SubprocessError) as error:
                failed = True
                print(f"{name}: FAILED: {error}", flush=True)
    sys.exit(failed)


main()
