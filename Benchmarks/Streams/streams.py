"""Measures what metering below an HTTP library costs a program: instructions, processor time, start, memory. Prints the tables of
docs/measurements/streams.md.

usage: streams.py BUILD_DIR FOLDER [instructions|time|server|start|memory…]: all, or these
"""

import os
import pathlib
import re
import resource
import signal
import statistics
import subprocess
import sys
import time
import types

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent.parent / "Scripts/shared"))
import nginx  # noqa: E402 pylint: disable=wrong-import-position
import processes  # noqa: E402 pylint: disable=wrong-import-position

PYTHON = ("/usr/bin/python3", str(HERE / "client.py"))
NODE = ("node", str(HERE / "client.js"))
KINDS = [(scheme, size) for scheme in ("http", "https") for size in (1 << 10, 64 << 10)]
# Two counts, whose difference has neither start nor end.
COUNTS = (20, 220)
REQUESTS, PAIRS = 1_000, 6
STARTS = 60
IDLE = 2_000
# Of the load on a server, and for how many seconds it lasts.
CONNECTIONS, LOAD = 8, 2
# No chunks, and no digits with which one could begin.
TEXT = b'{"name": "value", "other": "of several words"}\n'


class Bench:
    def __init__(self, build, folder):
        self.command, self.tap, self.folder = build / "wireweight", build / "libWireweightPreload.so", folder
        self.ports = dict(zip(("http", "https"), processes.free_ports(2)))
        self.alone = {name: value for name, value in os.environ.items() if not name.startswith(("LD_", "WIREWEIGHT_"))}
        self.alone |= {"PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1"}
        self.metered = self.alone | {"LD_PRELOAD": str(self.tap), "WIREWEIGHT_SOCKET": str(folder / "tap")}

    def words(self, client, scheme, size, count):
        return [*client, scheme, str(self.ports[scheme]), f"/{size}", str(count), str(self.folder / "certificate.pem")]

    def serve(self):
        for size in {size for _, size in KINDS}:
            (self.folder / str(size)).write_bytes((TEXT * (size // len(TEXT) + 1))[:size])
        inside = f"""keepalive_requests 1000000; keepalive_timeout 1h; root {self.folder};
            server {{ listen 127.0.0.1:{self.ports["http"]}; listen 127.0.0.1:{self.ports["https"]} ssl; }}"""
        words = nginx.prepare(self.folder, inside)
        configuration = self.folder / "nginx.conf"
        configuration.write_text(configuration.read_text().replace("worker_connections 512", f"worker_connections {2 * IDLE}"))
        server = subprocess.Popen(words)
        listener = subprocess.Popen([sys.executable, str(HERE / "listener.py"), str(self.folder / "tap")])
        deadline = time.monotonic() + 30
        while subprocess.run(self.words(PYTHON, "https", 1 << 10, 1), capture_output=True, check=False).returncode:
            if time.monotonic() > deadline:
                sys.exit(f"nginx does not serve: {(self.folder / 'nginx.err').read_text()}")
            time.sleep(0.05)
        return server, listener

    # Instructions

    def count(self, words, environment):
        out = self.folder / "counts"
        words = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", *words]
        subprocess.run(words, env=environment, capture_output=True, check=True)
        return int(re.search(r"^(?:summary|totals): (\d+)", out.read_text(), re.M)[1])

    def instructions(self):
        print("| instructions, an exchange | without | with | more | ÷ |")
        print("| --- | ---: | ---: | ---: | ---: |")
        for scheme, size in KINDS:
            each = []
            for environment in (self.alone, self.metered):
                few, many = (self.count(self.words(PYTHON, scheme, size, count), environment) for count in COUNTS)
                each.append((many - few) / (COUNTS[1] - COUNTS[0]))
            alone, metered = each
            print(
                f"| http.client, {scheme}, {size >> 10} KiB | {alone:,.0f} | {metered:,.0f} | {metered - alone:,.0f} "
                f"| {metered / alone:.3f} |",
                flush=True,
            )

    # Processor time

    def spent(self, words):
        """The seconds of the exchanges, by the client's own account, and those of all processes."""
        with open(self.folder / "said", "w+b") as said:
            process = subprocess.Popen(words, env=self.alone, stdout=said, stderr=subprocess.DEVNULL)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = status
            said.seek(0)
            size, seconds = said.read().split()
        if status or int(size) == 0:
            sys.exit(f"failed: {' '.join(words)}")
        return float(seconds), usage.ru_utime + usage.ru_stime

    def time(self):
        print("| processor time, an exchange | aim | without | the program, ÷ | all processes, ÷ |")
        print("| --- | --- | ---: | ---: | ---: |")
        for name, client in (("http.client", PYTHON), ("node", NODE)):
            for scheme, size in KINDS:
                words, pairs = self.words(client, scheme, size, REQUESTS), []
                for turn in range(PAIRS):
                    database = self.folder / f"traffic{turn}.db"
                    run = [str(self.command), "run", "--no-progress", "--db", str(database), "--", *words]
                    pairs.append((self.spent(words), self.spent(run)))
                    for file in self.folder.glob("traffic*"):
                        file.unlink()
                program = [metered[0] / alone[0] for alone, metered in pairs]
                everything = [metered[1] / alone[1] for alone, metered in pairs]
                aim = {("https", 1 << 10): "≤ 1.10", ("https", 64 << 10): "≤ 1.05"}.get((scheme, size), "")
                alone = statistics.median(alone[0] for alone, _ in pairs) / REQUESTS * 1e6
                print(
                    f"| {name}, {scheme}, {size >> 10} KiB | {aim} | {alone:.0f} µs | {spread(program)} | {spread(everything)} |",
                    flush=True,
                )

    # A server

    def answered(self, before, scheme, size):
        """What nginx computes for each exchange that it serves, in seconds; `before`: the words before its own."""
        folder = self.folder / "server"
        folder.mkdir(exist_ok=True)
        ports = dict(zip(("http", "https"), processes.free_ports(2)))
        inside = f"""keepalive_requests 1000000; root {self.folder}; access_log off;
            server {{ listen 127.0.0.1:{ports["http"]}; listen 127.0.0.1:{ports["https"]} ssl; }}"""
        words = [*before, *nginx.prepare(folder, inside)]
        load = ["wrk", "--threads=1", f"--connections={CONNECTIONS}", f"--duration={LOAD}s", f"{scheme}://127.0.0.1:{ports[scheme]}/{size}"]
        server = subprocess.Popen(words, env=self.alone, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            worker = self.worker(server, folder)
            began = processes.processor(worker)
            said = subprocess.run(load, capture_output=True, text=True, check=True).stdout
            spent = processes.processor(worker) - began
        finally:
            server.send_signal(signal.SIGINT)
            server.wait()
        if "Non-2xx" in said or "Socket errors" in said:
            sys.exit(f"nginx does not serve: {said}")
        return spent / int(re.search(r"(\d+) requests in", said)[1])

    @staticmethod
    def worker(server, folder):
        """The process of nginx that serves, once there is one."""
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline and server.poll() is None:
            master = folder / "nginx.pid"
            text = master.read_text() if master.exists() else ""
            children = pathlib.Path(f"/proc/{text.strip()}/task/{text.strip()}/children")
            found = children.read_text().split() if text.strip() and children.exists() else []
            if found:
                return types.SimpleNamespace(pid=int(found[0]))
            time.sleep(0.01)
        return sys.exit(f"nginx does not start: {(folder / 'nginx.err').read_text()}")

    def server(self):
        print("| processor time of a worker of nginx, an exchange | aim | without | with ÷ without |")
        print("| --- | --- | ---: | ---: |")
        for scheme, size in KINDS:
            pairs = []
            for turn in range(PAIRS):
                run = [str(self.command), "run", "--no-progress", "--db", str(self.folder / f"traffic{turn}.db"), "--"]
                pairs.append((self.answered([], scheme, size), self.answered(run, scheme, size)))
                for file in self.folder.glob("traffic*"):
                    file.unlink()
            alone = statistics.median(alone for alone, _ in pairs) * 1e6
            ratios = [metered / alone for alone, metered in pairs]
            print(f"| {scheme}, {size >> 10} KiB | ≤ 1.10 | {alone:.1f} µs | {spread(ratios)} |", flush=True)

    # Start

    def start(self):
        print("| start and end of a program | aim | without | more |")
        print("| --- | --- | ---: | ---: |")
        for name, words in (("true", ["/bin/true"]), ("python3 -c pass", ["/usr/bin/python3", "-c", "pass"]), ("node -e 0", ["node", "-e", "0"])):
            pairs = []
            for _ in range(STARTS):
                pairs.append([])
                for environment in (self.alone, self.metered):
                    began = time.perf_counter()
                    subprocess.run(words, env=environment, check=True)
                    pairs[-1].append((time.perf_counter() - began) * 1e3)
            more = statistics.median(metered - alone for alone, metered in pairs)
            print(f"| `{name}` | ≤ 5 ms | {statistics.median(alone for alone, _ in pairs):.1f} ms | {more:.2f} ms |", flush=True)

    # Memory

    def memory(self):
        resource.setrlimit(resource.RLIMIT_NOFILE, (2 * IDLE, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
        print("| memory of the program | aim | without | more |")
        print("| --- | --- | ---: | ---: |")
        for scheme in ("http", "https"):
            words = self.words(("/usr/bin/python3", str(HERE / "idle.py")), scheme, 1 << 10, IDLE)
            alone, metered = (
                int(subprocess.run(words, env=environment, capture_output=True, check=True).stdout)
                for environment in (self.alone, self.metered)
            )
            print(f"| an idle connection, {scheme}, of {IDLE:,} | ≤ 2,048 B | {alone / IDLE:,.0f} B | {(metered - alone) / IDLE:,.0f} B |", flush=True)


def spread(figures):
    return f"{statistics.median(figures):.3f} ({min(figures):.3f} to {max(figures):.3f})"


def version(*words):
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout.strip()


def main():
    bench = Bench(pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]))
    print(f"- with: {version('/usr/bin/python3', '--version')}, node {version('node', '--version')}, {version('openssl', 'version')[:14].strip()}\n")
    started = bench.serve()
    try:
        for part in sys.argv[3:] or ("instructions", "time", "server", "start", "memory"):
            getattr(bench, part)()
            print(flush=True)
    finally:
        for process in started:
            process.terminate()
            process.wait()


main()
