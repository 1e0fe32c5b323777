"""An HTTP/1.1 origin that logs every byte, in the clear and inside TLS: origin.py PLAIN_PORT TLS_PORT FOLDER.

The path says what to answer, the query item `n` which exchange it is. FOLDER/origin.ndjson gets a line when the head of a
request is there, one when its response is out, and one when a connection is over; each is written before anything else
happens, so that a kill loses nothing that was logged.
"""

import fcntl
import gzip
import json
import os
import socket
import ssl
import struct
import sys
import threading
import time
import urllib.parse

PLAIN, TLS, FOLDER = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
LIFE = os.getpid()
LOG = os.open(f"{FOLDER}/origin.ndjson", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
PATTERN = bytes(range(32, 126)) * 11_000
TEXT = json.dumps([{"item": number, "name": f"thing {number}"} for number in range(300)]).encode()


def tell(**line):
    os.write(LOG, json.dumps(line, separators=(",", ":")).encode() + b"\n")


def kernel(connection):
    """Payload that came, and payload that the peer has: TCP_INFO's counts, the FINs in them."""
    info = connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 256)
    acknowledged, received = struct.unpack_from("QQ", info, 120)
    return received, acknowledged


class Gone(Exception):
    """There is nothing more to read, or the peer has gone."""


class Connection(threading.Thread):
    """One connection: reads requests, answers as their paths say."""

    numbers = iter(range(1, 1 << 60))

    def __init__(self, raw, context):
        super().__init__(daemon=True)
        self.raw, self.context = raw, context
        self.number = next(Connection.numbers)
        self.port, self.opened = raw.getpeername()[1], time.time()
        self.buffer, self.taken, self.sent = b"", 0, 0
        self.total = 0

    def fill(self):
        try:
            data = self.io.recv(65_536)
        except OSError as error:
            raise Gone from error
        if not data:
            raise Gone
        self.total += len(data)
        self.buffer += data

    def take(self, count):
        while count > len(self.buffer):
            count -= len(self.buffer)
            self.taken += len(self.buffer)
            self.buffer = b""
            self.fill()
        self.taken += count
        self.buffer = self.buffer[count:]

    def line(self):
        while b"\n" not in self.buffer:
            self.fill()
        line, self.buffer = self.buffer.split(b"\n", 1)
        self.taken += len(line) + 1
        return line.rstrip(b"\r")

    def write(self, data):
        view = memoryview(data)
        while view:
            try:
                count = self.io.send(view)
            except OSError as error:
                raise Gone from error
            self.sent += count
            view = view[count:]

    def respond(self, status, body=b"", fields=(), length=None):
        lines = [f"HTTP/1.1 {status}", "Server: soak", *fields]
        if length is not False:
            lines.append(f"Content-Length: {len(body) if length is None else length}")
        self.write("\r\n".join(lines).encode() + b"\r\n\r\n" + body)

    def chunks(self, sizes, fields=(), trailers=()):
        self.respond("200 OK", fields=["Transfer-Encoding: chunked", "Content-Type: text/plain", *fields], length=False)
        for size in sizes:
            self.write(b"%x\r\n" % size + PATTERN[:size] + b"\r\n")
        self.write(b"0\r\n" + b"".join(line.encode() + b"\r\n" for line in trailers) + b"\r\n")

    def delivered(self):
        """Waits until the peer's kernel has all, and gives the peer a moment to read it."""
        end = time.monotonic() + 2
        while time.monotonic() < end:
            if struct.unpack("i", fcntl.ioctl(self.raw.fileno(), 0x5411, b"\0" * 4))[0] == 0:
                break
            time.sleep(0.002)
        time.sleep(0.1)

    def answer(self, method, kind, value, number):
        """Whether the connection goes on."""
        if kind == "small":
            self.respond("200 OK", PATTERN[:value], ["Content-Type: text/plain", "Set-Cookie: s=1; Path=/"])
        elif kind == "chunks":
            self.chunks([1 + (value * step) % 3_000 for step in range(1, 9)])
        elif kind == "trailers":
            self.chunks([value], ["Trailer: X-Sum"], ["X-Sum: 1"])
        elif kind == "gzip":
            self.respond("200 OK", gzip.compress(TEXT), ["Content-Type: application/json", "Content-Encoding: gzip"])
        elif kind == "upload":
            self.respond("201 Created", b"took it\n")
        elif kind == "redirect":
            self.respond("302 Found", b"over there\n", [f"Location: /small/{value}?n={number}-r"])
        elif kind == "none":
            self.respond("204 No Content", length=False)
        elif kind == "cached":
            self.respond("304 Not Modified", fields=['ETag: "a"'], length=False)
        elif kind == "error":
            self.respond("503 Service Unavailable", b"later\n", ["Retry-After: 1"])
        elif kind == "interim":
            self.write(b"HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n")
            self.respond("200 OK", PATTERN[:value])
        elif kind == "slow":
            self.respond("200 OK", length=value * 5)
            for _ in range(5):
                time.sleep(0.1)
                self.write(PATTERN[:value])
        elif kind == "until":
            self.respond("200 OK", PATTERN[:value], ["Connection: close"], length=False)
            return False
        elif kind == "close":
            self.respond("200 OK", PATTERN[:value], ["Connection: close"])
            return False
        elif kind in ("reset", "cut"):
            self.respond("200 OK", PATTERN[:value], length=value * 2)
            self.delivered()
            if kind == "reset":
                self.raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            return False
        elif kind == "silent":
            return False
        elif kind == "stall":
            self.respond("200 OK", PATTERN[:value], length=value * 2)
            while True:
                self.fill()
        else:
            self.respond("404 Not Found", b"no such kind\n")
        return True

    def serve(self):
        """One exchange; whether another may follow."""
        while not self.buffer:
            self.fill()
        began = time.time()
        self.taken = self.sent = 0
        method, target, _ = self.line().decode("latin-1").split(" ")
        fields = {}
        while line := self.line():
            name, value = line.decode("latin-1").split(":", 1)
            fields[name.lower()] = value.strip()
        parts = urllib.parse.urlsplit(target)
        number = urllib.parse.parse_qs(parts.query).get("n", ["?"])[0]
        kind, value = (parts.path.strip("/").split("/") + ["0"])[:2]
        about = {"n": number, "connection": f"{LIFE}-{self.number}", "tls": self.context is not None}
        tell(event="begin", t=began, **about)
        goes_on = False
        try:
            if fields.get("expect", "").lower() == "100-continue":
                self.write(b"HTTP/1.1 100 Continue\r\n\r\n")
            if fields.get("transfer-encoding", "").lower() == "chunked":
                while size := int(self.line().split(b";")[0], 16):
                    self.take(size)
                    self.line()
                while self.line():
                    pass
            else:
                self.take(int(fields.get("content-length", "0")))
            goes_on = self.answer(method, kind, int(value), number)
        finally:
            tell(event="end", t=time.time(), kind=kind, began=began, up=self.taken, down=self.sent, **about)
        return goes_on

    def part(self):
        """Takes leave inside TLS, so that the kernel's counts are final: each side has sent its last alert."""
        if self.context is None:
            return
        try:
            if not self.raw.getsockopt(socket.SOL_SOCKET, socket.SO_LINGER):
                self.raw.settimeout(2)
                self.raw.unwrap()
        except (OSError, ValueError, AttributeError):
            pass

    def run(self):
        self.raw.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        try:
            self.io = self.raw if self.context is None else self.context.wrap_socket(self.raw, server_side=True)
            self.raw = self.io
            self.io.settimeout(120)
            while self.serve():
                pass
        except (Gone, OSError, ValueError):
            pass
        finally:
            self.part()
            try:
                received, acknowledged = kernel(self.raw)
            except OSError:
                received = acknowledged = None
            tell(event="closed", t=time.time(), opened=self.opened, connection=f"{LIFE}-{self.number}", port=self.port,
                 tls=self.context is not None, read=self.total, received=received, acknowledged=acknowledged)
            self.raw.close()


def listen(port, context):
    server = socket.create_server(("127.0.0.1", port), backlog=256)
    while True:
        try:
            connection = server.accept()[0]
        except OSError:
            time.sleep(0.05)
            continue
        Connection(connection, context).start()


context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(f"{FOLDER}/certificate.pem", f"{FOLDER}/key.pem")
context.set_alpn_protocols(["http/1.1"])
threading.Thread(target=listen, args=(TLS, context), daemon=True).start()
listen(PLAIN, None)
