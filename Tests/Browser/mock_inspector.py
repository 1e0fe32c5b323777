"""The inspector's API as docs/inspector-api.md has it, over made-up exchanges, for tests of the page alone.

usage: mock_inspector.py [--port N] [--exchanges N] [--hostile] [--live]

What it answers is the same in each run. `POST /test/NAME` makes things happen: see `Mock.test`.
"""

import argparse
import functools
import gzip
import json
import math
import os
import pathlib
import queue
import random
import re
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
import zlib
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Scripts/shared"))
from processes import serving  # noqa: E402

WEB = ROOT / "Sources/TrafficInspector/Web"
TYPES = {".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8",
         ".css": "text/css; charset=utf-8", ".svg": "image/svg+xml"}
POLICY = ("default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self'; "
          "frame-src 'none'; base-uri 'none'; form-action 'none'")

# Method, host, template, type, typical body down, body up, typical milliseconds, weight.
APIS = [
    ("GET", "api.example.com", "/feed", "application/json", 18_000, 0, 90, 14),
    ("GET", "api.example.com", "/users/{id}", "application/json", 1_400, 0, 35, 18),
    ("GET", "api.example.com", "/users/{id}/posts", "application/json", 7_200, 0, 60, 9),
    ("POST", "api.example.com", "/events", "application/json", 20, 900, 25, 12),
    ("PUT", "api.example.com", "/users/{id}/avatar", "application/json", 90, 48_000, 180, 1),
    ("DELETE", "api.example.com", "/sessions/{id}", None, 0, 0, 30, 1),
    ("GET", "api.example.com", "/search", "application/json", 5_600, 0, 140, 5),
    ("GET", "cdn.example.net", "/images/{hash}.webp", "image/webp", 62_000, 0, 70, 9),
    ("GET", "cdn.example.net", "/fonts/{name}", "font/woff2", 31_000, 0, 40, 1),
    ("GET", "cdn.example.net", "/app/{version}/main.js", "text/javascript", 84_000, 0, 120, 1),
    ("GET", "tiles.example.org", "/{z}/{x}/{y}.png", "image/png", 14_000, 0, 45, 8),
    ("POST", "telemetry.example.io", "/v1/batch", "application/json", 16, 3_400, 55, 6),
    ("GET", "auth.example.com", "/token", "application/json", 800, 0, 210, 2),
    ("GET", "legacy.example.com", "/old/{id}", "text/html", 300, 0, 80, 2),
]

PARTS = ["startLine", "fields", "cookies", "interim", "body", "framing"]
PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000002000000020802000000fdd49a730000001249444154789c63f8cfc0c0f01f8c81"
    "180017ec03fdd8fb4c5f0000000049454e44ae426082")


@functools.cache
def server_english():
    """The module that the real server writes: its sentences in English."""
    command = os.environ.get("WIREWEIGHT_COMMAND") or ROOT / ".build/debug/wireweight"
    with tempfile.TemporaryDirectory() as folder:
        store = pathlib.Path(folder) / "traffic.db"
        subprocess.run([command, "import", ROOT / "Tests/BrowserHARs/chromium.har", "--db", store], check=True,
                       stdout=subprocess.DEVNULL)
        with serving(command, "inspect", store) as (_, address):
            read = lambda path: urllib.request.urlopen(address + path).read().decode()
            script = read(re.search(r"app\.\w+\.js", read(""))[0])
    sentences = re.search(r"const \$server_english = \(\(\) => \{\n(const serverEnglish = \{.*?\n\};\n)", script, re.S)[1]
    return f"export {sentences}".encode()


def text_of(pattern, number):
    return (pattern.replace("{id}", str(number)).replace("{hash}", f"{number * 2654435761 % 2**32:08x}")
            .replace("{name}", "inter-var.woff2").replace("{version}", "4.2.1").replace("{z}", "12")
            .replace("{x}", str(number % 4096)).replace("{y}", str(number % 2048)))


class Exchanges:
    """Rows and details, by number."""

    def __init__(self, count, hostile):
        self.rows = {}
        self.size = {}
        self.special = {}
        self.generation = 1
        self.next = 1
        self.random = random.Random(11)
        self.begin = time.time() * 1000 - count * 36.0
        self.clock = self.begin
        for _ in range(count):
            self.add()
        if hostile:
            self.add_hostile()
        self.add_bodies()

    @staticmethod
    def rate(number):
        """Exchanges in a millisecond: traffic comes in waves, and bursts."""
        wave = 1 + 0.75 * math.sin(number / 900) + 0.5 * math.sin(number / 217)
        return max(0.15, wave) * (6 if number % 4100 < 260 else 1) / 36.0

    def add(self, running=False, at=None, api=None, **members):
        dice = self.random
        method, host, template, kind, down, up, usual, _ = api or dice.choices(APIS, [api[7] for api in APIS])[0]
        number = self.next
        self.next += 1
        self.clock = at if at is not None else self.clock + dice.expovariate(self.rate(self.next))
        path = text_of(template, dice.randrange(1, 5000))
        duration = round(usual * dice.lognormvariate(0, 0.5), 3)
        chance = dice.random()
        status, state, error = 200, "completed", None
        if template == "/old/{id}":
            status = 301
        elif method == "DELETE":
            status = 204
        elif chance < 0.025:
            status = dice.choice([400, 401, 403, 404, 404, 429])
        elif chance < 0.035:
            status = dice.choice([500, 502, 503])
        elif chance < 0.042:
            status, state, error = None, "failed", "could not connect to the server"
        elif chance < 0.046:
            status, state, error = None, "timedOut", None
        elif chance < 0.05:
            status, state, error = None, "cancelled", None
        size_up = dict(startLine=len(method) + len(path) + 11, fields=320 + number % 40, cookies=84, interim=0,
                       body=int(up * dice.uniform(0.6, 1.4)), framing=0)
        body = int(down * dice.lognormvariate(0, 0.35)) if status == 200 else 140
        size_down = None if status is None else dict(
            startLine=17, fields=260 + number % 60, cookies=60 if template == "/token" else 0,
            interim=25 if up > 10_000 else 0, body=body, framing=28 if kind == "application/json" else 0)
        row = dict(
            id=number, task=number, hop=0, start=round(self.clock, 3), duration=duration, wait=round(duration * 0.6, 3),
            receive=round(duration * 0.2, 3), state=state, method=method, scheme="https", host=host, port=443, path=path,
            query=f"page={number % 9}&q=lamp" if template in ("/search", "/feed") else None, template=template,
            status=status, type=kind if status is not None else None, up=None, down=None,
            evidence="reported" if number % 23 == 0 else "captured", error=error, process="shop", pid=4711,
            connection=number // 5 + 1)
        if running:
            row.update(duration=None, wait=None, receive=None, state="running", status=None, type=None, error=None,
                       connection=None)
            size_down = None
        row.update(members)
        if row["status"] is None:
            size_down = None
        query = "" if row["query"] is None else f"?{row['query']}"
        row.update(authority=row["host"], url=f"https://{row['host']}{row['path']}{query}")
        self.size[number] = (size_up, size_down)
        self.weigh(row)
        self.time(row)
        self.rows[number] = row
        return row

    def time(self, row):
        duration = row["duration"]
        row["sent"] = row["start"]
        row["phases"] = []
        if duration is None:
            return
        share = lambda part: round(duration * part, 3)
        new = row["id"] % 5 == 0
        parts = dict(dns=share(.02), connect=share(.05), tls=share(.08)) if new else {}
        parts |= dict(send=share(.01), wait=row["wait"], receive=row["receive"], unattributed=share(.01))
        offset = max(0, duration - sum(parts.values()))
        row["phases"].append(["queue", 0, round(offset, 3)])
        for name, time in parts.items():
            row["phases"].append([name, round(offset, 3), time])
            offset += time
        row["sent"] = row["start"] + row["phases"][-4][1]

    def weigh(self, row):
        up, down = self.size[row["id"]]
        total = lambda size: size and size["startLine"] + size["fields"] + size["interim"] + size["body"] + size["framing"]
        row["up"], row["down"] = total(up), total(down)

    def end(self, number):
        row = self.rows[number]
        row.update(state="completed", status=200, type="application/json", duration=42.0, wait=30.0, receive=8.0,
                   connection=number // 5 + 1)
        self.size[number] = (self.size[number][0], dict(
            startLine=17, fields=260, cookies=0, interim=0, body=1200, framing=28))
        self.weigh(row)
        self.time(row)
        return row

    def add_bodies(self):
        """A chain of redirects, and one exchange for each way to show a body."""
        first = self.add(api=APIS[13], status=301, path="/old/1")
        second = self.add(api=APIS[13], status=302, path="/old/2", task=first["id"], hop=1)
        third = self.add(api=APIS[1], status=200, path="/users/1", task=first["id"], hop=2)
        for row in (first, second, third):
            self.special[row["id"]] = {"hops": [first["id"], second["id"], third["id"]]}
        tree = {"name": "lamp", "price": 12.5, "id": 12345678901234567890, "tags": ["a", "b"], "stock": None,
                "open": True, "__proto__": {"polluted": True}, "deep": {"er": {"still": "here"}},
                "many": list(range(250))}
        self.bodies = {}
        compress = gzip.compress(json.dumps(tree).encode(), mtime=0)
        large = json.dumps([{"number": number, "text": "lorem ipsum " * 6} for number in range(30_000)]).encode()
        for name, kind, coding, data in [
                ("json", "application/json", "gzip", compress), ("deflate", "text/plain; charset=utf-8", "deflate",
                                                                  zlib.compress("grüße from deflate".encode())),
                ("image", "image/png", None, PNG), ("binary", "application/octet-stream", None, bytes(range(256)) * 40),
                ("large", "application/json", None, large), ("brotli", "text/plain", "x-unheard-of", b"\x0b\x02\x80abc"),
                ("cut", "text/plain", "gzip", gzip.compress(b"the beginning " * 4000, mtime=0)[:-30])]:
            row = self.add(api=APIS[0], status=200, path=f"/bodies/{name}", type=kind)
            self.bodies[name] = row["id"]
            self.special[row["id"]] = {"body": (kind, coding, data)}

    def add_refused(self):
        """An exchange whose connection was refused: nothing was sent, not even a version."""
        row = self.add(status=None, state="failed", error="Connection refused", type=None, connection=None)
        self.size[row["id"]] = (dict.fromkeys(PARTS, 0), None)
        self.weigh(row)
        self.special[row["id"]] = {"version": None}
        return row["id"]

    def add_hostile(self):
        script = "<img src=x onerror=\"window.pwned=1;alert(1)\"><script>window.pwned=1;alert(1)</script>"
        for name, kind, data in [
                ("html", "text/html", script.encode()),
                ("svg", "image/svg+xml", f"<svg xmlns='http://www.w3.org/2000/svg' onload='window.pwned=1'>{script}</svg>".encode()),
                ("fake-png", "image/png", script.encode()),
                ("keys", "application/json", json.dumps(
                    {script: script, "__proto__": {"pwned": 1}, "constructor": {"prototype": {"pwned": 1}},
                     "toString": script}).encode()),
                ("script", "text/javascript", b"window.pwned = 1; alert(1)")]:
            row = self.add(api=APIS[0], status=200, path=f"/hostile/{name}/{script}", query=f"q={script}&javascript:alert(1)",
                           host=f"evil{script}.example", template=f"/hostile/{script}", type=kind, method="GET",
                           error=script, process=script)
            self.special[row["id"]] = {"hostile": script, "body": (kind, None, data)}

    def detail(self, number):
        row = self.rows[number]
        up, down = self.size[number]
        special = self.special.get(number, {})
        script = special.get("hostile", "")
        target = row["path"] + (f"?{row['query']}" if row["query"] else "")
        sent = [f"Host: {row['host']}", "Accept: application/json", "Accept-Encoding: gzip, deflate, br",
                "Authorization: Bearer [redacted 48 B]", "Cookie: sid=[redacted 32 B]; theme=[redacted 4 B]",
                "User-Agent: Shop/4.2.1 (iPhone; iOS 18.2)"] + ([f"X-Evil: {script}"] if script else [])
        body = special.get("body")
        kind, coding, data = body or (row["type"], None, b"")
        received = [f"Content-Type: {kind}", "Cache-Control: max-age=60", 'ETag: "5d8c72a5edda8d6a"',
                    "Set-Cookie: seen=[redacted 12 B]; Path=/; HttpOnly; SameSite=Lax"]
        if coding:
            received.append(f"Content-Encoding: {coding}")
        if script:
            received += [f"X-Evil: {script}", f"Set-Cookie: {script}={script}; Path={script}"]
        total = row["up"]
        evidence = row["evidence"]
        new = number % 5 == 0
        names = ["queue", "dns", "connect", "tls", "send", "wait", "receive", "unattributed"]
        times = {name: time for name, _, time in row["phases"]}
        phases = {name: times.get(name) for name in names} | dict(total=row["duration"])
        exchange = dict(
            exchange=number, task=row["task"], hop=row["hop"], pid=row["pid"], process=row["process"],
            startedAt="2026-11-20T12:00:00Z", endedAt=None, method=row["method"],
            url=f"https://{row['host']}{target}", scheme="https", host=row["host"], port=443, authority=row["host"], path=row["path"],
            query=row["query"], template=row["template"], httpVersion=special.get("version", "1.1"),
            request=dict(up, total=total, evidence=evidence, bodyDigest=None, fieldLines=sent),
            response=down and dict(down, status=row["status"], reason="OK" if row["status"] == 200 else None,
                                   httpVersion=special.get("answered", "1.1"), firstByteAt=None, contentType=kind, contentEncoding=coding,
                                   total=row["down"], evidence=evidence, decodedBody=down["body"] * 3 if coding else None,
                                   bodyDigest=None, fieldLines=received),
            outcome=None if row["state"] == "running" else row["state"], error=row["error"], errorCode=None,
            timings=phases, connection=row["connection"], reused=not new, remoteAddress="203.0.113.7:443")
        findings = [f for f in self.audit()["findings"] if number in f["evidence"]]
        return dict(exchange=exchange, row=row, hops=[self.rows[hop] for hop in special.get("hops", [number])],
                    findings=findings, curl=f"curl 'https://{row['host']}{target}' -H 'Accept: application/json'",
                    bodies=dict(request=None, response=body and dict(size=len(data), coding=coding, type=kind)))

    def audit(self):
        numbers = list(self.rows)
        script = next((special["hostile"] for special in self.special.values() if "hostile" in special), "")
        bare = lambda phrase, **values: dict(phrase=phrase, values=values)
        finding = lambda rule, api, problem, remedy, size, time, basis, source, evidence, said: dict(
            rule=rule, said=dict(zip(("problem", "remedy", "source"), said)) if not script else None, alarm=False, method=api[0], host=api[1], template=api[2], problem=problem + script, remedy=remedy,
            saving=dict(bytes=size, milliseconds=time, bytesPer1000Calls=size // 14, millisecondsPer1000Calls=time / 14),
            basis=basis, source=source, scaled=False, calls=14_000, examinedCalls=14_000, affectedCalls=13_200, evidence=evidence)
        if len(numbers) < 20:
            return dict(since=None, until=None, host=None, requests=len(numbers), findings=[], more=0,
                        examined=dict(exchanges=len(numbers), first=None, last=None))
        findings = [
            finding("text-without-coding", APIS[0], "Text of 18.0 KB on average came uncompressed in 13,200 of "
                    "14,000 calls, although the client accepts compression.", "Let the server compress text with gzip or better.",
                    118_400_000, 4_210.5, "estimated", "text shrinks to half or less with gzip; no body was kept to measure it",
                    numbers[3:8],
                    (bare("uncodedAsked", kind=dict(content="text"), size=dict(bytes=18_000), calls=dict(calls=13_200, of=14_000)),
                     bare("uncodedAskedRemedy", kind=dict(content="text")), bare("ratioInGeneral"))),
            finding("identical-requests", APIS[1], "The same URL was requested again within 2.0 s, with the same response.",
                    "Share one call among callers that need it at the same time, and keep its response for a moment.", 24_100_000,
                    61_003.0, "measured", "counted on the wire", numbers[10:15],
                    (bare("identical", time=dict(milliseconds=2000.0), calls=dict(calls=9_000, of=14_000)), bare("identicalRemedy"),
                     bare("counted"))),
            finding("redirects", APIS[13], "All 1,950 calls only led to another URL.", "Request the URL that the server names.",
                    1_200_000, 158_000.0, "measured", "counted on the wire", numbers[-3:],
                    (bare("redirects", calls=dict(calls=1_950, of=1_950), kinds=dict(more=False, kinds=[
                        dict(name="permanent", count=1_900), dict(name="for a trailing slash", count=50)])),
                     bare("permanentRedirectRemedy"), bare("counted")))]
        return dict(since=None, until=None, host=None, requests=len(numbers), findings=findings, more=0,
                    examined=dict(exchanges=len(numbers), first=None, last=None))


def matcher(query):
    wanted = {name: values[0] for name, values in query.items() if values[0] != ""}

    def status(row):
        value, have = wanted["status"], row["status"]
        if value == "none":
            return have is None
        if have is None:
            return False
        if value.endswith("xx"):
            return have // 100 == int(value[0])
        low, _, high = value.partition("-")
        return int(low) <= have <= int(high or low)

    tests = {
        "status": status,
        "type": lambda row: (row["type"] or "").startswith(wanted["type"]),
        "method": lambda row: row["method"] == wanted["method"],
        "host": lambda row: row["host"] == wanted["host"],
        "api": lambda row: wanted["api"] in (row["template"], f"{row['method']} {row['host']}{row['template']}"),
        "path": lambda row: row["path"].startswith(wanted["path"]),
        "failed": lambda row: row["state"] in ("failed", "timedOut") or (row["status"] or 0) >= 400,
        "slower": lambda row: row["duration"] is not None and row["duration"] > float(wanted["slower"]),
        "text": lambda row: wanted["text"].lower() in f"{row['host']}{row['path']}?{row['query']} Shop/4.2.1".lower(),
        "since": lambda row: row["start"] >= float(wanted["since"]),
        "until": lambda row: row["start"] < float(wanted["until"]),
        "task": lambda row: row["task"] == int(wanted["task"]),
        "process": lambda row: row["process"] == wanted["process"],
        "connection": lambda row: row["connection"] == int(wanted["connection"]),
    }
    chosen = [test for name, test in tests.items() if name in wanted]
    return lambda row: all(test(row) for test in chosen)


class Mock:
    def __init__(self, count, hostile):
        self.data = Exchanges(count, hostile)
        self.lock = threading.RLock()
        self.views = {}
        self.paused = False
        self.live = True
        self.file = "logs/shop.db"
        self.compares = True
        self.gone = False
        self.log = []
        self.listeners = []
        self.events = []
        self.event = int(time.time() * 1000) * 1000

    def overview(self):
        rows = self.data.rows
        return dict(name="shop.db", file=self.file, live=self.live, paused=self.paused, can=dict(pause=True, clear=True, compare=self.compares),
                    exchanges=len(rows), running=sum(row["state"] == "running" for row in list(rows.values())[-500:]),
                    firstSeen=self.data.begin, lastSeen=self.data.clock, losses=[dict(reason="bufferFull", count=0)],
                    version="0.1.0", generation=self.data.generation)

    def tell(self, name, data):
        with self.lock:
            self.event += 1
            text = f"id: {self.event}\nevent: {name}\ndata: {json.dumps(data)}\n\n".encode()
            self.events = (self.events + [(self.event, text)])[-500:]
            for listener in self.listeners:
                listener.put(text)

    def exchanges(self, query):
        limit = min(500, int(query.get("limit", ["100"])[0]))
        if "cursor" in query:
            view, _, offset = query["cursor"][0].partition(":")
            if view not in self.views:
                return 410, dict(error=dict(code="expired", message="the view is gone; ask again without 'cursor'"))
            offset = int(offset)
        else:
            fits = matcher({k: v for k, v in query.items() if k not in ("limit", "sort", "id")})
            rows = [row for row in self.data.rows.values() if fits(row)]
            sort = query.get("sort", ["-start"])[0]
            key = sort.lstrip("-")
            member = {"start": "id"}.get(key, key)
            rows.sort(key=lambda row: (row[member] is not None, row[member] or 0) if not isinstance(row[member], str)
                      else (True, row[member]), reverse=sort.startswith("-"))
            view, offset = f"{len(self.log)}v{self.event}{time.monotonic_ns() % 99991}", 0
            self.views[view] = [row["id"] for row in rows]
            for old in list(self.views)[:-8]:
                del self.views[old]
        ids = self.views[view]
        page = [self.data.rows[number] for number in ids[offset:offset + limit] if number in self.data.rows]
        after = offset + limit
        placed = {"index": ids.index(int(query["id"][0])) if int(query["id"][0]) in ids else None} if "id" in query else {}
        return 200, dict(placed, exchanges=page, total=len(ids), offset=offset, view=view, examined=len(self.data.rows),
                         cursor=f"{view}:{after}" if after < len(ids) else None, truncated=False)

    def chosen(self, query):
        fits = matcher({k: v for k, v in query.items() if k != "slots"})
        return [row for row in self.data.rows.values() if fits(row)]

    def apis(self, query):
        rows = self.chosen(query)
        if not rows:
            return dict(apis=[], totals=dict(captured=None))
        begin = min(row["start"] for row in rows)
        slot = (max(row["start"] for row in rows) - begin) / 24 + 0.001
        groups = {}
        for row in rows:
            groups.setdefault((row["method"], row["host"], row["template"]), []).append(row)
        apis = []
        for (method, host, template), members in groups.items():
            parts = {}
            for side, name in enumerate(("up", "down")):
                sizes = [self.data.size[row["id"]][side] for row in members]
                parts[name] = {part: sum(size[part] for size in sizes if size) for part in PARTS}
            times = sorted(row["duration"] for row in members if row["duration"] is not None) or [None]
            spark = [0] * 24
            for row in members:
                spark[int((row["start"] - begin) / slot)] += 1
            apis.append(dict(
                method=method, host=host, template=template, requests=len(members),
                responses=sum(row["status"] is not None for row in members),
                unanswered=sum(row["status"] is None for row in members),
                failures=sum(row["state"] not in ("running", "completed") or (row["status"] or 0) >= 400 for row in members),
                up=sum(row["up"] for row in members), down=sum(row["down"] or 0 for row in members), parts=parts,
                captured=0.957, p50=times[len(times) // 2], p95=times[int(len(times) * .95)],
                firstSeen=members[0]["start"], lastSeen=members[-1]["start"], spark=spark))
        apis.sort(key=lambda api: -(api["up"] + api["down"]))
        return dict(apis=apis, totals=dict(captured=0.957))

    def timeline(self, query):
        rows = self.chosen(query)
        count = int(query.get("slots", ["120"])[0])
        if not rows:
            return dict([("from", self.data.begin), ("slot", 1000), ("requests", []), ("failures", []), ("up", []), ("down", [])])
        begin = float(query["since"][0]) if "since" in query else min(row["start"] for row in rows)
        end = float(query["until"][0]) if "until" in query else max(row["start"] for row in rows)
        slot = max(1000, -(-(end - begin + 1) // count // 1000) * 1000)
        begin = begin // 1000 * 1000
        count = int((end - begin) // slot) + 1
        slots = {name: [0] * count for name in ("requests", "failures", "up", "down")}
        for row in rows:
            at = int((row["start"] - begin) // slot)
            if 0 <= at < count:
                slots["requests"][at] += 1
                slots["failures"][at] += row["state"] not in ("running", "completed") or (row["status"] or 0) >= 400
                slots["up"][at] += row["up"]
                slots["down"][at] += row["down"] or 0
        return {"from": begin, "slot": slot, **slots}

    def compare(self):
        apis = []
        for number, api in enumerate(self.apis({})["apis"]):
            factor = [1, 0.62, 1.3, 1.01][number % 4]
            if self.compares == "same":
                factor = 1
            total = lambda share: dict(requests=api["requests"], responses=api["responses"], failures=api["failures"],
                                       up=int(api["up"] * share), down=int(api["down"] * share),
                                       latency=dict(p50=api["p50"] * share, p95=api["p95"] * share))
            before, after = total(1), total(factor)
            if number == 4 and self.compares != "same":
                before = None
            if number == 6 and self.compares != "same":
                after = None
            change = sum((after or {}).get(k, 0) - (before or {}).get(k, 0) for k in ("up", "down"))
            apis.append(dict(method=api["method"], host=api["host"], template=api["template"], change=change,
                             latency=dict(finding=["tooFew", "faster", "slower", "noise"][number % 4] if self.compares != "same" else "noise",
                                          ratio=factor if before and after else None), before=before, after=after))
        apis.sort(key=lambda api: -abs(api["change"]))
        side = lambda name: dict(up=sum((api[name] or {}).get("up", 0) for api in apis),
                                 down=sum((api[name] or {}).get("down", 0) for api in apis))
        return dict(apis=apis, totals=dict(before=side("before"), after=side("after")))

    def connections(self, query):
        count = min(60, len(self.data.rows) // 5)
        dice = random.Random(3)
        items = []
        for number in range(1, count + 1):
            opened = self.data.begin + number * 900 + dice.random() * 500
            closed = None if number % 9 == 0 else opened + dice.lognormvariate(9.4, 0.8)
            carried = [row for row in self.data.rows.values() if row["connection"] == number]
            flow = lambda up, down: dict(up=up, down=down)
            messages = flow(sum(row["up"] or 0 for row in carried), sum(row["down"] or 0 for row in carried))
            tls, frames = flow(dice.randrange(700, 1_500), dice.randrange(3_000, 6_000)), flow(64, 91)
            # One whose ledger does not close, and one of which the kernel did not tell.
            rest = flow(0, 600) if number == 7 else flow(0, 0)
            known = number != 8
            total = lambda way: messages[way] + tls[way] + frames[way] + rest[way]
            items.append(dict(
                id=number, local=f"192.168.1.20:{50000 + number}", remote="203.0.113.7:443", process="shop", pid=4711,
                opened=opened, closed=closed, sent=total("up") if known else None, received=total("down") if known else None,
                retransmitted=1448 if number % 13 == 0 else 0, roundTrip=round(dice.uniform(8, 60), 2), protocol="h2",
                tls=dict(version="TLSv1.3", cipher="TLS_AES_256_GCM_SHA384"), exchanges=len(carried), messages=messages,
                overhead=flow(tls["up"] + frames["up"], tls["down"] + frames["down"]) if known else None,
                tlsOverhead=tls if known else None, http2Overhead=frames, unaccounted=rest if known else None,
                evidence="reported" if known else None, segments=flow(12, 20) if known else None,
                ipBytes=dict(flow(total("up") + 624, total("down") + 1_040), estimated=True) if known else None))
        items.reverse()
        return dict(connections=items, total=len(items), cursor=None)

    def test(self, name, body):
        """What a test can make happen."""
        data = self.data
        with self.lock:
            if name == "add":
                now = time.time() * 1000
                rows = [data.add(at=now, **body.get("members", {})) for _ in range(body.get("count", 1))]
                self.tell("rows", dict(rows=rows))
                self.tell("status", self.overview())
                return dict(ids=[row["id"] for row in rows])
            if name == "begin":
                row = data.add(running=True, at=time.time() * 1000, api=APIS[1])
                self.tell("rows", dict(rows=[row]))
                return dict(ids=[row["id"]])
            if name == "end":
                self.tell("rows", dict(rows=[data.end(body["id"])]))
                return {}
            if name == "expire":
                self.views.clear()
                return {}
            if name == "log":
                return dict(log=self.log)
            if name == "bodies":
                return data.bodies
            if name == "drop":
                for listener in self.listeners:
                    listener.put(None)
                return {}
        return None


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    mock: Mock

    def log_message(self, *_):
        pass

    def answer(self, status, body, kind="application/json", **fields):
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.send_header("Content-Security-Policy", POLICY)
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Cache-Control", "no-cache")
        for name, value in fields.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(data)

    def fail(self, status, code, message):
        self.answer(status, dict(error=dict(code=code, message=message)))

    def parse_request(self):
        """A server that is gone answers nobody, on old connections neither."""
        if not self.mock.gone:
            return super().parse_request()
        self.close_connection = True
        return False

    def do_GET(self):
        url = urlsplit(self.path)
        query = parse_qs(url.query)
        if not url.path.startswith("/api/v1/"):
            name = url.path.lstrip("/") or "index.html"
            file = WEB / name
            if "/" in name or file.suffix not in TYPES or not file.is_file():
                return self.fail(404, "notFound", "there is no such file")
            data = server_english() if name == "server-english.js" else file.read_bytes()
            return self.answer(200, data, TYPES[file.suffix])
        path = url.path[len("/api/v1/"):]
        self.mock.log.append(self.path)
        if path == "events":
            return self.stream()
        with self.mock.lock:
            return self.read(path, query)

    def read(self, path, query):
        mock = self.mock
        plain = dict(overview=mock.overview, audit=lambda: mock.data.audit())
        if mock.compares:
            plain["compare"] = mock.compare
        if path in plain:
            return self.answer(200, plain[path]())
        if path == "exchanges":
            status, page = mock.exchanges(query)
            return self.answer(status, page)
        if path in ("apis", "timeline", "connections"):
            return self.answer(200, getattr(mock, path)(query))
        if path == "export":
            fits = matcher({k: v for k, v in query.items() if k != "format"})
            rows = [json.dumps(row) for row in mock.data.rows.values() if fits(row)]
            return self.answer(200, "\n".join(rows).encode(), "application/octet-stream",
                               Content_Disposition=f'attachment; filename="traffic.{query["format"][0]}"')
        pieces = path.split("/")
        if pieces[0] == "exchanges" and pieces[1].isdigit() and int(pieces[1]) in mock.data.rows:
            number = int(pieces[1])
            if len(pieces) == 2:
                return self.answer(200, mock.data.detail(number))
            if pieces[2] == "har":
                return self.answer(200, dict(log=dict(version="1.2")), Content_Disposition="attachment")
            body = mock.data.special.get(number, {}).get("body")
            if pieces[2:] == ["bodies", "response"] and body:
                offset = int(query.get("offset", ["0"])[0])
                limit = min(1 << 20, int(query.get("limit", [str(1 << 20)])[0]))
                return self.answer(200, body[2][offset:offset + limit], "application/octet-stream",
                                   X_Size=str(len(body[2])), Content_Disposition="attachment")
        return self.fail(404, "notFound", "there is nothing under this address")

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers.get("Content-Length") or 0)) or b"{}")
        mock = self.mock
        if self.path.startswith("/test/"):
            answer = mock.test(self.path[6:], body)
            return self.fail(404, "notFound", "") if answer is None else self.answer(200, answer)
        if self.headers.get("X-Wireweight") != "1":
            return self.fail(403, "forbidden", "the header 'X-Wireweight' is missing")
        path = self.path[len("/api/v1/"):]
        mock.log.append(f"POST {path}")
        with mock.lock:
            if path in ("pause", "resume"):
                mock.paused = path == "pause"
            elif path == "clear" and body.get("confirm") is True:
                data = mock.data
                data.rows.clear()
                data.generation += 1
                mock.views.clear()
                mock.tell("reset", {})
            else:
                return self.fail(400, "badRequest", "'confirm' must be true")
            mock.tell("status", mock.overview())
            return self.answer(200, mock.overview())

    def stream(self):
        mock = self.mock
        mine = queue.Queue()
        with mock.lock:
            last = self.headers.get("Last-Event-ID")
            oldest = mock.events[0][0] if mock.events else mock.event + 1
            first = [f"event: status\ndata: {json.dumps(mock.overview())}\n\n".encode()]
            if last and last.isdigit() and oldest - 1 <= int(last) <= mock.event:
                first += [text for number, text in mock.events if number > int(last)]
            elif last:
                first.append(b"event: reset\ndata: {}\n\n")
            mock.listeners.append(mine)
        self.close_connection = True
        try:
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.send_header("Cache-Control", "no-store")
            self.end_headers()
            self.wfile.write(b"retry: 300\n\n" + b"".join(first))
            while True:
                try:
                    text = mine.get(timeout=5)
                except queue.Empty:
                    text = b": still here\n\n"
                if text is None:
                    return
                self.wfile.write(text)
                self.wfile.flush()
        except OSError:
            pass
        finally:
            with mock.lock:
                mock.listeners.remove(mine)


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def handle_error(self, request, client_address):
        """A browser that goes away in the middle is nothing to tell of."""


def serve(mock, port=0):
    """Starts a server in a thread of its own."""
    server = Server(("127.0.0.1", port), type("MockHandler", (Handler,), {"mock": mock}))
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    return server


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, default=8123)
    parser.add_argument("--exchanges", type=int, default=100_000)
    parser.add_argument("--hostile", action="store_true")
    parser.add_argument("--live", action="store_true")
    options = parser.parse_args()
    mock = Mock(options.exchanges, options.hostile)
    server = serve(mock, options.port)
    print(f"http://127.0.0.1:{server.server_port}/", flush=True)
    while True:
        time.sleep(0.4)
        if options.live:
            mock.test("add", dict(count=1))


if __name__ == "__main__":
    main()
