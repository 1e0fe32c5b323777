"""Browsers whose TLS no hook reaches, by the keys that they write: `run --tls-keys`, against the server's log of every byte.

Each browser opens a page that asks for resources of all kinds, over HTTP/1.1 and over HTTP/2. Each exchange must be, part by
part, what the server logged; messages, TLS and nothing else must be what the kernel counted on each connection. Without the
option, the same connections are said to be unseen.

usage: browsers.py COMMAND FOLDER [NAME…]
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "hostile"))
import h2  # noqa: E402 pylint: disable=wrong-import-position
import hpack  # noqa: E402 pylint: disable=wrong-import-position
import wire  # noqa: E402 pylint: disable=wrong-import-position

COMMAND, FOLDER, NAMES = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3:]
PAGE = b"""<!doctype html><title>asked</title><script>
(async () => {
  const kinds = ["length", "chunked", "none", "large", "same"], asked = [];
  for (let i = 0; i < 30; i++) asked.push(fetch("/" + kinds[i % 5] + "?" + i).then(answer => answer.text()));
  await Promise.all(asked);
  for (let i = 0; i < 5; i++) await (await fetch("/post?" + i, {method: "POST", body: "p".repeat(4000 * i)})).text();
  await fetch("/head", {method: "HEAD"});
  document.title = "done";
  await fetch("/done");
})();
</script>"""


def body_of(path):
    return {"/page": PAGE, "/large": b"0123456789" * 30_000}.get(path, b"0123456789")


def answer(connection, message):
    connection.content(message)
    path = message.target.split("?")[0]
    if path == "/chunked":
        connection.head(message, "200 OK", "Transfer-Encoding: chunked", "Content-Type: text/plain", "Cache-Control: no-store")
        connection.chunks(message, b"a", b"b" * 300)
    elif path == "/none":
        connection.head(message, "204 No Content")
    elif path == "/same":
        connection.head(message, "200 OK", "Connection: close", "Content-Type: text/plain")
        connection.send(message, "body", b"until the end\n" * 50)
        return False
    else:
        connection.answer(message, "200 OK", "Content-Type: text/html", "Cache-Control: no-store", body=body_of(path))
    return True


def origin(connection):
    connection.tls(("http/1.1",))
    while (message := connection.request(content=False)) is not None:
        if not answer(connection, message):
            return


def streams(connection):
    """HTTP/2, where the newest stream is answered first."""
    connection.tls(("h2",))
    session = h2.Session(connection, (3, 100), (6, 1 << 20), decoder=hpack.Decoder())
    answered = set()
    while True:
        ready = [each for each in session.streams.values() if each.is_whole and each.number not in answered]
        if ready:
            stream = ready[-1]
            answered.add(stream.number)
            path = stream.message.target.split("?")[0]
            if path == "/none":
                session.head(stream, 204, end=True)
            elif stream.message.method == "HEAD":
                session.head(stream, 200, ("content-length", "5000"), end=True)
            else:
                session.head(stream, 200, ("content-type", "text/html"), ("cache-control", "no-store"))
                session.flow(stream, body_of(path), end=True)
        elif session.frame() is None:
            return


def chromium(profile, address):
    return [
        "/usr/bin/chromium", "--headless=new", "--no-sandbox", "--disable-quic", "--ignore-certificate-errors",
        "--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run",
        f"--user-data-dir={profile}", "--virtual-time-budget=20000", "--dump-dom", address]


# Firefox trusts what it does not know only when it is driven, by Marionette.
FIREFOX = """
import json, os, pathlib, socket, subprocess, sys, time
profile, address = pathlib.Path(sys.argv[1]), sys.argv[2]
profile.mkdir()
with socket.socket() as free:
    free.bind(("127.0.0.1", 0))
    port = free.getsockname()[1]
quiet = {"marionette.port": port, "network.captive-portal-service.enabled": False, "network.connectivity-service.enabled": False,
         "app.update.enabled": False, "services.settings.server": "http://127.0.0.1:9", "datareporting.policy.dataSubmissionEnabled": False}
(profile / "user.js").write_text("".join(f"user_pref({json.dumps(name)}, {json.dumps(value)});\\n" for name, value in quiet.items()))
browser = subprocess.Popen(["/usr/bin/firefox-esr", "--headless", "--marionette", "--no-remote", "--profile", str(profile)], stderr=subprocess.DEVNULL)
for _ in range(600):
    try:
        driver = socket.create_connection(("127.0.0.1", port), 1)
        break
    except OSError:
        time.sleep(0.1)
driver.settimeout(60)
stream, number = driver.makefile("rb"), 0
def read():
    size = b""
    while (byte := stream.read(1)) != b":":
        size += byte
    return json.loads(stream.read(int(size)))
def ask(name, values):
    global number
    number += 1
    message = json.dumps([0, number, name, values]).encode()
    driver.sendall(b"%d:%s" % (len(message), message))
    answer = read()
    assert not answer[2], answer
    return answer[3]
read()
ask("WebDriver:NewSession", {"acceptInsecureCerts": True})
try:
    ask("WebDriver:Navigate", {"url": address})
except AssertionError:
    browser.kill()
    raise
for _ in range(300):
    title = ask("WebDriver:GetTitle", {})["value"]
    if title == "done":
        break
    time.sleep(0.1)
time.sleep(0.5)
print(f"<title>{title}</title>")
try:
    ask("Marionette:Quit", {"flags": ["eForceQuit"]})
except Exception:
    pass
browser.wait(60)
"""


def firefox(profile, address):
    return ["/usr/bin/python3", "-c", FIREFOX, str(profile), address]


def rows(store, what):
    text = subprocess.check_output([COMMAND, what, str(store), "--format", "ndjson"], text=True)
    return [json.loads(line) for line in text.splitlines()]


class Failure(Exception):
    """What is not as it should be."""


def expect(condition, *words):
    if not condition:
        raise Failure(" ".join(map(str, words)))


class Judge:
    """One browser over one protocol."""

    def __init__(self, words, role, options, keys=None):
        self.exchanges = self.bytes = 0
        store, profile = FOLDER / "traffic.db", FOLDER / "profile"
        for file in FOLDER.glob("traffic.db*"):
            file.unlink()
        shutil.rmtree(profile, ignore_errors=True)
        server = wire.Server({role: origin if role == "http/1.1" else streams}, str(FOLDER / "certificate.pem"), str(FOLDER / "key.pem"))
        address = f"https://localhost:{server.address(role).split(':')[1]}/page"
        environment = {"PATH": os.environ["PATH"], "LC_ALL": "C", "HOME": str(FOLDER)}
        if keys:
            environment["SSLKEYLOGFILE"] = str(keys)
        ended = subprocess.run(
            [COMMAND, "run", "--db", str(store), *options, "--", *words(profile, address)], cwd=FOLDER, env=environment,
            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=180, check=False)
        server.stop()
        self.summary = ended.stderr
        expect("<title>done</title>" in ended.stdout, "the page is not done:", ended.stdout[-500:], ended.stderr[-2000:])
        ports = {each.port: each for each in server.connections if each.raw[0]}
        self.ledgers = [line for line in rows(store, "connections") if line["localPort"] in ports]
        numbers = {line["connection"] for line in self.ledgers}
        # A browser asks its maker's servers, too.
        self.rows = [row for row in rows(store, "exchanges") if row["connection"] in numbers]
        self.connections = ports

    def unseen(self):
        expect(not self.rows, "rows of what is not seen", self.rows[:2])
        for line in self.ledgers:
            expect(line["notSeen"] == "tls", line)

    def seen(self):
        for line in self.ledgers:
            self.connection(line, self.connections[line["localPort"]])
        expect(self.exchanges == sum(len(each.messages) for each in self.connections.values()), "exchanges", self.exchanges)

    def connection(self, line, connection):
        found = [row for row in self.rows if row["connection"] == line["connection"]]
        expect(len(found) == len(connection.messages), len(found), "rows for", connection, line)
        left = [(dict(one.up), dict(one.down), one.late) for one in connection.messages]
        for row in found:
            up, down = ({part: (row[name] or {}).get(part, 0) for part in wire.PARTS} for name in ("request", "response"))
            match = next(
                (one for one in left if one[1] == down and all(one[0][part] == up[part] for part in wire.PARTS if part != "framing")
                 and 0 <= one[0]["framing"] - up["framing"] <= one[2]), None)
            expect(match, "the origin has", left, "and the row", up, down, row["url"])
            left.remove(match)
            expect(row["url"].startswith("https://localhost:"), row["url"])
            self.exchanges += 1
            self.bytes += sum(up.values()) + sum(down.values())
        if not found:
            return
        expect(line["unaccounted"] == {"up": 0, "down": 0}, "unaccounted", line)
        expect(line["notSeen"] is None and line["tls"]["version"] == "TLSv1.3", line)
        for index, way in enumerate(("up", "down")):
            expect(line["payload"][way] == connection.raw[index], way, line["payload"], "is not", connection.raw)
            expect(line["tlsOverhead"][way] == connection.tls_overhead[index], way, line["tlsOverhead"], connection.tls_overhead)


def main():
    failed, exchanges = [], 0
    keys = FOLDER / "own keys"
    for name, words in (("chromium", chromium), ("firefox-esr", firefox)):
        if not shutil.which(name) or (NAMES and name not in NAMES):
            continue
        for role in ("http/1.1", "h2"):
            begin = time.monotonic()
            try:
                # Firefox calls a TLS library that the tap knows.
                is_known = words is firefox
                if is_known:
                    Judge(words, role, []).seen()
                judge = Judge(words, role, ["--tls-keys"])
                judge.seen()
                own = "; without the option as well" if is_known else ""
                if role == "h2":
                    keys.write_text("# the user's own\n")
                    Judge(words, role, ["--tls-keys"], keys).seen()
                    expect(re.search("^CLIENT_TRAFFIC_SECRET_0 ", keys.read_text(), re.M), "no keys in the user's own file")
                    own += "; by the user's own file as well"
                    if not is_known:
                        Judge(words, role, []).unseen()
                        own += "; without the option unseen"
            except Failure as failure:
                failed.append(f"{name} {role}")
                print(f"{name} {role}: FAILED: {failure}")
                continue
            exchanges += judge.exchanges
            print(f"{name} {role}: {judge.exchanges} exchanges on {len(judge.ledgers)} connections, {judge.bytes} bytes equal{own}, {time.monotonic() - begin:.1f} s")
    if failed or not exchanges:
        sys.exit("failed: " + ", ".join(failed))


main()
