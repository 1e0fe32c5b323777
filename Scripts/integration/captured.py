"""The proxy's connections beside a packet capture: with the devices, with TLS closed and opened, and with the servers.

Every connection must have the capture's bytes, TLS included: the difference is 0.

usage: captured.py COMMAND FOLDER
"""

import collections
import contextlib
import json
import pathlib
import socket
import subprocess
import sys
import time

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "shared"))
from capture import captured  # noqa: E402 pylint: disable=wrong-import-position
from opened import BODY, Secure, answers, certificate, curl, opening
from proxy import COMMAND, FAILED, FOLDER, Origin, Proxy, expect, free_ports


@contextlib.contextmanager
def http2(files):
    """nghttpd with a page; its port."""
    port = free_ports(1)[0]
    (FOLDER / "site").mkdir(exist_ok=True)
    (FOLDER / "site/page").write_bytes(BODY)
    with subprocess.Popen(["nghttpd", "-d", str(FOLDER / "site"), str(port), *reversed(files)], stdout=subprocess.DEVNULL) as server:
        try:
            for _ in range(100):
                with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)):
                    break
                time.sleep(0.05)
            yield port
        finally:
            server.terminate()


def fetched(proxy, *words, **trust):
    got = curl(proxy, *words, **trust)
    expect(got.returncode == 0, words, "gave", got.returncode, got.stderr)


def compared(name, proxy, file):
    """Each connection of the store agrees with the capture, and there are some on both sides of the proxy."""
    ended = subprocess.run(
        [COMMAND, "verify", str(proxy.store), "--capture", str(file), "--format", "json"], capture_output=True, text=True, check=False)
    expect(ended.returncode == 0, name, "does not agree with the capture:", ended.stdout[-3000:], ended.stderr)
    found = json.loads(ended.stdout)["connections"]
    directions = {row["connection"]: row["direction"] for row in proxy.rows("connections")}
    sums = collections.defaultdict(lambda: [0, 0, 0, 0])
    for row in found:
        one = sums[directions[row["connection"]]]
        one[0] += 1
        for place, way in enumerate(("up", "down"), 1):
            one[place] += row["captured"][way]
            one[3] += abs(row["difference"][way]) if row["difference"] else 1
    for direction, (count, up, down, difference) in sorted(sums.items(), reverse=True):
        print(f"| {name} | {'devices' if direction == 'served' else 'servers'} | {count} | {up:,} | {down:,} | {difference} |")
        expect(difference == 0 and count and up and down, name, direction, "is off by", difference)
    expect(set(sums) == {"served", "called"}, name, "has the sides", set(sums))


def main():
    files = certificate("captured")
    (FOLDER / "upload").write_bytes(BODY)
    plain, secure = Origin(answers), Secure(answers, files)
    http, https = f"http://127.0.0.1:{plain.port}", f"https://localhost:{secure.port}"
    print("| devices' traffic | side | connections | up | down | difference |\n| --- | --- | ---: | ---: | ---: | ---: |")
    with http2(files) as port:
        for name, words, work in (
            ("HTTP/1.1", (), [[f"{http}/a", f"{http}/large", f"{http}/chunks"], ["-T", f"{FOLDER}/upload", f"{http}/put"], [f"{http}/close"]]),
            ("SOCKS", (), [["--socks5-hostname", f"{http}/a"], ["--socks5", f"{https}/large"]]),
            ("TLS closed", (), [[f"{https}/a", f"{https}/large"], ["-T", f"{FOLDER}/upload", f"{https}/put"],
                                ["--tls-max", "1.2", f"{https}/a"], ["--http2", f"https://localhost:{port}/page?[1-10]"]]),
            ("TLS opened", ("--open-tls", "--upstream-ca", str(files[0])),
             [[f"{https}/a", f"{https}/large", f"{https}/chunks"], ["-T", f"{FOLDER}/upload", f"{https}/put"],
              [f"{https}/close"], ["--tls-max", "1.2", f"{https}/a"]]),
            ("TLS opened, HTTP/2", ("--open-tls", "--upstream-ca", str(files[0])),
             [["--http2", f"https://localhost:{port}/page?[1-10]"]]),
        ):
            store = name.replace("/", "-").replace(" ", "-").replace(",", "")
            proxy = opening(*words[1:], name=store) if words else Proxy(name=store)
            file = FOLDER / f"{store}.pcapng"
            with captured(file, proxy.port, plain.port, secure.port, port):
                for one in work:
                    if one[0].startswith("--socks"):
                        one = ["-x", "", one[0], f"127.0.0.1:{proxy.port}", *one[1:]]
                    trust = {} if words else {"trusts": files[0]}
                    fetched(proxy, *one, **trust)
                expect(proxy.stop() == 0, name, "ended with", proxy.process.returncode, proxy.said)
            compared(name, proxy, file)
    for one in (plain, secure):
        one.stop()
    print(f"the proxy's connections beside a packet capture; {len(FAILED)} failed")
    if FAILED:
        sys.exit(1)


if __name__ == "__main__":
    main()
