"""The proxy between raw clients and a raw origin, both of which log every byte.

usage: proxy.py COMMAND FOLDER
"""

import atexit
import contextlib
import json
import os
import pathlib
import re
import signal
import socket
import struct
import subprocess
import sys
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "shared"))
from processes import free_ports  # noqa: E402 pylint: disable=wrong-import-position

COMMAND, FOLDER = sys.argv[1], pathlib.Path(sys.argv[2])
FAILED = []
OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"


STARTED = []


@atexit.register
def end_all():
    """A script that breaks leaves no proxy, whose file the next build could not replace."""
    for process in STARTED:
        # The second signal closes a page that is held.
        for _ in range(2):
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.terminate()
                process.communicate(timeout=5)
        process.kill()


def start(*words, **options):
    """A process that ends with this one."""
    STARTED.append(subprocess.Popen(*words, **options))
    return STARTED[-1]


def expect(condition, *words):
    if not condition:
        print("FAILED:", *words, flush=True)
        FAILED.append(words)


class Origin:
    """Logs what comes on each connection, and answers each with what a test gives it."""

    def __init__(self, answer, host="127.0.0.1"):
        self.answer, self.logs = answer, []
        self.listener = socket.create_server((host, 0), backlog=128)
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        with contextlib.suppress(OSError):
            while True:
                connection, _ = self.listener.accept()
                log = bytearray()
                self.logs.append(log)
                threading.Thread(target=self.serve, args=(connection, log), daemon=True).start()

    def serve(self, connection, log):
        with connection, contextlib.suppress(OSError):
            self.answer(connection, log)

    def stop(self):
        self.listener.close()

    @property
    def heard(self):
        return b"".join(self.logs)


def once(response=OK, until=b"\r\n\r\n"):
    """Reads up to some bytes, answers, and reads to the end."""

    def answer(connection, log):
        while until not in log:
            data = connection.recv(65_536)
            if not data:
                return
            log += data
        connection.sendall(response)
        while data := connection.recv(65_536):
            log += data

    return answer


class Proxy:
    """`wireweight proxy` on a port of its own."""

    def __init__(self, *words, name="proxy", environment=None, within=()):
        self.port = free_ports(1)[0]
        self.store = FOLDER / f"{name}.db"
        for file in FOLDER.glob(f"{name}.db*"):
            file.unlink()
        words = words if "--listen" in words else ("--listen", f"127.0.0.1:{self.port}", *words)
        # What the machine's own proxy is must change nothing.
        own = {key: value for key, value in os.environ.items() if not key.lower().endswith("_proxy")}
        self.process = start(
            [*within, COMMAND, "proxy", "--db", str(self.store), *(word.replace("PORT", str(self.port)) for word in words)],
            stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env={**own, **(environment or {})},
        )
        self.said = ""
        while "listens on" not in self.said:
            line = self.process.stderr.readline()
            assert line, self.said
            self.said += line

    def stop(self, number=signal.SIGTERM):
        self.process.send_signal(number)
        rest = self.process.communicate(timeout=30)[1]
        self.said += rest
        return self.process.returncode

    @property
    def pid(self):
        """Of the proxy itself, the command's child."""
        text = pathlib.Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text()
        return int(text.split()[0])

    def talk(self, data, host="127.0.0.1", shut=False, wait=20.0, source=None):
        """Sends bytes and returns all that comes back."""
        with socket.create_connection((host, self.port), 10, source_address=source) as client:
            client.sendall(data)
            if shut:
                client.shutdown(socket.SHUT_WR)
            client.settimeout(wait)
            answer = b""
            with contextlib.suppress(TimeoutError, ConnectionResetError):
                while data := client.recv(65_536):
                    answer += data
            return answer

    def rows(self, verb="exchanges"):
        ended = subprocess.run(
            [COMMAND, verb, str(self.store), "--format", "ndjson"], capture_output=True, text=True, check=False
        )
        return [json.loads(line) for line in ended.stdout.splitlines()]


def whole_requests(log):
    """The number of requests that an origin could take the bytes for, however it reads them."""
    return len(re.findall(rb"(?:GET|POST|SMUGGLED) \S+ HTTP/1\.\d", log))


SECOND = b"SMUGGLED /second HTTP/1.1\r\nHost: a\r\n\r\n"
SMUGGLING = {
    "length and coding": b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + SECOND,
    "coding and length": b"Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n" + SECOND,
    "two lengths": b"Content-Length: 0\r\nContent-Length: 44\r\n\r\n" + SECOND,
    "a list of lengths": b"Content-Length: 0, 44\r\n\r\n" + SECOND,
    "a signed length": b"Content-Length: +0\r\n\r\n" + SECOND,
    "a length that overflows": b"Content-Length: 18446744073709551617\r\n\r\nx" + SECOND,
    "space before the colon": b"Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n" + SECOND,
    "a folded line": b"X: y\r\n Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + SECOND,
    "a tabbed line": b"\tTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + SECOND,
    "a bare LF": b"X: y\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + SECOND,
    "a bare CR": b"X: y\rTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + SECOND,
    "a NUL": b"X: y\0\r\nContent-Length: 0\r\n\r\n" + SECOND,
    "an unknown coding": b"Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n" + SECOND,
    "a coding after chunked": b"Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n" + SECOND,
    "a coding with a vertical tab": b"Transfer-Encoding:\x0bchunked\r\n\r\n0\r\n\r\n" + SECOND,
    "a chunk of another size": b"Transfer-Encoding: chunked\r\n\r\n3\r\nabcd\r\n0\r\n\r\n" + SECOND,
    "a chunk size that overflows": b"Transfer-Encoding: chunked\r\n\r\n10000000000000000\r\n" + SECOND,
    "a chunk size in a C form": b"Transfer-Encoding: chunked\r\n\r\n0x0\r\n\r\n" + SECOND,
    "a chunk that ends with LF": b"Transfer-Encoding: chunked\r\n\r\n1\na\n0\n\n" + SECOND,
    "an extension with LF": b"Transfer-Encoding: chunked\r\n\r\n2;\nxx\r\n0\r\n\r\n" + SECOND,
}


def smuggling(proxy):
    """What could be two requests for a server is refused, or cut off before it has the second one's beginning."""
    for name, rest in SMUGGLING.items():
        origin = Origin(once())
        head = b"POST http://127.0.0.1:%d/first HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n" % (origin.port, origin.port)
        answer = proxy.talk(head + rest, wait=1.0)
        time.sleep(0.02)
        expect(b"SMUGGLED" not in origin.heard, name, "passed a second request on:", origin.heard)
        expect(whole_requests(origin.heard) <= 1, name, "made requests:", origin.heard)
        expect(answer == b"" or answer.startswith(b"HTTP/1.1 400 ") or b"chunk" in name.encode() or "extension" in name,
               name, "was answered with", answer[:80])
        origin.stop()
    for data in (b"GET http://a.test/ HTTP/1.1\nHost: a\n\n", b"\x16\x03\x01", b"\4\1\0\x50\1\2\3\4\0"):
        began = time.monotonic()
        answer = proxy.talk(data)
        expect(time.monotonic() - began < 4, data, "was left waiting")
        expect(b"400" in answer[:12] or data[0] < 0x20, data, "was answered with", answer)


def verbatim(proxy):
    """Pipelined requests arrive in order, as they came, and their responses go back in order."""
    count = 150

    def answer(connection, log):
        done = 0
        while data := connection.recv(65_536):
            log += data
            while done < log.count(b"\r\n\r\n"):
                connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%d" % (len(str(done)), done))
                done += 1

    origin = Origin(answer)
    requests = [b"GET http://127.0.0.1:%d/%d HTTP/1.1\r\nhost:127.0.0.1:%d\r\nX-Y:  z \r\n\r\n" % (origin.port, i, origin.port)
                for i in range(count)]
    got = proxy.talk(b"".join(requests), shut=True)
    sent = b"".join(one.replace(b"http://127.0.0.1:%d" % origin.port, b"") for one in requests)
    expect(origin.heard == sent, "pipelined requests arrived as", origin.heard[:200])
    expect(re.findall(rb"\r\n\r\n(\d+)", got) == [b"%d" % i for i in range(count)], "pipelined responses came as", got[:200])
    expect(len(origin.logs) == 1, "pipelined requests took", len(origin.logs), "connections")
    origin.stop()


def streams(proxy):
    """An event stream comes event by event, and a tunnel's ends close one by one."""
    go = threading.Event()

    def events(connection, log):
        log += connection.recv(65_536)
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: 1\n\n")
        go.wait(5)
        connection.sendall(b"data: 2\n\n")

    origin = Origin(events)
    with socket.create_connection(("127.0.0.1", proxy.port), 10) as client:
        client.sendall(b"GET http://127.0.0.1:%d/ HTTP/1.1\r\nHost: a\r\n\r\n" % origin.port)
        got = b""
        while b"data: 1\n\n" not in got:
            got += client.recv(65_536)
        go.set()
        while data := client.recv(65_536):
            got += data
    expect(got.endswith(b"data: 1\n\ndata: 2\n\n"), "an event stream came as", got)
    origin.stop()

    def answers_at_end(connection, log):
        while data := connection.recv(65_536):
            log += data
        connection.sendall(b"%d" % len(log))

    origin = Origin(answers_at_end)
    got = proxy.talk(b"CONNECT 127.0.0.1:%d HTTP/1.1\r\nHost: x\r\n\r\n" % origin.port + b"\1" * 300_000, shut=True)
    expect(got == b"HTTP/1.1 200 Connection established\r\n\r\n300000", "a half-closed tunnel gave", got)
    address = socket.inet_aton("127.0.0.1") + struct.pack(">H", origin.port)
    got = proxy.talk(b"\5\1\0" + b"\5\1\0\1" + address + b"\1" * 1000, shut=True)
    expect(got == b"\5\0" + b"\5\0\0\1\0\0\0\0\0\0" + b"1000", "SOCKS gave", got)
    origin.stop()

    def resets(connection, log):
        log += connection.recv(65_536)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))

    origin = Origin(resets)
    with socket.create_connection(("127.0.0.1", proxy.port), 10) as client:
        client.sendall(b"GET http://127.0.0.1:%d/ HTTP/1.1\r\nHost: a\r\n\r\n" % origin.port)
        try:
            got = client.recv(100)
            expect(False, "a reset became", got)
        except ConnectionResetError:
            pass
    origin.stop()


def patience(proxy):
    """A client that reads late, ends early, or offers another protocol gets what it would get from the server."""
    size = 6_000_000

    def large(connection, log):
        log += connection.recv(65_536)
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\nConnection: close\r\n\r\n" % size + b"x" * size)

    origin = Origin(large)
    with socket.socket() as client:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.connect(("127.0.0.1", proxy.port))
        client.sendall(b"GET http://127.0.0.1:%d/ HTTP/1.1\r\nHost: a\r\n\r\n" % origin.port)
        time.sleep(3.5)
        got = 0
        while data := client.recv(1 << 20):
            got += len(data)
    expect(got > size, "a client that reads late got", got)
    origin.stop()

    def whole(connection, log):
        while data := connection.recv(65_536):
            log += data
        connection.sendall(OK)

    origin = Origin(whole)
    # Its address is looked up, so its end comes before there is a connection to the server.
    got = proxy.talk(b"GET http://localhost:%d/ HTTP/1.1\r\nHost: a\r\n\r\n" % origin.port, shut=True)
    expect(got == OK, "a client that ended its side at once got", got)
    got = proxy.talk(b"POST http://localhost:%d/ HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nabc" % origin.port, shut=True)
    expect(got == OK and origin.heard.endswith(b"abc"), "a client that ended in its body got", got)
    origin.stop()

    def switches(connection, log):
        log += connection.recv(65_536)
        time.sleep(0.3)
        connection.sendall(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: odd\r\nConnection: upgrade\r\n\r\n")
        while data := connection.recv(65_536):
            log += data
            connection.sendall(data.upper())

    origin = Origin(switches)
    head = b"GET http://127.0.0.1:%d/ HTTP/1.1\r\nHost: a\r\n" % origin.port
    with socket.create_connection(("127.0.0.1", proxy.port), 20) as client:
        client.sendall(head + b"Connection: upgrade\r\nUpgrade: odd\r\n\r\nearly")
        got = b""
        with contextlib.suppress(TimeoutError):
            while not got.endswith(b"EARLY") and (data := client.recv(65_536)):
                got += data
    expect(got.endswith(b"\r\n\r\nEARLY"), "after a 101 came", got)
    origin.stop()
    origin, other = Origin(switches), Origin(once())
    second = b"GET http://127.0.0.1:%d/secret HTTP/1.1\r\nHost: b\r\nConnection: close\r\n\r\n" % other.port
    with socket.create_connection(("127.0.0.1", proxy.port), 10) as client:
        client.sendall(b"GET http://127.0.0.1:%d/ HTTP/1.1\r\nHost: a\r\n\r\n" % origin.port)
        client.recv(1000)
        client.sendall(second)
        client.settimeout(1)
        with contextlib.suppress(OSError):
            client.recv(1000)
    expect(b"secret" not in origin.heard, "a 101 that was not asked got the next request:", origin.heard)
    origin.stop()
    other.stop()


def memory(proxy):
    """Large bodies pass in constant memory, however slow their reader is."""
    size = 400_000_000
    piece = b"x" * 1_000_000

    def answer(connection, log):
        log += connection.recv(65_536)
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % size)
        for _ in range(size // len(piece)):
            connection.sendall(piece)

    origin = Origin(answer)
    with socket.create_connection(("127.0.0.1", proxy.port), 10) as client:
        client.sendall(b"GET http://127.0.0.1:%d/ HTTP/1.1\r\nHost: a\r\n\r\n" % origin.port)
        time.sleep(0.5)  # it must not read ahead meanwhile
        got, buffer = 0, bytearray(1 << 20)
        while got < size:
            count = client.recv_into(buffer)
            if not count:
                break
            got += count
    most = int(re.search(r"VmHWM:\s+(\d+)", pathlib.Path(f"/proc/{proxy.pid}/status").read_text())[1])
    expect(got >= size, "of a large body came", got)
    expect(most < 150_000, "the proxy took", most, "KiB for a large body")
    origin.stop()
    return most


def bounds(proxy):
    """An endless header section is refused; many idle connections do not keep others out."""
    got = proxy.talk(b"GET http://a.test/ HTTP/1.1\r\nX: " + b"a" * 400_000, wait=3)
    expect(got.startswith(b"HTTP/1.1 431 ") or got == b"", "an endless head was answered with", got[:60])
    idle = []
    for _ in range(1000):
        client = socket.create_connection(("127.0.0.1", proxy.port), 10)
        client.sendall(b"GET http")
        idle.append(client)
    origin = Origin(once())
    got = proxy.talk(b"GET http://127.0.0.1:%d/ HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n" % origin.port)
    expect(got == OK, "beside a thousand idle connections came", got)
    for client in idle:
        client.close()
    origin.stop()


def idle(proxy, count, host, source):
    """Connections that say nothing."""
    return [socket.create_connection((host, proxy.port), 10, source_address=source) for _ in range(count)]


def answered(proxy, ask, is_enough, **at):
    """What is answered at last: ends of other connections may still be on the way."""
    got = b""
    for _ in range(200):
        with contextlib.suppress(ConnectionError):
            got = proxy.talk(ask, **at)
            if is_enough(got):
                break
        time.sleep(0.05)
    return got


def crowd(own):
    """Idle connections, more than there are descriptors: of a device that is not let in, and of one that is."""
    origin = Origin(once())
    limit = 400
    proxy = Proxy("--for-devices", "--listen", "0.0.0.0:PORT", name="crowd", within=("prlimit", f"--nofile={limit}:{limit}"))
    ask = b"GET http://127.0.0.1:%d/ HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n" % origin.port

    silent = idle(proxy, 2 * limit, own, (own, 0))
    got = proxy.talk(ask, wait=20)
    expect(got == OK, "beside a crowd that is not let in came", got)
    for client in silent:
        client.close()
    # One that asks is answered when the crowd has gone.
    got = answered(proxy, ask, bool, host=own, source=(own, 0))
    expect(b"may not use it" in got, "after a crowd one was answered with", got)
    silent = idle(proxy, 2 * limit, "127.0.0.1", None)
    silent[0].sendall(ask)
    silent[0].settimeout(20)
    got = silent[0].recv(4096)
    expect(got == OK, "one of a crowd that is let in got", got)
    for client in silent:
        client.close()
    proxy.stop()
    origin.stop()


def shares(own):
    """One device has half of the connections at most, and hears so; others go on."""
    origin = Origin(once(), own)
    limit = 400
    share = (limit - 200) // 2 // 2
    proxy = Proxy("--for-devices", "--allow", own, "--listen", "0.0.0.0:PORT", name="shares", within=("prlimit", f"--nofile={limit}:{limit}"))
    place = b"%b:%d" % (own.encode(), origin.port)
    ask = b"GET http://%b/ HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n" % place
    device = {"host": own, "source": (own, 0)}

    def tunnel():
        client = socket.create_connection((own, proxy.port), 10, source_address=(own, 0))
        client.sendall(b"CONNECT %b HTTP/1.1\r\nHost: a\r\n\r\n" % place)
        expect(client.recv(100).startswith(b"HTTP/1.1 200 "), "below its share a device got no tunnel")
        return client

    held = [tunnel() for _ in range(share)]
    got = proxy.talk(ask, **device)
    reason = f"{own} has {share} connections, the most of one device"
    expect(got.startswith(b"HTTP/1.1 503 ") and reason.encode() in got, "above its share a device got", got)
    held += idle(proxy, 2 * limit, own, (own, 0))
    got = proxy.talk(ask, wait=20)
    expect(got == OK, "beside a device with many connections came", got)
    for client in held:
        client.close()
    got = answered(proxy, ask, OK.__eq__, **device)
    expect(got == OK, "when it has closed them, the device got", got)
    proxy.stop()
    expect(proxy.said.count(reason) == 1, "a device with many connections is said as", proxy.said)
    origin.stop()


def own_address():
    """The address of this machine on a network; nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, contextlib.suppress(OSError):
        probe.connect(("192.0.2.1", 9))
        address = probe.getsockname()[0]
        return None if address.startswith("127.") else address
    return None


def gates(own):
    """A device is refused until it is let in, and does not reach this machine's own servers."""
    origin = Origin(once())
    listening = ("--for-devices", "--listen", "0.0.0.0:PORT")
    network = own.rsplit(".", 1)[0] + ".0/24"
    for words, source, status, says in (
        (listening, own, b"403", b"may not use it"),
        ((*listening, "--allow", network), own, b"403", b"does not open to others"),
        (listening, None, b"200", b"ok"),
    ):
        proxy = Proxy(*words, name="gate")
        at = {"host": source or "127.0.0.1", "source": (source, 0) if source else None}
        got = proxy.talk(b"GET http://127.0.0.1:%d/ HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n" % origin.port, **at)
        expect(got.startswith(b"HTTP/1.1 " + status) and says in got, "at the gate", words, "got", got)
        for target in (b"169.254.169.254", b"[::ffff:127.0.0.1]:%d" % origin.port, b"0.0.0.0:%d" % origin.port):
            got = proxy.talk(b"GET http://%b/ HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n" % target, **at)
            expect(got[9:12] == b"403" or (not source and b"169" not in target), target, "gave", got[:60])
        for target, reason in ((b"224.0.0.251", b"a multicast address"), (b"[ff02::fb]", b"a multicast address"),
                               (b"[64:ff9b::a9fe:a9fe]", b"a link-local address")):
            got = proxy.talk(b"GET http://%b/ HTTP/1.1\r\nHost: a\r\n\r\n" % target, **at)
            expect(got[9:12] == b"403" and (reason in got or says == b"may not use it"), target, "gave", got)
        for target in (b"127.0.0.1", own.encode()):
            got = proxy.talk(b"GET http://%b:%d/ HTTP/1.1\r\nHost: a\r\n\r\n" % (target, proxy.port), **at)
            expect(got[9:12] in (b"508", b"403"), "the proxy itself gave", got[:60])
        proxy.stop()
        refused = [row for row in proxy.rows() if row["direction"] == "served" and row["process"] == own]
        expect(not source or refused and refused[0]["response"]["status"] == 403, "a refusal is the row", refused)
    origin.stop()
    origin = Origin(once(), own)
    proxy = Proxy(*listening, "--allow", own, name="gate")
    got = proxy.talk(
        b"GET http://%b:%d/ HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n" % (own.encode(), origin.port),
        host=own, source=(own, 0))
    expect(got == OK, "a device that was let in got", got)
    proxy.stop()
    names = {row["process"] for row in proxy.rows() if row["direction"] == "served"}
    expect(names == {own}, "the device is called", names)
    origin.stop()


def ends():
    """An exchange under way finishes when the proxy is to end; what cannot be had has a clear error."""
    go = threading.Event()

    def slow(connection, log):
        log += connection.recv(65_536)
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nab")
        go.wait(5)
        connection.sendall(b"cd")

    origin, proxy = Origin(slow), Proxy(name="ends")
    with socket.create_connection(("127.0.0.1", proxy.port), 10) as client:
        client.sendall(b"GET http://127.0.0.1:%d/ HTTP/1.1\r\nHost: a\r\n\r\n" % origin.port)
        got = b""
        while not got.endswith(b"ab"):
            got += client.recv(100)
        threading.Timer(0.5, go.set).start()
        expect(proxy.stop() == 0, "the proxy ended with", proxy.process.returncode)
        got += client.recv(100)
    expect(got.endswith(b"abcd"), "at the end came", got)
    row = [row for row in proxy.rows() if row["direction"] == "served"]
    expect([one["outcome"] for one in row] == ["completed"], "the last exchange was", row)
    origin.stop()
    taken = socket.create_server(("127.0.0.1", 0))
    port = taken.getsockname()[1]
    for listen, status, words in (
        (f"127.0.0.1:{port}", 69, f"cannot listen on 127.0.0.1:{port}: Address already in use"),
        ("nowhere.test", 64, "'--listen' takes an address and a port"),
        ("127.0.0.1:99999", 64, "'--listen' takes an address and a port"),
    ):
        ended = subprocess.run(
            [COMMAND, "proxy", "--db", str(FOLDER / "none.db"), "--listen", listen],
            capture_output=True, text=True, timeout=30, check=False)
        expect(ended.returncode == status and words in ended.stderr, listen, "ended with", ended.returncode, ended.stderr)
    ended = subprocess.run(
        [COMMAND, "proxy", "--db", str(FOLDER / "child.db"), "--listen", "0", "--", "sh", "-c", "exit 7"],
        capture_output=True, text=True, timeout=30, check=False)
    for script, status in (("kill -TERM $$; echo alive", 143), ("kill -INT $$; echo alive", 130)):
        killed = subprocess.run(
            [COMMAND, "proxy", "--db", str(FOLDER / "child.db"), "--", "bash", "-c", script],
            capture_output=True, text=True, timeout=30, check=False)
        expect(killed.returncode == status and not killed.stdout, script, "gave", killed.returncode, killed.stdout)
    expect(ended.returncode == 7, "a program's status 7 became", ended.returncode, ended.stderr)


def programs():
    """Programs are metered that find the proxy in their environment."""
    origin = Origin(once(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok"))
    url = f"http://127.0.0.1:{origin.port}/item"
    scripts = {
        "curl": ["curl", "-s", url], "wget": ["wget", "-q", "-O", "-", url],
        "python3": ["/usr/bin/python3", "-c", f"import urllib.request as u; print(u.urlopen('{url}').read())"],
        "perl": ["perl", "-MLWP::UserAgent", "-e", f"$a=LWP::UserAgent->new(env_proxy=>1); print $a->get('{url}')->content"],
    }
    for name, words in scripts.items():
        store = FOLDER / "program.db"
        for file in FOLDER.glob("program.db*"):
            file.unlink()
        environment = {"PATH": os.environ["PATH"], "HOME": str(FOLDER)}
        subprocess.run(
            [COMMAND, "proxy", "--db", str(store), "--listen", "0", "--", *words],
            capture_output=True, env=environment, timeout=60, check=False)
        ended = subprocess.run(
            [COMMAND, "exchanges", str(store), "--format", "ndjson"], capture_output=True, text=True, check=False)
        rows = [json.loads(line) for line in ended.stdout.splitlines()]
        left = [(row["direction"], row["url"], row.get("serverLeg", {}).get("remoteAddress")) for row in rows]
        expect(left == [("served", url, f"127.0.0.1:{origin.port}")], name, "left", left)
    origin.stop()


def ledgers(proxy):
    for one in proxy.rows("connections"):
        # What was refused or cut in the middle of a head is in no message.
        if one["exchanges"]:
            expect(one["unaccounted"] == {"up": 0, "down": 0}, "the ledger of", one["connection"], "has", one["unaccounted"])


def main():
    proxy = Proxy()
    smuggling(proxy)
    verbatim(proxy)
    streams(proxy)
    patience(proxy)
    most = memory(proxy)
    bounds(proxy)
    expect(proxy.stop() == 0, "the proxy ended with", proxy.process.returncode, proxy.said)
    ends()
    programs()
    own = own_address()
    if own:
        gates(own)
        crowd(own)
        shares(own)
    else:
        print("devices: left out, this machine has loopback alone")
    print(f"{len(SMUGGLING)} ways to smuggle, tunnels, streams, ends, programs; 400 MB in {most:,} KiB; {len(FAILED)} failed")
    if FAILED:
        sys.exit(1)


if __name__ == "__main__":
    main()
