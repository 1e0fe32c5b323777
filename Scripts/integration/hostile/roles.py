"""What a server can be before it is an origin: a proxy of each kind, a resolver, a WebSocket's end, an FTP server."""

import base64
import hashlib
import struct


def tunnel(c, *fields, inner_tls=False, alpn=(), status="200 Connection established"):
    """Takes a CONNECT, then is the origin itself."""
    message = c.request(role="proxy")
    c.head(message, status, *fields)
    if inner_tls:
        c.tls(alpn)
    return message


def socks4(c):
    """SOCKS4 and 4a: the address, the user, and in 4a the name after it."""
    head = c.take(8)
    count = 8
    while (byte := c.take(1)) not in (b"", b"\0"):
        count += 1
    count += 1
    if head[4:7] == b"\0\0\0" and head[7:8] != b"\0":
        while c.take(1) not in (b"", b"\0"):
            count += 1
        count += 1
    c.name("socks", up=count)
    c.extra("socks", b"\0\x5a" + head[2:8])


def socks5(c, user=None):
    """SOCKS5, with or without a name and a password (RFC 1928, RFC 1929)."""
    head = c.take(2)
    c.name("socks", up=2 + len(c.take(head[1])))
    if user:
        c.extra("socks", b"\x05\x02")
        first = c.take(2)
        name = c.take(first[1])
        password = c.take(c.take(1)[0])
        c.name("socks", up=3 + len(name) + len(password))
        c.extra("socks", b"\x01\0")
    else:
        c.extra("socks", b"\x05\0")
    head = c.take(4)
    size = {1: 4, 4: 16}.get(head[3])
    count = 4
    if size is None:
        size = c.take(1)[0]
        count += 1
    c.name("socks", up=count + len(c.take(size + 2)))
    c.extra("socks", b"\x05\0\0\x01\x7f\0\0\x01\0\x50")


def proxy_line(c):
    """The line of HAProxy's protocol, version 1."""
    c.name("proxyLine", up=len(c.line()))


DIGEST = 'Digest realm="hostile", qop="auth", nonce="bm9uY2Utbm9uY2Utbm9uY2U", algorithm=MD5'

# A type 2 message: no target, fixed challenge, NTLM's usual flags.
NTLM = (
    "NTLM "
    + base64.b64encode(
        b"NTLMSSP\0"
        + struct.pack("<IHHII", 2, 0, 0, 48, 0x00028206)
        + bytes(range(8))
        + bytes(8)
        + struct.pack("<HHI", 0, 0, 48)
    ).decode()
)


def keys(message):
    """The answer to a WebSocket's key (RFC 6455, section 4.2.2)."""
    key = (message.value("Sec-WebSocket-Key") or "") + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
    return base64.b64encode(hashlib.sha1(key.encode()).digest()).decode()


def frame(opcode, payload):
    """A WebSocket's frame as a server sends it: not masked."""
    if len(payload) < 126:
        return bytes([0x80 | opcode, len(payload)]) + payload
    if len(payload) < 65_536:
        return bytes([0x80 | opcode, 126]) + struct.pack(">H", len(payload)) + payload
    return bytes([0x80 | opcode, 127]) + struct.pack(">Q", len(payload)) + payload


def say(c, opcode, payload, fin=True):
    """Sends a frame: its header, then its payload."""
    data = frame(opcode, payload)
    if not fin:
        data = bytes([data[0] & 0x7F]) + data[1:]
    c.extra("websocketOverhead", data[: len(data) - len(payload)])
    c.extra("websocketPayload", payload)
    count(c, 1, opcode, fin)


def count(c, way, opcode, fin):
    c.websocket["frames"][way] += 1
    c.websocket["controlFrames"][way] += opcode >= 8
    c.websocket["messages"][way] += opcode < 8 and fin


def hear(c):
    """A frame of the client's, its payload unmasked; None at the end."""
    head = c.take(2)
    if len(head) < 2:
        c.name("websocketOverhead", up=len(head))
        return None
    size = head[1] & 0x7F
    more = c.take({126: 2, 127: 8}.get(size, 0))
    size = int.from_bytes(more, "big") if more else size
    mask = c.take(4) if head[1] & 0x80 else b""
    payload = c.take(size)
    c.name("websocketOverhead", up=len(head) + len(more) + len(mask))
    c.name("websocketPayload", up=len(payload))
    count(c, 0, head[0] & 0x0F, bool(head[0] & 0x80))
    return head[0] & 0x0F, bytes(byte ^ mask[index % 4] for index, byte in enumerate(payload)) if mask else payload


def resolve(c):
    """DNS over HTTPS: every name is 127.0.0.1 and has no other address (RFC 8484)."""
    c.tls()
    while message := c.request(content=False):
        question = c.take(int(message.value("Content-Length") or 0))
        message.up["body"] += len(question)
        kind = question[-4:-2]
        found = kind == b"\0\x01"
        body = question[:2] + b"\x81\x80\0\x01" + (b"\0\x01" if found else b"\0\0") + b"\0\0\0\0" + question[12:]
        if found:
            body += b"\xc0\x0c\0\x01\0\x01\0\0\0\x3c\0\x04\x7f\0\0\x01"
        c.answer(message, "200 OK", "Content-Type: application/dns-message", body=body)


def ftp(c, greeting=b"220 hello\r\n"):
    """An FTP server that refuses every login."""
    c.extra("ftp", greeting)
    while line := c.line():
        c.name("ftp", up=len(line))
        if line.startswith(b"QUIT"):
            c.extra("ftp", b"221 bye\r\n")
            return
        c.extra("ftp", b"530 no\r\n")
