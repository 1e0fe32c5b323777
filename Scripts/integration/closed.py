"""Tunnels that stay closed: what TLS says in the clear, beside what openssl's own client and server say of it.

usage: closed.py COMMAND FOLDER
"""

import base64
import contextlib
import hashlib
import re
import socket
import subprocess
import sys
import threading
import time

from proxy import COMMAND, FAILED, FOLDER, Proxy, expect, free_ports, ledgers, start

PAGE = b"GET / HTTP/1.0\r\n\r\n"


def openssl(*words, **options):
    return subprocess.run(["openssl", *(str(word) for word in words)], capture_output=True, check=True, timeout=30, **options)


def chain():
    """A server's certificate, one above it, the key, and both in DER."""
    names = {name: FOLDER / name for name in ("above.pem", "above-key.pem", "below.pem", "below-key.pem", "below.csr", "below.names")}
    openssl("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "30", "-subj", "/O=Signers/CN=Above",
            "-keyout", names["above-key.pem"], "-out", names["above.pem"])
    openssl("req", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=a.test", "-keyout", names["below-key.pem"], "-out", names["below.csr"])
    names["below.names"].write_text("subjectAltName=DNS:a.test\n")
    openssl("x509", "-req", "-in", names["below.csr"], "-CA", names["above.pem"], "-CAkey", names["above-key.pem"], "-days", "20",
            "-set_serial", "7", "-extfile", names["below.names"], "-out", names["below.pem"])
    ders = [base64.b64decode("".join(re.findall(r"(?s)-----BEGIN CERTIFICATE-----(.*?)-----END", names[name].read_text())))
            for name in ("below.pem", "above.pem")]
    return names["below.pem"], names["below-key.pem"], names["above.pem"], ders


@contextlib.contextmanager
def serving(files, *words):
    port = free_ports(1)[0]
    server = start(
        ["openssl", "s_server", "-accept", f"127.0.0.1:{port}", "-cert", files[0], "-key", files[1], "-cert_chain", files[2],
         "-www", "-quiet", "-alpn", "h2,http/1.1", *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, stdin=subprocess.PIPE)
    try:
        for _ in range(200):
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)):
                break
            time.sleep(0.02)
        yield port
    finally:
        server.kill()
        server.wait()


def client(proxy, port, *words):
    """openssl's client through the proxy; what it says of the session."""
    got = subprocess.run(
        ["openssl", "s_client", "-proxy", f"127.0.0.1:{proxy.port}", "-connect", f"127.0.0.1:{port}", "-servername", "a.test",
         "-alpn", "h2,http/1.1", "-ign_eof", *words], input=PAGE, capture_output=True, timeout=30, check=False)
    found = re.search(rb"(New|Reused), (TLSv[0-9.]+), Cipher is", got.stdout)
    return (found[1] == b"Reused", found[2].decode()) if found else (None, None)


# The name, what the server and the client are called with, whether the client comes back with its session.
CASES = (
    ("TLS 1.3", ["-tls1_3"], [], True),
    ("TLS 1.3 with another group", ["-tls1_3", "-groups", "P-384"], ["-groups", "X25519:P-384"], True),
    ("TLS 1.2 with tickets", ["-tls1_2"], [], True),
    ("TLS 1.2 with numbered sessions", ["-tls1_2", "-no_ticket"], ["-no_ticket"], True),
    ("TLS 1.2 in records of 512 bytes", ["-tls1_2", "-max_send_frag", "512"], [], True),
    ("no version in common", ["-tls1_3"], ["-tls1_2"], False),
)


def handshakes(files):
    *files, ders = files
    digest = hashlib.sha256(ders[0]).hexdigest()
    chain_size = 4 + 3 + sum(3 + len(der) for der in ders)
    for number, (name, server_words, client_words, returns) in enumerate(CASES):
        proxy = Proxy(name=f"closed-{number}")
        session = FOLDER / f"session-{number}.pem"
        said = []
        with serving(files, *server_words) as port:
            # The check that it listens is no client's.
            said.append(client(proxy, port, *client_words, "-sess_out", str(session)))
            if returns:
                said.append(client(proxy, port, *client_words, "-sess_in", str(session)))
        expect(proxy.stop() == 0, name, "the proxy ended with", proxy.process.returncode, proxy.said)
        expect([one[0] for one in said] == ([False, True] if returns else [None]), name, "openssl says", said)
        ledgers(proxy)
        rows = proxy.rows("connections")
        for direction in ("served", "called"):
            shown = [one["handshake"] for one in rows if one["direction"] == direction]
            expect(len(shown) == len(said) and all(shown), name, direction, "has the handshakes", shown)
            for handshake, (resumed, version) in zip(filter(None, shown), said):
                what = (name, direction, handshake)
                expect(handshake["serverName"] == "a.test" and handshake["offered"] == ["h2", "http/1.1"], *what)
                expect((handshake["resumed"], handshake["version"]) == (resumed, version), *what, "openssl says", resumed, version)
                expect((handshake["cipher"] or "").startswith("TLS_") == bool(version), *what)
                is_older = version == "TLSv1.2"
                expect(handshake["protocol"] == ("h2" if is_older else None), *what)
                certificate = handshake["certificate"]
                expect((certificate is not None) == (is_older and not resumed), *what)
                if certificate:
                    expect(certificate["sha256"] == digest and certificate["chainBytes"] == chain_size, *what, digest, chain_size)
                    expect((certificate["subject"], certificate["issuer"]) == ("a.test", "Above (Signers)"), *what)
        closed = [one for one in rows if one["direction"] == "called"]
        expect(all(one["notSeen"] == "passedOn" and one["serverName"] == "a.test" for one in closed), name, closed)
        expect([one["tls"]["version"] for one in closed] == [one[1] for one in said], name, "has the TLS", closed)
        text = subprocess.run([COMMAND, "connections", str(proxy.store)], capture_output=True, text=True, check=True).stdout
        expect(text.count("In the clear: ") == len(said), name, "prints", text)
        tunnel = proxy.rows()[-1]["exchange"]
        text = subprocess.run([COMMAND, "show", str(proxy.store), str(tunnel)], capture_output=True, text=True, check=True).stdout
        if returns:
            expect(f"for a.test: {said[-1][1]}, resumed" in text, name, "shows", text)


def raw(proxy, port, data):
    """Bytes of a client in a tunnel; what comes back."""
    with socket.create_connection(("127.0.0.1", proxy.port), 10) as connection:
        connection.sendall(f"CONNECT 127.0.0.1:{port} HTTP/1.1\r\nHost: a\r\n\r\n".encode())
        while not connection.recv(1000).endswith(b"\r\n\r\n"):
            pass
        for piece in data:
            connection.sendall(piece)
        connection.shutdown(socket.SHUT_WR)
        got = b""
        while more := connection.recv(65_536):
            got += more
        return got


HELLO = b"\x16\x03\x01\x00\x2f\x01\x00\x00\x2b\x03\x03" + b"\x55" * 32 + b"\x00\x00\x02\x13\x01\x01\x00\x00\x00"


def hostile():
    """Servers that send nonsense: every byte arrives, counted, and what was read before it is kept."""
    def record(data, kind=22):
        return bytes([kind, 3, 3]) + len(data).to_bytes(2) + data

    hello = b"\x02\x00\x00\x26\x03\x03" + b"\x66" * 32 + b"\x00\xc0\x2f\x00"
    answers = {
        "a hello alone": (record(hello), "TLSv1.2"),
        "a hello that is cut": (record(hello)[:30], None),
        "a message without an end": (record(b"\x02\xff\xff\xff" + b"\0" * 16_000) * 20, None),
        "a certificate without an end": (record(hello) + record(b"\x0b\xff\xff\xff" + b"\0" * 16_000) * 20, "TLSv1.2"),
        "lengths that lie": (record(hello) + record(b"\x0b\x00\x00\x09\x00\x00\xff\xff\xff\xff\x30\x80\x80"), "TLSv1.2"),
        "records of nothing": (record(b"") * 1000, None),
        "no TLS": (b"\x00" * 100_000, None),
    }
    proxy = Proxy(name="closed-hostile")
    listener = socket.create_server(("127.0.0.1", 0))
    for name, (answer, _) in answers.items():
        def serve(answer=answer):
            with listener.accept()[0] as connection:
                while connection.recv(65_536):
                    pass
                connection.sendall(answer)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        got = raw(proxy, listener.getsockname()[1], [HELLO[:3], HELLO[3:]])
        thread.join()
        expect(got == answer, name, "came as", len(got), "of", len(answer), "bytes")
    expect(proxy.stop() == 0, "the proxy ended with", proxy.process.returncode, proxy.said)
    called = [one for one in proxy.rows("connections") if one["direction"] == "called"]
    expect(len(called) == len(answers), "connections", called)
    for one, (name, (answer, version)) in zip(called, answers.items()):
        expect(one["payload"] == {"up": len(HELLO), "down": len(answer)}, name, "counts", one["payload"])
        expect(one["handshake"] and one["handshake"]["version"] == version, name, "shows", one["handshake"])
    ledgers(proxy)


def main():
    handshakes(chain())
    hostile()
    print(f"tunnels that stay closed: {len(CASES)} ways to begin TLS, resumed and not, and nonsense; {len(FAILED)} failed")
    if FAILED:
        sys.exit(1)


if __name__ == "__main__":
    main()
