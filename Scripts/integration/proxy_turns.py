"""One connection of a client and several servers, clients and servers that leave the order of HTTP, and what a program gets.

usage: proxy_turns.py COMMAND FOLDER
"""

import contextlib
import json
import os
import socket
import struct
import subprocess
import sys
import threading

from opened import Secure, certificate, opening, raw
from proxy import COMMAND, FAILED, FOLDER, OK, Origin, Proxy, expect, once, own_address

OPENED = b"HTTP/1.1 200 Connection established\r\n\r\n"
RESET = struct.pack("ii", 1, 0)


def connected(proxy, sent=b""):
    client = socket.create_connection(("127.0.0.1", proxy.port), 20)
    client.sendall(sent)
    return client


def rest(client):
    """All that comes, and how it ends."""
    got = b""
    try:
        while data := client.recv(65_536):
            got += data
        return got, "ended"
    except ConnectionResetError:
        return got, "reset"
    except TimeoutError:
        return got, "still open"


def head(client):
    got = b""
    while not got.endswith(b"\r\n\r\n"):
        data = client.recv(1)
        assert data, got
        got += data
    return got


def get(origin, path, fields=b""):
    return b"GET http://127.0.0.1:%d/%b HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n%b\r\n" % (origin.port, path, origin.port, fields)


def named(name):
    """Answers each request with a name and its target; after CONNECT's, in a tunnel, it sees an end alone."""

    def answer(connection, log):
        done = 0
        while data := connection.recv(65_536):
            log += data
            for one in log[done:].split(b"\r\n\r\n")[:-1]:
                done += len(one) + 4
                body = name + one.split(b" ")[1]
                connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%b" % (len(body), body))

    return answer


def several(proxy):
    """Requests to several servers, sent at once, are answered in their order, each by its server."""
    first, second = Origin(named(b"first")), Origin(named(b"second"))
    asked = get(first, b"1") + get(second, b"2") + get(first, b"3") + get(first, b"4")
    inner = b"GET /6 HTTP/1.1\r\nHost: a\r\n\r\n"
    tunnel = b"CONNECT 127.0.0.1:%d HTTP/1.1\r\nHost: a\r\n\r\n" % second.port
    for last, wanted in ((get(second, b"5", b"Connection: close\r\n"), b"second/5"), (tunnel + inner, OPENED + b"second/6")):
        with connected(proxy, asked + last) as client:
            if last.startswith(b"CONNECT"):
                client.shutdown(socket.SHUT_WR)
            got, end = rest(client)
        bodies = got.replace(b"HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\n", b" ").replace(b"HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\n", b"")
        expect((bodies, end) == (b" first/1second/2 first/3 first/4" + wanted, "ended"), "several servers gave", bodies, end)
    first.stop()
    second.stop()


def order(proxy):
    """A response without a request, one before the request's body, and connections that close after a response."""
    extra = b"HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nextra!"
    origin = Origin(once(OK + extra))
    with connected(proxy, get(origin, b"")) as client:
        got, end = rest(client)
    expect((got, end) == (OK + extra, "ended"), "a response too many gave", got, end)
    origin.stop()
    no = b"HTTP/1.1 417 Expectation Failed\r\nContent-Length: 0\r\n\r\n"
    origin = Origin(once(no))
    with connected(proxy, get(origin, b"", b"Expect: 100-continue\r\nContent-Length: 10\r\n").replace(b"GET", b"POST")) as client:
        got, end = rest(client)
    expect((got, end) == (no, "ended"), "what follows could be the body or a request:", got, end)
    origin.stop()
    closes = OK.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n")
    for fields, response in ((b"Connection: close\r\n", OK), (b"", closes)):
        origin = Origin(once(response))
        with connected(proxy, get(origin, b"", fields)) as client:
            got, end = rest(client)
        expect((got, end) == (response, "ended"), fields, "gave", got, end)
        origin.stop()
    got = proxy.talk(b"GET https://a.test/ HTTP/1.1\r\nHost: a.test\r\n\r\n")
    expect(got.startswith(b"HTTP/1.1 501 ") and b"https goes through CONNECT" in got, "https in the clear gave", got)
    # The proxy's own answers come after the responses to earlier requests.
    origin = Origin(once(OK))
    for own, wanted in ((b"GET /proxy.pac HTTP/1.1\r\nHost: a\r\n\r\n", b"FindProxyForURL"), (b"GET /other HTTP/1.1\r\nHost: a\r\n\r\n", b" 400 Bad Request")):
        with connected(proxy, get(origin, b"") + own) as client:
            got, end = rest(client)
        expect(got.startswith(OK + b"HTTP/1.1 ") and wanted in got and end == "ended", "after a request", own, "gave", got, end)
    origin.stop()
    # What is still sent after a refusal does not take the refusal from the client.
    with connected(proxy, b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 300000\r\n\r\n" + b"x" * 300_000) as client:
        got, end = rest(client)
    expect(got.startswith(b"HTTP/1.1 400 ") and end == "ended", "a refusal before the body's end came as", got, end)


def resets(proxy):
    """A reset on one side is one on the other."""
    seen = threading.Event()
    ends = []

    def waits(connection, log):
        log += connection.recv(65_536)
        connection.sendall(b"x")
        connection.settimeout(20)
        ends.append(rest(connection)[1])
        seen.set()

    origin = Origin(waits)
    place = b"127.0.0.1:%d" % origin.port
    tunnel = b"CONNECT %b HTTP/1.1\r\nHost: a\r\n\r\n" % place
    for sent in (tunnel, get(origin, b"", b"Content-Length: 9\r\n")):
        seen.clear()
        ends.clear()
        with connected(proxy, sent) as client:
            if sent == tunnel:
                head(client)
                client.sendall(b"x")
            client.recv(1)
            client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
        expect(seen.wait(20) and ends == ["reset"], "a client's reset after", sent, "came as", ends)
    origin.stop()

    def breaks(connection, log):
        log += connection.recv(65_536)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)

    origin = Origin(breaks)
    with connected(proxy, b"CONNECT 127.0.0.1:%d HTTP/1.1\r\nHost: a\r\n\r\n" % origin.port) as client:
        head(client)
        client.sendall(b"x")
        end = rest(client)[1]
    expect(end == "reset", "a server's reset in a tunnel came as", end)
    origin.stop()


def pressure(proxy):
    """What a server does not read the proxy does not take from the client, in requests, in tunnels, and opened ones."""
    size, piece = 80 << 20, b"x" * (1 << 20)
    go, done = threading.Event(), threading.Event()
    count = 0

    def stalls(connection, log):
        nonlocal count
        if b"CONNECT" not in log:
            head(connection)
        go.wait(60)
        while count < size and (data := connection.recv(1 << 20)):
            count += len(data)
        done.set()

    files = certificate("pressure")
    plain, secure = Origin(stalls), Secure(stalls, files)
    opener = opening("--upstream-ca", str(files[0]), name="pressure")
    request = b"POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: %d\r\n\r\n" % size
    for name in ("a request", "a tunnel", "an opened tunnel"):
        count = 0
        go.clear()
        done.clear()
        if name == "a request":
            client = connected(proxy, request.replace(b"/x", b"http://127.0.0.1:%d/x" % plain.port))
        elif name == "a tunnel":
            client = raw(proxy, plain.port, "127.0.0.1")
            client.sendall(request)
        else:
            client = raw(opener, secure.port, protocols=["http/1.1"])
            client.sendall(request)
        client.settimeout(1)
        sent = 0
        with contextlib.suppress(TimeoutError):
            while sent < size:
                sent += client.send(piece[: size - sent])
        expect(sent < size, "of", name, "all was taken, and the server has read nothing")
        go.set()
        client.settimeout(30)
        while sent < size:
            sent += client.send(piece[: size - sent])
        expect(done.wait(30) and count == size, "of", name, "came", count)
        client.close()
    opener.stop()
    plain.stop()
    secure.stop()


def addresses():
    """A server that is not there by the first address of its name is reached by the next."""
    files = {"hosts": "::1 two.test\n127.0.0.1 two.test localhost\n", "nsswitch.conf": "hosts: files\n"}
    for name, text in files.items():
        (FOLDER / name).write_text(text)
    hide = "".join(f"mount --bind {FOLDER}/{name} /etc/{name} && " for name in files if os.path.exists(f"/etc/{name}")) + "exec \"$@\""
    within = ["unshare", "-m", "sh", "-c", hide, "sh"]
    if subprocess.run([*within, "true"], capture_output=True, check=False).returncode != 0:
        return
    origin, proxy = Origin(once(OK)), Proxy(name="addresses", within=within)
    got = proxy.talk(b"GET http://two.test:%d/ HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n" % origin.port)
    expect(got == OK, "a server at the second address of its name gave", got)
    proxy.stop()
    origin.stop()


def elsewhere(own):
    """A program uses the proxy that has started it also where it does not listen on loopback."""
    origin = Origin(once(OK.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n")), own)
    for listening in (own, "0.0.0.0", "127.0.0.1"):
        ended = subprocess.run(
            [COMMAND, "proxy", "--db", str(FOLDER / "elsewhere.db"), "--listen", f"{listening}:0", "--", "curl", "-sS", "-m", "20",
             f"http://{own}:{origin.port}/"], capture_output=True, text=True, timeout=60, check=False, stdin=subprocess.DEVNULL)
        expect((ended.returncode, ended.stdout) == (0, "ok"), "a program of a proxy at", listening, "got", ended)
    origin.stop()


SHOW = """
import json, os, signal
names = {"LD_PRELOAD", "NODE_USE_ENV_PROXY", "JAVA_TOOL_OPTIONS"}
shown = {k: v for k, v in os.environ.items() if k in names or k.startswith("WIREWEIGHT_") or k.lower().endswith("_proxy")}
# Python ignores SIGPIPE itself, so its parent is asked.
print(json.dumps([shown, sorted(int(one) for one in os.listdir("/proc/%d/fd" % os.getppid())),
                  [line for line in open("/proc/%d/status" % os.getppid()) if line.startswith(("SigIgn", "SigBlk"))]]))
"""


def environment():
    """A program gets the proxy's variables, and nothing of the meter's own: no preloaded tap, no descriptor, no ignored signal."""
    given = {"PATH": os.environ["PATH"], "HOME": str(FOLDER), "no_proxy": "*", "NO_PROXY": "localhost", "JAVA_TOOL_OPTIONS": "-Dx=y"}
    program = ["sh", "-c", '"$@"; exit $?', "sh", "/usr/bin/python3", "-c", SHOW]
    metered = [COMMAND, "proxy", "--db", str(FOLDER / "environment.db"), "--listen", "0", "--"]

    def masks(ended):
        # Above 31 are signals of the C library's own.
        return [int(line.split()[1], 16) & 0x7FFF_FFFF for line in json.loads(ended.stdout)[2]]

    def run(*words):
        return subprocess.run(words, capture_output=True, text=True, env=given, timeout=60, check=False, stdin=subprocess.DEVNULL)

    # As a shell starts what is in the background.
    ignoring = ["sh", "-c", "trap '' INT QUIT; exec \"$@\"", "sh"]
    own, kept = (masks(run(*ignoring, *before, *program)) for before in ([], metered))
    expect(own == kept and 6 in own, "of ignored signals a program has", kept, "and alone", own)
    alone, ended = run(*program), run(*metered, *program)
    expect(ended.returncode == 0, "a program ended with", ended)
    shown, descriptors, _ = json.loads(ended.stdout)
    urls = {shown.pop(name, None) for name in ("http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY")}
    place = urls.pop() or ""
    expect(not urls and place.startswith("http://127.0.0.1:"), "the proxy's variables are", place, urls)
    host, port = place.removeprefix("http://").split(":")
    java = " ".join(["-Dx=y", *(f"-D{kind}.proxyHost={host} -D{kind}.proxyPort={port}" for kind in ("http", "https")), "-Dhttp.nonProxyHosts="])
    expect(shown == {"NODE_USE_ENV_PROXY": "1", "JAVA_TOOL_OPTIONS": java}, "a program's environment has", shown)
    expect(descriptors == [0, 1, 2], "a program has the descriptors", descriptors)
    # Who starts this may ignore some, as nohup does.
    own, given = masks(alone), masks(ended)
    expect(own == given, "a program's signals are", given, "and alone", own)


def main():
    proxy = Proxy(name="turns")
    several(proxy)
    order(proxy)
    resets(proxy)
    pressure(proxy)
    expect(proxy.stop() == 0, "the proxy ended with", proxy.process.returncode, proxy.said)
    addresses()
    environment()
    if own := own_address():
        elsewhere(own)
    print(f"several servers, the order of HTTP, resets, bodies that wait, a program's environment; {len(FAILED)} failed")
    if FAILED:
        sys.exit(1)


if __name__ == "__main__":
    main()
