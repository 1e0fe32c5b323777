"""Meters programs with HTTP libraries of their own, and holds what was metered against the server's log of every byte.

Each program runs alone and then metered. Output and status must be the same, and so must what the server was asked. Each
metered exchange must be, part by part, what the server logged, and messages, TLS and nothing else must be what the kernel
counted on each connection. A program may leave bytes unread, and may ask on a connection that the server has closed.

With CAPTURES=1 each connection must also have the bytes of a packet capture.

usage: stacks.py COMMAND FOLDER [NAME…]
"""

import contextlib
import difflib
import json
import os
import pathlib
import re
import subprocess
import sys
import time

try:
    import hpack
except ImportError:
    hpack = None

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE / "hostile"), str(HERE / "stacks"), str(HERE.parent / "shared")]
import capture  # noqa: E402 pylint: disable=wrong-import-position
import h2  # noqa: E402 pylint: disable=wrong-import-position
import programs  # noqa: E402 pylint: disable=wrong-import-position
import wire  # noqa: E402 pylint: disable=wrong-import-position

PARTS = wire.PARTS
HAS_CAPTURES = bool(os.environ.get("CAPTURES"))
# How often a program is run alone before a difference is the meter's doing.
TRIES = 8


def answer(connection, message):
    """Answers by the path; whether the connection stays."""
    if "100-continue" in (message.value("Expect") or ""):
        connection.interim(message, "100 Continue")
    connection.content(message)
    path = message.target.rsplit("/", 1)[-1]
    closes = "close" in (message.value("Connection") or "").lower() or message.version == "HTTP/1.0"
    if path == "chunked" and message.version == "HTTP/1.1":
        connection.head(message, "200 OK", "Transfer-Encoding: chunked", "Trailer: X-Sum")
        for chunk in (b"a", b"b" * 300):
            connection.send(message, "framing", f"{len(chunk):x};name=value\r\n")
            connection.send(message, "body", chunk)
            connection.send(message, "framing", "\r\n")
        connection.send(message, "framing", "0\r\nX-Sum: 1\r\n\r\n")
    elif path == "none":
        connection.head(message, "204 No Content")
    elif path == "same":
        connection.head(message, "304 Not Modified", "Content-Length: 99")
    elif path == "redirect":
        connection.answer(message, "302 Found", "Location: /length", body=b"elsewhere\n")
    elif path == "close":
        connection.head(message, "200 OK", "Connection: close")
        connection.send(message, "body", b"until the end\n" * 500)
        return False
    elif path == "old":
        connection.head(message, "200 OK", "Set-Cookie: a=b", version="HTTP/1.0")
        connection.send(message, "body", b"old\n")
        return False
    elif path == "early":
        # http.client takes the interim response as the final one, and finds what follows where it looks next.
        with connection.together():
            connection.interim(message, "103 Early Hints", "Link: </style.css>")
            connection.answer(message)
    elif path == "large":
        connection.answer(message, body=b"0123456789" * 30_000)
    elif path == "cut":
        connection.head(message, "200 OK", "Content-Length: 5000")
        connection.send(message, "body", b"x" * 1234)
        return False
    else:
        connection.answer(message, "200 OK", "Content-Type: text/plain")
    return not closes


def origin(connection):
    while True:
        message = connection.request(content=False)
        if message is None or not answer(connection, message):
            return


def secure(connection):
    connection.tls(("http/1.1",))
    origin(connection)


def answer_call(session, stream):
    """A call of gRPC: messages of bytes, and the status in trailers, or in the only header section if it fails."""
    path = stream.message.target.rsplit("/", 1)[-1]
    kind = ("content-type", "application/grpc")
    if path == "fails":
        return session.head(stream, 200, kind, ("grpc-status", "5"), ("grpc-message", "not here"), end=True)
    session.head(stream, 200, kind)
    for size in {"large": [200_000], "several": [1, 0, 5_000]}.get(path, [9]):
        session.flow(stream, b"\0" + size.to_bytes(4, "big") + b"m" * size)
    session.trailers(stream, ("grpc-status", "0"))


def answer_stream(session, stream):
    """The same over HTTP/2; whether the connection stays."""
    message = stream.message
    if message.target.startswith("/made.Calls/"):
        answer_call(session, stream)
        return True
    path = message.target.rsplit("/", 1)[-1]
    if message.method == "HEAD":
        session.head(stream, 200, ("content-length", "5000"), end=True)
    elif path == "none":
        session.head(stream, 204, end=True)
    elif path == "same":
        session.head(stream, 304, ("etag", "x"), end=True)
    elif path == "early":
        session.interim(stream, 103, ("link", "</style.css>"))
        session.answer(stream)
    elif path == "long":
        session.head(stream, 200, *(("x-long", "x" * 100) for _ in range(300)), cut=5_000)
        session.data(stream, b"long\n", end=True)
    elif path == "padded":
        session.head(stream, 200)
        session.data(stream, b"padded", padding=50)
        session.data(stream, b"!", end=True, padding=0)
    elif path == "trailers":
        session.head(stream, 200)
        session.flow(stream, b"trailers")
        session.trailers(stream, ("grpc-status", "0"))
    elif path == "empty":
        session.head(stream, 200)
        session.data(stream, b"", end=True)
    elif path == "large":
        session.head(stream, 200, ("content-length", "300000"))
        session.flow(stream, b"0123456789" * 30_000, end=True)
    elif path == "endless":
        session.head(stream, 200)
        while not stream.is_reset and not session.c.ended:
            session.flow(stream, bytes(8_000))
    elif path == "refused":
        session.rst(stream, h2.REFUSED)
    elif path == "stopped":
        session.head(stream, 200)
        session.data(stream, b"as far as this")
        session.rst(stream, h2.INTERNAL_ERROR)
    else:
        session.answer(stream, 200, b"ok\n", ("content-type", "text/plain"), ("set-cookie", "a=b"))
    if path == "bye":
        session.goaway(stream.number)
    return path != "bye"


def streams(connection):
    session = h2.Session(connection, (3, 100), (6, 1 << 20), decoder=hpack.Decoder())
    answered = set()
    while True:
        ready = [each for each in session.streams.values() if each.is_whole and each.number not in answered]
        if ready:
            # Not in their order.
            answered.add(ready[-1].number)
            if not ready[-1].is_reset and not answer_stream(session, ready[-1]):
                return session.rest()
        elif session.frame() is None:
            return


def secure_streams(connection):
    connection.tls(("h2",))
    streams(connection)


class Failure(Exception):
    """What is not as it should be."""


def expect(condition, *words):
    if not condition:
        raise Failure(" ".join(map(str, words)))


class Machine:
    """Where the programs run: here."""

    def words(self, words, is_metered):
        """What is to be run, for a program and its words."""
        del is_metered
        return words


class Run:
    """One run of a program, and what its server saw."""

    def __init__(self, folder, words, scheme, before=(), has_streams=False):
        roles = {"http": streams, "https": secure_streams} if has_streams else {"http": origin, "https": secure}
        server = wire.Server(roles, str(folder / "certificate.pem"), str(folder / "key.pem"))
        base = f"{scheme}://localhost:{server.address(scheme).split(':')[1]}"
        environment = {
            "PATH": os.environ["PATH"], "LC_ALL": "C", "HOME": str(folder), "SSL_CERT_FILE": str(folder / "certificate.pem"),
            "NODE_EXTRA_CA_CERTS": str(folder / "certificate.pem"), "REQUESTS_CA_BUNDLE": str(folder / "certificate.pem"),
        }
        ended = subprocess.run(
            [*before, *(word.replace("{base}", base) for word in words)], cwd=folder, env=environment,
            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120, check=False)
        server.stop()
        expect(not server.failures, server.failures)
        self.status, self.output, self.errors = ended.returncode, ended.stdout, ended.stderr
        self.connections = [each for each in server.connections if each.raw[0]]

    @property
    def asked(self):
        return sorted(
            f"{message.method} {message.target} {message.up['body']}"
            for connection in self.connections for message in connection.messages)

    @property
    def course(self):
        """What must be as it was without the meter, line by line."""
        return [f"status {self.status}", *self.output.splitlines(), *(f"the server was asked {each}" for each in self.asked)]


def was_left(connection, line):
    """Whether it is a connection that a pool made and never used, and that was open when the program stopped metering:
    its handshake may have gone on."""
    return not connection.messages and line["closedAt"] is None


class Judge:
    """One program over one scheme."""

    def __init__(self, command, folder, name, words, scheme, machine=Machine()):
        self.command, self.folder, self.name, self.scheme, self.machine = command, folder, name, scheme, machine
        self.store = folder / "traffic.db"
        self.exchanges = self.bytes = self.left = self.closed_connections = self.captured = 0
        for file in folder.glob("traffic.db*"):
            file.unlink()
        self.has_streams = name.startswith("h2 ")
        before = [command, "run", "--db", str(self.store), "--output", str(folder / "summary"), "--"]
        words, after = machine.words(words, is_metered=False), machine.words(words, is_metered=True)
        if name in programs.WITHIN:
            before, after = [word.replace("{store}", str(self.store)) for word in programs.WITHIN[name]], words[1:]
        alone = Run(folder, words, scheme, has_streams=self.has_streams)
        packets = folder / "packets.pcapng"
        with capture.captured(packets) if HAS_CAPTURES else contextlib.nullcontext():
            metered = Run(folder, after, scheme, before, self.has_streams)
        # Some programs are not the same each time: one run alone must be as the metered one.
        self.tries = 1
        while metered.course != alone.course and self.tries < TRIES:
            self.tries += 1
            alone = Run(folder, words, scheme, has_streams=self.has_streams)
        for line in difflib.unified_diff(alone.course, metered.course, "alone", "metered", n=0, lineterm=""):
            print(f"    {line}")
        expect(metered.course == alone.course, "not as it was alone, in", self.tries, "runs")
        expect(metered.asked, "nothing was asked:", alone.output, alone.errors)
        self.connections, self.errors = metered.connections, metered.errors
        self.rows = self.lines("exchanges")
        self.ledgers = {line["localPort"]: line for line in self.lines("connections")}
        if HAS_CAPTURES:
            self.compare(packets)
        if scheme == "https" and (name.endswith(" late") or name in programs.UNSEEN):
            self.closed()
            return
        expect("could not be hooked" not in self.errors or name.endswith(" late"), self.errors)
        for connection in self.connections:
            self.connection(connection)
        expect(
            self.exchanges == len(self.rows) - self.lonely(), "exchanges", len(self.rows), "and not", self.exchanges)

    def lines(self, what):
        text = subprocess.check_output([self.command, what, str(self.store), "--format", "ndjson"], text=True)
        return [json.loads(line) for line in text.splitlines()]

    def compare(self, packets):
        """Each connection has the bytes of a packet capture, TLS and what the program left unread included."""
        words = [self.command, "verify", str(self.store), "--capture", str(packets), "--format", "json"]
        ended = subprocess.run(words, capture_output=True, text=True, check=False)
        rows = {row["localPort"]: row for row in json.loads(ended.stdout)["connections"]}
        for connection in self.connections:
            row = rows.get(connection.port)
            if connection.port not in self.ledgers:
                continue
            expect(row and row["verdict"] in ("agrees", "unread"), "not as captured:", row, ended.stderr)
            for index, way in enumerate(("up", "down")):
                # Of what a server has written, some never leaves if the program resets the connection.
                unsent = connection.raw[index] - row["captured"][way]
                expect(unsent == 0 or way == "down" and unsent > 0, "captured", row, "and the server has", connection.raw)
                self.captured += row["captured"][way]

    def lonely(self):
        """Requests into a connection that the server had closed; it never saw them."""
        ports = {connection.port: len(connection.messages) for connection in self.connections}
        numbers = {line["connection"]: port for port, line in self.ledgers.items()}
        counts = {}
        for row in self.rows:
            counts[numbers[row["connection"]]] = counts.get(numbers[row["connection"]], 0) + 1
        return sum(count - ports[port] for port, count in counts.items())

    def closed(self):
        """Nothing is seen inside TLS, and each connection has the kernel's count and says why. So does a program's own
        monitor, and the summary of `run`."""
        said = self.errors if self.name.endswith(" late") else (self.folder / "summary").read_text()
        expect(re.search("could not be hooked|not seen", said), "it says nothing about it:", said)
        expect(not self.rows, "rows of TLS that is not hooked:", self.rows)
        for connection in self.connections:
            line = self.ledgers.get(connection.port)
            expect(line and line["notSeen"] == "tls", "not said to be unseen:", line)
            left = was_left(connection, line)
            expect(left or line["tls"]["version"], "no version of TLS", line)
            for index, way in enumerate(("up", "down")):
                unread = connection.raw[index] - line["payload"][way]
                expect(unread == 0 or (left or way == "down") and unread > 0, way, line["payload"], "is not", connection.raw)
                expect(line["unseen"][way] == line["payload"][way], "unseen", line)
                self.bytes += line["payload"][way]
            self.closed_connections += 1

    def connection(self, connection):
        line = self.ledgers.get(connection.port)
        if not connection.messages and line is None:
            return
        expect(line is not None, "no ledger of port", connection.port, connection)
        if was_left(connection, line):
            for index, way in enumerate(("up", "down")):
                expect(line["payload"][way] <= connection.raw[index], way, "more than", connection.raw, line)
                expect(line["unaccounted"][way] == 0, "unaccounted", line)
            return
        rows = [row for row in self.rows if row["connection"] == line["connection"]]
        expect(len(rows) >= len(connection.messages), len(rows), "rows for", connection.messages)
        for row in rows[len(connection.messages) :]:
            expect(row["response"] is None, "the server saw nothing of", row)
        if self.scheme == "https" and rows:
            expect(rows[0]["timings"]["tls"], "no time of TLS", rows[0]["timings"])
        short = sum(self.exchange(row, message) for row, message in zip(rows, connection.messages))
        payload, raw = line["payload"], connection.raw
        for index, way in enumerate(("up", "down")):
            expect(line["unaccounted"][way] == 0, "unaccounted", line)
            lonely = len(rows) > len(connection.messages)
            unread = raw[index] - payload[way]
            expect(unread == 0 or lonely or way == "down" and unread > 0, way, "payload", payload, "is not", raw, line)
            if unread == 0 and not lonely:
                # Plaintext that the program left in its TLS library counts as TLS.
                left = line["tlsOverhead"][way] - connection.tls_overhead[index]
                expect(
                    left == 0 or way == "down" and left == short,
                    way, "TLS", line["tlsOverhead"], "is not", connection.tls_overhead)
            elif way == "down" and not self.has_streams:
                # Inside TLS, bytes of a record that was read may be left as well, and tickets of a pool's spare connection.
                expect(
                    unread == short or self.scheme == "https" and (short > 0 or not connection.messages),
                    "left are", short, "and not", unread)
            if self.has_streams and unread == 0:
                # Frames after the end of an exchange are the connection's own.
                logged = sum(message.total(way) for message in connection.messages) + sum(
                    pair[index] for pair in connection.other.values())
                told = line["messages"][way] + line["http2Overhead"][way]
                expect(told == logged, way, "frames", told, "are not", logged, line)
        if self.has_streams:
            expect(line["protocol"] == ("h2" if self.scheme == "https" else "h2c"), "protocol", line)
        expect((self.scheme == "https") == (line["tls"] is not None), "TLS", line)
        # It is learned with the first byte of content: a pool's spare connection carries none.
        is_spare = line["notSeen"] == "nothingSent"
        expect(self.scheme == "http" or is_spare or line["tls"]["version"], "no version of TLS", line)

    def exchange(self, row, message):
        expect(row["method"] == message.method, row["method"], "for", message)
        expect(row["url"].startswith(f"{self.scheme}://localhost:"), row["url"])
        response = row["response"]
        is_whole = response is not None and response["status"] == message.status
        expect(is_whole or row["outcome"] != "completed", "response", response, "for", message)
        up = {part: row["request"][part] for part in PARTS}
        late = message.up["framing"] - up["framing"]
        if 0 < late <= message.late:
            up["framing"] += late
        expect(up == message.up, "request", up, "is not", message.up, row)
        down = {part: response[part] if response else 0 for part in PARTS}
        # Of the last response on a connection the program may leave a part.
        short = {part: message.down[part] - down[part] for part in PARTS}
        expect(all(value >= 0 for value in short.values()), "response", down, "is not", message.down, row)
        if any(short.values()):
            expect(row["outcome"] != "completed", "response", down, "is not", message.down, row)
            self.left += sum(short.values())
        self.exchanges += 1
        self.bytes += sum(up.values()) + sum(down.values())
        times = row["timings"]
        told = sum(value or 0 for name, value in times.items() if name != "total")
        expect(abs(told - times["total"]) <= 0.01, "phases are not the total:", times)
        return sum(short.values())


def main():
    command, folder, names = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3:]
    failed, exchanges = [], 0
    for name, words in programs.each(folder):
        if names and not any(name.startswith(each) for each in names):
            continue
        # wget2 and AsyncHTTPClient speak HTTP/2 by ALPN alone, and two are clients of TLS.
        is_secure = name in ("h2 wget2", "tstclnt") or name.startswith("opened") or name.startswith("h2 AsyncHTTPClient")
        for scheme in ["https"] if is_secure else ["http", "https"]:
            begin = time.monotonic()
            try:
                judge = Judge(command, folder, name, words, scheme)
            except Failure as failure:
                failed.append(f"{name} {scheme}")
                print(f"{name} {scheme}: FAILED: {failure}")
                continue
            exchanges += judge.exchanges
            print(
                f"{name} {scheme}: {judge.exchanges} exchanges, {judge.bytes} bytes equal"
                + (f", {judge.left} left unread by the program" if judge.left else "")
                + (f", {judge.closed_connections} connections not seen" if judge.closed_connections else "")
                + (f", {judge.captured} bytes as captured" if judge.captured else "")
                + (f", alone the same in one of {judge.tries} runs" if judge.tries > 1 else "")
                + f", {time.monotonic() - begin:.1f} s")
    print(f"{exchanges} exchanges")
    if failed or not exchanges:
        sys.exit("failed: " + ", ".join(failed))


if __name__ == "__main__":
    main()
