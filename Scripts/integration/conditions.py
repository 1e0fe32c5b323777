"""Devices on another network: what they get is the same, and later; their rows say which network.

Only least times are expected, so that a slow machine changes nothing.

usage: conditions.py COMMAND FOLDER
"""

import hashlib
import os
import socket
import ssl
import struct
import subprocess
import sys
import threading
import time

from proxy import COMMAND, FAILED, FOLDER, Origin, Proxy, expect

BIG = os.urandom(150_000)


def answer(connection, log):
    """Answers each request with its path's bytes, after its body."""
    left = bytearray()
    while True:
        while b"\r\n\r\n" not in left:
            data = connection.recv(65_536)
            if not data:
                return
            log += data
            left += data
        head, _, rest = bytes(left).partition(b"\r\n\r\n")
        left = bytearray(rest)
        length = int(head.lower().partition(b"content-length: ")[2].split(b"\r\n")[0] or b"0")
        while len(left) < length:
            data = connection.recv(65_536)
            log += data
            left += data
        body, left = left[:length], left[length:]
        sent = BIG if b"/big" in head.split(b"\r\n")[0] else hashlib.sha256(body).digest()
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(sent) + sent)


def timed(work):
    begin = time.monotonic()
    result = work()
    return result, time.monotonic() - begin


def request(origin, path, body=b"", last=True):
    close = b"Connection: close\r\n" if last else b""
    method = b"POST" if body else b"GET"
    length = b"Content-Length: %d\r\n" % len(body) if body else b""
    host = b"127.0.0.1:%d" % origin.port
    return b"%s http://%s%s HTTP/1.1\r\nHost: %s\r\n%s%s\r\n%s" % (method, host, path, host, length, close, body)


def same_bytes_later():
    origin = Origin(answer)
    body = os.urandom(40_000)
    work = [(b"/small", b""), (b"/big", b""), (b"/up", body)]
    plain = Proxy(name="plain")
    expected = [plain.talk(request(origin, path, body)) for path, body in work]
    plain.stop()
    heard = bytes(origin.heard)
    origin.logs.clear()
    # 1.2 Mbit/s down: 150,000 bytes take a second; 320 kbit/s up: 40,000 bytes take one, too.
    slow = Proxy("--profile", "down=1.2M,up=320k,rtt=100", name="slow")
    expect("1.2 Mbit/s down, 320 kbit/s up, round trip 100 ms" in slow.said, "it says", slow.said)
    least = [0.2, 1.2, 1.2]
    for (path, data), whole, seconds in zip(work, expected, least):
        got, took = timed(lambda path=path, data=data: slow.talk(request(origin, path, data), wait=30))
        expect(got == whole, path, "got", len(got), "bytes instead of", len(whole))
        expect(took >= seconds, path, "took", took, "s, less than", seconds)
    # Several requests on one connection.
    got, took = timed(lambda: slow.talk(request(origin, b"/small", last=False) * 2 + request(origin, b"/big"), wait=30))
    expect(got.endswith(BIG) and got.count(b"HTTP/1.1 200") == 3, "pipelined:", len(got), "bytes")
    slow.stop()
    origin.stop()
    expect(bytes(origin.heard).startswith(heard), "the server heard something else")
    rows = slow.rows()
    expect(len(rows) == 6 and all("serverLeg" in row for row in rows), "rows:", rows)
    big = next(row for row in rows if row["path"] == "/big")
    expect(big["timings"]["total"] >= 1000 > big["serverLeg"]["timings"]["total"], "the device's row has", big["timings"])
    networks = {(row["direction"], row["network"]["interface"]) for row in slow.rows("connections")}
    expect(networks == {("served", "simulated down=1.2M,up=320k,rtt=100"), ("called", "lo")}, "networks:", networks)
    report = subprocess.run([COMMAND, "report", slow.store, "--by", "network"], capture_output=True, text=True, check=False)
    expect("simulated down=1.2M" in report.stdout, "the report says", report.stdout)


def all_goes(connection, size):
    """Whether a peer takes all of it without reading."""
    connection.settimeout(1)
    try:
        while size > 0:
            size -= connection.send(b"x" * min(size, 1 << 20))
    except TimeoutError:
        return False
    return True


def held():
    """What a slow network holds the proxy does not take ahead, from the server or from the device."""
    size = 60 << 20
    taken, done = [], threading.Event()

    def sends(connection, log):
        log += connection.recv(65_536)
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % size)
        taken.append(all_goes(connection, size))
        done.set()

    origin = Origin(sends)
    proxy = Proxy("--profile", "down=500k,up=500k,rtt=20", name="held")
    with socket.create_connection(("127.0.0.1", proxy.port), 10) as client:
        client.sendall(request(origin, b"/"))
        expect(done.wait(60) and taken == [False], "a device on a slow network: of the server all was taken", taken)
        client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    origin.stop()

    def reads(connection, _):
        while connection.recv(1 << 20):
            pass

    origin = Origin(reads)
    with socket.create_connection(("127.0.0.1", proxy.port), 10) as client:
        client.sendall(b"POST http://127.0.0.1:%d/ HTTP/1.1\r\nHost: a\r\nContent-Length: %d\r\n\r\n" % (origin.port, size))
        expect(not all_goes(client, size), "a device on a slow network: of it all was taken")
        client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    expect(proxy.stop() == 0, "the proxy ended with", proxy.process.returncode, proxy.said)
    origin.stop()


def ends():
    """A half-closed connection, a client that leaves, one that never reads, and a tunnel."""
    origin = Origin(answer)
    proxy = Proxy("--profile", "edge,rtt=50,loss=5", name="ends")
    got = proxy.talk(request(origin, b"/small"), shut=True, wait=30)
    expect(got.startswith(b"HTTP/1.1 200") and len(got.partition(b"\r\n\r\n")[2]) == 32, "after its end it got", got)
    for linger in (None, struct.pack("ii", 1, 0)):
        with socket.create_connection(("127.0.0.1", proxy.port), 10) as client:
            client.sendall(request(origin, b"/big"))
            client.recv(1)
            if linger:
                client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
    with socket.create_connection(("127.0.0.1", proxy.port), 10) as client:
        client.sendall(b"CONNECT 127.0.0.1:%d HTTP/1.1\r\nHost: a\r\n\r\n" % origin.port)
        said = b""
        while b"\r\n\r\n" not in said:
            said += client.recv(100)
        client.sendall(b"GET /small HTTP/1.1\r\nHost: a\r\n\r\n")
        client.shutdown(socket.SHUT_WR)
        inside = b""
        while data := client.recv(65_536):
            inside += data
    expect(said.startswith(b"HTTP/1.1 200 ") and len(inside.partition(b"\r\n\r\n")[2]) == 32, "the tunnel gave", inside)
    expect(proxy.stop() == 0, "the proxy ended with", proxy.said)
    ends = [(row["method"], row["path"].strip("/"), row["outcome"]) for row in proxy.rows()]
    tunnel = ("CONNECT", f"127.0.0.1:{origin.port}", "completed")
    small, big = ("GET", "small", "completed"), ("GET", "big", "failed")
    expect(ends == [small, big, big, tunnel, small], "rows:", ends)
    origin.stop()


class Secure(Origin):
    def serve(self, connection, log):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(FOLDER / "certificate.pem", FOLDER / "key.pem")
        with context.wrap_socket(connection, server_side=True) as secure:
            self.answer(secure, log)


def opened():
    """Where TLS is opened, its handshake takes its time, too: connection, CONNECT, handshake and request are four round
    trips. The device's row has the time that its request takes."""
    origin = Secure(answer)
    data = FOLDER / "slow authority"
    proxy = Proxy("--profile", "rtt=200,down=1.2M", "--open-tls", "--upstream-ca", str(FOLDER / "certificate.pem"), name="opened",
                  environment={"XDG_DATA_HOME": str(data)})
    words = ["--proxy", f"http://127.0.0.1:{proxy.port}", "--cacert", str(data / "wireweight/authority.pem")]
    for version, least in (("1.3", 1.8), ("1.2", 2.0)):
        got, took = timed(lambda version=version: subprocess.run(
            ["curl", "-sS", "--max-time", "30", "--tls-max", version, *words, f"https://localhost:{origin.port}/big"], capture_output=True, check=False))
        expect(got.stdout == BIG, "curl got", len(got.stdout), "bytes", got.stderr)
        expect(took >= least, "curl took", took, "s with TLS", version)
    proxy.stop()
    origin.stop()
    rows = [row for row in proxy.rows() if row["path"] == "/big"]
    expect(len(rows) == 2, "rows:", rows)
    expect(all(row["timings"]["total"] >= 1200 for row in rows), "the device's rows have", [row["timings"] for row in rows])


def refused():
    for text, words in (("5g", "'--profile' knows no '5g'; there are edge, 2g"), ("down=x", "'down' takes bits per second")):
        ended = subprocess.run([COMMAND, "proxy", "--profile", text], capture_output=True, text=True, check=False, timeout=60)
        expect(ended.returncode == 64 and words in ended.stderr, text, "gave", ended.returncode, ended.stderr)


same_bytes_later()
held()
ends()
opened()
refused()
print("conditions:", "FAILED" if FAILED else "same bytes, later, on a network with a name")
sys.exit(1 if FAILED else 0)
