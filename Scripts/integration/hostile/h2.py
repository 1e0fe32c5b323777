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
        self.number, self.message, self.is_whole, self.is_reset = number, message, False, False
        # Whether the header section has come, so that the next one is that of trailers.
        self.has_head = False


class Session:
    """The server's end of a connection."""

    def __init__(self, c, *settings, decoder=None):
        """`decoder`: reads header blocks (HPACK), if the script wants to know what is asked."""
        self.c, self.streams, self.grants, self.decoder, self.fragment = c, {}, True, decoder, b""
        # What may be sent: for each stream and, as 0, for all of them (section 6.9).
        self.windows, self.window = {0: 65_535}, 65_535
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
        self.allow(kind, flags, number, payload)
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
            if part == "fields":
                start = len(payload) - inside - (payload[0] if flags & PADDED and kind == HEADERS else 0)
                self.decode(stream, flags, payload[start : start + inside])
            if part:
                # The fields of trailers are framing.
                up["framing" if part == "fields" and stream.has_head else part] += inside
            if part == "fields" and flags & END_HEADERS:
                stream.has_head = True
            framing = 9 + len(payload) - (inside if part else 0)
            up["framing"] += framing
            if kind in (RST, WINDOW, PRIORITY):
                stream.message.late += framing
            if kind == RST:
                stream.is_reset = True
            if kind in (HEADERS, DATA) and flags & END_STREAM:
                stream.is_whole = True
            elif kind == DATA and self.grants and payload:
                self.send(WINDOW, 0, 0, struct.pack(">I", len(payload)))
                self.send(WINDOW, 0, number, struct.pack(">I", len(payload)), stream)
        return kind, flags, number

    def allow(self, kind, flags, number, payload):
        """Keeps the client's windows."""
        if kind == WINDOW:
            self.windows[number] = self.windows.get(number, self.window) + int.from_bytes(payload, "big")
        elif kind == SETTINGS and not flags & ACK:
            for at in range(0, len(payload) - 5, 6):
                name, value = struct.unpack(">HI", payload[at : at + 6])
                if name == 4:
                    for each in self.windows.keys() - {0}:
                        self.windows[each] += value - self.window
                    self.window = value

    def decode(self, stream, flags, fragment):
        """Reads a header block once it is whole."""
        self.fragment += fragment
        if not self.decoder or not flags & END_HEADERS:
            return
        fields, self.fragment = self.decoder.decode(self.fragment), b""
        if not stream.has_head:
            message = stream.message
            message.fields = dict(fields)
            message.method, message.target = message.fields[":method"], message.fields[":path"]

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

    def flow(self, stream, content, end=False):
        """Data as the client's windows allow it; stops where the client resets the stream or leaves."""
        while content and not stream.is_reset:
            room = min(self.windows[0], self.windows.setdefault(stream.number, self.window), 16_000)
            if room <= 0 or self.c.is_waiting(0):
                if self.frame() is None:
                    return
                continue
            piece, content = content[:room], content[room:]
            self.windows[0] -= len(piece)
            self.windows[stream.number] -= len(piece)
            self.send(DATA, END_STREAM if end and not content else 0, stream.number, piece, stream)

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
