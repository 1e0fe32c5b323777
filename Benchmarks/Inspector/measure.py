"""Measures the inspector and prints a row of docs/measurements/inspector.md for each figure; see Scripts/bench-inspector.sh.

usage: measure.py COMMAND STORE FOLDER [--million STORE] [requests] [host] [page] [slow] [latency]

With `--million`, page and latency are measured with that larger store as well.
"""

import contextlib
import json
import pathlib
import re
import shutil
import socket
import statistics
import subprocess
import sys
import threading
import time
import urllib.request

from playwright.sync_api import sync_playwright

from slow_network import SlowNetwork

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "Scripts/shared"))
from processes import memory, processor, serving  # noqa: E402

COMMAND, STORE, FOLDER = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
MILLION = sys.argv[5] if sys.argv[4:5] == ["--million"] else None
PARTS = sys.argv[6 if MILLION else 4:] or ["requests", "host", "page", "slow", "latency"]
HERE = pathlib.Path(__file__).resolve().parent
STOPWATCH = (HERE.parents[1] / "Tests/Browser/stopwatch.js").read_text()
REQUESTS = 100_000
CLIENTS = 10
# When the first row is in a frame, and the browser's own first paint with content.
FIRST_ROW = """
requestAnimationFrame(function look() {
  if (!document.querySelector(".row.set")) return requestAnimationFrame(look);
  requestAnimationFrame(() => { window.firstRow = performance.now(); });
});
"""
SCROLL = """() => new Promise((done) => {
    const grid = document.getElementById("grid");
    const times = [];
    let last = performance.now();
    function frame(now) {
        times.push(now - last);
        last = now;
        grid.scrollTop += times.length % 60 === 0 ? 200000 : 300;
        if (times.length < 480) requestAnimationFrame(frame); else done(times.slice(1));
    }
    requestAnimationFrame(frame);
})"""


def share(values, part):
    return sorted(values)[min(len(values) - 1, int(len(values) * part))]


def say(what, aim, measured):
    print(f"| {what} | {aim} | {measured} |", flush=True)


def read(address):
    with urllib.request.urlopen(address) as answer:
        return json.load(answer)


def renderers(chromium):
    """The processes in which pages run."""
    session = chromium.new_browser_cdp_session()
    found = {one["id"] for one in session.send("SystemInfo.getProcessInfo")["processInfo"] if one["type"] == "renderer"}
    session.detach()
    return found


def anonymous(number):
    """The memory of a process, in MiB, that is not of files such as its program."""
    return int(re.search(r"RssAnon:\s+(\d+)", pathlib.Path(f"/proc/{number}/status").read_text())[1]) / 1024


def heap(page):
    """The bytes of the page's script that are in use, after a collection."""
    session = page.context.new_cdp_session(page)
    session.send("HeapProfiler.collectGarbage")
    session.send("Performance.enable")
    metrics = session.send("Performance.getMetrics")["metrics"]
    return next(one["value"] for one in metrics if one["name"] == "JSHeapUsedSize")


def page(chromium, store):
    with serving(COMMAND, "inspect", store) as (process, base):
        rows, paints = [], []
        for _ in range(7):
            others = renderers(chromium)
            context = chromium.new_context(viewport=dict(width=1280, height=800))
            page = context.new_page()
            page.add_init_script(FIRST_ROW)
            page.goto(f"{base}#/list")
            # The page's policy forbids evaluating strings, also to the driver's waiting function.
            while not page.evaluate("window.firstRow ?? 0"):
                time.sleep(0.01)
            rows.append(page.evaluate("window.firstRow"))
            paints.append(page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime"))
            if len(rows) == 7:
                count = read(f"{base}api/v1/overview")["exchanges"]
                shown = heap(page)
                times = page.evaluate(SCROLL)
                scrolled = heap(page)
                # A renderer that waits for a next page has less.
                own = max(anonymous(number) for number in renderers(chromium) - others)
                served = memory(process)
            context.close()
    say(f"first paint with content, {count:,} rows, of 7", "", f"median {statistics.median(paints):.0f} ms, longest {max(paints):.0f} ms")
    say("— the first rows are shown", "", f"median {statistics.median(rows):.0f} ms, longest {max(rows):.0f} ms")
    say("frames while they scroll, jumps among them, of 479", "",
        f"median {statistics.median(times):.1f} ms, p95 {share(times, .95):.1f} ms, longest {max(times):.1f} ms")
    say("— the page's heap before and after; memory of its renderer's own; resident memory of `inspect`", "",
        f"{shown / 1e6:.1f} and {scrolled / 1e6:.1f} MB; {own:.0f} MiB; {served:.0f} MiB")


def slow(playwright):
    with serving(COMMAND, "inspect", STORE) as (_, base):
        port = re.search(r":(\d+)/", base)[1]
        network = SlowNetwork(int(port))
        # The name of the inspector stays its own, and leads through the network.
        chromium = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=[
            "--no-sandbox", f"--host-resolver-rules=MAP localhost:{port} 127.0.0.1:{network.port}"])
        page = chromium.new_context(viewport=dict(width=1280, height=800)).new_page()
        asked = []
        page.on("request", lambda request: asked.append(request))
        for what, visit in [("the first visit", lambda: page.goto(f"http://localhost:{port}/#/list", wait_until="commit")),
                            ("the second", lambda: page.reload(wait_until="commit"))]:
            asked.clear()
            network.bytes = network.connections = 0
            began = time.monotonic()
            visit()
            page.wait_for_selector(".row.set", timeout=120_000)
            rows = time.monotonic() - began
            say(f"first rows at 400 ms and 50 kB/s, {what}", "≤ 4 s" if what == "the first visit" else "",
                f"{rows:.1f} s; {len(asked)} requests, {network.bytes / 1000:.1f} kB")
            page.wait_for_timeout(3_000)
        chromium.close()


def requests():
    with serving(COMMAND, "inspect", STORE) as (process, base):
        api = base + "api/v1/"
        first = read(f"{api}exchanges?limit=1")
        number = first["exchanges"][0]["id"]
        for what, aim, path in [
                ("`overview`", "≥ 3,000", "overview"), ("one exchange in full", "≥ 3,000", f"exchanges/{number}"),
                ("a page of 1 row", "≥ 3,000", f"exchanges?cursor={first['view']}:5000&limit=1"),
                ("a page of 100 rows", "", f"exchanges?cursor={first['view']}:5000&limit=100"),
                ("a new list of all rows, its first page of 100", "", "exchanges?limit=100")]:
            # Once before: the audit is made with the first.
            urllib.request.urlopen(api + path).read()
            # A client in C, so that the client is not what is measured.
            before = processor(process)
            text = subprocess.run(["wrk", "-t1", "-c4", "-d5s", "--latency", api + path], check=True, capture_output=True, text=True).stdout
            if "Non-2xx" in text:
                sys.exit(f"bench-inspector: {path} was refused: {text}")
            rate = float(re.search(r"Requests/sec:\s+([\d.]+)", text)[1])
            slow = re.search(r"99%\s+([\d.]+)", text)[1]
            cost = (processor(process) - before) / int(re.search(r"(\d+) requests in", text)[1]) * 1e6
            unit = re.search(r"99%\s+[\d.]+(\w+)", text)[1].replace("us", "µs")
            say(f"requests a second, 4 connections kept alive: {what}", aim, f"{rate:,.0f}; p99 {slow} {unit}; {cost:,.0f} µs of processor each")


class Listener(threading.Thread):
    """An event stream that is read and thrown away."""

    def __init__(self, base):
        super().__init__(daemon=True)
        host, port = re.search(r"http://([\d.]+):(\d+)/", base).groups()
        self.socket = socket.create_connection((host, int(port)))
        self.socket.sendall(f"GET /api/v1/events HTTP/1.1\r\nHost: {host}:{port}\r\n\r\n".encode())
        self.bytes = 0

    def run(self):
        with contextlib.suppress(OSError):
            while piece := self.socket.recv(1 << 16):
                self.bytes += len(piece)


def host():
    with serving(COMMAND, "inspect", STORE) as (_, origin):
        database = FOLDER / "host.db"
        with serving(COMMAND, "run", "--inspect", "--db", database, "--", "sh", "-c",
                     f"sleep 3; curl -s -o /dev/null '{origin}icon.svg?[1-{REQUESTS}]'; sleep 9") as (process, base):
            time.sleep(0.5)
            before = memory(process)
            listeners = [Listener(base) for _ in range(CLIENTS)]
            for listener in listeners:
                listener.start()
            time.sleep(1)
            idle = memory(process)
            most, began, changed, seen = idle, None, None, None
            while changed is None or time.monotonic() < changed + 2:
                time.sleep(0.25)
                most = max(most, memory(process))
                overview = read(f"{base}api/v1/overview")
                now = overview["exchanges"], sum(loss["count"] for loss in overview["losses"])
                if now != seen and now[0] > 0:
                    began, changed, seen = began or time.monotonic(), time.monotonic(), now
            after = memory(process)
            told = statistics.mean(listener.bytes for listener in listeners)
    say(f"resident memory of `run --inspect`, no page open; {CLIENTS} event streams", "", f"{before:.0f} MiB; {idle:.0f} MiB")
    say(f"— the most while {seen[0]:,} exchanges come at {seen[0] / (changed - began):,.0f} a second; afterwards", "",
        f"{most:.0f} MiB; {after:.0f} MiB")
    say("— events that were counted as lost meanwhile", "", f"{seen[1]:,}")
    say("— sent to each of the streams", "", f"{told / 1e6:.1f} MB")


def latency(chromium, store=None):
    database = FOLDER / f"demo{' large' if store else ''}.db"
    if store:
        shutil.copy(store, database)
    with serving(COMMAND, "demo", "--port", "0", "--db", database) as (_, base):
        context = chromium.new_context(viewport=dict(width=1280, height=800))
        page = context.new_page()
        page.add_init_script(STOPWATCH)
        page.goto(f"{base}#/list")
        page.wait_for_selector(".row.set")
        page.wait_for_timeout(2_000)
        page.evaluate("window.heard.length = window.delays.length = 0")
        page.wait_for_timeout(20_000)
        heard, delays = page.evaluate("[window.heard, window.delays]")
        rows = read(f"{base}api/v1/overview")["exchanges"]
        context.close()
    database.unlink()
    among = f" among {rows:,} rows" if store else ""
    say(f"from the end of an exchange of the demo to its row{among}, of {len(delays):,}", "≤ 200 ms",
        f"median {statistics.median(delays):.0f} ms, p95 {share(delays, .95):.0f} ms")
    say("— of which until the page has received it", "", f"median {statistics.median(heard):.0f} ms, p95 {share(heard, .95):.0f} ms")


def main():
    print("| what | aim | measured |\n| --- | ---: | ---: |")
    if "requests" in PARTS:
        requests()
    if "host" in PARTS:
        host()
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        if "page" in PARTS:
            page(chromium, STORE)
            if MILLION:
                page(chromium, MILLION)
        if "slow" in PARTS:
            slow(playwright)
        if "latency" in PARTS:
            latency(chromium)
            if MILLION:
                latency(chromium, MILLION)
        chromium.close()


if __name__ == "__main__":
    main()
