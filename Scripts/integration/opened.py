"""Tunnels that the proxy opens: curl, a raw client and nghttpd on their two sides, beside origins that log every byte.

usage: opened.py COMMAND FOLDER
"""

import contextlib
import os
import pathlib
import re
import socket
import ssl
import stat
import subprocess
import sys
import time
import warnings

from proxy import COMMAND, FAILED, FOLDER, OK, Origin, Proxy, expect, free_ports, ledgers, once, start

DATA = FOLDER / "data of a user"
AUTHORITY = DATA / "wireweight/authority.pem"
BODY = b"x" * 300_000
PARTS = ("startLine", "fields", "cookies", "interim", "body", "framing", "total", "evidence")


def certificate(name, days="3", subjects="DNS:localhost,IP:127.0.0.1"):
    """A certificate of its own for localhost or others, and its key; of negative days it is over."""
    certificate_file, key, request, names = (FOLDER / f"{name}{ending}" for ending in (".pem", "-key.pem", ".csr", ".names"))
    names.write_text(f"subjectAltName={subjects}\n")
    for words in (
        ["req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=localhost", "-keyout", key, "-out", request],
        ["x509", "-req", "-in", request, "-signkey", key, "-days", days, "-extfile", names, "-out", certificate_file],
    ):
        subprocess.run(["openssl", *words], check=True, capture_output=True)
    return certificate_file, key


class Secure(Origin):
    """An origin that speaks TLS; it logs what was inside."""

    def __init__(self, answer, files, protocols=("http/1.1",)):
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(*files)
        self.context.set_alpn_protocols(protocols)
        super().__init__(answer)

    def serve(self, connection, log):
        connection.settimeout(20)
        with contextlib.suppress(OSError), self.context.wrap_socket(connection, server_side=True) as secure:
            self.answer(secure, log)


def opening(*words, name="opened"):
    return Proxy("--open-tls", *words, name=name, environment={"XDG_DATA_HOME": str(DATA)})


def curl(proxy, *words, trusts=AUTHORITY):
    through = ["--proxy", f"http://127.0.0.1:{proxy.port}"] if proxy else ["--noproxy", "*"]
    return subprocess.run(
        ["curl", "-sS", "--suppress-connect-headers", "--max-time", "20", "--cacert", str(trusts), *through, *words], capture_output=True, check=False)


def answers(connection, log):
    """Any number of requests, by their target."""
    while True:
        head = b""
        while b"\r\n\r\n" not in head:
            data = connection.recv(1)
            if not data:
                return
            head += data
        log += head
        if b"Content-Length: " in head:
            length = int(head.split(b"Content-Length: ")[1].split(b"\r\n")[0])
            while length:
                data = connection.recv(length)
                log += data
                length -= len(data)
        if b"/large" in head:
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(BODY) + BODY)
        elif b"/chunks" in head:
            connection.sendall(b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n"
                               b"Trailer: X\r\n\r\n5;a=b\r\n12345\r\n0\r\nX: y\r\n\r\n")
        elif b"/close" in head:
            connection.sendall(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nto the end")
            with contextlib.suppress(OSError):
                if isinstance(connection, ssl.SSLSocket):
                    connection.unwrap()
            return
        else:
            connection.sendall(OK)


def same(files):
    """The origin gets the same bytes directly and through the proxy, and both sides of the file have them."""
    origin = Secure(answers, files)
    proxy = opening("--upstream-ca", str(files[0]))
    url = f"https://localhost:{origin.port}"
    heard_through = 0
    (FOLDER / "upload").write_bytes(BODY)
    for words in (
        [f"{url}/a", f"{url}/large", f"{url}/chunks"], ["-T", str(FOLDER / "upload"), f"{url}/put"], [f"{url}/close"],
        ["-I", f"{url}/a"], ["-H", "Cookie: sid=verysecret", f"{url}/cookie"], [f"https://127.0.0.1:{origin.port}/address"],
        ["--tls-max", "1.2", f"{url}/older"],
    ):
        origin.logs.clear()
        direct = curl(None, *words, trusts=files[0])
        expect(direct.returncode == 0, words, direct.stderr)
        heard = origin.heard
        origin.logs.clear()
        through = curl(proxy, *words)
        expect((through.returncode, through.stdout) == (direct.returncode, direct.stdout), words, through.returncode, through.stderr)
        heard_through += len(origin.heard)
        expect(origin.heard == heard, words, "the origin got", origin.heard[:300], "directly", heard[:300])
    expect(proxy.stop() == 0, "the proxy ended with", proxy.process.returncode, proxy.said)
    rows = [one for one in proxy.rows() if one["method"] != "CONNECT"]
    expect([one["direction"] for one in rows] == ["served"] * 9, "rows", [(one["direction"], one["url"]) for one in rows])
    for row in rows:
        legs = [[one[message][part] for message in ("request", "response") for part in PARTS] for one in (row, row["serverLeg"])]
        expect(legs[0] == legs[1], "the legs of", row["url"], "differ", legs)
    tunnels = [one["serverLeg"]["overhead"] for one in proxy.rows() if one["method"] == "CONNECT"]
    expect(len(tunnels) == 7 and all(one["up"] > 300 and one["down"] > 800 for one in tunnels), "tunnels", tunnels)
    sent = sum(row["serverLeg"]["request"]["total"] for row in rows)
    expect(sent == heard_through, "requests of", sent, "bytes, of which the origin got", heard_through)
    ledgers(proxy)
    for file in FOLDER.glob(f"{proxy.store.name}*"):
        expect(b"verysecret" not in file.read_bytes(), file, "has the cookie")
        expect(b"PRIVATE KEY" not in file.read_bytes(), file, "has the authority's key")
    key = DATA / "wireweight/authority-key.pem"
    expect(stat.S_IMODE(key.stat().st_mode) == 0o600, "the key's mode is", oct(key.stat().st_mode))
    expect(stat.S_IMODE(key.parent.stat().st_mode) == 0o700, "the folder's mode is", oct(key.parent.stat().st_mode))
    origin.stop()


def newer(files):
    """HTTP/2 passes frame by frame."""
    port = free_ports(1)[0]
    (FOLDER / "site").mkdir(exist_ok=True)
    (FOLDER / "site/page").write_bytes(BODY)
    server = subprocess.Popen(["nghttpd", "-d", str(FOLDER / "site"), str(port), *reversed(files)], stdout=subprocess.DEVNULL)
    try:
        for _ in range(100):
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)):
                break
            time.sleep(0.05)
        proxy = opening("--upstream-ca", str(files[0]), name="newer")
        many = [word for number in range(20) for word in (f"https://localhost:{port}/page?{number}", "-o", "/dev/null")]
        # curl 7.88 stops reading once in some sixty of these runs, also without a proxy: a try that stalls is made again.
        for tries in range(1, 4):
            got = curl(proxy, "--http2", "--parallel", "--max-time", "8", "-w", "%{http_version} %{size_download}\\n", *many)
            if got.returncode != 28:
                break
        expect(got.stdout == b"2 300000\n" * 20, "HTTP/2 gave", got.stdout, got.stderr)
        expect(proxy.stop() == 0, "the proxy ended with", proxy.process.returncode, proxy.said)
        rows = [one for one in proxy.rows() if one["method"] != "CONNECT"]
        for side in (rows, [one["serverLeg"] for one in rows if "serverLeg" in one]):
            whole = sum(one["response"]["body"] == len(BODY) for one in side if one["response"])
            expect(20 <= whole <= 20 * tries, "legs", whole, "in", tries, "tries")
        ledgers(proxy)
    finally:
        server.terminate()
        server.wait()


def raw(proxy, port, host="localhost", protocols=None, trusts=AUTHORITY):
    """A tunnel, and TLS in it by the client's own library."""
    client = socket.create_connection(("127.0.0.1", proxy.port), 10)
    client.sendall(f"CONNECT {host}:{port} HTTP/1.1\r\nHost: {host}:{port}\r\n\r\n".encode())
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        head += client.recv(1)
    expect(head.startswith(b"HTTP/1.1 200"), "CONNECT got", head)
    if protocols is None:
        return client
    context = ssl.create_default_context(cafile=str(trusts))
    context.set_alpn_protocols(protocols)
    # An end without a word is to be seen.
    context.options &= ~0x80
    return context.wrap_socket(client, server_hostname=host, suppress_ragged_eofs=False)


def resuming(files):
    """A device goes on with its session of the same host, with no other."""
    origin = Secure(answers, files)
    proxy = opening("--upstream-ca", str(files[0]), name="resuming")
    for version in (ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3):
        context = ssl.create_default_context(cafile=str(AUTHORITY))
        context.maximum_version = version

        def call(host, session=None):
            with raw(proxy, origin.port, host) as client:
                with context.wrap_socket(client, server_hostname=host, session=session) as inside:
                    inside.sendall(b"GET /a HTTP/1.1\r\nHost: a\r\n\r\n")
                    expect(inside.recv(1000).startswith(b"HTTP/1.1 200"), version, host, "got no response")
                    # Tickets come with the response in TLS 1.3.
                    return inside.session, inside.session_reused

        first, reused = call("localhost")
        expect(not reused, version, "a first session goes on")
        # This client's library would take it.
        expect(not call("127.0.0.1", first)[1], version, "a session goes on with another host")
        second, reused = call("localhost", first)
        expect(reused, version, "a session does not go on")
        expect(call("localhost", second)[1], version, "a session that went on does not go on again")
    # By openssl's own client.
    words = ["openssl", "s_client", "-proxy", f"127.0.0.1:{proxy.port}", "-connect", f"localhost:{origin.port}", "-servername",
             "localhost", "-CAfile", str(AUTHORITY), "-tls1_2", "-reconnect"]
    said = subprocess.run(words, input=b"", capture_output=True, check=False).stdout
    expect(said.count(b"\nNew, ") == 1 and said.count(b"\nReused, ") == 5, "-reconnect gave", said.count(b"Reused, "), said[-800:])
    expect(proxy.stop() == 0, "the proxy ended with", proxy.process.returncode, proxy.said)
    resumed = [one["handshake"]["resumed"] for one in proxy.rows("connections")
               if one["direction"] == "served" and one["handshake"]]
    expect(resumed.count(True) >= 9, "the rows have", resumed)
    ledgers(proxy)
    origin.stop()


def ends(files):
    """Ends with and without a word, protocols that are no HTTP, and what is no TLS."""
    def says(connection, log):
        log += connection.recv(100)
        connection.sendall(b"echo " + bytes(log))
        if log == b"cut":
            connection.close()
        elif log == b"half":
            with contextlib.suppress(OSError):
                connection.sendall(b" " + connection.recv(100) + b"end")
                connection.unwrap()

    origin = Secure(says, files, protocols=("other/1",))
    proxy = opening("--upstream-ca", str(files[0]), name="ends")
    with raw(proxy, origin.port, protocols=["h2", "other/1"]) as client:
        expect(client.selected_alpn_protocol() == "other/1", "the client got", client.selected_alpn_protocol())
        client.sendall(b"half")
        expect(client.recv(100) == b"echo half", "no echo")
        client.sendall(b"more")
        rest = b""
        while data := client.recv(100):
            rest += data
        expect(rest == b" moreend", "the rest was", rest)
    with raw(proxy, origin.port, protocols=["other/1"]) as client:
        client.sendall(b"cut")
        try:
            expect(client.recv(100) == b"echo cut", "no echo")
            cut = client.recv(100)
            expect(False, "an end without a word of TLS became one with it", cut)
        except (ssl.SSLError, ConnectionResetError):
            pass
    # One certificate serves all of them.
    for number in range(200):
        with raw(proxy, origin.port, protocols=["other/1"]) as client:
            client.sendall(b"%d" % number)
            expect(client.recv(100) == b"echo %d" % number, "connection", number, "got no echo")
    plain = Origin(once())
    with raw(proxy, plain.port) as client:
        client.sendall(b"GET / HTTP/1.1\r\n\r\n")
        expect(client.recv(100) == OK, "HTTP in a tunnel was not passed on")

    def first(connection, log):
        connection.sendall(b"220 ready\r\n")
        log += connection.recv(100)

    speaks = Origin(first)
    with raw(proxy, speaks.port) as client:
        expect(client.recv(100) == b"220 ready\r\n", "a server that speaks first was not passed on")
    broken = Origin(once())
    with raw(proxy, broken.port) as client:
        client.sendall(b"\x16\x03\x01\x00\x05\x02\x00\x00\x01\x00\r\n\r\n")
        expect(client.recv(100) == OK, "what is no hello was not passed on")
    # Before there is a whole hello, either side may end.
    half = b"\x16\x03\x01\x00\x20\x01"

    def counts(connection, log):
        while data := connection.recv(100):
            log += data
        connection.sendall(b"%d" % len(log))

    waits, leaves = Origin(counts), Origin(lambda connection, log: None)
    with raw(proxy, waits.port) as client:
        client.sendall(half)
        client.shutdown(socket.SHUT_WR)
        expect(client.recv(100) == b"6", "half of a hello was not passed on with its end")
    with raw(proxy, leaves.port) as client:
        client.settimeout(20)
        expect(client.recv(100) == b"", "the end of a server that says nothing was not passed on")
    expect(proxy.stop() == 0, "the proxy ended with", proxy.process.returncode, proxy.said)
    for one in (origin, plain, speaks, broken, waits, leaves):
        one.stop()


def unread(files):
    """A terminal that Ctrl-S has stopped, or a pipe that is not read, keeps no client waiting."""
    unknown, good = Secure(answers, certificate("unread")), Secure(answers, files)
    proxy = opening("--upstream-ca", str(files[0]), name="unread")
    pipe = os.open(f"/proc/{proxy.pid}/fd/2", os.O_WRONLY | os.O_NONBLOCK)
    with contextlib.suppress(BlockingIOError):
        while True:
            os.write(pipe, b"." * 4096)
    with contextlib.suppress(BlockingIOError):
        while True:
            os.write(pipe, b"\n")
    os.close(pipe)
    for host in ("localhost", "127.0.0.1"):
        got = curl(proxy, f"https://{host}:{unknown.port}/secret")
        expect(got.returncode == 35, "while it could say nothing, a client got", got.returncode, got.stderr)
    got = curl(proxy, f"https://localhost:{good.port}/")
    expect(got.returncode == 0, "while it could say nothing, a client got", got.returncode, got.stderr)
    expect(proxy.stop() == 0, "the proxy ended with", proxy.process.returncode)
    failures = re.findall("wireweight: (\\S+): .*; the device gets the same failure", proxy.said)
    expect(failures == ["localhost", "127.0.0.1"], "it said later", failures)


def refusals(files):
    """Servers that prove nothing are not passed off as good ones; hosts that are closed, or refuse us, stay closed."""
    unknown, older = Secure(answers, certificate("unknown")), Secure(answers, certificate("older", "-1"))
    good = Secure(answers, files)
    old = Secure(answers, files)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        old.context.maximum_version = ssl.TLSVersion.TLSv1_1
    old.context.set_ciphers("ALL:@SECLEVEL=0")
    proxy = opening("--upstream-ca", str(files[0]), name="refusals")
    for origin, word in ((unknown, b"unknown ca"), (older, b"alert"), (old, b"alert")):
        got = curl(proxy, f"https://localhost:{origin.port}/secret")
        expect(got.returncode == 35 and word in got.stderr, "a server that proves nothing:", got.returncode, got.stderr)
        expect(not origin.heard, "it got", origin.heard)
    # Its certificate is for other names.
    got = curl(proxy, "--connect-to", f"::localhost:{good.port}", "https://other.test/")
    expect(got.returncode == 35, "a certificate for another name:", got.returncode, got.stderr)
    # curl knows the origin's certificate alone, as an app that pins it.
    pinned = [curl(proxy, f"https://localhost:{good.port}/pinned", trusts=files[0])]
    # Its alert may still be on the way when curl has ended.
    while len(pinned) < 2 or (pinned[-1].returncode == 60 and len(pinned) < 50):
        pinned.append(curl(proxy, f"https://localhost:{good.port}/pinned", trusts=files[0]))
    expect([pinned[0].returncode, pinned[-1].returncode] == [60, 0], "an app that pins got", pinned[-1])
    expect(proxy.stop() == 0, "the proxy ended with", proxy.process.returncode, proxy.said)
    expect("refused our certificate for localhost" in proxy.said, "it said", proxy.said)
    failures = re.findall("wireweight: (\\S+): .*; the device gets the same failure", proxy.said)
    expect(sorted(failures) == ["localhost", "other.test"], "each host's failure is not said once", proxy.said)
    # A browser that connects ahead ends without a word, and its hosts stay open, used or not.
    quiet = opening("--upstream-ca", str(files[0]), name="quiet")
    kept = raw(quiet, good.port, "127.0.0.1", protocols=["http/1.1"])
    kept.sendall(b"GET /used HTTP/1.1\r\nHost: a\r\n\r\n")
    expect(kept.recv(1000) == OK, "a connection that stays got no response")
    for _ in range(4):
        for host in ("localhost", "127.0.0.1"):
            with raw(quiet, good.port, host, protocols=["http/1.1"]) as client:
                client.shutdown(socket.SHUT_WR)
                # The proxy has seen the end when it ends its side.
                while client.recv(1000):
                    pass
    kept.close()
    expect(quiet.stop() == 0, "the proxy ended with", quiet.process.returncode, quiet.said)
    expect("refused" not in quiet.said, "connections that were not used are a refusal:", quiet.said)
    expect(re.findall("has ended 3 connections to (\\S+)", quiet.said) == ["localhost"], "after silent ends it said", quiet.said)
    closed = opening("--upstream-ca", str(files[0]), "--closed", "localhost", name="closed")
    got = curl(closed, f"https://localhost:{good.port}/closed", trusts=files[0])
    expect(got.returncode == 0, "a closed host was opened", got.stderr)
    closed.stop()
    for one in (proxy, closed):
        expect(all(row["method"] == "CONNECT" for row in one.rows()), "rows of what was not opened", one.rows())
    for one in (unknown, older, good, old):
        one.stop()


def names():
    """A server hears the name that it is called by, and must prove that name or that address."""
    heard = []
    named = certificate("named", subjects="DNS:localhost")
    origin = Secure(answers, named)
    origin.context.sni_callback = lambda _, name, __: heard.append(name)
    proxy = opening("--upstream-ca", str(named[0]), name="names")
    got = [curl(proxy, f"https://{host}:{origin.port}/").returncode for host in ("localhost", "127.0.0.1")]
    expect((got, heard) == ([0, 35], ["localhost", None]), "a certificate for a name alone gave", got, heard)
    expect(b"GET" in origin.heard and origin.heard.count(b"GET") == 1, "a server that proves nothing got", origin.heard)
    proxy.stop()
    origin.stop()


def handshakes(files):
    """A device that ends in the handshake, silently or by an alert that is not about the certificate, has not refused it."""
    origin = Secure(answers, files)
    for name, alert, host in (("a silent end", b"", "localhost"), ("handshake_failure", b"\x15\3\3\0\2\2\x28", "127.0.0.1")):
        proxy = opening("--upstream-ca", str(files[0]), name="handshakes")
        for _ in range(4):
            incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
            context = ssl.create_default_context()
            context.maximum_version = ssl.TLSVersion.TLSv1_2
            hello = context.wrap_bio(incoming, outgoing, server_hostname=host)
            with contextlib.suppress(ssl.SSLWantReadError):
                hello.do_handshake()
            with raw(proxy, origin.port, host) as client:
                client.sendall(outgoing.read())
                # The certificate is in what the proxy answers first.
                expect(client.recv(1) == b"\x16", name, "the proxy did not answer the hello")
                client.sendall(alert)
                client.shutdown(socket.SHUT_WR)
                # The proxy has seen the end when it ends its side.
                with contextlib.suppress(ConnectionResetError):
                    while client.recv(65_536):
                        pass
        got = curl(proxy, f"https://{host}:{origin.port}/opened")
        expect(got.returncode == 0, name, "a device that trusts the proxy got", got)
        expect(proxy.stop() == 0, "the proxy ended with", proxy.process.returncode, proxy.said)
        expect("refused" not in proxy.said, name, "is taken for a refusal:", proxy.said)
        expect(re.findall("has ended 3 connections to (\\S+)", proxy.said) == [host], name, "after three it said", proxy.said)
        urls = [row["url"] for row in proxy.rows() if row["method"] != "CONNECT"]
        expect(urls == [f"https://{host}:{origin.port}/opened"], name, "the host is no longer opened", urls)
    origin.stop()


def wanting(files):
    """A server that wants a certificate of its client is passed on unopened from its second connection on."""
    own = certificate("client", subjects="DNS:client.test")
    for number, (words, wants) in enumerate(((["-tls1_2", "-Verify", "1"], True), (["-tls1_3", "-Verify", "1"], True),
                                             (["-tls1_3", "-verify", "1"], False))):
        port = free_ports(1)[0]
        server = start(["openssl", "s_server", "-accept", f"127.0.0.1:{port}", "-cert", files[0], "-key", files[1], "-CAfile", own[0],
                        "-verify_return_error", "-www", "-quiet", *words], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)
        for _ in range(200):
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)):
                break
            time.sleep(0.02)
        proxy = opening("--upstream-ca", str(files[0]), name=f"wanting-{number}")
        url = f"https://localhost:{port}/"
        # The client trusts both, as an app whose system does.
        both = FOLDER / "both.pem"
        both.write_text(AUTHORITY.read_text() + files[0].read_text())
        got = [curl(proxy, "--cert", str(own[0]), "--key", str(own[1]), url, trusts=both).returncode for _ in range(3)]
        expect(proxy.stop() == 0, "the proxy ended with", proxy.process.returncode, proxy.said)
        server.kill()
        server.wait()
        opened = [row["url"] for row in proxy.rows() if row["method"] == "GET" and (row["response"] or {}).get("status") == 200]
        said = proxy.said.count("localhost wants a certificate of its client")
        if wants:
            expect(got[0] != 0 and got[1:] == [0, 0] and said == 1 and not opened, words, "gave", got, opened, proxy.said)
        else:
            expect(got == [0, 0, 0] and said == 0 and len(opened) == 3, words, "gave", got, opened, proxy.said)


JAVA = """
public class Get {
    public static void main(String[] words) throws Exception {
        var address = java.net.URI.create(words[0]).toURL();
        System.out.println(((java.net.HttpURLConnection) address.openConnection()).getResponseCode());
    }
}
"""


def programs(files):
    """A program trusts the authority by its environment."""
    origin = Secure(answers, files)
    store = FOLDER / "trusting.db"
    url = f"https://localhost:{origin.port}"
    (FOLDER / "Get.java").write_text(JAVA)
    script = f"curl -sS {url}/curl && python3 -c 'import urllib.request as u; print(u.urlopen(\"{url}/python\").status)'"
    script += f" && java {FOLDER}/Get.java {url}/java"
    ended = subprocess.run(
        [COMMAND, "proxy", "--db", str(store), "--open-tls", "--upstream-ca", str(files[0]), "--", "sh", "-c", script],
        capture_output=True, text=True, check=False, env={**os.environ, "XDG_DATA_HOME": str(DATA)}, stdin=subprocess.DEVNULL)
    expect(ended.returncode == 0 and ended.stdout == "ok200\n200\n", "a program got", ended)
    stored = subprocess.run(
        ["keytool", "-list", "-keystore", DATA / "wireweight/bundle.jks", "-storepass", "changeit"],
        capture_output=True, text=True, check=False)
    system = pathlib.Path("/etc/ssl/certs/ca-certificates.crt").read_text().count("BEGIN")
    expect(f"{system + 1} entries" in stored.stdout, "Java's store has not the system's", system, stored)
    origin.stop()


# Each variable by which a client of a program trusts, and what its file has: the authority, and a company's.
TRUSTED = """
import os, sys
own, company = (open(path).read() for path in sys.argv[1:])
for name in "SSL_CERT_FILE CURL_CA_BUNDLE REQUESTS_CA_BUNDLE NODE_EXTRA_CA_CERTS GRPC_DEFAULT_SSL_ROOTS_FILE_PATH".split():
    all = open(os.environ[name]).read()
    print(name, own in all, company in all, all.count("BEGIN CERTIFICATE") > 20)
"""


def given(files):
    """What the variables of a program named before stays trusted beside the authority, and by its own clients alone."""
    company, _ = certificate("company")
    # Without a line's end, as some files are.
    company.write_text(company.read_text().rstrip())
    no_file = str(FOLDER / "nothing")
    environment = {name: value for name, value in os.environ.items() if name != "GRPC_DEFAULT_SSL_ROOTS_FILE_PATH"}
    environment |= {"XDG_DATA_HOME": str(DATA), "NODE_EXTRA_CA_CERTS": str(company), "REQUESTS_CA_BUNDLE": str(company)}
    environment |= {"SSL_CERT_FILE": no_file, "CURL_CA_BUNDLE": no_file}
    ended = subprocess.run(
        [COMMAND, "proxy", "--db", str(FOLDER / "given.db"), "--open-tls", "--upstream-ca", str(files[0]), "--",
         "python3", "-c", TRUSTED, str(AUTHORITY), str(company)],
        capture_output=True, text=True, check=False, env=environment, stdin=subprocess.DEVNULL)
    expect(
        ended.stdout.splitlines() == [
            "SSL_CERT_FILE True False True", "CURL_CA_BUNDLE True False True", "REQUESTS_CA_BUNDLE True True False",
            "NODE_EXTRA_CA_CERTS True True False", "GRPC_DEFAULT_SSL_ROOTS_FILE_PATH True False True",
        ], "of what the variables named stayed", ended)


def authority():
    """It is shown, kept, and removed with its key."""
    environment = {**os.environ, "XDG_DATA_HOME": str(DATA)}

    def command(*words):
        return subprocess.run([COMMAND, "proxy", *words], capture_output=True, text=True, check=False, env=environment)

    shown = command("trust")
    digest = subprocess.run(["openssl", "x509", "-in", AUTHORITY, "-noout", "-fingerprint", "-sha256"], capture_output=True, text=True, check=True)
    expect(digest.stdout.split("=")[1].strip() in shown.stdout, "trust shows", shown)
    expect(command("trust").stdout == shown.stdout, "it was made again")
    key = pathlib.Path(AUTHORITY.parent / "authority-key.pem")
    key.chmod(0o644)
    open_to_all = command("trust")
    expect(open_to_all.returncode == 69 and "others can read" in open_to_all.stderr, "a key that others read:", open_to_all)
    removed = command("untrust")
    expect(removed.returncode == 0 and not AUTHORITY.parent.exists(), "untrust left", removed, list(AUTHORITY.parent.glob("*")))
    # One that ends before the certificates that it signs is made again, and no other.
    for days, is_kept in ((30, True), (5, False)):
        AUTHORITY.parent.mkdir(mode=0o700, exist_ok=True)
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=Old", "-days", str(days),
             "-keyout", key, "-out", AUTHORITY], check=True, capture_output=True)
        key.chmod(0o600)
        before = AUTHORITY.read_text()
        said = command("trust")
        left = int(re.search(r"Valid for\s+(\d+) days", said.stdout)[1])
        expect((AUTHORITY.read_text() == before, left > 300) == (is_kept, not is_kept), "one of", days, "days is", said)
        command("untrust")
    # Where it was installed by hand, it is taken back by hand.
    for place in ("Chromium", "Firefox", "Java", "macOS", "iOS simulator", "iPhone", "Android"):
        expect(place in shown.stdout and place in removed.stdout, place, "is missing in", shown.stdout, removed.stdout)
    for said in (shown.stdout, removed.stdout):
        expect(said.count("iPhone, iPad and Android have not been tried on a device") == 1, "it is not said what is unproven", said)


def main():
    files = certificate("origin")
    same(files)
    newer(files)
    ends(files)
    unread(files)
    refusals(files)
    names()
    handshakes(files)
    wanting(files)
    resuming(files)
    programs(files)
    given(files)
    authority()
    print(f"tunnels that are opened: the same bytes, HTTP/2, ends, refusals, sessions, programs, the authority; {len(FAILED)} failed")
    if FAILED:
        sys.exit(1)


if __name__ == "__main__":
    main()
