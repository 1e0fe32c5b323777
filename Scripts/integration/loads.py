"""Much through the proxy at once: 1 GiB in an opened tunnel, and 10,000 connections, both in bounded memory.

usage: loads.py COMMAND FOLDER
"""

import asyncio
import contextlib
import resource
import sys

from opened import Secure, certificate, curl, opening
from proxy import FAILED, FOLDER, Proxy, expect, ledgers
from processes import memory

GIB = 1 << 30
CONNECTIONS = 10_000


class Process:
    """The proxy itself, for what the kernel says of it."""

    def __init__(self, proxy):
        self.pid = proxy.pid


def gigabyte():
    """1 GiB down and 1 GiB up through a tunnel that is opened; both legs have each byte."""
    piece = b"x" * (1 << 20)

    def answers(connection, log):
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            head += connection.recv(1)
        if head.startswith(b"PUT"):
            connection.sendall(b"HTTP/1.1 100 Continue\r\n\r\n")
            left = GIB
            while left:
                left -= len(connection.recv(1 << 20))
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        else:
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % GIB)
            for _ in range(GIB // len(piece)):
                connection.sendall(piece)

    files = certificate("loads")
    origin = Secure(answers, files)
    proxy = opening("--upstream-ca", str(files[0]), name="gigabyte")
    url, large = f"https://localhost:{origin.port}", FOLDER / "gigabyte"
    with large.open("wb") as file:
        file.truncate(GIB)
    most = []
    for words in (["-o", "/dev/null", f"{url}/down"], ["-T", str(large), f"{url}/up"]):
        got = curl(proxy, "--max-time", "300", "-w", "%{size_download} %{size_upload}", *words)
        expect(got.returncode == 0 and str(GIB).encode() in got.stdout, words, got.returncode, got.stdout[-99:], got.stderr)
        most.append(memory(Process(proxy), most=True))
    large.unlink()
    expect(max(most) < 64, "1 GiB took", most, "MiB")
    expect(proxy.stop() == 0, "the proxy ended with", proxy.process.returncode, proxy.said)
    sizes = [(one["request"]["body"], one["response"]["body"]) for row in proxy.rows() if row["method"] != "CONNECT" for one in (row, row["serverLeg"])]
    expect(sizes == [(0, GIB)] * 2 + [(GIB, 0)] * 2, "the legs have", sizes)
    ledgers(proxy)
    origin.stop()
    return max(most)


async def crowd(proxy, count):
    """Opens that many connections, each with an exchange that ends when all are there; returns the answers, and what was
    resident of the proxy and of the command meanwhile."""
    all_there, here = asyncio.Event(), 0

    async def serve(reader, writer):
        nonlocal here
        try:
            await reader.readuntil(b"\r\n\r\n")
            here += 1
            if here == count:
                all_there.set()
            await all_there.wait()
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            await reader.read(1)
        finally:
            writer.close()

    origin = await asyncio.start_server(serve, "127.0.0.1", 0, backlog=4096)
    port = origin.sockets[0].getsockname()[1]
    some = asyncio.Semaphore(200)

    async def ask(number):
        async with some:
            reader, writer = await asyncio.open_connection("127.0.0.1", proxy.port)
            writer.write(b"GET http://127.0.0.1:%d/%d HTTP/1.1\r\nHost: a\r\n\r\n" % (port, number))
            await writer.drain()
            await asyncio.sleep(0.01)
        answer = await reader.readexactly(40)
        writer.close()
        return answer

    asked = asyncio.gather(*(ask(number) for number in range(count)))
    await asyncio.wait([asyncio.ensure_future(all_there.wait()), asked], return_when=asyncio.FIRST_COMPLETED)
    resident = memory(Process(proxy)), memory(proxy.process)
    answers = await asked
    origin.close()
    return answers, resident


def main():
    most = gigabyte()
    # This process has both ends of each connection, and so has the proxy. Not every root may raise the limit for all.
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    for wanted in (max(limit, 3 * CONNECTIONS), limit):
        with contextlib.suppress(ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, wanted))
            limit = wanted
            break
    count = min(CONNECTIONS, (limit - 200) // 2)
    proxy = Proxy("--most-connections", str(count), name="crowd")
    answers, resident = asyncio.run(asyncio.wait_for(crowd(proxy, count), 300))
    expect(sum(one.endswith(b"ok") for one in answers) == count, "of", count, "answers", len(answers))
    expect(sum(resident) < 1024, count, "connections take", resident, "MiB")
    expect(proxy.stop() == 0, "the proxy ended with", proxy.process.returncode, proxy.said[-300:])
    rows = proxy.rows()
    expect(len(rows) == count and all(row.get("serverLeg", {}).get("response") for row in rows), "rows", len(rows), "with both legs", sum("serverLeg" in row for row in rows))
    paths = {row["path"] for row in rows}
    expect(len(paths) == count, "paths", len(paths))
    print(f"1 GiB through an opened tunnel takes at most {most:.0f} MiB; {count:,} connections at once take {resident[0]:.0f} MiB of "
          f"the proxy and {resident[1]:.0f} of the command; {len(FAILED)} failed")
    if FAILED:
        sys.exit(1)


if __name__ == "__main__":
    main()
