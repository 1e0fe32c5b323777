"""The proxy before upstream proxies: raw ones that log every byte, a second one of its own, and squid.

usage: chained.py COMMAND FOLDER
"""

import base64
import contextlib
import queue
import select
import shutil
import socket
import struct
import subprocess
import sys
import time

from opened import Secure, answers, certificate, curl, opening
from proxy import FAILED, FOLDER, OK, Origin, Proxy, expect, free_ports, once, own_address

SECRET = "correcthorse"
BASIC = b"Proxy-Authorization: Basic " + base64.b64encode(f"me:{SECRET}".encode()) + b"\r\n"
CONNECT = b"CONNECT a.test:443 HTTP/1.1\r\nHost: a.test:443\r\nProxy-Authorization: Basic eDp5\r\n\r\n"
OPENED = b"HTTP/1.1 200 Connection established\r\n\r\n"
NAME = b"\3\6a.test\1\xbb"
SOCKS = b"\5\1\0" + b"\5\1\0" + NAME
SOCKS_OPENED = b"\5\0" + b"\5\0\0\1\0\0\0\0\0\0"


def get(place, fields=b""):
    return b"GET http://%b/x HTTP/1.1\r\nHost: %b\r\n%bConnection: close\r\n\r\n" % (place, place, fields)


def upstream(words, *answers):
    """An upstream proxy that reads up to some bytes and answers, step by step, and then sends capitals back."""

    def answer(connection, log):
        begin = 0
        for until, response in answers:
            while until not in log[begin:]:
                data = connection.recv(65_536)
                if not data:
                    return
                log += data
            begin = len(log)
            connection.sendall(response)
        while data := connection.recv(65_536):
            log += data
            connection.sendall(data.upper())

    origin = Origin(answer)
    return origin, Proxy("--upstream-proxy", words % origin.port, name="chain")


def keeps_secret(proxy):
    """Neither the terminal nor the file has what the proxy's URL has."""
    for text in (SECRET.encode(), BASIC.split()[-1]):
        expect(text not in proxy.said.encode(), "the proxy said", proxy.said)
        for file in FOLDER.glob(f"{proxy.store.name}*"):
            expect(text not in file.read_bytes(), file, "has the credentials")
    for one in proxy.rows("connections"):
        if one["exchanges"]:
            expect(one["unaccounted"] == {"up": 0, "down": 0}, "the ledger of", one["connection"], "has", one["unaccounted"])


def through_http():
    """An HTTP proxy gets whole URLs and CONNECT with its own credentials, and its refusals are said to be its own."""
    url = f"http://me:{SECRET}@127.0.0.1:%d"
    end = b"\r\n\r\n"
    origin, proxy = upstream(url, (end, OK))
    got = proxy.talk(get(b"a.test", b"Proxy-Authorization: Basic eDp5\r\n"), shut=True)
    expect(got == OK, "an upstream proxy gave", got)
    expect(origin.heard == get(b"a.test")[:-2] + BASIC + b"\r\n", "an upstream proxy got", origin.heard)
    proxy.stop()
    rows = [(row["direction"], row["url"], row.get("serverLeg", {}).get("remoteAddress")) for row in proxy.rows()]
    expect(rows == [("served", "http://a.test/x", f"127.0.0.1:{origin.port}")], "the file has", rows)
    keeps_secret(proxy)
    origin.stop()

    asked = b"CONNECT a.test:443 HTTP/1.1\r\nHost: a.test:443\r\n" + BASIC + b"\r\n"
    for sent, opened in ((CONNECT, OPENED), (SOCKS, SOCKS_OPENED)):
        # What comes at once after the answer is of the tunnel already.
        origin, proxy = upstream(url, (end, b"HTTP/1.1 200 Fine\r\nVia: x\r\n\r\nfirst "))
        got = proxy.talk(sent + b"later", shut=True)
        expect(got == opened + b"first LATER", "a tunnel in a tunnel gave", got)
        expect(origin.heard == asked + b"later", "for a tunnel, the upstream proxy got", origin.heard)
        proxy.stop()
        keeps_secret(proxy)
        origin.stop()

    for response, reason, status in (
        (b"HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nno", b"refused it with status 403", b"; received-status=403"),
        (b"HTTP/1.1 407 Who\r\nProxy-Authenticate: Basic\r\nContent-Length: 0\r\n\r\n", b"wants other credentials",
         b"; received-status=407"),
        (b"nonsense\n\n", b"answered in another protocol", b""),
    ):
        origin, proxy = upstream(url, (end, response))
        got = proxy.talk(CONNECT, shut=True)
        expect(got.startswith(b"HTTP/1.1 502 ") and reason in got, response, "became", got)
        place = b'Proxy-Status: wireweight; next-hop="127.0.0.1:%d"%b\r\n' % (origin.port, status)
        expect(place in got, response, "became", got)
        got = proxy.talk(SOCKS, shut=True)
        expect(got[:3] == b"\5\0\5" and got[3] == (2 if b"403" in response else 1), response, "became SOCKS", got)
        if b"407" in status:
            got = proxy.talk(get(b"a.test"), shut=True)
            expect(got.startswith(b"HTTP/1.1 502 ") and reason in got, "407 became", got)
        proxy.stop()
        keeps_secret(proxy)
        origin.stop()
    port = free_ports(1)[0]
    proxy = Proxy("--upstream-proxy", f"http://127.0.0.1:{port}", name="chain")
    got = proxy.talk(CONNECT, shut=True)
    words = f"of the upstream proxy http://127.0.0.1:{port}: 127.0.0.1:{port} did not take the connection".encode()
    expect(got.startswith(b"HTTP/1.1 502 ") and words in got, "without an upstream proxy came", got)
    proxy.stop()


def through_socks():
    """A SOCKS proxy opens each way with its own credentials, and a request then has its path alone."""
    login = b"\1\2me%c%b" % (len(SECRET), SECRET.encode())
    url = f"socks5://me:{SECRET}@127.0.0.1:%d"
    opened = b"\5\0\0\1\1\2\3\4\0\7"
    steps = ((b"\5\2\0\2", b"\5\2"), (login, b"\1\0"))
    for sent, back, asked, passed in (
        (CONNECT + b"later", OPENED + b"LATER", NAME, b"later"),
        (SOCKS + b"later", SOCKS_OPENED + b"LATER", NAME, b"later"),
        (get(b"a.test:443"), None, NAME, b"GET /x HTTP/1.1\r\nHost: a.test:443\r\nConnection: close\r\n\r\n"),
        (get(b"1.2.3.4"), None, b"\1\1\2\3\4\0\x50", b"GET /x HTTP/1.1\r\nHost: 1.2.3.4\r\nConnection: close\r\n\r\n"),
    ):
        final = () if back else ((b"\r\n\r\n", OK),)
        origin, proxy = upstream(url, *steps, (asked, opened), *final)
        got = proxy.talk(sent, shut=True)
        expect(got == (back or OK), "through SOCKS came", got)
        expect(origin.heard == b"\5\2\0\2" + login + b"\5\1\0" + asked + passed, "a SOCKS proxy got", origin.heard)
        proxy.stop()
        keeps_secret(proxy)
        origin.stop()
    origin, proxy = upstream("socks5://127.0.0.1:%d", (b"\5\1\0", b"\5\0"), (NAME, b"\5\5\0\1\0\0\0\0\0\0"))
    got = proxy.talk(SOCKS, shut=True)
    expect(got == b"\5\0" + b"\5\5\0\1\0\0\0\0\0\0", "a refusal of SOCKS became", got)
    got = proxy.talk(get(b"a.test:443"), shut=True)
    expect(b"502" in got[:12] and b"the host did not take the connection" in got, "a refusal of SOCKS became", got)
    proxy.stop()
    origin.stop()


def relays(connection, log):
    """An upstream proxy that opens tunnels."""
    while b"\r\n\r\n" not in log:
        log += connection.recv(65_536)
    host, port = log.split()[1].decode().split(":")
    with socket.create_connection((host, int(port)), 10) as server:
        connection.sendall(OPENED)
        # One thread for both directions: a session of TLS is not for two at a time.
        while True:
            for source in [connection] if connection.pending() else select.select([connection, server], [], [])[0]:
                data = source.recv(65_536)
                if not data:
                    if source is server:
                        connection.unwrap()
                    return
                if source is connection:
                    log += data
                (server if source is connection else connection).sendall(data)


def through_tls():
    """An upstream proxy that is reached by TLS gets what any HTTP proxy gets, if it proves its name."""
    files = certificate("upstream")

    def capitals(connection, log):
        while b"\r\n\r\n" not in log:
            log += connection.recv(65_536)
        connection.sendall(OPENED if log.startswith(b"CONNECT") else OK)
        while data := connection.recv(65_536):
            log += data
            connection.sendall(data.upper())

    asked = b"CONNECT a.test:443 HTTP/1.1\r\nHost: a.test:443\r\n" + BASIC + b"\r\n"
    for sent, got_back, heard in (
        (get(b"a.test"), OK, get(b"a.test")[:-2] + BASIC + b"\r\n"),
        (CONNECT + b"later", OPENED + b"LATER", asked + b"later"),
        (SOCKS + b"later", SOCKS_OPENED + b"LATER", asked + b"later"),
    ):
        origin = Secure(capitals, files)
        proxy = Proxy("--upstream-proxy", f"https://me:{SECRET}@localhost:{origin.port}", "--upstream-ca", str(files[0]), name="chain")
        got = proxy.talk(sent, shut=True)
        expect(got == got_back, "through TLS came", got)
        expect(origin.heard == heard, "an upstream proxy with TLS got", origin.heard)
        proxy.stop()
        keeps_secret(proxy)
        origin.stop()
    other = certificate("other", subjects="DNS:other.test")
    for certificates, trusted, reason in (
        (other, other[0], b"its certificate was refused: hostname mismatch"), (files, None, b"its certificate was refused: self-signed"),
    ):
        origin = Secure(capitals, certificates)
        words = ("--upstream-ca", str(trusted)) if trusted else ()
        proxy = Proxy("--upstream-proxy", f"https://me:{SECRET}@localhost:{origin.port}", *words, name="chain")
        for sent in (get(b"a.test"), CONNECT):
            got = proxy.talk(sent, shut=True)
            place = b'Proxy-Status: wireweight; next-hop="localhost:%d"\r\n' % origin.port
            expect(got.startswith(b"HTTP/1.1 502 ") and reason in got.lower() and place in got, "without its name came", got)
        expect(not origin.heard, "an upstream proxy that proves nothing got", origin.heard)
        proxy.stop()
        keeps_secret(proxy)
        origin.stop()
    # A tunnel that is opened, inside TLS.
    origin, relay = Secure(answers, files), Secure(relays, files)
    proxy = opening("--upstream-ca", str(files[0]), "--upstream-proxy", f"https://localhost:{relay.port}", name="chain")
    got = curl(proxy, *(f"https://localhost:{origin.port}/{path}" for path in ("large", "chunks")))
    expect(got.returncode == 0 and len(got.stdout) == 300_005, "TLS in TLS gave", got.returncode, len(got.stdout), got.stderr)
    expect(proxy.stop() == 0, "the proxy ended with", proxy.process.returncode, proxy.said)
    rows = [row for row in proxy.rows() if row["method"] != "CONNECT" and "serverLeg" in row]
    sums = [[one[message]["total"] for message in ("request", "response")] for row in rows for one in (row, row["serverLeg"])]
    expect(len(rows) == 2 and sums[0::2] == sums[1::2], "the legs of TLS in TLS are", sums, [row["url"] for row in proxy.rows()])
    keeps_secret(proxy)
    for one in (origin, relay):
        one.stop()


def ends_of_tls():
    """The end of what a client sends reaches an upstream proxy with TLS as TLS says it, so that it is no truncation."""
    files = certificate("upstream-ends")
    ends = queue.Queue()

    def answer(connection, log):
        while b"\r\n\r\n" not in log:
            log += connection.recv(65_536)
        connection.sendall(OPENED if log.startswith(b"CONNECT") else OK)
        try:
            while data := connection.recv(65_536):
                log += data
            ends.put("said")
        except OSError as error:
            ends.put(error)
        with contextlib.suppress(OSError):
            connection.unwrap()

    class Strict(Secure):
        """One that does not take the end of TCP for the end of TLS."""

        def serve(self, connection, log):
            self.context.options &= ~0x80
            connection.settimeout(20)
            with contextlib.suppress(OSError):
                with self.context.wrap_socket(connection, server_side=True, suppress_ragged_eofs=False) as secure:
                    self.answer(secure, log)

    for sent in (get(b"a.test"), CONNECT + b"later", SOCKS + b"later"):
        origin = Strict(answer, files)
        proxy = Proxy("--upstream-proxy", f"https://localhost:{origin.port}", "--upstream-ca", str(files[0]), name="chain")
        got = proxy.talk(sent, shut=True)
        expect(got in (OK, OPENED, SOCKS_OPENED), "through TLS came", got)
        end = ends.get(timeout=20)
        expect(end == "said", "after", sent, "the upstream proxy saw the end as", end)
        proxy.stop()
        origin.stop()


def from_environment():
    """The variables of whoever starts it name the proxies, no_proxy leaves hosts out, and it never asks itself."""
    plain, tunnels, direct = Origin(once(OK)), Origin(once(OPENED + b"hello")), Origin(once(OK))
    proxy = Proxy(name="chain", environment={
        "http_proxy": f"http://127.0.0.1:{plain.port}", "HTTPS_PROXY": f"127.0.0.1:{tunnels.port}",
        "no_proxy": f"localhost, 127.0.0.1:{direct.port}"})
    expect(f"upstream proxy http://127.0.0.1:{plain.port}" in proxy.said, "the proxy said", proxy.said)
    for place, other in ((b"a.test", plain), (b"127.0.0.1:%d" % direct.port, direct), (b"localhost:%d" % direct.port, direct)):
        got = proxy.talk(get(place), shut=True)
        expect(got == OK and b"GET " in other.heard, place, "gave", got, other.heard)
        other.logs.clear()
    got = proxy.talk(CONNECT, shut=True)
    expect(got == OPENED + b"hello", "a tunnel by the environment gave", got)
    proxy.stop()
    for one in (plain, tunnels, direct):
        one.stop()
    proxy = Proxy("--upstream-proxy", "http://127.0.0.1:PORT", name="chain")
    got = proxy.talk(get(b"a.test"), shut=True)
    expect(b"508" in got[:12] and b"is the proxy itself" in got, "its own upstream proxy gave", got)
    proxy.stop()
    ended = subprocess.run(
        [*proxy.process.args, "--upstream-proxy", f"socks4://me:{SECRET}@p"], capture_output=True, text=True, check=False)
    expect(ended.returncode == 64 and "reached by 'socks4'" in ended.stderr and SECRET not in ended.stderr,
           "socks4 was answered with", ended.returncode, ended.stderr)


def through_real_ones(squid):
    """A second proxy of ours, and squid, pass on what they get from the first."""

    def answers(connection, log):
        while b"\r\n\r\n" not in log:
            log += connection.recv(65_536)
        connection.sendall(OK)

    origin = Origin(answers)
    place = b"127.0.0.1:%d" % origin.port
    with contextlib.ExitStack() as stack:
        second = Proxy(name="second")
        ports = {"ours": ("http", second.port), "ours by SOCKS": ("socks5", second.port)}
        if squid:
            port = free_ports(1)[0]
            settings = FOLDER / "squid.conf"
            settings.write_text(
                f"http_port 127.0.0.1:{port}\nhttp_access allow all\ncache deny all\naccess_log none\nvia off\n"
                f"forwarded_for delete\npid_filename {FOLDER}/squid.pid\ncache_log {FOLDER}/squid.log\nshutdown_lifetime 0\n")
            FOLDER.chmod(0o777)
            process = subprocess.Popen([squid, "-N", "-f", str(settings)], stderr=subprocess.DEVNULL)
            stack.callback(process.wait)
            stack.callback(process.terminate)
            ports["squid"] = ("http", port)
            for _ in range(200):
                with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)):
                    break
                time.sleep(0.05)
        for name, (kind, port) in ports.items():
            proxy = Proxy("--upstream-proxy", f"{kind}://127.0.0.1:{port}", name="chain")
            got = proxy.talk(get(place))
            expect(got.startswith(b"HTTP/1.1 200 ") and got.endswith(b"\r\n\r\nok"), name, "gave", got)
            inner = b"GET /x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
            for opening, opened in (
                (b"CONNECT %b HTTP/1.1\r\nHost: a\r\n\r\n" % place, OPENED),
                (b"\5\1\0\5\1\0\1\x7f\0\0\1" + struct.pack(">H", origin.port), SOCKS_OPENED),
            ):
                got = proxy.talk(opening + inner)
                expect(got == opened + OK, name, "tunnelled", got)
            proxy.stop()
            keeps_secret(proxy)
        second.stop()
    origin.stop()


def devices(own):
    """A device does not reach this machine's own servers by way of an upstream proxy, in whatever form it names them."""
    origin = Origin(once(OK))
    proxy = Proxy("--for-devices", "--listen", "0.0.0.0:PORT", "--allow", own,
                  "--upstream-proxy", f"http://127.0.0.1:{origin.port}", name="chain")
    for host in (b"127.0.0.1", b"127.1", b"2130706433", b"0x7f.1", b"localhost", b"x.localhost.", b"[::1]", b"169.254.169.254"):
        for data in (get(host), b"CONNECT %b:80 HTTP/1.1\r\n\r\n" % host):
            got = proxy.talk(data, host=own, source=(own, 0), shut=True)
            expect(got[9:12] == b"403", "for a device, the upstream proxy got", host, got[:60])
    got = proxy.talk(get(b"a.test"), host=own, source=(own, 0), shut=True)
    expect(got == OK and origin.heard.startswith(b"GET http://a.test/x "), "a device got", got, origin.heard)
    proxy.stop()
    origin.stop()


def main():
    squid = shutil.which("squid", path="/usr/sbin:/usr/bin:/usr/local/sbin")
    through_http()
    through_socks()
    through_tls()
    ends_of_tls()
    from_environment()
    through_real_ones(squid)
    own = own_address()
    if own:
        devices(own)
    print(f"upstream proxies: raw, by TLS, ours{', squid' if squid else ''}; {len(FAILED)} failed")
    if FAILED:
        sys.exit(1)


if __name__ == "__main__":
    main()
