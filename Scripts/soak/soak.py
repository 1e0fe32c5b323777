"""Mixed load on one store, with restarts of everything, and a ledger of it at the end.

What runs: an origin that logs every byte, in the clear and inside TLS; nginx with HTTP/2; `curl` and a URLSession program
under `wireweight run`; an app with a monitor of its own; two inspectors with somebody who looks; reports, lists and exports.
What is restarted: the origin and nginx (killed), the metered programs (killed), `wireweight run` (killed, and asked to end),
an inspector (killed), the app's monitor (stopped and started).

What must hold at the end: see verdict.py, which this calls.

usage: soak.py --command FILE --programs FILE --folder FOLDER [--minutes N] [--rate N]
"""

import argparse
import json
import os
import pathlib
import random
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "shared")]
import nginx  # noqa: E402
import verdict  # noqa: E402
from processes import free_ports  # noqa: E402

NGINX = """
    server {
        listen 127.0.0.1:%(h2)d ssl http2;
        root %(folder)s/www;
        location /put/ { dav_methods PUT; create_full_put_path on; }
        location = /moved { return 302 /files/1000?$args; }
    }
"""

KINDS = [
    "small/{v}", "chunks/{v}", "small/{v}", "trailers/{v}", "gzip", "upload", "small/{v}", "stream", "redirect/{v}", "none",
    "small/{v}", "cached", "error", "interim/{v}", "chunks/{v}", "slow/{v}", "until/{v}", "small/100000", "close/{v}",
    "reset/{v}", "small/{v}", "cut/{v}", "silent", "small/{v}", "stall/{v}",
]


def children(pid):
    try:
        return [int(word) for word in pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


def is_alive(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def kill(pid, number=signal.SIGKILL):
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        pass


class Soak:
    """All that runs, and what was noted of it."""

    def __init__(self, options):
        self.options = options
        self.folder = pathlib.Path(options.folder)
        self.seconds = options.minutes * 60
        # Restarts come often enough for several of each, also when the soak is short.
        self.beat = min(1.0, max(0.2, self.seconds / 600))
        self.retention = int(max(30, min(900, self.seconds / 4)))
        self.store = self.folder / "traffic.db"
        self.temporary = self.folder / "t"
        self.temporary.mkdir()
        self.plain, self.tls, self.h2 = free_ports(3)
        self.token = f"soak-{os.getpid()}-{int(time.time())}"
        self.environment = {
            **os.environ, "TMPDIR": str(self.temporary), "LC_ALL": "C", "HOME": str(self.folder), "SOAK": self.token}
        self.notes = verdict.Notes()
        self.lock = threading.Lock()
        self.threads = []
        self.steady = {}
        self.begin = time.time()
        self.end = self.begin + self.seconds

    # MARK: processes

    def start(self, words, **more):
        more.setdefault("stdout", subprocess.DEVNULL)
        more.setdefault("stderr", open(self.folder / "errors.log", "ab"))
        return subprocess.Popen(
            [str(word) for word in words], env=self.environment, cwd=self.folder, stdin=subprocess.DEVNULL, **more)

    def sleep(self, seconds):
        """Whether there is time left."""
        stop = min(self.end, time.time() + seconds)
        while time.time() < stop:
            time.sleep(min(0.2, max(0.0, stop - time.time())))
        return time.time() < self.end

    def fail(self, *words):
        with self.lock:
            self.notes.failures.append(" ".join(map(str, words)))

    def count(self, what, number=1):
        with self.lock:
            self.notes.counts[what] = self.notes.counts.get(what, 0) + number

    def spawn(self, work, *arguments):
        def guarded():
            try:
                work(*arguments)
            except Exception as error:  # noqa: BLE001 - whatever it is, it belongs into the verdict
                self.fail(f"{work.__name__}: {type(error).__name__}: {error}")
        thread = threading.Thread(target=guarded, daemon=True)
        thread.start()
        self.threads.append(thread)

    # MARK: servers

    def serve(self, name, words, ports, life, group=False):
        """A server that is killed and started again on the same ports."""
        while True:
            process = self.start(words, start_new_session=group)
            for port in ports:
                for _ in range(400):
                    try:
                        socket.create_connection(("127.0.0.1", port), timeout=1).close()
                        break
                    except OSError:
                        time.sleep(0.025)
                else:
                    self.fail(name, "does not listen")
            goes_on = self.sleep(random.uniform(0.6, 1.4) * life * self.beat)
            if not goes_on:
                # Programs that are running end first.
                self.programs_are_done.wait(60)
            if group:
                os.killpg(process.pid, signal.SIGKILL)
            else:
                process.kill()
            with self.lock:
                self.notes.kills[name].append(time.time())
            process.wait()
            if not goes_on:
                return
            self.count(f"{name} killed and started again")
            time.sleep(random.uniform(0.2, 1.5))

    # MARK: programs under `wireweight run`

    def curl_plan(self, name):
        lines = [f'rate = "{self.options.rate_each}/s"']
        for number in range(random.randint(30, 120)):
            value = random.randint(1, 5_000)
            kind = KINDS[random.randrange(len(KINDS))].format(v=value)
            base = f"https://localhost:{self.tls}" if random.random() < 0.3 else f"http://127.0.0.1:{self.plain}"
            path = "upload" if kind == "stream" else kind
            lines += [
                f'url = "{base}/{path}?n={name}-{number}"', "output = /dev/null", f"cacert = {self.folder}/certificate.pem",
                "max-time = 2", "location", "http1.1", "compressed"]
            if kind in ("upload", "stream"):
                lines.append(f"upload-file = {self.folder}/upload")
            if kind == "stream":
                lines.append('header = "Transfer-Encoding: chunked"')
            lines.append("next")
        return lines[:-1]

    def h2_plan(self, name):
        lines = ["parallel", "parallel-max = 10"]
        for number in range(random.randint(30, 80)):
            path = random.choice(["files/1", "files/1000", "files/50000", "files/none", "moved", "put/1"])
            lines += [
                f'url = "https://localhost:{self.h2}/{path}?n={name}-{number}"', "output = /dev/null",
                f"cacert = {self.folder}/certificate.pem", "max-time = 5", "location", "http2"]
            if path == "put/1":
                lines.append(f"upload-file = {self.folder}/upload")
            lines.append("next")
        return lines[:-1]

    def churn(self, worker, plan, pause):
        """One run after the other, of which some are cut short."""
        run = 0
        while time.time() < self.end - 3:
            run += 1
            name = f"{worker}.{run}"
            if plan is None:
                seconds = random.randint(6, 40) if self.seconds > 300 else random.randint(4, 10)
                words = [self.options.programs, "soak-client", f"http://127.0.0.1:{self.plain}", name,
                         self.options.rate_each, seconds]
                longest = seconds
            else:
                lines = plan(name)
                file = self.folder / f"plan-{worker}"
                file.write_text("\n".join(lines) + "\n")
                words = ["curl", "-sS", "-K", file]
                longest = 6
            self.run(name, words, longest)
            if not self.sleep(pause):
                break

    def run(self, name, words, longest, is_steady=False):
        summary = self.folder / f"summary-{name}.json"
        note = {"name": name, "begin": time.time(), "ended": "normally", "at": None}
        with self.lock:
            self.notes.runs[name] = note
        process = self.start(
            [self.options.command, "run", "--db", self.store, "--json", "--output", summary, "--", *words])
        if is_steady:
            self.steady["wireweight run"] = process.pid
        dice = 1 if is_steady else random.random()
        fate = next((fate for fate, bound in self.fates if dice < bound), None)
        if fate:
            try:
                process.wait(random.uniform(0.3, longest))
            except subprocess.TimeoutExpired:
                self.cut_short(note, process, fate)
        try:
            note["status"] = process.wait(max(90, longest * 3))
        except subprocess.TimeoutExpired:
            self.fail(f"run {name} does not end")
            for child in children(process.pid):
                kill(child)
            process.kill()
            note.update(ended="hung", at=time.time(), status=process.wait())
        if note["ended"] not in ("command killed", "command killed with its program"):
            try:
                note["summary"] = verdict.summary_of(json.loads(summary.read_text()))
            except (OSError, ValueError) as error:
                self.fail(f"run {name} ({note['ended']}) has no summary: {error}")
        summary.unlink(missing_ok=True)

    fates = (("program killed", 0.15), ("command killed", 0.25), ("command killed with its program", 0.35),
             ("command asked to end", 0.42))

    def cut_short(self, note, process, fate):
        programs = children(process.pid)
        note.update(ended=fate, at=time.time())
        self.count(f"run: {fate}")
        if fate == "program killed":
            for program in programs:
                kill(program)
        elif fate == "command asked to end":
            process.terminate()
        else:
            process.kill()
            if fate == "command killed":
                # The program goes on unmetered, and must come to its own end.
                stop = time.time() + 60
                while any(map(is_alive, programs)) and time.time() < stop:
                    time.sleep(0.1)
                if any(map(is_alive, programs)):
                    self.fail(f"run {note['name']}: the program hangs after its meter was killed")
            for program in programs:
                kill(program)

    def steady_run(self):
        self.run("steady", [
            self.options.programs, "soak-client", f"http://127.0.0.1:{self.plain}", "steady", self.options.rate_each,
            max(5, int(self.seconds - 8))], self.seconds, is_steady=True)

    # MARK: the app

    def app(self):
        life = max(4, int(100 * self.beat))
        process = self.start([
            self.options.programs, "soak-app", self.store, f"http://127.0.0.1:{self.plain}", self.options.rate_each,
            max(5, int(self.seconds - life - 6)), life, self.retention], stdout=subprocess.PIPE)
        self.steady["app with a monitor"] = process.pid
        for line in process.stdout:
            step = json.loads(line)
            with self.lock:
                self.notes.app.append(step)
        if process.wait() != 0:
            self.fail("the app ended with", process.returncode)

    # MARK: who looks on

    def inspect(self, name, life):
        """An inspector; with a life, it is killed and started again."""
        while True:
            process = self.start(
                [self.options.command, "inspect", self.store], stderr=subprocess.PIPE, stdout=subprocess.PIPE)
            address = self.address_of(process)
            if address is None:
                self.fail(name, "has no address")
                return
            if life is None:
                self.steady[name] = process.pid
            stop = threading.Event()
            watcher = threading.Thread(target=self.watch, args=(address, stop), daemon=True)
            watcher.start()
            goes_on = True
            until = min(self.end, time.time() + (life or self.seconds) * random.uniform(0.7, 1.3))
            while goes_on and time.time() < until:
                for path in ("overview", "exchanges?limit=50", "apis", "connections?limit=50", "timeline"):
                    self.ask(f"{address}/api/v1/{path}")
                goes_on = self.sleep(3)
            stop.set()
            if life and goes_on:
                process.kill()
                self.count(f"{name} killed and started again")
            else:
                process.terminate()
            if process.wait(20) not in (-9, -15, 0, 143, 130):
                self.fail(name, "ended with", process.returncode)
            watcher.join(10)
            if not goes_on or time.time() >= self.end:
                return

    def address_of(self, process):
        # It says where it is on one of its outputs.
        found = []

        def read(stream):
            for line in stream:
                for word in line.decode().replace(";", " ").split():
                    if word.startswith("http://127.0.0.1"):
                        found.append(word.rstrip("/"))
        for stream in (process.stdout, process.stderr):
            threading.Thread(target=read, args=(stream,), daemon=True).start()
        for _ in range(400):
            if found:
                return found[0]
            time.sleep(0.025)
        return None

    def ask(self, url):
        try:
            with urllib.request.urlopen(url, timeout=20) as answer:
                json.loads(answer.read())
            self.count("requests to inspectors")
        except urllib.error.HTTPError as error:
            self.fail(url, error.code, error.read()[:200])
        except OSError as error:
            self.fail(url, error)

    def watch(self, address, stop):
        """Reads live events until the inspector is gone."""
        try:
            with urllib.request.urlopen(f"{address}/api/v1/events", timeout=20) as stream:
                while not stop.is_set() and stream.readline():
                    self.count("lines of live events")
        except OSError:
            pass
        except Exception as error:  # noqa: BLE001 - a cut line of chunks
            if not stop.is_set():
                self.fail("live events:", error)

    def read_on(self):
        tasks = [
            ["report"], ["report", "--by", "host", "--format", "json"], ["report", "--by", "status", "--since", "5m"],
            ["report", "--show", "latency"], ["exchanges", "--newest", "--limit", "200"], ["connections", "--limit", "50"],
            ["audit"], ["export", "--format", "har", "--newest", "--limit", "500"],
            ["export", "--format", "csv", "--since", "1m"], ["export", "--format", "otlp-json", "--since", "1m"],
            ["export", "--format", "openmetrics"], ["exchanges", "--failed", "--format", "ndjson", "--since", "2m"],
        ]
        turn = 0
        while self.sleep(6 * self.beat):
            verb, *rest = tasks[turn % len(tasks)]
            turn += 1
            if not self.store.exists():
                continue
            ended = subprocess.run(
                [self.options.command, verb, self.store, *rest], env=self.environment, stdin=subprocess.DEVNULL,
                capture_output=True, timeout=120, check=False)
            self.count("reports, lists and exports")
            if ended.returncode != 0 or not ended.stdout:
                self.fail(verb, *rest, "ended with", ended.returncode, ended.stderr.decode()[:300])

    # MARK: what is kept for the end

    def lines(self, *words):
        output = subprocess.run(
            [self.options.command, *words, "--format", "ndjson"], env=self.environment, stdin=subprocess.DEVNULL,
            capture_output=True, timeout=300, check=False)
        if output.returncode != 0:
            self.fail(*words, "ended with", output.returncode, output.stderr.decode()[:300])
        return map(json.loads, output.stdout.splitlines())

    def harvest(self, since=None):
        """Takes rows before retention does; what is met again is newer."""
        if not self.store.exists():
            return
        for line in self.lines("exchanges", self.store, *(["--since", since] if since else [])):
            self.notes.take_exchange(line)
        for line in self.lines("connections", self.store):
            self.notes.take_connection(line)

    def harvest_on(self):
        pace = max(5, self.retention / 6)
        while self.sleep(pace):
            self.harvest(f"{int(self.retention * 0.7)}s")

    def sample_on(self):
        while self.sleep(max(2, 10 * self.beat)):
            steady = dict(self.steady)
            programs = children(steady.get("wireweight run", 0))
            if programs:
                steady["— the program that it meters"] = programs[0]
            for name, pid in steady.items():
                try:
                    status = pathlib.Path(f"/proc/{pid}/status").read_text()
                    resident = int(status.split("VmRSS:")[1].split()[0])
                    threads = int(status.split("Threads:")[1].split()[0])
                    descriptors = len(os.listdir(f"/proc/{pid}/fd"))
                except (OSError, IndexError):
                    continue
                with self.lock:
                    self.notes.samples.setdefault(name, []).append(
                        (time.time() - self.begin, resident, descriptors, threads))

    # MARK: the hour

    def prepare(self):
        (self.folder / "www" / "files").mkdir(parents=True)
        (self.folder / "www" / "put").mkdir()
        for size in (1, 1_000, 50_000):
            (self.folder / "www" / "files" / str(size)).write_bytes(random.randbytes(size))
        (self.folder / "upload").write_bytes(random.randbytes(20_000))
        self.nginx = nginx.prepare(self.folder, NGINX % {"folder": self.folder, "h2": self.h2})

    def go(self):
        self.prepare()
        self.programs_are_done = threading.Event()
        origin = [sys.executable, HERE / "origin.py", self.plain, self.tls, self.folder]
        self.spawn(self.serve, "origin", origin, (self.plain, self.tls), 75)
        self.spawn(self.serve, "nginx", self.nginx, (self.h2,), 110, True)
        time.sleep(0.5)
        servers = len(self.threads)
        self.spawn(self.steady_run)
        self.spawn(self.app)
        for worker in ("curl1", "curl2"):
            self.spawn(self.churn, worker, self.curl_plan, 0.5)
        self.spawn(self.churn, "session", None, 0.5)
        self.spawn(self.churn, "h2", self.h2_plan, 60 / self.options.rate_each)
        time.sleep(2)
        self.spawn(self.inspect, "inspector", None)
        self.spawn(self.inspect, "second inspector", 60 * self.beat)
        self.spawn(self.read_on)
        self.spawn(self.harvest_on)
        self.spawn(self.sample_on)
        # What serves goes last.
        for thread in self.threads[servers:]:
            thread.join(self.seconds + 300)
            if thread.is_alive():
                self.fail("something does not come to its end")
        self.programs_are_done.set()
        for thread in self.threads[:servers]:
            thread.join(90)
        self.notes.seconds = time.time() - self.begin
        # One more run: it takes over what the killed ones left, as the next user would.
        self.run("last", ["curl", "-sS", f"http://127.0.0.1:{self.plain}/small/1?n=last-1"], 5, is_steady=True)
        self.harvest()
        self.notes.totals = json.loads(subprocess.check_output(
            [self.options.command, "report", self.store, "--by", "host", "--format", "json"], env=self.environment))["totals"]

    def left_over(self):
        found = []
        for entry in pathlib.Path("/proc").iterdir():
            if not entry.name.isdigit() or int(entry.name) == os.getpid():
                continue
            try:
                if f"SOAK={self.token}".encode() in (entry / "environ").read_bytes() and is_alive(int(entry.name)):
                    found.append(f"process {entry.name}: {(entry / 'cmdline').read_bytes().decode().replace(chr(0), ' ')}")
            except OSError:
                continue
        found += [f"file {file.name}" for file in self.temporary.iterdir()]
        found += [f"file {file.name}" for file in self.folder.glob("traffic.db-*")]
        return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--command", required=True)
    parser.add_argument("--programs", required=True)
    parser.add_argument("--folder", required=True)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--rate", type=float, default=40)
    options = parser.parse_args()
    # Six sources share it: the steady program, the app, two of curl, one of URLSession, one of HTTP/2.
    options.rate_each = max(1, round(options.rate / 6))
    soak = Soak(options)
    soak.go()
    soak.notes.left_over = soak.left_over()
    soak.notes.save(soak.folder / "notes.json")
    return verdict.judge(soak.notes, soak.folder)


if __name__ == "__main__":
    sys.exit(main())
