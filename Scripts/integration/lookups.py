"""What `wireweight run` records of lookups, beside a resolver that logs every byte.

Runs in namespaces of its own, where 127.0.0.1 is the resolver of the C library.

usage: lookups.py COMMAND FOLDER
"""

import collections
import contextlib
import fcntl
import os
import shutil
import socket
import sqlite3
import struct
import subprocess
import sys
import threading

COMMAND, FOLDER = sys.argv[1:]
A, AAAA, MX = 1, 28, 15
ADDRESSES = {
    ("a.test", A): ["192.0.2.1"],
    ("a.test", AAAA): ["2001:db8::1"],
    ("many.test", A): [f"192.0.2.{number}" for number in range(1, 13)],
    ("four.test", A): ["192.0.2.4"],
}
ADDRESSES |= {(f"way{number}.test", A): ["192.0.2.9"] for number in range(10)}
ADDRESSES |= {(f"tcp{number}.test", A): ["192.0.2.8"] for number in range(6)}
# More than fits into a datagram.
ADDRESSES["big.test", A] = [f"192.0.2.{number}" for number in range(1, 101)]
MOST_DATAGRAM = 512


def raise_loopback():
    """A new network has its loopback down."""
    with socket.socket() as any_socket:
        name = b"lo".ljust(16, b"\0")
        flags = struct.unpack("16sh", fcntl.ioctl(any_socket, 0x8913, name + bytes(16))[:18])[1]
        fcntl.ioctl(any_socket, 0x8914, name + struct.pack("h", flags | 1) + bytes(14))


class Resolver:
    """Answers by ADDRESSES, over UDP and TCP.

    A name that begins with `silent` has no answer, one that begins with `reset` ends the connection, and one that is not
    there is NXDOMAIN. What is too large for a datagram is truncated.
    """

    def __init__(self):
        self.received, self.sent = collections.Counter(), collections.Counter()
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind(("127.0.0.1", 53))
        self.connections = []
        self.listener = socket.create_server(("127.0.0.1", 53), backlog=16)
        threading.Thread(target=self.serve, daemon=True).start()
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            connection, _ = self.listener.accept()
            thread = threading.Thread(target=self.serve_connection, args=(connection,), daemon=True)
            self.connections.append(thread)
            thread.start()

    def serve_connection(self, connection):
        with contextlib.suppress(ConnectionResetError), connection, connection.makefile("rb") as stream:
            while len(length := stream.read(2)) == 2:
                question = stream.read(int.from_bytes(length, "big"))
                if len(question) < int.from_bytes(length, "big"):
                    return
                if len(question) < 17:
                    continue
                name, rest = self.name(question)
                self.received[name] += 2 + len(question)
                if name.startswith("reset"):
                    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                    return
                if name.startswith("silent"):
                    continue
                answer = self.answer(question, name, rest)
                self.sent[name] += 2 + len(answer)
                connection.sendall(len(answer).to_bytes(2, "big") + answer)

    def serve(self):
        while True:
            question, peer = self.socket.recvfrom(4096)
            if len(question) < 17:
                continue
            name, rest = self.name(question)
            self.received[name] += len(question)
            if name.startswith("silent"):
                continue
            answer = self.answer(question, name, rest)
            if len(answer) > MOST_DATAGRAM:
                answer = question[:2] + struct.pack(">HHHHH", 0x8380, 1, 0, 0, 0) + question[12 : rest + 4]
            # Counted first: who has the answer may look at once.
            self.sent[name] += len(answer)
            self.socket.sendto(answer, peer)

    def settle(self):
        """Returns when it has logged what was sent before."""
        question = bytes(5) + b"\1" + bytes(6) + b"\6settle" + bytes(5)
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as own:
            own.sendto(question, ("127.0.0.1", 53))
            own.recv(4096)
        # Connections are accepted one after the other, so all before this one have been.
        with socket.create_connection(("127.0.0.1", 53)) as own:
            own.sendall(bytes([0, len(question)]) + question)
            own.recv(4096)
        while self.connections:
            self.connections.pop().join(timeout=20)
        del self.received["settle"], self.sent["settle"]

    @staticmethod
    def name(question):
        labels, place = [], 12
        while question[place]:
            labels.append(question[place + 1 : place + 1 + question[place]].decode())
            place += 1 + question[place]
        return ".".join(labels).lower(), place + 1

    @staticmethod
    def answer(question, name, rest):
        kind = struct.unpack(">H", question[rest : rest + 2])[0]
        known = {host for host, _ in ADDRESSES}
        found = ADDRESSES.get((name, kind), [])
        if (name, kind) == ("a.test", MX):
            records = [struct.pack(">HHHIH", 0xC00C, MX, 1, 60, 4) + b"\0\5\xc0\x0c"]
        else:
            family = socket.AF_INET if kind == A else socket.AF_INET6
            packed = [socket.inet_pton(family, address) for address in found]
            records = [struct.pack(">HHHIH", 0xC00C, kind, 1, 60, len(data)) + data for data in packed]
        flags = 0x8180 if name in known else 0x8183
        header = question[:2] + struct.pack(">HHHHH", flags, 1, len(records), 0, 0)
        return header + question[12 : rest + 4] + b"".join(records)


class Row(sqlite3.Row):
    """A row of the view `lookups`."""

    def __getattr__(self, name):
        return self[name]


def run(*words):
    """The program's output, and its lookups."""
    store = os.path.join(FOLDER, "db")
    for name in os.listdir(FOLDER):
        if name.startswith("db"):
            os.remove(os.path.join(FOLDER, name))
    plain = subprocess.run(words, capture_output=True, text=True, timeout=120, check=False)
    resolver.settle()
    resolver.received.clear()
    resolver.sent.clear()
    ended = subprocess.run(
        [COMMAND, "run", "--db", store, "--", *words], capture_output=True, text=True, timeout=120, check=False
    )
    expect((ended.returncode, ended.stdout), (plain.returncode, plain.stdout), words[0])
    resolver.settle()
    connection = sqlite3.connect(store)
    connection.row_factory = Row
    return ended, connection.execute("SELECT * FROM lookups ORDER BY lookup").fetchall()


def expect(found, expected, what):
    if found != expected:
        sys.exit(f"lookups: {what}:\n  found    {found}\n  expected {expected}")


def expect_sums(rows, what):
    """What datagrams carried by name is what the resolver has logged."""
    up, down = collections.Counter(), collections.Counter()
    for row in rows:
        up[row.name] += row.up
        down[row.name] += row.down
    expect(dict(up), dict(resolver.received), f"{what}: bytes up by name")
    expect({k: v for k, v in down.items() if v}, dict(resolver.sent), f"{what}: bytes down by name")
    print(f"  {what}: {len(rows)} lookups, {sum(up.values())} B up, {sum(down.values())} B down, as the resolver logged")


def c_library():
    script = """
import ctypes, socket
def ask(function, *arguments):
    try: function(*arguments)
    except OSError: pass
ask(socket.getaddrinfo, "a.test", 80)
ask(socket.getaddrinfo, "many.test", 80, socket.AF_INET)
ask(socket.getaddrinfo, "none.test", 80)
ask(socket.getaddrinfo, "no.invalid", 80)
ask(socket.getaddrinfo, "file.test", 80)
ask(socket.getaddrinfo, "silent.test", 80)
ask(socket.getaddrinfo, "four.test", 80, socket.AF_INET6)
# Two: Python looks whether it is an address, and that asks.
ask(socket.gethostbyname_ex, "a.test")
ctypes.CDLL(None).gethostbyname(b"none.test")
# No names.
ask(socket.getaddrinfo, "127.0.0.1", 80)
ask(socket.getaddrinfo, "fe80::1%lo", 80)
ask(socket.getaddrinfo, None, 80)
"""
    ended, rows = run("/usr/bin/python3", "-c", script)
    found = [(row.name, row.error, row.answers, sorted((row.addresses or "").split())) for row in rows]
    expected = [
        ("a.test", None, 2, ["192.0.2.1", "2001:db8::1"]),
        ("many.test", None, 12, sorted(ADDRESSES["many.test", A])[:8]),
        ("none.test", "EAI_NONAME", 0, []),
        ("no.invalid", "EAI_NONAME", 0, []),
        ("file.test", None, 1, ["192.0.2.77"]),
        ("silent.test", "EAI_AGAIN", 0, []),
        ("four.test", "EAI_NODATA", 0, []),
        ("a.test", None, 1, ["192.0.2.1"]),
        ("a.test", None, 1, ["192.0.2.1"]),
        ("none.test", "HOST_NOT_FOUND", 0, []),
    ]
    # Which eight of the twelve are listed depends on their order.
    listed = found[1][3]
    if len(listed) != 8 or not set(listed) <= set(ADDRESSES["many.test", A]):
        sys.exit(f"lookups: the addresses {listed}")
    found[1] = found[1][:3] + (expected[1][3],)
    expect(found, expected, "by the C library")
    for row in rows:
        expect((row.source, row.up, row.down, row.resolver), ("libc", None, None, None), "of the C library")
    expect(rows[5].durationMs > 900, True, "the time of a lookup that is given up after a second")
    print(f"  the C library: {len(rows)} lookups, with names, answers and errors")
    return ended


def datagrams():
    ended, rows = run(os.path.join(FOLDER, "lookups"))
    expect(ended.stdout, "14\n", "answers")
    names = [f"way{number}.test" for number in (0, 1, 2, 3, 4, 5, 6, 8)] + [f"tcp{number}.test" for number in range(5)]
    answered = [row for row in rows if row.name in names]
    expect([row.name for row in answered], names, "answered")
    for row in answered:
        values = (row.source, row.recordType, row.resolver, row.error, row.answers, row.addresses)
        expect(values, ("dns", "A", "127.0.0.1", None, 1, *ADDRESSES[row.name, A]), row.name)
    expect([row.queries for row in answered], [1, 1, 1, 1, 1, 1, 3, 1] + [1] * 5, "queries")
    left = {row.name: (row.error, row.down) for row in rows if row not in answered}
    expected = {
        "silent1.test": ("no answer", 0),
        "silent2.test": ("no answer", 0),
        "refused1.test": ("ECONNREFUSED", 0),
        "silent3.test": ("no answer", 0),
        "reset1.test": ("ECONNRESET", 0),
    }
    expect(left, expected, "not answered")
    # Two of the three answers to way6 were never read, and the refused one never came to the resolver.
    resolver.sent["way6.test"] //= 3
    expect_sums([row for row in rows if row.name != "refused1.test"], "datagrams and connections of a program")


def node():
    if not shutil.which("node"):
        return print("  node: not here")
    script = """
const dns = require("dns").promises;
const resolver = new dns.Resolver({ timeout: 300, tries: 2 });
resolver.setServers(["127.0.0.1"]);
(async () => {
    for (const [name, type] of [
        ["a.test", "A"], ["a.test", "AAAA"], ["many.test", "A"], ["a.test", "MX"], ["none.test", "A"], ["four.test", "AAAA"],
        ["silent.test", "A"], ["big.test", "A"],
    ]) {
        try { console.log(name, type, (await resolver.resolve(name, type)).length); }
        catch (error) { console.log(name, type, error.code); }
    }
})();
"""
    _, rows = run("node", "-e", script)
    found = [(row.name, row.recordType, row.error, row.answers) for row in rows if not row.name.startswith("silent")]
    expected = [
        ("a.test", "A", None, 1),
        ("a.test", "AAAA", None, 1),
        ("many.test", "A", None, 12),
        ("a.test", "MX", None, 1),
        ("none.test", "A", "NXDOMAIN", 0),
        ("four.test", "AAAA", None, 0),
        ("big.test", "A", None, 100),
    ]
    expect(found, expected, "by c-ares in node")
    # Truncated in a datagram, and asked again in a connection.
    expect(next(row.queries for row in rows if row.name == "big.test"), 2, "queries of node for what is too large")
    silent = [row for row in rows if row.name.startswith("silent")]
    expect({row.error for row in silent}, {"no answer"}, "node, without an answer")
    expect(sum(row.queries for row in silent), 2, "node's two tries")
    expect_sums(rows, "c-ares in node")


def python_datagrams():
    script = """
import socket, struct
with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
    for number, (name, kind) in enumerate([("a.test", 1), ("none.test", 28)]):
        labels = b"".join(bytes([len(label)]) + label.encode() for label in name.split("."))
        question = struct.pack(">HHHHHH", number, 0x100, 1, 0, 0, 0) + labels + struct.pack(">BHH", 0, kind, 1)
        s.sendto(question, ("127.0.0.1", 53))
        print(len(s.recvfrom(4096)[0]))
"""
    _, rows = run("/usr/bin/python3", "-c", script)
    found = [(row.name, row.recordType, row.error, row.addresses) for row in rows]
    expect(found, [("a.test", "A", None, "192.0.2.1"), ("none.test", "AAAA", "NXDOMAIN", None)], "python's datagrams")
    expect_sums(rows, "datagrams of python")


raise_loopback()
resolver = Resolver()
c_library()
datagrams()
python_datagrams()
node()
print("lookups: passed")
