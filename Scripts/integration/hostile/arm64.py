"""Traffic of many kinds by curl for x86-64 and by curl for arm64, alone and metered, judged from outside.

The command is this machine's. The arm64 program and the tap in it run in qemu-user, whose kernel interface lacks the
kernel's count of a connection's bytes, so that it comes from outside. What both architectures say of the same bytes must be
the same.

usage: arm64.py COMMAND FOLDER EMULATOR ARM64 [NAME…]; ARM64 holds the unpacked packages and the tap, FOLDER `counts.so`
"""

import collections
import concurrent.futures
import ctypes
import gzip
import os
import pathlib
import re
import struct
import subprocess
import sys
import time
import traceback
import zlib

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parent), str(pathlib.Path(__file__).resolve().parent.parent)]

import h2  # noqa: E402 pylint: disable=wrong-import-position
import roles  # noqa: E402 pylint: disable=wrong-import-position
from cases import BODY, basic, digest, guarded, h2_serve, serve  # noqa: E402 pylint: disable=wrong-import-position
from case import CASES, Case, Clients, case  # noqa: E402 pylint: disable=wrong-import-position
from kernelcounts import KernelCounts  # noqa: E402 pylint: disable=wrong-import-position
from case import Transfer as T  # noqa: E402 pylint: disable=wrong-import-position
from hostile import Run  # noqa: E402 pylint: disable=wrong-import-position
from judge import WAYS, Judge, Metered, expect, known  # noqa: E402 pylint: disable=wrong-import-position
from wire import Server  # noqa: E402 pylint: disable=wrong-import-position

# The kinds that follow are this file's.
CASES.clear()

# Its boundary differs from run to run.
IS_RANDOM = ("multipart",)

TEXT = b"the same line again and again\n" * 400
# By other programs, of the same text.
BROTLI = bytes.fromhex("1bdf2ef88d54b5bf06496373530a653dc821ab3ca615680199869829cffd603e130002")
ZSTD = bytes.fromhex("28b52ffd0058150100c07468652073616d65206c696e6520616761696e20616e640a0200bf2e282e162b4d")


def kind(name, *transfers, **more):
    """A kind of traffic, by curl."""
    return case(name, *transfers, clients="c", **more)


def paths(count, pattern="/item?c={}", **more):
    return [T(path=pattern.format(index), **more) for index in range(count)]


def parallel(count, scheme="http"):
    """curl's words for that number of further transfers at once, of different sizes."""
    words = ("-Z", "-o", "/dev/null")
    for index in range(1, count):
        words += ("-o", "/dev/null", f"{scheme}://{{origin}}/big?n={index * 1_000}")
    return words


def sized(c):
    """An origin that answers with as many bytes as the request's `n` says."""
    while message := c.request():
        c.answer(message, body=b"z" * int(message.target.partition("n=")[2] or 0))


kind("get")(serve)
kind("gzip", T(curl=("--compressed",)))(lambda c: serve(c, "Content-Encoding: gzip", body=gzip.compress(TEXT, mtime=0)))
kind("brotli", T(curl=("--compressed",)))(lambda c: serve(c, "Content-Encoding: br", body=BROTLI))
kind("zstd", T(curl=("--compressed",)))(lambda c: serve(c, "Content-Encoding: zstd", body=ZSTD))
kind("deflate", T(curl=("--compressed",)))(lambda c: serve(c, "Content-Encoding: deflate", body=zlib.compress(TEXT)))


@kind("gzip in chunks", T(curl=("--compressed",)))
def _(c):
    data = gzip.compress(TEXT, mtime=0)
    while message := c.request():
        c.head(message, "200 OK", "Content-Encoding: gzip", "Transfer-Encoding: chunked")
        c.chunks(message, data[:10], data[10:])


@kind("trailers")
def _(c):
    while message := c.request():
        c.head(message, "200 OK", "Transfer-Encoding: chunked", "Trailer: X-Sum")
        c.chunks(message, b"one", b"two", trailers=("X-Sum: 6", "X-More: yes"))


kind("head", T(method="HEAD"))(serve)
kind("post", T(method="POST", body=7))(serve)


@kind("upload after 100", T(method="PUT", body=2_000_000, curl=("-H", "Expect: 100-continue")))
def _(c):
    while message := c.request(content=False):
        c.interim(message, "100 Continue")
        c.content(message)
        c.answer(message)


kind("upload in chunks", T(method="PUT", body=300_000, is_chunked=True))(serve)
kind("multipart", T(curl=("-F", "x=y", "-F", "file=@{certificate};type=text/plain")))(serve)
kind("redirects", T(path="/0", curl=("-L",)), T(path="/0?again", curl=("-L",)))(
    lambda c: [
        c.answer(message, "302 Found", "Location: /1", body=b"moved\n")
        if message.target.startswith("/0")
        else c.answer(message)
        for message in iter(c.request, None)
    ]
)
kind("upload redirected", T(path="/0", method="POST", body=5_000, curl=("-L",)))(
    lambda c: [
        c.answer(message, "307 Temporary Redirect", "Location: /1") if message.target == "/0" else c.answer(message)
        for message in iter(c.request, None)
    ]
)
kind("reused 20 times", *paths(20))(serve)
kind("30 at once", T(path="/big?n=0", curl=parallel(30)), is_racing=True, outcomes=["completed"] * 30)(sized)
kind("fields of Latin-1")(lambda c: serve(c, "X-Name: Andr\xe9", "X-Empty:", "X-Space:   wide   "))


def literally(line, fields):
    """A server that writes this status line and these fields as they are."""

    def answer(c):
        message = c.request()
        message.status = 200
        c.send(message, "startLine", line)
        c.send(message, "fields", fields)
        c.send(message, "body", b"ok\n")

    return answer


kind("lines without CR")(literally("HTTP/1.1 200 OK\n", "Content-Length: 3\nX: y\n\n"))
kind("no reason")(literally("HTTP/1.1 200\r\n", "Content-Length: 3\r\n\r\n"))


@kind("early hints")
def _(c):
    while message := c.request():
        c.interim(message, "103 Early Hints", "Link: </style.css>; rel=preload")
        c.answer(message)


@kind("cut", outcomes=["failed"])
def _(c):
    message = c.request()
    c.head(message, "200 OK", "Content-Length: 100000")
    c.send(message, "body", BODY)


@kind("until close")
def _(c):
    message = c.request()
    c.head(message, "200 OK", "Connection: close")
    c.send(message, "body", BODY)


@kind("HTTP/1.0")
def _(c):
    message = c.request()
    c.head(message, "200 OK", "Content-Type: text/plain", version="HTTP/1.0")
    c.send(message, "body", BODY)


kind("basic", T(user="user", curl=("--anyauth",)))(guarded('Basic realm="x"', basic))
kind("digest", T(user="user", curl=("--digest",)), T(user="user", path="/two", curl=("--digest",)))(
    guarded(roles.DIGEST, digest)
)


def bodiless(status):
    def script(c):
        while message := c.request():
            c.head(message, status, "ETag: x")

    return script


kind("204")(bodiless("204 No Content"))
kind("304", T(headers={"If-None-Match": "x"}))(bodiless("304 Not Modified"))
@kind("500, refused", T(curl=("-f",)), outcomes=["failed"], leaves_early=True)
def _(c):
    message = c.request()
    message.status = 500
    parts = {"startLine": b"HTTP/1.1 500 Oh\r\n", "fields": b"Content-Length: 5\r\n\r\n", "body": b"oh no"}
    # In one piece, so that curl reads all of it before it gives up.
    c.top.write(b"".join(parts.values()))
    message.down.update((part, len(data)) for part, data in parts.items())


kind("10 MiB", T(path="/big?n=10485760", curl=("-o", "/dev/null")))(sized)
kind("200 fields")(lambda c: serve(c, *(f"X-Field-{index}: {'v' * index}" for index in range(200))))


@kind("reset", outcomes=["failed"], leaves_early=True)
def _(c):
    message = c.request()
    c.head(message, "200 OK", "Content-Length: 100000")
    c.send(message, "body", BODY)
    # What was sent is read before the reset.
    time.sleep(0.5)
    c.reset()


@kind("timeout", T(seconds=1), outcomes=["timedOut"], leaves_early=True)
def _(c):
    message = c.request()
    c.head(message, "200 OK", "Content-Length: 100000")
    c.send(message, "body", BODY)
    c.rest()


kind("refused", unseen=1, outcomes=["failed"])(None)


def tls(script, alpn=()):
    def secured(c):
        c.tls(alpn)
        script(c)

    return secured


kind("TLS", T(scheme="https"))(tls(serve))
kind("TLS, reused 5 times", *paths(5, scheme="https"))(tls(serve))
kind("TLS, upload", T(scheme="https", method="PUT", body=300_000))(tls(serve))
kind("TLS, 1 MiB", T(scheme="https", path="/big?n=1048576", curl=("-o", "/dev/null")))(tls(sized))
kind(
    "TLS, 10 at once", T(scheme="https", path="/big?n=0", curl=parallel(10, "https")), is_racing=True,
    outcomes=["completed"] * 10,
)(tls(sized))
kind(
    "HTTP/2", T(scheme="https"), T(scheme="https", path="/two", method="POST", body=20_000), may_be_in_message=("h2",)
)(tls(lambda c: h2_serve(h2.Session(c), BODY), ("h2",)))


class Curls(Clients):
    """The words after the program's name; which curl it is, the run's prefix says."""

    def words(self, client, case, fill):
        return self.curl(case, fill)[1:]


def forbid_barriers():
    """In a child: has the kernel refuse membarrier(2), as an old one does (seccomp(2), x86-64)."""
    libc = ctypes.CDLL(None, use_errno=True)
    load, equal, give = 0x20, 0x15, 0x06
    program = b"".join(
        struct.pack("HBBI", *one)
        # The number of the call; 324 is membarrier's. ENOSYS, or go on.
        for one in ((load, 0, 0, 0), (equal, 0, 1, 324), (give, 0, 0, 0x0005_0000 | 38), (give, 0, 0, 0x7FFF_0000))
    )
    buffer = ctypes.create_string_buffer(program)
    filters = ctypes.create_string_buffer(struct.pack("HxxxxxxQ", 4, ctypes.addressof(buffer)))
    if libc.prctl(38, 1, 0, 0, 0) != 0 or libc.prctl(22, 2, filters, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "no filter")


class Machines:
    """Both curls, and what is judged of each."""

    def __init__(self, command, folder, emulator, arm64):
        self.command, self.folder = command, folder
        self.certificate = folder / "certificate.pem"
        self.clients = Curls(folder, self.certificate, False)
        self.environment = {"PATH": os.environ["PATH"], "LC_ALL": "C", "HOME": str(folder)}
        root = arm64 / "root"
        self.emulated = [emulator, "-L", str(root)]
        self.program = str(root / "usr/bin/curl")
        self.counts = KernelCounts()
        # The tap's own getsockopt calls the next one.
        self.tap = f"{arm64 / 'libWireweightPreload.so'}:{folder / 'counts.so'}"

    def curl(self, machine, *, is_metered):
        if machine == "x86-64":
            return ["curl"]
        return [*self.emulated, *(self.loaded if is_metered else []), self.program]

    @property
    def loaded(self):
        return ["-E", f"LD_PRELOAD={self.tap}", "-E", f"KERNEL_COUNTS={self.counts.name}"]

    def run(self, one, machine):
        """What its curl prints alone, and what is metered of it, both compared; the judge, and the exact legs."""
        name = f"{one.name.replace('/', '-')} {machine}"
        store, summary = self.folder / f"{name}.db", self.folder / f"{name}.txt"
        alone = Run(
            self.clients, one, "c", self.curl(machine, is_metered=False), self.environment, self.certificate)
        prefix = [self.command, "run", "--db", str(store), "--output", str(summary), "--no-progress", "--"]
        metered = Run(
            self.clients, one, "c", prefix + self.curl(machine, is_metered=True), self.environment, self.certificate)
        if not one.is_racing:
            expect(metered.printed == alone.printed, "it prints", metered.printed, "and alone", alone.printed)
            expect(metered.opened == alone.opened, "it opens", metered.opened, "and alone", alone.opened)
            if one.name not in IS_RANDOM:
                expect(metered.seen == alone.seen, "the servers saw", metered.seen, "and alone", alone.seen)
        judge = Judge(one, "c", Metered(self.command, str(store), summary), metered.log)
        return judge, judge.verdict(), self.legs(judge)

    @staticmethod
    def legs(judge):
        """Of each direction: whether the rows add up to the servers' log."""
        result = {}
        for way, member, _ in WAYS:
            sides = [row[member] for row in judge.rows if row[member]]
            messages = [message for one in judge.http() for message in one.messages]
            if any(message.version == "h2" for message in messages):
                # When curl enlarges a window, with a frame that counts as framing, is chance.
                logged = sum(getattr(message, way)[part] for message in messages for part in ("fields", "body"))
                sum_of_rows = sum(side[part] for side in sides for part in ("fields", "body"))
            else:
                logged = sum(message.total(way) for message in messages)
                sum_of_rows = sum(known(side) for side in sides)
            result[way] = "exact" if sum_of_rows == logged else f"{sum_of_rows} bytes, and not {logged}"
        return result

    def barriers(self, *, is_forbidden):
        """How the tap's calls of membarrier end in one run, and what is wrong with that run."""
        one = Case("barriers", {"origin": serve}, (T(),), clients="c")
        store, summary = self.folder / "barriers.db", self.folder / "barriers.txt"
        store.unlink(missing_ok=True)
        server = Server(one.roles, self.certificate, self.certificate.with_name("key.pem"))
        words = [self.command, "run", "--db", str(store), "--output", str(summary), "--no-progress", "--"]
        words += [*self.emulated, "-strace", *self.loaded, self.program]
        words += ["-sS", f"http://{server.address('origin')}/"]
        ended = subprocess.run(
            words, env=self.environment, capture_output=True, timeout=60, check=False,
            preexec_fn=forbid_barriers if is_forbidden else None,  # pylint: disable=subprocess-popen-preexec-fn
        )
        server.stop()
        expect(ended.stdout == b"ok\n", "it prints", ended)
        calls = re.findall(rb"\bmembarrier\(.*\) = (-?\d+)", ended.stderr)
        judge = Judge(one, "c", Metered(self.command, str(store), summary), server.connections)
        return [int(result) for result in calls], judge.verdict()


def sizes(judge):
    """What the rows say, without the moments, and without what is chance in HTTP/2."""

    def lasting(row, side):
        changing = ("firstByteAt", "framing", "total") if row["httpVersion"] == "2" else ("firstByteAt",)
        return {name: value for name, value in (side or {}).items() if name not in changing}

    return [
        (row["method"], row["outcome"], lasting(row, row["request"]), lasting(row, row["response"])) for row in judge.rows
    ]


def check(machines, one):
    """The kind's problems, and its legs."""
    problems, legs, judges = [], [], {}
    for machine in ("x86-64", "arm64"):
        judges[machine], found, of_machine = machines.run(one, machine)
        problems += [f"{machine}: {problem}" for problem in found]
        legs += of_machine.values()
        problems += [f"{machine}: {way} is {verdict}" for way, verdict in of_machine.items() if verdict != "exact"]
    if not one.is_racing and one.name not in IS_RANDOM:
        pair = [sizes(judges[machine]) for machine in ("x86-64", "arm64")]
        if pair[0] != pair[1]:
            problems.append(f"x86-64 says {pair[0]}, and arm64 {pair[1]}")
    return problems, legs


def main():
    machines = Machines(sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3], pathlib.Path(sys.argv[4]))
    jobs = [one for one in CASES if not sys.argv[5:] or any(one.name.startswith(word) for word in sys.argv[5:])]
    failed, totals, begin = [], collections.Counter(), time.monotonic()

    def work(one):
        try:
            return one, *check(machines, one)
        except Exception:  # pylint: disable=broad-except # a broken kind is a failed one
            return one, ["broken: " + traceback.format_exc()], []

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for one, problems, legs in pool.map(work, jobs):
            totals.update(legs)
            for problem in problems:
                print(f"FAILED: {one.name}: {problem[:1500]}", flush=True)
                failed.append(one.name)
    # Registers, then asks once; where the first is refused the second is left out.
    for is_forbidden, expected in ((False, [0, 0]), (True, [-1])):
        calls, problems = machines.barriers(is_forbidden=is_forbidden)
        if problems or calls != expected:
            print(f"FAILED: membarrier{' refused' if is_forbidden else ''}: {calls}, not {expected}; {problems}")
            failed.append("membarrier")
    print(
        f"{len(jobs)} kinds by curl for x86-64 and for arm64: of {sum(totals.values())} legs {totals['exact']} exact, "
        f"{len(set(failed))} kinds failed; {time.monotonic() - begin:.0f} s"
    )
    if failed:
        sys.exit("failed: " + "; ".join(sorted(set(failed))))


if __name__ == "__main__":
    main()
