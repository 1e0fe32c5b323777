"""Connections as a server sees them: every byte counted on the socket, every byte above it given to a part of a message.

Independent of the meter's own parser: what it says of a connection is judged by this.
"""

import collections
import contextlib
import functools
import os
import pathlib
import random
import select
import socket
import ssl
import struct
import sys
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "shared"))

from acceptor import Acceptor  # noqa: E402 pylint: disable=wrong-import-position


class Gone(Exception):
    """The client has closed or reset the connection."""


def hesitate():
    """Lets the client go on first, now and then, where HESITATE=1: a case must not depend on who is faster."""
    if os.environ.get("HESITATE") and random.random() < 0.3:
        time.sleep(random.random() * 0.04)


class Plain:
    """A socket that counts."""

    def __init__(self, sock):
        self.sock, self.up, self.down = sock, 0, 0

    def read(self):
        hesitate()
        try:
            data = self.sock.recv(65_536)
        except OSError:
            data = b""
        self.up += len(data)
        return data

    def write(self, data):
        hesitate()
        view = memoryview(data)
        while view:
            try:
                sent = self.sock.send(view)
            except OSError as error:
                raise Gone from error
            self.down += sent
            view = view[sent:]


class TLS:
    """TLS above a socket, or above TLS."""

    def __init__(self, below, context, begun):
        self.below, self.up, self.down = below, 0, 0
        # What has been read of the handshake together with what came before it.
        self.base = below.up - len(begun), below.down
        self.incoming, self.outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        self.incoming.write(begun)
        self.ssl = context.wrap_bio(self.incoming, self.outgoing, server_side=True)
        self._until(self.ssl.do_handshake)

    def _flush(self):
        data = self.outgoing.read()
        if data:
            self.below.write(data)

    def _until(self, step):
        while True:
            try:
                result = step()
                self._flush()
                return result
            except ssl.SSLWantReadError:
                self._flush()
                data = self.below.read()
                if data:
                    self.incoming.write(data)
                else:
                    self.incoming.write_eof()
            except ssl.SSLError as error:
                self._flush()
                raise Gone from error

    def read(self):
        try:
            data = self._until(lambda: self.ssl.read(65_536))
        except Gone:
            data = b""
        if not data:
            # Bytes after the client's close_notify are counted, too.
            while self.below.read():
                pass
        self.up += len(data)
        return data

    def write(self, data):
        view = memoryview(data)
        while view:
            piece = view[:16_384]
            self.ssl.write(piece)
            self._flush()
            self.down += len(piece)
            view = view[len(piece) :]

    @property
    def overhead(self):
        """What TLS has added, up and down."""
        return self.below.up - self.base[0] - self.up, self.below.down - self.base[1] - self.down


PARTS = ("startLine", "fields", "interim", "body", "framing")


class Message:
    """One request and its response, part by part."""

    def __init__(self, role="origin"):
        self.role, self.method, self.target, self.version, self.status = role, "", "", "", None
        self.fields = {}
        self.up, self.down = dict.fromkeys(PARTS, 0), dict.fromkeys(PARTS, 0)
        # Of `up`, frames of its stream that the connection may have sent when its exchange was over.
        self.late = 0

    def value(self, name):
        return self.fields.get(name.lower())

    def total(self, way):
        return sum(getattr(self, way).values())

    @property
    def asked(self):
        """What a client sends of it in each run: how it grows HTTP/2's windows is another each time."""
        return self.total("up") if self.version != "h2" else (self.up["fields"], self.up["body"])

    def __repr__(self):
        return f"{self.method} {self.target} {self.status} up {self.up} down {self.down}"


class Connection:
    """One connection, and what a case's script does with it."""

    def __init__(self, role, number, sock, port, server):
        self.role, self.number, self.port, self.server = role, number, port, server
        self.socket, self.layers, self.buffer = sock, [Plain(sock)], bytearray()
        self.messages = []
        # Of `layers`, those that end at a proxy: TLS around all else.
        self.proxy_layers = []
        # Of WebSocket: frames, control frames and messages by their names in machine formats, up and down.
        self.websocket = collections.defaultdict(lambda: [0, 0])
        # What belongs to no message, by name: up and down.
        self.other = collections.defaultdict(lambda: [0, 0])
        self.ended = False
        # What `together` has gathered.
        self.held = None

    # Bytes

    @property
    def top(self):
        return self.layers[-1]

    def fill(self):
        """Reads once; whether anything came."""
        data = b"" if self.ended else self.top.read()
        if not data:
            self.ended = True
        self.buffer += data
        return bool(data)

    def take(self, count):
        """That many bytes, or fewer if the client leaves."""
        while len(self.buffer) < count and self.fill():
            pass
        data = bytes(self.buffer[:count])
        del self.buffer[:count]
        return data

    def line(self):
        while b"\n" not in self.buffer:
            if not self.fill():
                break
        end = self.buffer.find(b"\n")
        return self.take(end + 1 if end >= 0 else len(self.buffer))

    def name(self, name, up=0, down=0):
        """Counts what belongs to no message."""
        self.other[name][0] += up
        self.other[name][1] += down

    def rest(self, name="stray"):
        """Reads until the client leaves."""
        while True:
            self.name(name, up=len(self.buffer))
            self.buffer.clear()
            if not self.fill():
                return

    def is_waiting(self, seconds):
        """Whether something has come within that time."""
        return bool(self.buffer) or bool(select.select([self.socket], [], [], seconds)[0])

    def finish(self):
        """Closes in good order: nothing is left unread, so that nothing is reset."""
        try:
            self.socket.shutdown(socket.SHUT_WR)
        except OSError:
            # The client has reset the connection; what it sent before is still to be read.
            pass
        self.rest()

    def reset(self):
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.socket.close()

    def tls(self, alpn=(), is_proxys=False):
        """Puts TLS on top of what is there."""
        begun = bytes(self.buffer)
        self.buffer.clear()
        below = self.top
        before = below.up - len(begun), below.down
        try:
            self.layers.append(TLS(below, self.server.context(alpn), begun))
        except Gone:
            self.name("broken handshake", below.up - before[0], below.down - before[1])
            raise
        if is_proxys:
            self.proxy_layers.append(self.top)

    # HTTP/1

    def request(self, content=True, role=None):
        """The next request, or None if the client leaves; with its content by default."""
        line = self.line()
        if not line:
            return None
        message = Message(role or self.role)
        self.messages.append(message)
        message.up["startLine"] = len(line)
        words = line.decode("latin-1").split()
        message.method, message.target, message.version = (words + ["", "", ""])[:3]
        while True:
            line = self.line()
            message.up["fields"] += len(line)
            if not line.strip():
                break
            name, _, value = line.decode("latin-1").partition(":")
            message.fields[name.strip().lower()] = value.strip()
        if content:
            self.content(message)
        return message

    def content(self, message, limit=None):
        """Reads the request's content, or so much of it."""
        if "chunked" in (message.value("Transfer-Encoding") or ""):
            while True:
                line = self.line()
                message.up["framing"] += len(line)
                size = int(line.split(b";")[0] or b"0", 16)
                if not size:
                    break
                message.up["body"] += len(self.take(size))
                message.up["framing"] += len(self.take(2))
                if limit is not None and message.up["body"] >= limit:
                    return
            while True:
                line = self.line()
                message.up["framing"] += len(line)
                if not line.strip():
                    return
        left = int(message.value("Content-Length") or 0) if limit is None else limit
        while left > 0:
            data = self.take(min(left, 65_536))
            message.up["body"] += len(data)
            left -= len(data)
            if not data:
                return

    def later_content(self, message):
        """Whatever still comes belongs to that request's content."""
        while True:
            message.up["body"] += len(self.buffer)
            self.buffer.clear()
            if not self.fill():
                return

    def send(self, message, part, data):
        """Writes that part of a response; what cannot be written any more is not counted."""
        if isinstance(data, str):
            data = data.encode("latin-1")
        if self.held is not None:
            self.held += data
            message.down[part] += len(data)
            return
        before = self.top.down
        try:
            self.top.write(data)
        finally:
            message.down[part] += self.top.down - before

    @contextlib.contextmanager
    def together(self):
        """One write for all that is sent inside: some clients go on, or leave, after the first part that they have."""
        self.held = bytearray()
        yield
        held, self.held = self.held, None
        self.top.write(held)

    def head(self, message, status="200 OK", *fields, version="HTTP/1.1"):
        message.status = int(status.split()[0])
        self.send(message, "startLine", f"{version} {status}\r\n")
        self.send(message, "fields", "".join(f"{field}\r\n" for field in fields) + "\r\n")

    def interim(self, message, status, *fields):
        self.send(message, "interim", f"HTTP/1.1 {status}\r\n" + "".join(f"{field}\r\n" for field in fields) + "\r\n")

    def answer(self, message, status="200 OK", *fields, body=b"ok\n"):
        """A whole response with its length."""
        self.head(message, status, *fields, f"Content-Length: {len(body)}")
        if message.method != "HEAD":
            self.send(message, "body", body)

    def challenge(self, message, status, *fields, body):
        """A response with its length in one write: libcurl that will ask again may close after the head, whatever follows."""
        with self.together():
            self.answer(message, status, *fields, body=body)

    def chunks(self, message, *chunks, trailers=()):
        for chunk in chunks:
            self.send(message, "framing", f"{len(chunk):x}\r\n")
            self.send(message, "body", chunk)
            self.send(message, "framing", "\r\n")
        self.send(message, "framing", "0\r\n" + "".join(f"{line}\r\n" for line in trailers) + "\r\n")

    def extra(self, name, data):
        """Writes what belongs to no message."""
        before = self.top.down
        try:
            self.top.write(data)
        finally:
            self.name(name, down=self.top.down - before)

    # Sums

    @property
    def raw(self):
        return self.layers[0].up, self.layers[0].down

    @property
    def tls_overhead(self):
        return self.overhead_of(self.layers[1:])

    @property
    def proxy_tls_overhead(self):
        return self.overhead_of(self.proxy_layers)

    @staticmethod
    def overhead_of(layers):
        each = [layer.overhead for layer in layers]
        return sum(one[0] for one in each), sum(one[1] for one in each)

    def check(self):
        """Every byte must have found its place, or the judge has miscounted."""
        tls = self.tls_overhead
        for index, way in enumerate(("up", "down")):
            told = sum(one.total(way) for one in self.messages) + sum(pair[index] for pair in self.other.values())
            assert told + tls[index] == self.raw[index], (self, way, told, tls, self.raw)

    def __repr__(self):
        return f"{self.role} {self.number} port {self.port} raw {self.raw} tls {self.tls_overhead} {dict(self.other)} {self.messages}"


class Server:
    """The servers of one run: a listener for each role, a thread for each connection."""

    def __init__(self, roles, certificate, key):
        self.certificate, self.key = certificate, key
        self.connections, self.failures = [], []
        self.lock, self.listeners, self.acceptors, self.counts = threading.Lock(), {}, [], collections.Counter()
        for role, script in roles.items():
            # A closed port: bound, so that no other program gets it, and never listening.
            listener = socket.socket()
            listener.bind(("127.0.0.1", 0))
            self.listeners[role] = listener
            if script is not None:
                listener.listen(256)
                self.acceptors.append(Acceptor(listener, functools.partial(self.take, role, script)))

    def context(self, alpn=()):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.certificate, self.key)
        if alpn:
            context.set_alpn_protocols(list(alpn))
        return context

    def address(self, role):
        return "127.0.0.1:%d" % self.listeners[role].getsockname()[1]

    def take(self, role, script, sock, peer):
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        with self.lock:
            self.counts[role] += 1
            connection = Connection(role, self.counts[role], sock, peer[1], self)
            self.connections.append(connection)
        return functools.partial(self.serve, script, connection)

    def serve(self, script, connection):
        try:
            script(connection)
            if connection.socket.fileno() >= 0:
                connection.finish()
        except Gone:
            # The rest of what has come is still to be counted.
            if connection.socket.fileno() >= 0:
                connection.rest()
        except Exception as error:  # pylint: disable=broad-except # a script's own mistake is to be seen
            self.failures.append(f"the script of {connection.role} failed: {error!r}")
        finally:
            connection.socket.close()

    def stop(self):
        """Waits for what the connections still carry; the client has ended."""
        if not all([acceptor.end(5) for acceptor in self.acceptors]):
            self.failures.append("a connection never ends")
        for listener in self.listeners.values():
            listener.close()
        if not self.failures:
            for connection in self.connections:
                connection.check()
        if self.failures:
            raise AssertionError("; ".join(self.failures))
