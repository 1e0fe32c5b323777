"""Debian's programs for arm64 that do HTTP without libcurl, in an emulator, with the tap for arm64 below them.

As clients they are held against the log of a server, and as servers against the log of their clients, as in stacks.py and
servers.py. The command is this machine's. The emulator does not pass on the kernel's count, which comes from outside.

usage: emulated.py COMMAND FOLDER EMULATOR ARM64 [NAME…]; ARM64 holds the unpacked packages and the tap, and may have a `node`
with its own OpenSSL
"""

import concurrent.futures
import functools
import json
import os
import pathlib
import subprocess
import sys
import time
import traceback

HERE = pathlib.Path(__file__).resolve().parent
COMMAND, FOLDER, EMULATOR, ARM64 = sys.argv[1], *map(pathlib.Path, sys.argv[2:5])
ROOT, TAP = ARM64 / "root", ARM64 / "libWireweightPreload.so"
sys.path.insert(0, str(HERE))
# What reads HPACK is Python of any processor.
sys.path.append(str(ROOT / "usr/lib/python3/dist-packages"))

import servers  # noqa: E402 pylint: disable=wrong-import-position
import stacks  # noqa: E402 pylint: disable=wrong-import-position
from programs import ASYNCIO, GETS, KEPT, NODE, NODE_STREAMS, PYTHON, STREAMS, TINY  # noqa: E402 pylint: disable=wrong-import-position
from kernelcounts import KernelCounts  # noqa: E402 pylint: disable=wrong-import-position
from stacks import Failure, expect  # noqa: E402 pylint: disable=wrong-import-position

PYTHON3 = ROOT / "usr/bin/python3"
# A server that ends with the signal that ends the others.
SECURE = """
import http.server, ssl, sys
class Quiet(http.server.SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    def log_message(self, *_): pass
class Whole(http.server.ThreadingHTTPServer):
    def shutdown_request(self, request):
        # The client's end of TLS is read, too.
        try: request.unwrap()
        except OSError: pass
        self.close_request(request)
port, folder = int(sys.argv[1]), sys.argv[2]
one = Whole(("127.0.0.1", port), lambda *all: Quiet(*all, directory=folder + "/www"))
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(folder + "/certificate.pem", folder + "/key.pem")
one.socket = context.wrap_socket(one.socket, server_side=True, do_handshake_on_connect=False)
try: one.serve_forever(poll_interval=0.05)
except KeyboardInterrupt: pass
"""


class Emulated(stacks.Machine):
    """Where the programs run: in the emulator, which the tap cannot be loaded into itself."""

    def __init__(self):
        self.counts = KernelCounts()

    def words(self, words, is_metered):
        # The tap's own getsockopt calls the next one.
        loaded = ["-E", f"LD_PRELOAD={TAP}:{FOLDER / 'counts.so'}", "-E", f"KERNEL_COUNTS={self.counts.name}"]
        preload = loaded if is_metered else []
        return [str(word) for word in (EMULATOR, "-L", ROOT, *preload, *words)]


MACHINE = Emulated()


def clients():
    """Each client's name, its words, and the schemes that it is run with."""
    both = ["http", "https"]
    wget = [ROOT / "usr/bin/wget", "--tries=1", "--no-check-certificate", "--timeout=5", "-q", "-O", "/dev/null"]
    nghttp = [ROOT / "usr/bin/nghttp", "-n", "--no-verify-peer"]
    over = ["{base}/" + path for path in ("length", "large", "none", "early", "trailers", "padded", "long", "empty", "length")]
    node = [
        ("node", [ARM64 / "node", "-e", NODE, "{base}", *GETS], both),
        ("h2 node", [ARM64 / "node", "-e", NODE_STREAMS, "{base}", *(path for path in STREAMS if path != "bye")], both),
    ]
    return [
        *(node if (ARM64 / "node").exists() else ()),
        ("urllib", [PYTHON3, "-c", PYTHON, "{base}", *GETS], both),
        ("http.client", [PYTHON3, "-c", KEPT, "{base}"], both),
        ("asyncio", [PYTHON3, "-c", ASYNCIO, "{base}"], both),
        ("HTTP::Tiny", [ROOT / "usr/bin/perl", "-e", TINY, "{base}", *GETS], both),
        ("wget", [*wget, *["{base}/" + path for path in GETS]], both),
        ("h2 nghttp", [*nghttp, *over], both),
        ("h2 nghttp upload", [*nghttp, "-d", "upload", "--trailer=x-sum: 1", "{base}/echo"], both),
        # What it carries is seen by detours alone.
        ("OpenSSL inside", [FOLDER / "carries", "{base}", *GETS], ["https"]),
    ]


def served():
    """Each server's name, the words after which its port and folder follow, and what it is asked."""
    files = servers.FILES[:3] + servers.FILES[5:6]
    simple = [each for each in servers.SIMPLE if not each.waits]
    python = lambda *words: lambda port, folder: [PYTHON3, *words, port, folder]  # noqa: E731
    plain = ["-m", "http.server", "--bind", "127.0.0.1", "--directory"]
    return [
        ("python3 -m http.server", lambda port, folder: [PYTHON3, *plain, folder / "www", port], "plain", files),
        ("http.server over TLS", python("-c", SECURE), "secure", files),
        ("python3 with forks", python(HERE / "servers/application.py"), "plain", simple),
        ("nghttpd", lambda port, folder: [
            ROOT / "usr/sbin/nghttpd", "-d", folder / "www", port, folder / "key.pem", folder / "certificate.pem"], "h2",
         servers.FILES[:1]),
        ("OpenSSL inside, serving", lambda port, folder: [FOLDER / "carries", "serve", port, folder], "secure",
         servers.FILES[:1] * 4),
    ]


def fill(name):
    """A folder with what the programs need."""
    folder = FOLDER / name.replace(" ", "-").replace(":", "")
    folder.mkdir(exist_ok=True)
    for file in ("certificate.pem", "key.pem"):
        (folder / file).write_bytes((FOLDER / file).read_bytes())
    (folder / "upload").write_bytes(b"u" * 70_000)
    servers.fill(folder)
    return folder


def run(words):
    return subprocess.run(
        [str(word) for word in words], cwd=FOLDER, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120,
        env={"PATH": os.environ["PATH"], "LC_ALL": "C"}, check=False)


def called(store, what):
    text = subprocess.check_output([COMMAND, what, str(store), "--format", "ndjson"], text=True)
    return [line for line in map(json.loads, text.splitlines()) if line["direction"] == "called"]


def own(name, words, output, totals, connections, not_seen=None):
    """A program that is its own server: what it prints, the totals of its rows, how many connections it has, and why nothing
    is seen inside them. Returns its exchanges and bytes."""
    alone = run(MACHINE.words(words, False))
    expect((alone.returncode, alone.stdout) == (0, output), name, "alone", alone)
    store = FOLDER / f"{name.replace(' ', '-')}.db"
    store.unlink(missing_ok=True)
    metered = run([COMMAND, "run", "--db", store, "--output", store.with_suffix(".txt"), "--", *MACHINE.words(words, True)])
    expect((metered.returncode, metered.stdout) == (0, output), name, "metered", metered)
    found = [(row["request"]["total"], row["response"]["total"]) for row in called(store, "exchanges")]
    expect(found == totals, name, "has", found, "and not", totals, metered.stderr)
    lines = called(store, "connections")
    expect(len(lines) == connections, name, "has", len(lines), "connections:", lines)
    for line in lines:
        expect(line["unaccounted"] == {"up": 0, "down": 0} and line["notSeen"] == not_seen, name, line)
    return len(found), sum(map(sum, found))


def within(name, words, output):
    """A program that starts the tap itself."""
    counts = ["-E", f"LD_PRELOAD={FOLDER / 'counts.so'}", "-E", f"KERNEL_COUNTS={MACHINE.counts.name}"]
    ended = run([EMULATOR, "-L", ROOT, "-E", "LD_BIND_NOW=1", *counts, *words])
    expect((ended.returncode, ended.stdout) == (0, output), name, "prints", ended)
    return 0, 0


OWN = {
    # Names of BoringSSL in the symbol table alone, names that the executable exports, and none.
    "detours by names": lambda: own("detours by names", [FOLDER / "inner", 3], "129\n", [(40, 43)] * 3, 1),
    "detours by exports": lambda: own("detours by exports", [FOLDER / "inner-exported", 3], "129\n", [(40, 43)] * 3, 1),
    "detours without names": lambda: own(
        "detours without names", [FOLDER / "inner-stripped", 3], "129\n", [], 1, not_seen="tls"),
    # With landing pads for branches in the linker's table, which the processor checks.
    "RTLD_DEEPBIND": lambda: own(
        "RTLD_DEEPBIND", [FOLDER / "deep", FOLDER / "deep-extension.so", 4], "62 62\n" * 4, [(58, 62)] * 8, 8),
    "in the process": lambda: within("in the process", [FOLDER / "within", FOLDER / "deep-extension.so", 20], """\
start 0
62 62 62
again 1
62
4 begun, 4 ended, 4 closed, 232 up, 248 down
hooks 0
62 62 62
0 begun, 0 ended, 0 closed, 0 up, 0 down
changed 1
unloaded 1
child 0
1 begun, 1 ended, 0 closed, 18 up, 0 down
restored 1
rounds 20, as many hooks each time 1, failed 0, restored 1
some seen 1
"""),
    "detours in the process": lambda: within(
        "detours in the process", [FOLDER / "inner-within", 3], "3 begun, 3 ended, 1 closed, 120 up, 129 down\n129\n"),
}


def jobs():
    """Each job's name, and what does it: exchanges and bytes that are equal, and bytes that a program has left unread."""

    def ask(name, words, scheme):
        judge = stacks.Judge(COMMAND, fill(f"{name} {scheme}"), name, words, scheme, MACHINE)
        return judge.exchanges, judge.bytes, judge.left

    def judge_server(folder, server):
        judge = servers.Judge(COMMAND, folder, server)
        return judge.exchanges, judge.bytes

    def serve(name, words, kind, asked, port):
        folder = fill(name)
        words = words(port, folder)
        return judge_server(folder, servers.Server(
            name, MACHINE.words(words, False), asked=asked, metered_words=MACHINE.words(words, True), **{kind: port}))

    def serve_nginx(http, https):
        folder = fill("nginx")
        start = lambda *words, is_metered: MACHINE.words([ROOT / "usr/sbin/nginx", *words], is_metered)  # noqa: E731
        return judge_server(folder, servers.nginx(folder, http, https, start))

    for name, words, schemes in clients():
        for scheme in schemes:
            yield f"{name} {scheme}", functools.partial(ask, name, words, scheme)
    ports = iter(servers.free_ports(10))
    for server in served():
        yield server[0], functools.partial(serve, *server, next(ports))
    yield "nginx", functools.partial(serve_nginx, next(ports), next(ports))
    yield from OWN.items()


def main():
    failed, exchanges, total, begin = [], 0, 0, time.monotonic()

    def work(job):
        name, step = job
        began = time.monotonic()
        try:
            return name, *(*step(), 0)[:3], None, time.monotonic() - began
        except (Failure, servers.Failure) as failure:
            return name, 0, 0, 0, failure, time.monotonic() - began
        except Exception:  # pylint: disable=broad-except # a broken job is a failed one
            return name, 0, 0, 0, traceback.format_exc(), time.monotonic() - began

    chosen = [job for job in jobs() if not sys.argv[5:] or any(job[0].startswith(word) for word in sys.argv[5:])]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for name, count, size, left, failure, seconds in pool.map(work, chosen):
            if failure is not None:
                failed.append(name)
                print(f"{name}: FAILED: {str(failure)[:3000]}", flush=True)
                continue
            exchanges, total = exchanges + count, total + size
            rest = f", {left} left unread by the program" if left else ""
            print(f"{name}: {count} exchanges, {size} bytes equal{rest}, {seconds:.1f} s", flush=True)
    print(f"{exchanges} exchanges of arm64 without libcurl, {total} bytes equal; {time.monotonic() - begin:.0f} s")
    if failed:
        sys.exit("failed: " + ", ".join(failed))


main()
