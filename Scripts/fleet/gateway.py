"""The door in Examples/Fleet/nginx.conf lets shippers through and nothing else: a real nginx with TLS.

usage: gateway.py debug|release
"""

import contextlib
import http.server
import os
import pathlib
import re
import socket
import subprocess
import tempfile
import threading
import time
import urllib.parse

import clickhouse
import nginx
import processes
import stores

EXAMPLE = pathlib.Path(__file__).resolve().parents[2] / "Examples" / "Fleet" / "nginx.conf"
TOKEN = "replace-this-token"
# What a shipper sends, and what a stranger might.
INSERT = "INSERT INTO `loss` (`installation`, `reason`) FORMAT RowBinary"


class Upstream(http.server.BaseHTTPRequestHandler):
    """In the place of ClickHouse: keeps what comes through."""

    protocol_version = "HTTP/1.1"
    seen = []

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.seen.append((self.path, dict(self.headers.items()), body))
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *arguments):
        pass


@contextlib.contextmanager
def door(upstream, *, rate="5r/s"):
    """The example as it is, except for what it marks; gives its port and its folder."""
    with tempfile.TemporaryDirectory(prefix="door-") as name:
        folder = pathlib.Path(name)
        (port,) = processes.free_ports(1)
        text = EXAMPLE.read_text()
        for old, new in [
                ("listen 443 ssl;", f"listen 127.0.0.1:{port} ssl;"), ("/etc/nginx/fleet.pem", f"{folder}/certificate.pem"),
                ("/etc/nginx/fleet.key", f"{folder}/key.pem"), ("/var/log/nginx/fleet.log", f"{folder}/fleet.log"),
                ("127.0.0.1:8123", f"127.0.0.1:{upstream}"), ("User fleet_door", "User default"),
                ("Key replace-this-password", 'Key ""'), ("5r/s", rate)]:
            assert old in text, f"the example has no '{old}' any more"
            text = text.replace(old, new)
        process = subprocess.Popen(nginx.prepare(folder, text), stdin=subprocess.DEVNULL)
        try:
            deadline = time.monotonic() + 20
            while True:
                with contextlib.suppress(ConnectionRefusedError), socket.create_connection(("127.0.0.1", port)):
                    break
                errors = folder / "nginx.err"
                assert process.poll() is None and time.monotonic() < deadline, errors.exists() and errors.read_text()
                time.sleep(0.05)
            yield port, folder
        finally:
            process.terminate()
            process.wait()


def ask(port, folder, query, *, token=TOKEN, method="POST", body="-rows-", more=()):
    """The status of a request to the door, made by curl."""
    words = ["curl", "--silent", "--output", "/dev/null", "--write-out", "%{http_code}", "--cacert",
             folder / "certificate.pem", "--request", method, "--data-binary", body, *more]
    if token is not None:
        words += ["--header", f"Authorization: Bearer {token}"]
    return subprocess.run(
        [*words, f"https://localhost:{port}/{query}"], text=True, capture_output=True, timeout=60).stdout


def encoded(**arguments):
    return "?" + urllib.parse.urlencode(arguments, quote_via=urllib.parse.quote)


def believing(certificate):
    """The words that start a program for which the system has one authority alone, by a file system of its own."""
    return ["unshare", "--map-root-user", "--mount", "sh", "-c",
            'mount --bind "$0" /etc/ssl/certs/ca-certificates.crt && exec "$@"', certificate]


def test_ship(server, store):
    """A store arrives through the door over TLS as it does without one; a wrong token is said to be one."""
    stores.make_tables(server, "fleet")
    with door(server.port, rate="500r/s") as (port, folder):
        url = f"clickhouses://localhost:{port}/fleet"
        words = ["ship", store, "--to", url, "--share", "all", "--sums", "minutes"]
        believed = believing(folder / "certificate.pem")
        os.environ["WIREWEIGHT_CLICKHOUSE_TOKEN"] = "a-wrong-one"
        said = stores.run(*words, expected=69, before=believed)[1]
        assert "WIREWEIGHT_CLICKHOUSE_TOKEN" in said and "<" not in said and "a-wrong-one" not in said, said
        os.environ["WIREWEIGHT_CLICKHOUSE_TOKEN"] = TOKEN
        # Only the server itself has signed its certificate.
        said = stores.run("fleet", "check", url, expected=69)[1]
        assert "certificate" in said, said
        stores.run(*words, before=believed)
        del os.environ["WIREWEIGHT_CLICKHOUSE_TOKEN"]
        log = (folder / "fleet.log").read_text()
        assert re.fullmatch(r"(\S+ \d{3} \d+ [\d.]+\n)+", log) and "127.0.0.1" not in log, log
    stores.compare(store, server.url("fleet"))
    print("a store arrives through the door, over TLS, and the log has no address")


def test_strangers(store):
    """What is not a shipper's insertion does not come through, and nothing else of what it says does."""
    upstream = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Upstream)
    threading.Thread(target=upstream.serve_forever, daemon=True).start()
    wrong = {
        "?query=" + urllib.parse.quote(statement): "403" for statement in (
            "SELECT 1", "DROP TABLE loss", "INSERT INTO `users` (`a`) FORMAT RowBinary",
            "INSERT INTO `loss` (`a`) SELECT 1 FORMAT RowBinary", "INSERT INTO `loss` (`a`) FORMAT RowBinary; SELECT 1",
            "INSERT INTO `loss` (`a`) FORMAT CSV", "INSERT INTO system.`loss` (`a`) FORMAT RowBinary",
            "INSERT INTO `loss` (`a`) FORMAT RowBinary\nSETTINGS x = 1", "INSERT INTO `loss` (`a` DEFAULT 1) FORMAT RowBinary")
    } | {"": "403", "?Query=SELECT%201": "403", "play": "404", "?query=": "403"}
    try:
        with door(upstream.server_address[1], rate="500r/s") as (port, folder):
            for query, status in wrong.items():
                assert ask(port, folder, query) == status, query
            right = encoded(query=INSERT)
            for token in (None, "", "replace-this-toke", "replace-this-token2", "Replace-this-token"):
                assert ask(port, folder, right, token=token) == "401", token
            assert ask(port, folder, right, method="GET") == "405"
            assert ask(port, folder, right, body="x", more=["--header", "Content-Length: 5000000"]) == "413"
            assert not Upstream.seen, Upstream.seen
            more = ["--header", "X-ClickHouse-User: admin", "--header", "X-Forwarded-For: 203.0.113.7", "--header",
                    "Cookie: a=b", "--header", "X-ClickHouse-Database: other", "--header", "Content-Encoding: gzip"]
            arguments = encoded(database="other", user="admin", password="x", readonly="0", query=INSERT,
                                insert_deduplication_token="id/loss/1/0", max_memory_usage="0")
            assert ask(port, folder, arguments + "&query=SELECT%201", more=more) == "200"
            (path, fields, body), = Upstream.seen
            assert path == ("/" + encoded(database="fleet", query=INSERT) +
                            "&insert_deduplication_token=id/loss/1/0".replace("/", "%2F")), path
            assert body == b"-rows-"
            assert {name.lower(): value for name, value in fields.items() if name.lower() != "connection"} == {
                "host": "clickhouse", "x-clickhouse-user": "default", "content-type": "application/octet-stream",
                "content-encoding": "gzip", "content-length": "6"}, fields
        with door(upstream.server_address[1]) as (port, folder):
            # Eight connections at once, and five requests a second, for which up to twenty wait.
            statuses = subprocess.run(
                ["curl", "--silent", "--parallel", "--parallel-immediate", "--parallel-max", "60", "--cacert",
                 folder / "certificate.pem", "--output", "/dev/null", "--write-out", "%{http_code}\n",
                 "--header", f"Authorization: Bearer {TOKEN}", "--data-binary", "-rows-",
                 f"https://localhost:{port}/{right}&n=[1-60]"], text=True, capture_output=True, timeout=60).stdout.split()
            assert set(statuses) == {"200", "429"} and statuses.count("200") < 40, statuses
    finally:
        upstream.shutdown()
        upstream.server_close()
    print(f"{len(wrong)} statements of strangers, five tokens, a large body and a flood end at the door")


def main():
    with tempfile.TemporaryDirectory(prefix="gateway-") as name:
        store = stores.demo(pathlib.Path(name))
        test_strangers(store)
        with clickhouse.serving() as server:
            test_ship(server, store)


main()
