"""Stores whose traffic is the same in each run, and a real inspector over them.

usage: seeded.py [FILE]

Makes FILE (seeded.db unless it is named) if it does not exist, and shows it live: about two requests a second are added
until Ctrl-C.
"""

import atexit
import base64
import concurrent.futures
import contextlib
import gzip
import itertools
import json
import os
import pathlib
import shlex
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
import zlib
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Scripts/shared"))
import nginx  # noqa: E402
from processes import free_ports, serving  # noqa: E402
from traffic import Traffic  # noqa: E402

COMMAND = os.environ.get("WIREWEIGHT_COMMAND") or str(ROOT / ".build/debug/wireweight")
PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000002000000020802000000fdd49a730000001249444154789c63f8cfc0c0f01f8c81"
    "180017ec03fdd8fb4c5f0000000049454e44ae426082")


PARTS = b"\r\n".join([
    b"--limit", b'Content-Disposition: form-data; name="note"', b"", b"first line", b"second line", b"--limit",
    b'Content-Disposition: form-data; name="picture"; filename="lamp.png"', b"Content-Type: image/png", b"", PNG,
    b"--limit", b'Content-Disposition: form-data; name="blob"; filename="a/b.raw"', b"Content-Type: application/octet-stream", b"", bytes(range(32)),
    b"--limit--", b""])


def token(claims):
    """A JSON Web Token that nobody has signed."""
    def part(value):
        return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()
    return f"{part({'alg': 'HS256'})}.{part(claims)}.{'s' * 43}"


TOKEN = token({"sub": "ann", "name": "你", "iat": 1500000000, "exp": 1500003600})


def import_into(store, traffic, *options):
    """Adds the entries to a store, as a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        archive = pathlib.Path(folder) / "traffic.har"
        traffic.write(archive)
        subprocess.run([COMMAND, "import", archive, "--db", store, *options], check=True, stdout=subprocess.DEVNULL)


def body_table():
    """Bodies, one for each way to show one: type, content coding, bytes."""
    tree = {"name": "lamp", "price": 12.5, "id": 12345678901234567890, "tags": ["a", "b"], "stock": None,
            "open": True, "__proto__": {"polluted": True}, "deep": {"er": {"still": "here"}}, "many": list(range(250))}
    large = json.dumps([{"number": number, "text": "lorem ipsum " * 6} for number in range(30_000)]).encode()
    return {
        "json": ("application/json", "gzip", gzip.compress(json.dumps(tree).encode(), mtime=0)),
        "deflate": ("text/plain; charset=utf-8", "deflate", zlib.compress("grüße from deflate".encode())),
        "image": ("image/png", None, PNG),
        "binary": ("application/octet-stream", None, bytes(range(256)) * 40),
        "large": ("application/json", None, large),
        "unheard": ("text/plain", "x-unheard-of", b"\x0b\x02\x80abc"),
        "form": ("application/x-www-form-urlencoded", None, b"name=oil+lamp&note=%E4%BD%A0&empty="),
        "parts": ("multipart/form-data; boundary=limit", None, PARTS),
        "events": ("text/event-stream", None, b": hello\n\nevent: price\nid: 7\ndata: 12.5\n\ndata: plain\n\n"),
        "query": ("application/json", None, json.dumps({"query": "query Lamp {\n  price\n}", "variables": {"id": 7}}).encode()),
        "fields": ("application/grpc+proto", None, b"\0\0\0\0\7\x08\x96\x01\x12\2hi\1\0\0\0\1x"),
        "token": ("application/json", None, json.dumps({"access_token": TOKEN, "token_type": "Bearer"}).encode()),
        "html": ("text/html", None, b"<h1>Lamp</h1><script>parent.document.title = 'run'</script><img src=http://127.0.0.1:9/x>"),
        "part": ("application/json", None, b'{"name": "' + b"x" * 5_000_000 + b'"}'),
        "cut": ("text/plain", "gzip", gzip.compress(b"the beginning " * 4000, mtime=0)[:-30]),
    }


class Origin(ThreadingHTTPServer):
    """Answers as the path wants it: `/made/N?status=404`, `/bodies/NAME`, redirects from `/old/1`, and `/held/N`, which
    waits until `release` is set."""

    daemon_threads = True
    request_queue_size = 64

    def __init__(self):
        super().__init__(("127.0.0.1", 0), OriginHandler)
        self.release = threading.Event()
        self.bodies = body_table()
        threading.Thread(target=self.serve_forever, args=(0.05,), daemon=True).start()


class OriginHandler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, status, data=b"", **fields):
        self.send_response(status)
        for name, value in fields.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def do_GET(self):
        url = urllib.parse.urlsplit(self.path)
        query = dict(urllib.parse.parse_qsl(url.query))
        folder, _, name = url.path[1:].partition("/")
        if folder == "held":
            self.server.release.wait(60)
        if folder == "old":
            return self.answer(301 if name == "1" else 302, Location="/old/2" if name == "1" else "/users/1")
        if folder == "bodies":
            kind, coding, data = self.server.bodies[name]
            return self.answer(200, data, Content_Type=kind, ETag='"5d8c72a5edda8d6a"',
                               Set_Cookie="seen=123456789012; Path=/; HttpOnly; SameSite=Lax",
                               **({"Content_Encoding": coding} if coding else {}))
        if query.get("version") == "1.0":
            self.protocol_version = "HTTP/1.0"
        self.answer(int(query.get("status", 200)), b'{"made": true}', Content_Type="application/json")

    def do_POST(self):
        self.do_PUT()

    def do_PUT(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.answer(200, b'{"stored": true}', Content_Type="application/json")


def curl(origin, *paths, options="", program="curl"):
    """A line of the shell: one curl that requests the paths of the origin, one after the other."""
    urls = " ".join(f"-o /dev/null {shlex.quote(f'http://api.example.com{path}')}" for path in paths)
    return f"{program} -gsS --connect-to ::127.0.0.1:{origin.server_port} {options} {urls}"


class Stores:
    """The stores, each made when it is first asked for; copies are for tests that change them."""

    def __init__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="wireweight-seeded-"))
        atexit.register(shutil.rmtree, self.folder, True)
        self.copies = itertools.count(1)
        self.made = {}
        self.lock = threading.Lock()

    def start(self, name):
        """Makes a store while something else goes on; gives what waits for it."""
        with self.lock:
            if name not in self.made:
                file = self.folder / f"{name}.db"
                self.made[name] = concurrent.futures.Future()
                threading.Thread(target=self.make, args=(self.made[name], getattr(self, f"make_{name}"), file), daemon=True).start()
            return self.made[name]

    def make(self, future, maker, file):
        try:
            maker(file)
            future.set_result(file)
        except Exception as error:
            future.set_exception(error)

    def get(self, name):
        return self.start(name).result()

    def copy(self, name):
        """A copy of its own, in a folder of its own: `logs/shop.db`."""
        file = self.folder / f"copy{next(self.copies)}/logs/shop.db"
        file.parent.mkdir(parents=True)
        return pathlib.Path(shutil.copy(self.get(name), file))

    def make_seeded(self, file):
        """Two thousand exchanges within forty seconds."""
        import_into(file, Traffic())

    def make_before(self, file):
        """Traffic to compare with `after`: one of its APIs vanishes, others become lighter, heavier, faster or slower."""
        import_into(file, Traffic(800, factors={10: 0}))

    def make_after(self, file):
        import_into(file, Traffic(800, factors={0: 1.02, 1: 0.6, 2: 1.7, 7: 0.8, 12: 0}))

    def make_small(self, file):
        import_into(file, Traffic(40))

    def make_empty(self, file):
        import_into(file, Traffic(0))

    def make_hostile(self, file):
        traffic = Traffic(40)
        traffic.add_hostile()
        import_into(file, traffic, "--keep-bodies", "100000")

    def make_large(self, file):
        """A hundred thousand, from the generator of the benchmarks."""
        maker = pathlib.Path(COMMAND).with_name("WireweightBenchmarks")
        subprocess.run([maker, "make-store", file, "100000"], check=True, stderr=subprocess.DEVNULL)

    def make_metered(self, file):
        """Real requests: a body of each kind, redirects, one that was refused, and sixty connections with HTTP/2 over TLS."""
        origin = Origin()
        port, refused = free_ports(2)
        folder = self.folder / "nginx"
        folder.mkdir()
        words = nginx.prepare(
            folder, f"server {{ listen 127.0.0.1:{port} ssl http2; location / {{ return 200 'hello'; }} }}")
        server = subprocess.Popen(words)
        secrets = f"-H 'Authorization: Bearer {'x' * 41}' -b 'sid={'x' * 32}; theme=dark'"
        tls = f"curl -ksS --retry 50 --retry-connrefused --retry-delay 0 --http2 --connect-to ::127.0.0.1:{port}"
        try:
            script = "\n".join([
                f"{tls} " + " ".join(f"-o /dev/null 'https://h{host}.example/[1-5]'" for host in range(1, 61)),
                curl(origin, "/old/1", options="-L"),
                curl(origin, *(f"/bodies/{name}?tag=lamp" for name in origin.bodies), options=secrets),
                f"head -c 48000 /dev/zero >{folder}/avatar",
                # Over one connection.
                curl(origin, "/users/7/avatar", options=f"-T {folder}/avatar") + " --next" +
                curl(origin, "/made/2", program="", options=f"-H 'Authorization: Bearer {TOKEN}' -H 'Content-Type: application/json' -d '{{\"lamp\": \"你\"}}'"),
                curl(origin, "/made/1?version=1.0"),
                f"curl -s http://127.0.0.1:{refused}/refused || true",
            ])
            subprocess.run([COMMAND, "run", "--keep-bodies", "4000000", "--keep-secrets", "--db", file, "--", "sh", "-euc", script], check=True,
                           capture_output=True)
        finally:
            server.terminate()
            server.wait()
            origin.shutdown()
            origin.server_close()
        # What rarely happens: the kernel has counted more than anything explains, and its count is not known.
        with contextlib.closing(sqlite3.connect(file)) as database, database:
            database.execute("UPDATE connection SET received = received + 600 WHERE id = 64")
            database.execute("UPDATE connection SET sent = NULL, received = NULL WHERE id = 8")


class Live:
    """`wireweight run --inspect` over a copy of a store, with a shell that requests what it is given."""

    def __init__(self, stores, name):
        self.file = stores.copy(name)
        self.folder = self.file.parents[1]
        self.origin = Origin()
        self.port, = free_ports(1)
        self.paths = itertools.count(1)
        self.running = contextlib.ExitStack()
        os.mkfifo(self.folder / "orders")
        shutil.copy(shutil.which("curl"), self.folder / "worker")
        self.start()
        self.last = self.ask("overview")["exchanges"]

    def start(self):
        program = 'while IFS= read -r line; do eval "$line"; done <orders'
        _, self.base = self.running.enter_context(serving(
            COMMAND, "run", "--inspect", "--inspect-port", self.port, "--db", "logs/shop.db", "--", "sh", "-c", program,
            cwd=self.folder))
        self.orders = self.running.enter_context(open(self.folder / "orders", "w", buffering=1))

    def stop(self):
        """Ends the inspector; nothing answers at its address until it starts again."""
        self.origin.release.set()
        self.running.close()

    def close(self):
        self.stop()
        self.origin.shutdown()
        self.origin.server_close()

    def ask(self, path):
        with urllib.request.urlopen(f"{self.base}api/v1/{path}") as answer:
            return json.load(answer)

    def order(self, line, count=1, ended=True):
        """Runs a line of the shell; gives the rows of the exchanges it makes, when they have ended or at least begun."""
        print(line, file=self.orders)
        rows, deadline = [], time.monotonic() + 30
        while len(rows) < count:
            try:
                row = self.ask(f"exchanges/{self.last + 1}")["row"]
            except urllib.error.HTTPError:
                row = None
            if row and not (ended and row["state"] == "running"):
                rows.append(row)
                self.last += 1
            elif time.monotonic() > deadline:
                raise TimeoutError(f"no {count} exchanges of {line!r}")
            else:
                time.sleep(0.02)
        return rows

    def add(self, count=1, program="curl", **query):
        """Requests over one connection; gives their numbers."""
        words = f"?{urllib.parse.urlencode(query)}" if query else ""
        paths = [f"/made/{next(self.paths)}{words}" for _ in range(count)]
        return [row["id"] for row in self.order(curl(self.origin, *paths, program=program), count)]

    def begin(self):
        """A request that gets no response before `end`; gives its number."""
        self.origin.release.clear()
        return self.order(f"{curl(self.origin, f'/held/{next(self.paths)}')} &", ended=False)[0]["id"]

    def end(self):
        self.origin.release.set()

    def refuse(self):
        """A request whose connection is refused; gives its number."""
        return self.order(f"curl -s http://127.0.0.1:{free_ports(1)[0]}/refused")[0]["id"]


def main():
    file = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "seeded.db")
    if not file.exists():
        import_into(file, Traffic())
    origin = Origin()
    program = f"while sleep 0.5; do {curl(origin, '/made/$RANDOM', '/bodies/json')}; done".replace("'", '"')
    with serving(COMMAND, "run", "--inspect", "--db", file, "--", "bash", "-c", program) as (process, address):
        print(address, flush=True)
        with contextlib.suppress(KeyboardInterrupt):
            process.wait()


if __name__ == "__main__":
    main()
