"""The traffic of a made-up program, the same in each run, as an HTTP archive."""

import base64
import datetime
import itertools
import json
import math
import random
import urllib.parse

COUNT = 2000
# When the traffic began; a live test adds to it months later.
BEGIN = datetime.datetime(2025, 6, 2, 12, tzinfo=datetime.timezone.utc)
SCRIPT = "<img src=x onerror=\"window.pwned=1;alert(1)\"><script>window.pwned=1;alert(1)</script>"

# Method, host, path, type, typical body down, body up, typical milliseconds, weight.
APIS = [
    ("GET", "api.example.com", "/feed", "application/json", 18_000, 0, 90, 14),
    ("GET", "api.example.com", "/users/{id}", "application/json", 1_400, 0, 35, 18),
    ("GET", "api.example.com", "/users/{id}/posts", "application/json", 7_200, 0, 60, 9),
    ("POST", "api.example.com", "/events", "application/json", 20, 900, 25, 12),
    ("PUT", "api.example.com", "/users/{id}/avatar", "application/json", 90, 48_000, 180, 1),
    ("DELETE", "api.example.com", "/sessions/{id}", "", 0, 0, 30, 1),
    ("GET", "api.example.com", "/search", "application/json", 5_600, 0, 140, 5),
    ("GET", "cdn.example.net", "/images/{hash}.webp", "image/webp", 62_000, 0, 70, 9),
    ("GET", "cdn.example.net", "/fonts/inter-var.woff2", "font/woff2", 31_000, 0, 40, 1),
    ("GET", "cdn.example.net", "/app/4.2.1/main.js", "text/javascript", 84_000, 0, 120, 1),
    ("GET", "tiles.example.org", "/12/{x}/{y}.png", "image/png", 14_000, 0, 45, 8),
    ("POST", "telemetry.example.io", "/v1/batch", "application/json", 16, 3_400, 55, 6),
    ("GET", "auth.example.com", "/token", "application/json", 800, 0, 210, 2),
    ("GET", "legacy.example.com", "/old/{id}", "text/html", 300, 0, 95, 2),
]


class Traffic:
    """The entries of an HTTP archive, by a generator with a seed."""

    def __init__(self, count=COUNT, factors={}):
        """`factors` make sizes and times larger, by the number of an API; 0 leaves its requests out of the count."""
        self.dice = random.Random(11)
        self.factors = factors
        self.clock = 0.0
        self.entries = []
        # Of each host, its open connection and how many exchanges that still carries.
        self.open = {}
        self.connections = itertools.count(1)
        for number in range(1, count + 1):
            self.add(number)

    @staticmethod
    def rate(number):
        """Exchanges in a millisecond: traffic comes in waves, and bursts."""
        wave = 1 + 0.75 * math.sin(number / 900) + 0.5 * math.sin(number / 217)
        return max(0.15, wave) * (6 if number % 4100 < 260 else 1) / 36.0

    def add(self, number):
        dice = self.dice
        at = dice.choices(range(len(APIS)), [api[7] for api in APIS])[0]
        factor = self.factors.get(at, 1)
        method, host, path, kind, down, up, usual, _ = APIS[at]
        thing = dice.randrange(1, 5000)
        path = (path.replace("{id}", str(thing)).replace("{hash}", f"{thing * 2654435761 % 2**32:08x}")
                .replace("{x}", str(thing % 4096)).replace("{y}", str(thing % 2048)))
        query = f"?page={number % 9}&q=lamp" if path in ("/search", "/feed") else ""
        self.clock += dice.expovariate(self.rate(number))
        duration = usual * dice.lognormvariate(0, 0.5) * factor
        chance, sizes = dice.random(), [dice.uniform(0.6, 1.4), dice.lognormvariate(0, 0.35)]
        connection, left = self.open.get(host, (0, 0))
        new = left == 0
        if new:
            connection, left = next(self.connections), dice.randrange(5, 60)
        self.open[host] = connection, left - 1
        if factor == 0:
            return
        status, outcome, error = 200, "completed", ""
        if host.startswith("legacy"):
            status = 301
        elif method == "DELETE":
            status = 204
        elif chance < 0.025:
            status = [400, 401, 403, 404, 404, 429][int(chance * 240)]
        elif chance < 0.035:
            status = [500, 502, 503][int(chance * 1000) % 3]
        elif chance < 0.042:
            status, outcome, error = 0, "failed", "Could not connect to server"
        elif chance < 0.046:
            status, outcome, error = 0, "timedOut", "Timeout was reached"
        elif chance < 0.05:
            status, outcome = 0, "cancelled"
        share = lambda part: round(duration * part, 3)
        timings = dict(blocked=share(.05), dns=share(.02) if new else -1, connect=share(.13) if new else -1,
                       ssl=share(.08) if new else -1, send=share(.01), wait=share(.6) if status else -1,
                       receive=share(.19 if new else .34) if status else -1)
        request = [("Host", host), ("Accept", "application/json"), ("Accept-Encoding", "gzip, deflate, br"),
                   ("Authorization", f"Bearer {'x' * 41}"), ("Cookie", f"sid={'x' * 32}; theme=dark"),
                   ("User-Agent", "Shop/4.2.1 (iPhone; iOS 18.2)")]
        body = int(down * sizes[1] * factor) if status == 200 else 0 if status == 204 else 140
        response = [("Content-Type", kind)] if kind else []
        response += [("Cache-Control", "max-age=60"), ("ETag", '"5d8c72a5edda8d6a"')]
        if path == "/token":
            response.append(("Set-Cookie", "seen=123456789012; Path=/; HttpOnly; SameSite=Lax"))
        if status == 301:
            response.append(("Location", f"https://{host}{path}/"))
        url = f"https://{host}{path}{query}"
        self.enter(
            method, url, status, request, response, timings, duration, outcome=outcome, error=error, new=new,
            connection=connection if status else None, up=int(up * sizes[0] * factor), down=body,
            interim=25 if up > 10_000 else 0, framing=28 if kind == "application/json" and body else 0)

    def enter(self, method, url, status, request, response, timings, duration, outcome="completed", error="", new=True,
              connection=None, up=0, down=0, interim=0, framing=0, process="shop", text=None):
        section = lambda fields: sum(len(f"{name}: {value}\r\n".encode()) for name, value in fields) + 2
        cookies = lambda fields, wanted: section([field for field in fields if field[0] == wanted]) - 2
        path = urllib.parse.urlsplit(url)
        own = dict(
            process=process, pid=4711, outcome=outcome, errorCode=7 if outcome == "failed" else 0, errorDomain="libcurl",
            reused=not new,
            request=dict(startLine=len(f"{method} {url.split(path.netloc, 1)[1]} HTTP/1.1\r\n"), fields=section(request),
                         cookies=cookies(request, "Cookie"), interim=0, body=up, framing=0))
        if status:
            own["response"] = dict(startLine=17, fields=section(response), cookies=cookies(response, "Set-Cookie"),
                                   interim=interim, body=down, framing=framing)
        pairs = lambda fields: [dict(name=name, value=value) for name, value in fields]
        content = dict(size=down if status else -1, mimeType="x-unknown")
        if text is not None:
            content.update(text=base64.b64encode(text).decode(), encoding="base64")
        moment = BEGIN + datetime.timedelta(milliseconds=self.clock)
        entry = dict(
            startedDateTime=moment.isoformat(timespec="microseconds").replace("+00:00", "Z"), time=round(duration, 3),
            request=dict(method=method, url=url, httpVersion="HTTP/1.1", headers=pairs(request), headersSize=-1, bodySize=up),
            response=dict(status=status, statusText="OK" if status == 200 else "", httpVersion="HTTP/1.1",
                          headers=pairs(response), headersSize=-1, bodySize=down, content=content, _error=error,
                          redirectURL=next((value for name, value in response if name == "Location"), "")),
            timings=timings, serverIPAddress="203.0.113.7", _wireweight=own)
        if connection:
            entry["connection"] = f"c{connection}"
        self.entries.append(entry)

    def add_hostile(self):
        """Exchanges whose every text is a script, and whose bodies lie about their type."""
        script = SCRIPT
        for name, kind, data in [
                ("html", "text/html", script.encode()),
                ("svg", "image/svg+xml", f"<svg xmlns='http://www.w3.org/2000/svg' onload='window.pwned=1'>{script}</svg>".encode()),
                ("fake-png", "image/png", script.encode()),
                ("keys", "application/json", json.dumps(
                    {script: script, "__proto__": {"pwned": 1}, "constructor": {"prototype": {"pwned": 1}},
                     "toString": script}).encode()),
                ("script", "text/javascript", b"window.pwned = 1; alert(1)")]:
            self.clock += 5
            fields = [("Content-Type", kind), ("X-Evil", script), ("Set-Cookie", f"{script}={script}; Path={script}")]
            self.enter(
                "GET", f"https://evil.example/hostile/{name}/{script}?q={script}&javascript:alert(1)", 200,
                [("Host", "evil.example"), ("X-Evil", script)], fields, dict(send=1, wait=10, receive=1), 12,
                down=len(data), process=script, text=data)
        self.enter("GET", "https://evil.example/lost", 0, [("Host", "evil.example"), ("X-Evil", script)], [], dict(send=1), 12, outcome="failed",
                   error=script, process=script)

    def write(self, file):
        creator = dict(name="seeded.py", version="1")
        log = dict(version="1.2", creator=creator, entries=self.entries)
        file.write_text(json.dumps(dict(log=log), separators=(",", ":")))
