"""Meters unmodified servers, and holds what was metered against what their clients logged, byte for byte.

Each server runs alone and then metered, and must answer the same. Over HTTP/1 the client is one of our own, which parses
what it sends and receives by itself. Over HTTP/2 it is curl, metered by another tap. Each served exchange must be, part by
part, what the client logged; messages, TLS and nothing else must be what the kernel counted on each connection, and equal
to what the client's kernel counted.

usage: servers.py COMMAND FOLDER [NAME…]
"""

import json
import os
import pathlib
import re
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "shared"))
from processes import free_ports  # noqa: E402 pylint: disable=wrong-import-position

PARTS = ("startLine", "fields", "interim", "body", "framing")

LATE = {9 * data + 13 * other for data in range(2) for other in range(4)}


class Failure(Exception):
    """What is not as it should be."""


def expect(condition, *words):
    if not condition:
        raise Failure(" ".join(map(str, words)))


# MARK: the client

class Wire:
    """A connection that counts its bytes, and the plaintext of its TLS."""

    def __init__(self, port, certificate):
        self.sock = socket.create_connection(("127.0.0.1", port), timeout=30)
        self.port = self.sock.getsockname()[1]
        self.raw = [0, 0]
        self.tls = None
        if certificate:
            self.incoming, self.outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
            context = ssl.create_default_context(cafile=certificate)
            self.tls = context.wrap_bio(self.incoming, self.outgoing, server_hostname="localhost")
            self.until(self.tls.do_handshake)

    def take(self):
        try:
            data = self.sock.recv(65_536)
        except ConnectionResetError:
            data = b""
        self.raw[1] += len(data)
        return data

    def flush(self):
        data = self.outgoing.read()
        self.raw[0] += len(data)
        self.sock.sendall(data)

    def until(self, step):
        while True:
            try:
                result = step()
                self.flush()
                return result
            except ssl.SSLWantReadError:
                self.flush()
                data = self.take()
                self.incoming.write(data) if data else self.incoming.write_eof()
            except (ssl.SSLEOFError, ssl.SSLZeroReturnError):
                return b""

    def send(self, data):
        if self.tls:
            self.tls.write(data)
            self.flush()
        else:
            self.raw[0] += len(data)
            self.sock.sendall(data)

    def receive(self):
        return self.until(lambda: self.tls.read(65_536)) if self.tls else self.take()

    def close(self):
        """Ends its side, and waits until the server has closed."""
        try:
            if self.tls:
                try:
                    self.tls.unwrap()
                except ssl.SSLError:
                    pass
                self.flush()
            self.sock.shutdown(socket.SHUT_WR)
            while self.take():
                pass
        except OSError:
            pass
        self.sock.close()


class Message:
    """What a message weighs, by part, and what it says."""

    def __init__(self, parts, text, body, trailers=b""):
        self.parts, self.text, self.body, self.trailers = parts, text, body, trailers

    @property
    def course(self):
        """What must be as it was without the meter."""
        lines = [line for line in self.text.split("\r\n") if not re.match(r"(?i)(date|etag|last-modified|x-pid):", line)]
        return [*lines, len(self.body), hash(self.body), self.trailers]


class Reader:
    """Reads messages off a wire, one after the other."""

    def __init__(self, wire):
        self.wire, self.bytes = wire, b""

    def line(self):
        while b"\n" not in self.bytes:
            more = self.wire.receive()
            expect(more, "the connection has ended in a line:", self.bytes)
            self.bytes += more
        line, _, self.bytes = self.bytes.partition(b"\n")
        return line + b"\n"

    def count(self, count):
        while len(self.bytes) < count:
            more = self.wire.receive()
            expect(more, "the connection has ended in a body")
            self.bytes += more
        taken, self.bytes = self.bytes[:count], self.bytes[count:]
        return taken

    def head(self):
        first, fields = self.line(), b""
        while True:
            line = self.line()
            fields += line
            if line == b"\r\n":
                return first, fields

    def response(self, method):
        interim = 0
        first, fields = self.head()
        while first.split()[1].startswith(b"1"):
            interim += len(first) + len(fields)
            first, fields = self.head()
        status, body, framing, trailers = int(first.split()[1]), b"", 0, b""
        named = {
            name.strip().lower(): value.strip()
            for name, _, value in (line.partition(":") for line in fields.decode().split("\r\n"))}
        if method == "HEAD" or status in (204, 304):
            pass
        elif named.get("transfer-encoding") == "chunked":
            while True:
                size = self.line()
                framing += len(size)
                count = int(size.split(b";")[0], 16)
                if count == 0:
                    break
                body += self.count(count)
                framing += len(self.count(2))
            while True:
                trailer = self.line()
                framing += len(trailer)
                if trailer == b"\r\n":
                    break
                trailers += trailer
        elif "content-length" in named:
            body = self.count(int(named["content-length"]))
        else:
            while more := self.wire.receive():
                self.bytes += more
            body, self.bytes = self.bytes, b""
        parts = dict(zip(PARTS, (len(first), len(fields), interim, len(body), framing)))
        closes = named.get("connection", "").lower() == "close" or first.startswith(b"HTTP/1.0")
        return Message(parts, (first + fields).decode(), body, trailers), closes


class Request:
    """A request: its bytes, and what they weigh."""

    def __init__(self, method, target, *fields, body=None, chunks=None, waits=False):
        self.method, self.target, self.waits = method, target, waits
        fields = ["Host: localhost", *fields]
        framing = 0
        self.body = body or b""
        if body is not None:
            fields.append(f"Content-Length: {len(body)}")
        elif chunks:
            fields.append("Transfer-Encoding: chunked")
            self.body = b"".join(b"%x\r\n%s\r\n" % (len(chunk), chunk) for chunk in chunks) + b"0\r\n\r\n"
            framing = len(self.body) - sum(map(len, chunks))
        first = f"{method} {target} HTTP/1.1\r\n".encode()
        section = "".join(f"{field}\r\n" for field in fields).encode() + b"\r\n"
        self.head = first + section
        self.parts = dict(zip(PARTS, (len(first), len(section), 0, len(self.body) - framing, framing)))


def converse(wire, requests, pipelined):
    """Sends requests and reads their responses, as far as the server lets it."""
    reader, answered = Reader(wire), []
    if pipelined:
        wire.send(b"".join(request.head + request.body for request in requests))
    for request in requests:
        if request.waits:
            wire.send(request.head)
            time.sleep(0.05)
            wire.send(request.body)
        elif not pipelined:
            # Its end may come in a call of its own.
            wire.send(request.head[:-3])
            wire.send(request.head[-3:] + request.body)
        response, closes = reader.response(request.method)
        answered.append((request, response))
        if closes:
            break
    expect(not reader.bytes, "the server sent more:", reader.bytes[:100])
    return answered


# MARK: the servers

REQUESTS = [
    Request("GET", "/"), Request("HEAD", "/large"), Request("GET", "/large"), Request("GET", "/none"),
    Request("GET", "/missing"), Request("GET", "/chunked"), Request("POST", "/echo", body=b"q" * 70_000),
    Request("POST", "/echo", "Expect: 100-continue", body=b"waited", waits=True),
    Request("POST", "/echo", "Cookie: a=b", chunks=[b"r" * 100, b"s" * 40_000]),
]
SIMPLE = [each for each in REQUESTS if "chunked" not in str(each.head)]
FILES = [
    Request("GET", "/small.txt"), Request("GET", "/large.bin"), Request("HEAD", "/large.bin"),
    Request("GET", "/large.bin", "Range: bytes=100-70000"), Request("GET", "/text.json", "Accept-Encoding: gzip"),
    Request("GET", "/missing"), Request("GET", "/small.txt", "If-None-Match: *"),
]
PROXIED = [
    Request("GET", "/proxied/large.bin"), Request("POST", "/proxied/echo", body=b"q" * 70_000),
    Request("POST", "/proxied/echo", chunks=[b"r" * 100, b"s" * 40_000]),
]
PIPELINED = [Request("GET", "/small.txt"), Request("HEAD", "/large.bin"), Request("GET", "/missing")]
NGINX = """
%(user)s
daemon off;
worker_processes 2;
pid %(folder)s/nginx.pid;
error_log %(folder)s/nginx.err;
events { worker_connections 64; }
http {
    types { text/plain txt; application/json json; }
    access_log off;
    sendfile on;
    gzip on;
    gzip_types application/json;
    client_max_body_size 0;
    client_body_temp_path %(folder)s/n-body;
    fastcgi_temp_path %(folder)s/n-fastcgi;
    proxy_temp_path %(folder)s/n-proxy;
    uwsgi_temp_path %(folder)s/n-uwsgi;
    scgi_temp_path %(folder)s/n-scgi;
    ssl_certificate %(folder)s/certificate.pem;
    ssl_certificate_key %(folder)s/key.pem;
    server {
        listen 127.0.0.1:%(http)d;
        listen 127.0.0.1:%(https)d ssl http2;
        root %(folder)s/www;
        %(locations)s
    }
}
"""
OWN_LOCATIONS = """
        location /proxied/ { proxy_pass http://127.0.0.1:%(http)d/; }
        location /echo { return 200 "echo\\n"; }
"""
FPM_LOCATIONS = """
        location / {
            fastcgi_pass unix:%(folder)s/fpm.sock;
            fastcgi_param SCRIPT_FILENAME %(folder)s/application.php;
            fastcgi_param REQUEST_METHOD $request_method;
            fastcgi_param REQUEST_URI $request_uri;
            fastcgi_param CONTENT_LENGTH $content_length;
            fastcgi_param CONTENT_TYPE $content_type;
        }
"""
FPM = """
[global]
error_log = %(folder)s/fpm.err
daemonize = no
[www]
%(user)s
listen = %(folder)s/fpm.sock
listen.mode = 0666
pm = static
pm.max_children = 2
"""

APACHE = """
%(user)s
ServerName localhost
ServerRoot %(folder)s
PidFile %(folder)s/apache.pid
ErrorLog %(folder)s/apache.err
DefaultRuntimeDir %(folder)s
StartServers 2
%(modules)s
Listen 127.0.0.1:%(http)d
Listen 127.0.0.1:%(https)d
Protocols h2 http/1.1
DocumentRoot %(folder)s/www
AddOutputFilterByType DEFLATE application/json
TypesConfig /dev/null
AddType application/json .json
AddType text/plain .txt
EnableSendfile on
ProxyPass /proxied/ http://127.0.0.1:%(http)d/ disablereuse=on
SSLCertificateFile %(folder)s/certificate.pem
SSLCertificateKeyFile %(folder)s/key.pem
<VirtualHost *:%(https)d>
    SSLEngine on
</VirtualHost>
"""
APACHE_MODULES = ("mpm_event", "unixd", "authz_core", "mime", "filter", "deflate", "proxy", "proxy_http", "socache_shmcb", "ssl", "http2")


class Server:
    """One kind of server: how it is started, and what is asked."""

    def __init__(self, name, words, plain=None, secure=None, h2=None, h2c=None, asked=(), also=0, pipelined=(),
                 upload="/echo", metered_words=None, within=None):
        self.name, self.words, self.metered_words, self.within = name, words, metered_words or words, within
        self.plain, self.secure, self.h2, self.h2c = plain, secure, h2, h2c
        self.asked, self.pipelined, self.upload = asked, pipelined, upload
        # Exchanges for each scheme that a proxy has with itself.
        self.also = also

    def metered(self, command, folder, store):
        """The words that run it metered into the store; `within` makes those of a program that meters itself."""
        if self.within:
            return self.within(store)
        return [command, "run", "--db", store, "--output", folder / "summary", "--", *self.metered_words]

    @property
    def ports(self):
        return [port for port in (self.plain, self.secure, self.h2, self.h2c) if port]


def nginx_options(folder, name, http, https, locations):
    """Writes a configuration, and makes the words that follow nginx's name."""
    # Its workers are another user's.
    user = "user daemon;" if os.getuid() == 0 else ""
    values = {"user": user, "folder": folder, "http": http, "https": https}
    (folder / name).write_text(NGINX % {**values, "locations": locations % values})
    return ["-e", folder / "nginx.err", "-c", folder / name]


def nginx(folder, http, https, words):
    """`words` makes those that start it, of those that follow its name."""
    own = nginx_options(folder, "nginx.conf", http, https, OWN_LOCATIONS)
    return Server(
        "nginx", words(*own, is_metered=False), http, https, https, asked=FILES + PROXIED, also=len(PROXIED),
        pipelined=PIPELINED, upload="/proxied/echo", metered_words=words(*own, is_metered=True))


def behind_nginx(folder, program, fpm, http, https):
    """PHP-FPM, which speaks FastCGI with nginx over a Unix socket: what is metered is what nginx serves."""
    user = "user = daemon\ngroup = daemon" if os.getuid() == 0 else ""
    (folder / "fpm.conf").write_text(FPM % {"user": user, "folder": folder})
    front = [program, *nginx_options(folder, "fpm-nginx.conf", http, https, FPM_LOCATIONS)]
    # nginx begins when PHP-FPM is ready. That one leaves the session in which it is started, so the signal that ends the others
    # does not reach it.
    both = ('trap : INT; rm -f fpm.err; "$0" --nodaemonize --fpm-config "$1" & fpm=$!; shift; '
            'until grep -q "ready to handle connections" fpm.err || ! kill -0 $fpm; do sleep 0.05; done; "$@"; kill $fpm; wait $fpm')
    return Server("PHP-FPM behind nginx", ["sh", "-c", both, fpm, folder / "fpm.conf", *front], http, https, https, asked=REQUESTS)


def apache(folder, program, http, https):
    built_in = subprocess.run([program, "-l"], capture_output=True, text=True, check=True).stdout
    modules = "\n".join(
        f"LoadModule {name}_module /usr/lib/apache2/modules/mod_{name}.so" for name in APACHE_MODULES
        if f"mod_{name}.c" not in built_in)
    user = "User daemon\nGroup daemon" if os.getuid() == 0 else ""
    (folder / "apache.conf").write_text(
        APACHE % {"user": user, "folder": folder, "http": http, "https": https, "modules": modules})
    (folder / "www" / "echo").write_bytes(b"echo\n")
    return Server(
        "Apache", [program, "-D", "FOREGROUND", "-f", folder / "apache.conf"], http, https, https, asked=FILES + PROXIED,
        also=len(PROXIED), pipelined=PIPELINED, upload="/proxied/echo")


def fill(folder):
    """What servers of files have."""
    www = folder / "www"
    www.mkdir(exist_ok=True)
    (www / "small.txt").write_bytes(b"small\n")
    (www / "large.bin").write_bytes(b"0123456789" * 30_000)
    (www / "text.json").write_bytes(json.dumps(list(range(3_000))).encode())
    return www


def each(folder):
    """The servers that this machine has."""
    www = fill(folder)
    source = HERE / "servers"
    for name in ("application.py", "application.php"):
        shutil.copy(source / name, folder)
    key, certificate = folder / "key.pem", folder / "certificate.pem"
    free = iter(free_ports(40))
    path = os.environ["PATH"] + ":/usr/sbin"
    if program := shutil.which("nginx", path=path):
        yield nginx(folder, next(free), next(free), lambda *words, **_: [program, *words])
        # Debian's has its version in its name.
        found = [found for each in path.split(":") for found in pathlib.Path(each).glob("php-fpm*")]
        if found:
            yield behind_nginx(folder, program, found[0], next(free), next(free))
    if program := shutil.which("apache2", path=path):
        yield apache(folder, program, next(free), next(free))
    bin_folder = folder / "venv" / "bin"
    if bin_folder.exists():
        port = next(free)
        yield Server(
            "gunicorn",
            [bin_folder / "python3", "-m", "gunicorn", "--chdir", folder, "-w", "2", "-b", f"127.0.0.1:{port}",
             "--worker-tmp-dir", folder, "application:wsgi"], port, asked=REQUESTS)
        uvicorn = [bin_folder / "python3", "-m", "uvicorn", "--app-dir", folder, "--log-level", "error", "application:asgi"]
        port = next(free)
        yield Server("uvicorn", [*uvicorn, "--port", str(port)], port, asked=REQUESTS)
        port = next(free)
        yield Server(
            "uvicorn over TLS", [*uvicorn, "--port", str(port), "--ssl-keyfile", key, "--ssl-certfile", certificate],
            secure=port, asked=REQUESTS)
    if program := shutil.which("node"):
        ports = [next(free) for _ in range(4)]
        yield Server(
            "node", [program, source / "application.js", folder, *map(str, ports)], *ports, asked=REQUESTS,
            pipelined=REQUESTS[:1] * 3)
    port = next(free)
    yield Server(
        "python3 -m http.server",
        ["/usr/bin/python3", "-m", "http.server", "--bind", "127.0.0.1", "--directory", www, str(port)], port,
        asked=FILES[:3] + FILES[5:6])
    port = next(free)
    yield Server(
        "python3 with forks", ["/usr/bin/python3", folder / "application.py", str(port)], port, asked=SIMPLE)
    if program := shutil.which("php"):
        port = next(free)
        yield Server(
            "php -S", [program, "-S", f"127.0.0.1:{port}", folder / "application.php"], port,
            asked=[each for each in SIMPLE if not each.waits])
    # `make integration-programs` builds them.
    built = HERE.parents[1] / ".build/nioprograms/debug"
    if (built / "Server").exists():
        for name, program in (("Hummingbird", None), ("Hummingbird, by itself", built / "MonitoredServer")):
            plain, secure = next(free), next(free)
            words = [folder, str(plain), str(secure)]
            yield Server(
                name, [built / "Server", *words], plain, secure, secure, asked=REQUESTS,
                within=program and (lambda store, words=words, program=program: [program, store, *words]))
    if program := shutil.which("nghttpd"):
        port = next(free)
        yield Server("nghttpd", [program, "-d", www, str(port), key, certificate], h2=port, asked=FILES[:1])


class Run:
    """One run of a server, and what its clients saw."""

    def __init__(self, command, folder, server, words):
        self.folder, self.talks = folder, []
        self.process = subprocess.Popen(
            [str(word) for word in words], cwd=folder, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
            # A shell's background job, such as CI under nohup, hands on that SIGINT is ignored.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
        self.stores = []
        try:
            for port in server.ports:
                self.await_port(port)
            for port, certificate in ((server.plain, None), (server.secure, str(folder / "certificate.pem"))):
                if port:
                    self.ask(port, certificate, server)
            for port, scheme, option in ((server.h2, "https", "--http2"), (server.h2c, "http", "--http2-prior-knowledge")):
                if port:
                    self.stream(command, scheme, port, option, server)
        finally:
            os.killpg(self.process.pid, signal.SIGINT)
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                os.killpg(self.process.pid, signal.SIGKILL)
                raise Failure("it does not end") from None

    def await_port(self, port):
        for _ in range(600):
            expect(self.process.poll() is None, "it has ended with", self.process.returncode)
            try:
                return socket.create_connection(("127.0.0.1", port), timeout=5).close()
            except OSError:
                time.sleep(0.05)
        raise Failure("it does not listen")

    def talk(self, port, certificate, requests, pipelined):
        wire = Wire(port, certificate)
        answered = converse(wire, requests, pipelined)
        wire.close()
        self.talks.append((wire, answered))
        return len(answered)

    def ask(self, port, certificate, server):
        rest = list(server.asked)
        while rest:
            rest = rest[self.talk(port, certificate, rest, False) :]
        if server.pipelined:
            self.talk(port, certificate, server.pipelined, True)

    def stream(self, command, scheme, port, option, server):
        base = f"{scheme}://localhost:{port}"
        store = self.folder / f"client{len(self.stores)}.db"
        for file in self.folder.glob(store.name + "*"):
            file.unlink()
        options = ["--silent", option, "--cacert", self.folder / "certificate.pem"]
        words = ["curl", *options]
        # In the clear, curl 7.88 fails at the second request on a connection.
        for request in server.asked if scheme == "https" else ():
            words += ["--output", "/dev/null", base + request.target]
        if len(words) > 1 + len(options):
            words += ["--parallel", "--next", *options]
        words += ["--data-binary", "q" * 3_000, "--output", "/dev/null", base + server.upload]
        subprocess.run(
            [command, "run", "--db", store, "--output", self.folder / "client.txt", "--", *words], check=True, timeout=60,
            stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.stores.append(store)

    @property
    def course(self):
        return [message.course for _, answered in self.talks for _, message in answered]


def lines(command, what, store):
    text = subprocess.check_output([command, what, str(store), "--format", "ndjson"], text=True)
    return [json.loads(line) for line in text.splitlines()]


def parts_of(size):
    return {part: size[part] for part in PARTS}


class Judge:
    """One server, alone and metered."""

    def __init__(self, command, folder, server):
        self.command = command
        self.store = folder / "traffic.db"
        for file in folder.glob("traffic.db*"):
            file.unlink()
        alone = Run(command, folder, server, server.words)
        metered = Run(command, folder, server, server.metered(command, folder, self.store))
        for before, after in zip(alone.course, metered.course):
            expect(before == after, "answers", after, "and alone", before)
        self.rows = lines(command, "exchanges", self.store)
        self.ledgers = lines(command, "connections", self.store)
        self.exchanges = self.bytes = 0
        for wire, answered in metered.talks:
            self.connection(wire, answered, server)
        for store in metered.stores:
            self.streams(store, server)
        # What a proxy calls is served by itself: two rows with the same sizes. Over HTTP/2 there is one upload more.
        self.proxied(server, 3 * server.also + 1 if server.also else 0)

    def rows_of(self, ledger):
        for way in ("up", "down"):
            expect(ledger["unaccounted"][way] == 0, "unaccounted", ledger)
        return [row for row in self.rows if row["connection"] == ledger["connection"]]

    def find(self, server_port, client_port):
        found = [each for each in self.ledgers if (each["localPort"], each["remotePort"]) == (server_port, client_port)]
        expect(len(found) == 1, len(found), "ledgers of a connection from", client_port)
        expect(found[0].get("direction", "served") == "served", found[0])
        return found[0]

    def connection(self, wire, answered, server):
        port = server.secure if wire.tls else server.plain
        ledger = self.find(port, wire.port)
        rows = self.rows_of(ledger)
        expect(len(rows) == len(answered), len(rows), "rows for", len(answered), "exchanges", ledger)
        for row, (request, response) in zip(rows, answered):
            scheme = "https" if wire.tls else "http"
            expect(row["method"] == request.method and row["url"] == f"{scheme}://localhost:{port}{request.target}", row)
            expect(row["outcome"] == "completed", row)
            expect(parts_of(row["request"]) == request.parts, "request is not", request.parts, "in", row, "on", ledger)
            expect(
                parts_of(row["response"]) == response.parts, request.target, "response", row["response"], "is not",
                response.parts)
            self.count(row)
        payload = ledger["payload"]
        expect([payload["up"], payload["down"]] == wire.raw, "payload", payload, "is not", wire.raw, ledger)
        expect((ledger["tls"] is not None) == (wire.tls is not None), "TLS", ledger)

    def count(self, row):
        self.exchanges += 1
        self.bytes += row["request"]["total"] + row["response"]["total"]

    def streams(self, store, server):
        """Over HTTP/2, the client's rows are those of another tap."""
        theirs = lines(self.command, "exchanges", store)
        for line in lines(self.command, "connections", store):
            ledger = self.find(line["remotePort"], line["localPort"])
            rows = self.rows_of(ledger)
            asked = [row for row in theirs if row["connection"] == line["connection"]]
            expect(len(rows) == len(asked) > 0, len(rows), "rows for", len(asked))
            by_path = lambda row: (row["path"], row["method"])  # noqa: E731
            for row, other in zip(sorted(rows, key=by_path), sorted(asked, key=by_path)):
                expect(by_path(row) == by_path(other), row, other)
                expect(row["url"] == other["url"], row["url"], other["url"])
                for message in ("request", "response"):
                    one, two = parts_of(row[message]), parts_of(other[message])
                    # Frames after the end of a response are the connection's own: WINDOW_UPDATE and RST_STREAM, and for
                    # a client that knows the length the empty DATA that ends the stream.
                    if abs(two["framing"] - one["framing"]) in LATE:
                        two["framing"] = one["framing"]
                    expect(one == two, row["path"], message, one, "is not", two)
                    expect(row[message]["cookies"] == other[message]["cookies"] or message == "response", row, other)
                self.count(row)
            # A client that has all it wants leaves the server's last frames and close_notify unread.
            left = ledger["payload"]["down"] - line["payload"]["down"]
            expect(
                ledger["payload"]["up"] == line["payload"]["up"] and 0 <= left < 100,
                "payload", ledger["payload"], "is not", line["payload"])
            for way in ("up", "down"):
                one, two = (each["messages"][way] + each["http2Overhead"][way] for each in (ledger, line))
                expect(0 <= one - two <= (left if way == "down" else 0), way, "frames", one, "are not", two)
            expect(ledger["protocol"] == line["protocol"], ledger["protocol"], line["protocol"])

    def proxied(self, server, count):
        called = [each for each in self.ledgers if each["remotePort"] == server.plain]
        expect(len(called) == count, len(called), "proxied connections and not", count)
        for line in called:
            ledger = self.find(server.plain, line["localPort"])
            for one, two in zip(self.rows_of(line), self.rows_of(ledger), strict=True):
                for message in ("request", "response"):
                    expect(parts_of(one[message]) == parts_of(two[message]), one, two)
                expect(one["response"]["bodyDigest"] == two["response"]["bodyDigest"], one, two)
                self.count(two)
            expect(line["payload"] == ledger["payload"], line, ledger)


def main():
    command, folder, names = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3:]
    failed, exchanges = [], 0
    for server in each(folder):
        if names and not any(server.name.startswith(name) for name in names):
            continue
        begin = time.monotonic()
        try:
            judge = Judge(command, folder, server)
        except (Failure, OSError, subprocess.SubprocessError) as failure:
            failed.append(server.name)
            print(f"{server.name}: FAILED: {failure}")
            continue
        exchanges += judge.exchanges
        print(f"{server.name}: {judge.exchanges} exchanges, {judge.bytes} bytes equal, {time.monotonic() - begin:.1f} s")
    print(f"{exchanges} exchanges")
    if failed or not exchanges:
        sys.exit("failed: " + ", ".join(failed))


if __name__ == "__main__":
    main()
