"""What HTTP leads to: WebSockets, tunnels for other protocols, redirects to FTP, connections on which a program speaks itself.

Each case runs metered against a server that logs every byte. The requests and responses that were metered must be what the
server saw of HTTP, to the byte; what the kernel counted must be what passed; and the rest of it must bear its name in the
ledger.

usage: protocols.py COMMAND FOLDER        with FOLDER/venv/bin/python, where there is one, for pycurl's wheel
"""

import base64
import functools
import hashlib
import json
import pathlib
import re
import socket
import ssl
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "shared"))

from acceptor import Acceptor  # noqa: E402 pylint: disable=wrong-import-position

HEAD_END = b"\r\n\r\n"


class Failure(Exception):
    """What is not as it should be."""


def expect(condition, *words):
    if not condition:
        raise Failure(" ".join(map(str, words)))


class Connection:
    """One connection as the server sees it: what is sent and received as HTTP, and what beside."""

    def __init__(self, client, fill):
        self.client, self.fill, self.pending = client, fill, b""
        self.http_up = self.http_down = self.other_up = self.other_down = 0

    def head(self):
        while HEAD_END not in self.pending:
            piece = self.client.recv(65536)
            if not piece:
                return None
            self.pending += piece
        head, self.pending = self.pending.split(HEAD_END, 1)
        self.http_up += len(head) + 4
        return head.decode("latin-1")

    def answer(self, head, body=b"", other=b""):
        data = self.fill(head).replace("\n", "\r\n").encode() + HEAD_END + body
        self.http_down += len(data)
        self.other_down += len(other)
        self.client.sendall(data + other)

    def say(self, data):
        self.other_down += len(data)
        self.client.sendall(data)

    def hear(self, count=1):
        """At least that number of bytes beside HTTP; fewer at the end."""
        while len(self.pending) < count:
            piece = self.client.recv(65536)
            if not piece:
                break
            self.pending += piece
        heard, self.pending = self.pending, b""
        self.other_up += len(heard)
        return heard

    def hear_all(self):
        while self.hear():
            pass


class Server:
    """Serves each connection by the script, and keeps what it saw."""

    def __init__(self, script, fill):
        self.connections, self.fill, self.script = [], fill, script
        listener = socket.create_server(("127.0.0.1", 0))
        self.port = listener.getsockname()[1]
        self.acceptor = Acceptor(listener, self.take)

    def take(self, client, _peer):
        client.settimeout(20)
        connection = Connection(client, self.fill)
        self.connections.append(connection)
        return functools.partial(self.serve, connection)

    def serve(self, connection):
        with connection.client:
            try:
                self.script(connection)
            except OSError:
                pass

    def stop(self):
        self.acceptor.end(20)


def frame(opcode, payload):
    """A frame of WebSocket from a server (RFC 6455, section 5.2)."""
    if len(payload) < 126:
        return bytes([0x80 | opcode, len(payload)]) + payload
    return bytes([0x80 | opcode, 126]) + len(payload).to_bytes(2, "big") + payload


def switch(connection, other=b""):
    head = connection.head()
    key = re.search(r"(?i)sec-websocket-key: *(\S+)", head)
    digest = hashlib.sha1((key[1] if key else "").encode() + b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11").digest()
    connection.answer(
        "HTTP/1.1 101 Switching Protocols\nUpgrade: websocket\nConnection: Upgrade\nSec-WebSocket-Accept: "
        + base64.b64encode(digest).decode(), other=other)


def chatter(connection):
    """Sends frames together with the 101, and more; then closes with a frame."""
    switch(connection, other=frame(1, b"hello"))
    connection.say(frame(2, b"x" * 300) + frame(9, b"ping") + frame(8, b"\x03\xe8"))
    connection.hear_all()


def echo(connection):
    switch(connection)
    connection.hear(6 + 5)
    connection.say(frame(1, b"hello"))
    connection.hear_all()


def ftp_proxy(connection):
    connection.head()
    connection.answer("HTTP/1.1 200 OK\nContent-Length: 5", b"hello")
    connection.hear_all()


def imap_proxy(connection):
    connection.head()
    connection.answer("HTTP/1.1 200 Connection established")
    connection.say(b"* OK IMAP4rev1 here\r\n")
    while line := connection.hear():
        tag = line.split(b" ", 1)[0]
        connection.say(b"* CAPABILITY IMAP4rev1\r\n" + tag + b" OK done\r\n")


def greeter(connection):
    connection.say(b"".join(b"220-%03d %s\r\n" % (i, b"x" * 90) for i in range(10)) + b"220 hi\r\n")
    while line := connection.hear():
        connection.say(b"530 no\r\n" if line.startswith(b"PASS") else b"331 go on\r\n" if line.startswith(b"USER") else b"500 what\r\n")


def echo_bytes(connection):
    while heard := connection.hear():
        connection.say(heard * 2)


def resolver(connection):
    """Resolves any name to this machine, over HTTPS (RFC 8484)."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(connection.fill("{folder}/certificate.pem"), connection.fill("{folder}/key.pem"))
    connection.client = context.wrap_socket(connection.client, server_side=True)
    while head := connection.head():
        length = int(re.search(r"(?i)content-length: *(\d+)", head)[1])
        while len(connection.pending) < length:
            connection.pending += connection.client.recv(65536)
        query, connection.pending = connection.pending[:length], connection.pending[length:]
        connection.http_up += length
        is_address = query[-4:-2] == b"\0\1"
        answer = query[:2] + b"\x81\x80\0\1" + (b"\0\1" if is_address else b"\0\0") + b"\0\0\0\0" + query[12:]
        if is_address:
            answer += b"\xc0\x0c\0\1\0\1\0\0\0\x3c\0\4\x7f\0\0\1"
        connection.answer(f"HTTP/1.1 200 OK\nContent-Type: application/dns-message\nContent-Length: {len(answer)}", answer)


PRELUDE = "import pycurl, sys, time\nc = pycurl.Curl()\nc.setopt(c.URL, '{url}')\n"

CASES = {
    # name: (servers, words, [(method, scheme, status)])
    "a WebSocket through a callback": (
        [chatter], "ws", PRELUDE + "c.setopt(c.WRITEFUNCTION, lambda b: None)\ntry: c.perform()\nexcept pycurl.error: pass",
        [("GET", "ws", 101)]),
    "a WebSocket that the program drives": (
        [echo], "ws", PRELUDE + "c.setopt(c.CONNECT_ONLY, 2)\nc.perform()\nc.ws_send(b'hello', pycurl.WS_TEXT)\n"
        "for _ in range(500):\n  try:\n    c.ws_recv(100); break\n  except BlockingIOError: time.sleep(0.01)\n"
        "  except pycurl.error as e:\n    if e.args[0] != 81: raise\n    time.sleep(0.01)\nc.close()", [("GET", "ws", 101)]),
    "a WebSocket by curl's own fields": (
        [chatter], "http", ["curl", "-sN", "-o", "/dev/null", "-m", "3", "-H", "Connection: Upgrade", "-H", "Upgrade: websocket",
                            "-H", "Sec-WebSocket-Version: 13", "-H", "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==", "{url}"],
        [("GET", "http", 101)]),
    "FTP by a proxy of HTTP": (
        [ftp_proxy], "http", ["curl", "-s", "-x", "http://127.0.0.1:{port}", "ftp://f.test/f"], [("GET", "ftp", 200)]),
    "IMAP in a tunnel": (
        [imap_proxy], "http", ["curl", "-s", "-p", "-x", "http://127.0.0.1:{port}", "imap://f.test/"], [("CONNECT", "imap", 200)]),
    "a redirect to FTP": (
        [lambda c: (c.head(), c.answer("HTTP/1.1 302 Found\nContent-Length: 0\nLocation: ftp://127.0.0.1:{port1}/f"), c.hear_all()),
         greeter], "http", ["curl", "-sL", "{url}"], [("GET", "http", 302)]),
    "a connection of the program's own": (
        [echo_bytes], "http", PRELUDE + "c.setopt(c.CONNECT_ONLY, 1)\nc.perform()\nc.send(b'hello')\ntime.sleep(0.2)\nc.recv(100)\nc.close()",
        []),
    "names over HTTPS": (
        [ftp_proxy, resolver], "http",
        ["curl", "-s", "--doh-insecure", "--doh-url", "https://127.0.0.1:{port1}/dns-query", "http://doh.test:{port}/a"],
        [("POST", "https", 200), ("POST", "https", 200), ("GET", "http", 200)]),
    "names over HTTPS, by pycurl": (
        [ftp_proxy, resolver], "http",
        PRELUDE.replace("{url}", "http://doh.test:{port}/a") + "c.setopt(c.DOH_URL, 'https://127.0.0.1:{port1}/dns-query')\n"
        "c.setopt(306, 0)\nc.setopt(307, 0)\nc.perform()",
        [("POST", "https", 200), ("POST", "https", 200), ("GET", "http", 200)]),
}


def run(command, folder, name):
    scripts, scheme, words, exchanges = CASES[name]
    python = folder / "venv" / "bin" / "python"
    if isinstance(words, str) and not python.exists():
        return "left out, without pycurl's wheel"
    servers = []

    def fill(text):
        for index, server in enumerate(servers):
            text = text.replace("{port%d}" % index, str(server.port))
        return text.replace("{folder}", str(folder)).replace("{port}", str(servers[0].port)).replace("{url}", f"{scheme}://127.0.0.1:{servers[0].port}/a")

    for script in scripts:
        servers.append(Server(script, fill))
    store = folder / "protocols.db"
    for file in folder.glob("protocols.db*"):
        file.unlink()
    words = [str(python), "-c", fill(words)] if isinstance(words, str) else [fill(word) for word in words]
    try:
        ended = subprocess.run(
            [command, "run", "--db", str(store), "--", *words], stdin=subprocess.DEVNULL, capture_output=True, text=True,
            timeout=60, check=False)
    finally:
        for server in servers:
            server.stop()

    def lines(what):
        output = subprocess.run([command, what, str(store), "--format", "ndjson"], capture_output=True, text=True, check=False).stdout
        return [json.loads(line) for line in output.splitlines()]

    rows, ledgers = lines("exchanges"), lines("connections")
    said = [(row["method"], row["url"].split(":")[0], (row["response"] or {}).get("status")) for row in rows]
    try:
        expect(sorted(said) == sorted(exchanges), said, "and not", exchanges)
        for way, part in (("up", "request"), ("down", "response")):
            seen = sum(getattr(one, f"http_{way}") for server in servers for one in server.connections)
            metered = sum(row[part]["total"] for row in rows)
            expect(metered == seen, f"{metered} of HTTP {way}, and not {seen}")
        expect(all(row["outcome"] == "completed" for row in rows), [row["outcome"] for row in rows])
        for way in ("up", "down"):
            # A server that spoke nothing of HTTP is none of its connections, unless the program asked for HTTP.
            seen = sum(
                getattr(one, f"other_{way}") for server in servers for one in server.connections if one.http_up or not exchanges)
            # Of a connection whose count the kernel did not give there is no ledger.
            counted = [ledger for ledger in ledgers if ledger["unaccounted"] is not None]
            names = ("upgraded", "websocketOverhead", "websocketPayload")
            named = sum(ledger[name][way] for ledger in counted for name in names)
            expect(named == seen, f"{named} {way} beside HTTP, and not {seen}")
            expect(all(ledger["unaccounted"][way] == 0 for ledger in counted), "a ledger does not close")
    except Failure:
        print(ended.stdout, ended.stderr, rows, ledgers, sep="\n")
        raise
    return "as the server saw it"


def main(command, folder):
    failed = 0
    for name in CASES:
        try:
            print(f"{name}: {run(command, pathlib.Path(folder), name)}", flush=True)
        except Failure as failure:
            print(f"{name}: {failure}", flush=True)
            failed += 1
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
