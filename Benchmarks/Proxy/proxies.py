"""wrk through several proxies, one after the other, three rounds; the median of each.

usage: proxies.py BUILD FOLDER SECONDS
"""

import contextlib
import os
import pathlib
import re
import signal
import socket
import statistics
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Scripts/shared"))
from processes import free_ports  # noqa: E402 pylint: disable=wrong-import-position

BUILD, FOLDER, SECONDS = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]), int(sys.argv[3])
ORIGIN, ALONE, METERED, HAPROXY, SQUID, MITMPROXY = free_ports(6)
STORING, CLOSED = "wireweight proxy, one thread", "wireweight proxy, TLS closed"
CLOCK = os.sysconf("SC_CLK_TCK")


def start(*words):
    return subprocess.Popen([str(word) for word in words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


@contextlib.contextmanager
def ending(children):
    """Ends them all at once, and waits for each."""
    try:
        yield
    finally:
        for child in children:
            child.send_signal(signal.SIGTERM)
        for child in children:
            child.wait(30)


def wait_for(port):
    for _ in range(200):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise RuntimeError(f"nothing listens on {port}")


def family(pid):
    """A process and its children, and theirs."""
    found = [pid]
    for one in found:
        for task in pathlib.Path(f"/proc/{one}/task").glob("*/children"):
            found += [int(child) for child in task.read_text().split()]
    return found


def processor(pid, alone=False):
    """The seconds that a process and its children have computed, or it alone."""
    total = 0
    for one in [pid] if alone else family(pid):
        fields = pathlib.Path(f"/proc/{one}/stat").read_text().rsplit(")", 1)[1].split()
        total += int(fields[11]) + int(fields[12])
    return total / CLOCK


def origin():
    (FOLDER / "www").mkdir()
    (FOLDER / "www/small").write_bytes(b"s" * 1024)
    (FOLDER / "www/large").write_bytes(os.urandom(10 << 20))
    (FOLDER / "nginx.conf").write_text(
        f"""daemon off; worker_processes 1; pid {FOLDER}/nginx.pid; error_log {FOLDER}/nginx.log;
        events {{ worker_connections 4096; }}
        http {{ access_log off; sendfile on; keepalive_requests 100000000; client_body_temp_path {FOLDER}/t;
        proxy_temp_path {FOLDER}/t; fastcgi_temp_path {FOLDER}/t; uwsgi_temp_path {FOLDER}/t; scgi_temp_path {FOLDER}/t;
        server {{ listen 127.0.0.1:{ORIGIN} backlog=1024; root {FOLDER}/www; }} }}"""
    )
    return start("nginx", "-c", FOLDER / "nginx.conf", "-e", FOLDER / "nginx.log")


def mitmproxy(port, *words):
    """It passes bodies on as they come, and shows nothing."""
    streams = ["--set", "stream_large_bodies=64k", "--set", f"confdir={FOLDER}/mitmproxy"]
    return start(FOLDER / "venv/bin/mitmdump", "--quiet", "--listen-host", "127.0.0.1", "--listen-port", port, *streams, *words)


def proxies():
    (FOLDER / "haproxy.cfg").write_text(
        f"""global
  nbthread 1
defaults
  mode http
  timeout connect 5s
  timeout client 60s
  timeout server 60s
frontend f
  bind 127.0.0.1:{HAPROXY}
  default_backend b
backend b
  server s 127.0.0.1:{ORIGIN}
"""
    )
    (FOLDER / "squid.conf").write_text(
        f"""http_port 127.0.0.1:{SQUID}
cache deny all
http_access allow all
access_log none
cache_log {FOLDER}/squid.log
pid_filename none
coredump_dir {FOLDER}
shutdown_lifetime 0 seconds
"""
    )
    return {
        "none": (None, ORIGIN),
        STORING: (
            start(BUILD / "wireweight", "proxy", "--db", FOLDER / "traffic.db", "--listen", METERED, "--threads", 1), METERED),
        "the same, not metered": (start(BUILD / "wireweight-proxy", "--listen", ALONE, "--threads", 1), ALONE),
        "HAProxy, one thread": (start("haproxy", "-f", FOLDER / "haproxy.cfg"), HAPROXY),
        "squid": (start("squid", "-N", "-f", FOLDER / "squid.conf"), SQUID),
        "mitmproxy": (mitmproxy(MITMPROXY), MITMPROXY),
    }


def load(name, port, path, connections):
    """Requests per second and megabytes per second."""
    # A forward proxy takes the whole URL; HAProxy is one in front of a server.
    target = path if port in (ORIGIN, HAPROXY) else f"http://127.0.0.1:{ORIGIN}{path}"
    script = FOLDER / "target.lua"
    script.write_text(f'wrk.path = "{target}"\n')
    ended = subprocess.run(
        ["wrk", "-t1", f"-c{connections}", f"-d{SECONDS}s", "--latency", "-s", str(script), f"http://127.0.0.1:{port}"],
        capture_output=True, text=True, check=True)
    assert "Non-2xx" not in ended.stdout, f"{name}: {ended.stdout}"
    done = int(re.search(r"(\d+) requests in", ended.stdout)[1])
    rate = float(re.search(r"Requests/sec:\s+([\d.]+)", ended.stdout)[1])
    slowest = re.search(r"99%\s+(\S+)", ended.stdout)[1]
    return done, rate, slowest


def opened():
    """Requests over TLS by curl: through a tunnel that stays closed, and through one that the proxy opens."""
    subprocess.run([ROOT / "Scripts/shared/certificate.sh", FOLDER], check=True)
    (secure, closed, metered, alone, other) = free_ports(5)
    certificate = FOLDER / "certificate.pem"
    (FOLDER / "secure.conf").write_text(
        (FOLDER / "nginx.conf").read_text().replace(f"nginx.pid; error_log {FOLDER}/nginx.log", f"secure.pid; error_log {FOLDER}/secure.log")
        .replace(f"listen 127.0.0.1:{ORIGIN} backlog=1024;",
                 f"listen 127.0.0.1:{secure} ssl http2; ssl_certificate {certificate}; ssl_certificate_key {FOLDER}/key.pem;"))
    os.environ["XDG_DATA_HOME"] = str(FOLDER)
    opening = ["--open-tls", "--upstream-ca", certificate, "--threads", 1]
    authority = FOLDER / "wireweight/authority.pem"
    running = {
        "none": (None, 0, certificate),
        CLOSED: (
            start(BUILD / "wireweight", "proxy", "--db", FOLDER / "closed.db", "--listen", closed, "--threads", 1), closed, certificate),
        "wireweight proxy --open-tls": (
            start(BUILD / "wireweight", "proxy", "--db", FOLDER / "opened.db", "--listen", metered, *opening), metered, authority),
        "the same, not metered": (start(BUILD / "wireweight-proxy", "--listen", alone, *opening), alone, authority),
        "mitmproxy": (
            mitmproxy(other, "--set", f"ssl_verify_upstream_trusted_ca={certificate}"), other, FOLDER / "mitmproxy/mitmproxy-ca-cert.pem"),
    }
    children = [start("nginx", "-c", FOLDER / "secure.conf", "-e", FOLDER / "secure.log")]
    children += [child for child, _, _ in running.values() if child]
    with ending(children):
        for port in (secure, closed, metered, alone, other):
            wait_for(port)
        for count, words, title in ((3000, ["http1.1"], "1 KiB over TLS, HTTP/1.1, one connection"),
                                    (3000, ["http2"], "1 KiB over TLS, HTTP/2, one connection"),
                                    (200, ["http1.1", "header = \"Connection: close\""], "1 KiB over TLS, a connection each")):
            print(f"\n| {title} | requests/s | of the closed tunnel | processor of the proxy, µs a request |\n| --- | --- | --- | --- |")
            tunnel = None
            for name, (child, port, trusts) in running.items():
                listed = FOLDER / "urls"
                listed.write_text("\n".join(words + [f'url = "https://localhost:{secure}/small"\noutput = "/dev/null"'] * count))
                through = ["--proxy", f"http://127.0.0.1:{port}"] if port else ["--noproxy", "*"]
                results = []
                for _ in range(3):
                    before, begin = processor(child.pid) if child else 0, time.monotonic()
                    subprocess.run(["curl", "-sSf", "--cacert", trusts, *through, "-K", listed], check=True)
                    taken = time.monotonic() - begin
                    # What is written after the last response is part of its cost.
                    time.sleep(1)
                    spent = processor(child.pid) - before if child else 0
                    results.append((count / taken, spent / count * 1e6))
                rate, spent = (statistics.median(one[i] for one in results) for i in (0, 1))
                if name == CLOSED:
                    tunnel = rate
                print(f"| {name} | {rate:,.0f} | {f'{rate / tunnel:.2f}' if tunnel else ''} | {spent:,.0f} |")


def main():
    server = origin()
    running = proxies()
    with ending([server] + [child for child, _ in running.values() if child]):
        for _, port in running.values():
            wait_for(port)
        for path, connections, words in (("/small", 16, "1 KiB on 16 connections"), ("/large", 4, "10 MiB on 4 connections")):
            results = {name: [] for name in running}
            for _ in range(3):
                for name, (child, port) in running.items():
                    before = [processor(child.pid, alone) if child else 0 for alone in (False, True)]
                    done, rate, slowest = load(name, port, path, connections)
                    spent = [processor(child.pid, alone) - earlier if child else 0 for alone, earlier in zip((False, True), before)]
                    results[name].append((rate, spent[0] / done * 1e6, slowest, spent[1] / done * 1e6))
            print(f"\n| {words} | requests/s | of HAProxy | MB/s | p99 | processor, µs a request | of it, the command that stores |\n"
                  "| --- | --- | --- | --- | --- | --- | --- |")
            peer = statistics.median(one[0] for one in results["HAProxy, one thread"])
            size = (FOLDER / "www" / path[1:]).stat().st_size
            for name, all_runs in results.items():
                rate = statistics.median(one[0] for one in all_runs)
                spent = statistics.median(one[1] for one in all_runs)
                slowest = sorted(one[2] for one in all_runs)[1]
                storing = f"{statistics.median(one[3] for one in all_runs):,.0f}" if name == STORING else ""
                print(f"| {name} | {rate:,.0f} | {rate / peer:.2f} | {rate * size / 1e6:,.0f} | {slowest} | {spent:,.0f} | {storing} |")
    opened()


if __name__ == "__main__":
    main()
