"""HTTP/2 by hand (RFC 9113): each frame counted, whatever a case wants sent in whatever order."""

import contextlib
import struct

from wire import Gone, Message

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
DATA, HEADERS, PRIORITY, RST, SETTINGS, PUSH, PING, GOAWAY, WINDOW, CONTINUATION = range(10)
END_STREAM, END_HEADERS, ACK, PADDED = 1, 4, 1, 8
NO_ERROR, PROTOCOL_ERROR, INTERNAL_ERROR, REFUSED, CANCEL = 0, 1, 2, 7, 8
STATUS = {200: b"\x88", 204: b"\x89", 206: b"\x8a", 304: b"\x8b", 400: b"\x8c", 404: b"\x8d", 500: b"\x8e"}


def literal(name, value):
    """A field without any table (RFC 7541, section 6.2.2)."""
    name, value = name.encode(), value.encode()
    return b"\0" + bytes([len(name)]) + name + bytes([len(value)]) + value


def status(code, *fields):
    block = STATUS.get(code) or literal(":status", str(code))
    return block + b"".join(literal(name, value) for name, value in fields)


class Stream:
    """One stream: its message, and what was seen of the request."""

    def __init__(self, number, message):
        self.number, self.message, self.is_whole = number, message, False


class Session:
    """The server's end of a connection."""

    def __init__(self, c, *settings):
        self.c, self.streams, self.grants = c, {}, True
        c.name("h2", up=len(c.take(len(PREFACE))))
        self.send(SETTINGS, 0, 0, b"".join(struct.pack(">HI", *one) for one in settings))

    def frame(self):
        """Reads one frame: its type, flags, stream; None where the client leaves."""
        c = self.c
        head = c.take(9)
        if len(head) < 9:
            c.name("h2", up=len(head))
            return None
        size, kind, flags = int.from_bytes(head[:3], "big"), head[3], head[4]
        number = int.from_bytes(head[5:], "big") & 0x7FFF_FFFF
        payload = c.take(size)
        if kind == HEADERS and number not in self.streams:
            message = Message()
            message.version = "h2"
            c.messages.append(message)
            self.streams[number] = Stream(number, message)
        stream = self.streams.get(number)
        if stream is None:
            c.name("h2", up=9 + len(payload))
            if kind == SETTINGS and not flags & ACK:
                self.send(SETTINGS, ACK, 0)
            if kind == PING and not flags & ACK:
                self.send(PING, ACK, 0, payload)
        else:
            up = stream.message.up
            inside = len(payload)
            if flags & PADDED and kind in (DATA, HEADERS):
                inside -= 1 + payload[0]
            if kind == HEADERS and flags & 0x20:
                inside -= 5
            part = {HEADERS: "fields", CONTINUATION: "fields", DATA: "body"}.get(kind)
            if part:
                up[part] += inside
            framing = 9 + len(payload) - (inside if part else 0)
            up["framing"] += framing
            if kind in (RST, WINDOW, PRIORITY):
                stream.message.late += framing
            if kind in (HEADERS, DATA) and flags & END_STREAM:
                stream.is_whole = True
            elif kind == DATA and self.grants and payload:
                self.send(WINDOW, 0, 0, struct.pack(">I", len(payload)))
                self.send(WINDOW, 0, number, struct.pack(">I", len(payload)), stream)
        return kind, flags, number

    def send(self, kind, flags, number, payload=b"", stream=None, inside=None):
        """Writes one frame; to a message where a stream is given, `inside` bytes of it as content or fields."""
        data = len(payload).to_bytes(3, "big") + bytes([kind, flags]) + number.to_bytes(4, "big") + payload
        if stream is None:
            with contextlib.suppress(Gone):
                self.c.extra("h2", data)
            return
        part = {HEADERS: "fields", CONTINUATION: "fields", DATA: "body"}.get(kind)
        inside = (len(payload) if inside is None else inside) if part else 0
        before = self.c.top.down
        try:
            self.c.top.write(data)
        except Gone:
            # The client has left; what it sent before is still to be read, and belongs to its stream.
            stream.message.down["framing"] += self.c.top.down - before
            return
        if part:
            stream.message.down[part] += inside
        stream.message.down["framing"] += len(data) - inside

    # What a case does

    def request(self, whole=True):
        """The next stream's request; None where the client leaves."""
        seen = set(self.streams)
        while True:
            fresh = [s for n, s in self.streams.items() if n not in seen]
            if fresh and (fresh[0].is_whole or not whole):
                return fresh[0]
            if self.frame() is None:
                return None

    def head(self, stream, code=200, *fields, end=False, cut=None):
        block = status(code, *fields)
        if code >= 200:
            stream.message.status = code
        flags = END_STREAM if end else 0
        if cut is None:
            self.send(HEADERS, flags | END_HEADERS, stream.number, block, stream)
        else:
            self.send(HEADERS, flags, stream.number, block[:cut], stream)
            self.send(CONTINUATION, END_HEADERS, stream.number, block[cut:], stream)

    def interim(self, stream, code, *fields):
        before = dict(stream.message.down)
        self.head(stream, code, *fields)
        # An interim head's frames are one part: interim.
        after = stream.message.down
        after["interim"] += sum(after[k] - before[k] for k in ("fields", "framing"))
        after["fields"], after["framing"] = before["fields"], before["framing"]

    def data(self, stream, content, end=False, padding=None):
        while True:
            piece, content = content[:16_000], content[16_000:]
            flags = END_STREAM if end and not content else 0
            if padding is None:
                self.send(DATA, flags, stream.number, piece, stream)
            else:
                self.send(
                    DATA, flags | PADDED, stream.number, bytes([padding]) + piece + bytes(padding), stream, len(piece)
                )
            if not content:
                return

    def trailers(self, stream, *fields):
        block = b"".join(literal(name, value) for name, value in fields)
        before = stream.message.down["fields"]
        self.send(HEADERS, END_HEADERS | END_STREAM, stream.number, block, stream)
        stream.message.down["framing"] += stream.message.down["fields"] - before
        stream.message.down["fields"] = before

    def answer(self, stream, code=200, body=b"ok\n", *fields):
        self.head(stream, code, *fields, end=not body)
        if body:
            self.data(stream, body, end=True)

    def rst(self, stream, code):
        self.send(RST, 0, stream.number, struct.pack(">I", code), stream)

    def goaway(self, last, code=NO_ERROR):
        self.send(GOAWAY, 0, 0, struct.pack(">II", last, code))

    def settle(self):
        """Waits until the client has read all that was sent, and has nothing left to say of it."""
        self.send(PING, 0, 0, b"settled?")
        while (frame := self.frame()) is not None and frame[:2] != (PING, ACK):
            pass

    def rest(self):
        """Reads frames until the client leaves."""
        while self.frame() is not None:
            pass
