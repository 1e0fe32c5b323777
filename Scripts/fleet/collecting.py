"""A store that is shipped to a collector of OpenTelemetry arrives whole, also through refusals; and through Rotel, a collector
of others, if PyPI has it for this machine.

usage: collecting.py debug|release
"""

import contextlib
import gzip
import http.server
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import threading
import time

from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import ExportMetricsServiceRequest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from clickhouse import processes
from stores import COMMAND, demo, run

KINDS = {"/v1/traces": ExportTraceServiceRequest, "/v1/metrics": ExportMetricsServiceRequest}


class Collector(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        status = self.server.statuses.pop(0) if self.server.statuses else 200
        if status == 200 and self.path == "/v1/traces" and len(body) > self.server.most:
            status = 413
        if self.server.asks and self.headers.get("Authorization") != "Bearer a,b":
            status = 401
        self.server.seen.append(status)
        if status == 200:
            assert self.headers["Content-Type"] == "application/x-protobuf" and self.headers["Content-Encoding"] == "gzip"
            self.server.messages.append(KINDS[self.path].FromString(gzip.decompress(body)))
            self.server.came.set()
        self.send_response(status)
        if status == 429:
            self.send_header("Retry-After", "1")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *words):
        pass


@contextlib.contextmanager
def collector(statuses=(), most=1 << 30, asks=True):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Collector)
    server.asks, server.came = asks, threading.Event()
    server.statuses, server.most, server.seen, server.messages = list(statuses), most, [], []
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield server, f"otlp+http://127.0.0.1:{server.server_address[1]}/"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def ship(store, url, *words, expected=0, token="Bearer%20a%2Cb"):
    environment = dict(os.environ, OTEL_EXPORTER_OTLP_HEADERS=f"X-Test=1,Authorization={token}")
    done = subprocess.run(
        [COMMAND, "ship", store, "--to", url, "--service", "shop", *words], text=True, capture_output=True, timeout=120, env=environment)
    assert done.returncode == expected, done
    return done.stdout + done.stderr


def value(attribute):
    return getattr(attribute.value, attribute.value.WhichOneof("value"))


def spans(server):
    """Each span's attributes with its name, by its identifier, and how many there were."""
    found, count = {}, 0
    for message in server.messages:
        for resource in getattr(message, "resource_spans", []):
            names = {item.key: value(item) for item in resource.resource.attributes}
            assert names["service.name"] == "shop" and len(names["service.instance.id"]) == 36, names
            for span in resource.scope_spans[0].spans:
                found[span.span_id] = {item.key: value(item) for item in span.attributes} | {"name": span.name}
                count += 1
    return found, count


def requests(server):
    """The requests of all APIs, of the newest metrics."""
    newest = {}
    for message in server.messages:
        for resource in getattr(message, "resource_metrics", []):
            for metric in resource.scope_metrics[0].metrics:
                for point in metric.sum.data_points if metric.name == "wireweight.requests" else []:
                    newest[tuple(sorted((item.key, value(item)) for item in point.attributes))] = point.as_int
    return sum(newest.values())


@contextlib.contextmanager
def rotel(program, target):
    """Rotel until the end of the block, which passes all that it takes on to a collector; gives its address."""
    port, other = processes.free_ports(2)
    process = subprocess.Popen(
        [program, "start", "--otlp-http-endpoint", f"127.0.0.1:{port}", "--otlp-grpc-endpoint", f"127.0.0.1:{other}",
         "--exporter", "otlp", "--otlp-exporter-endpoint", target.removeprefix("otlp+").rstrip("/"),
         "--otlp-exporter-protocol", "http", "--otlp-exporter-compression", "gzip"],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield f"otlp+http://127.0.0.1:{port}/"
    finally:
        process.terminate()
        process.wait()


def test_rotel(store, lines):
    """What a collector of others understands, and passes on, is all of it."""
    try:
        import rotel as package
    except ImportError:
        return print("a collector of others: left out, there is none for this machine")
    program = pathlib.Path(package.__file__).with_name("rotel-agent")
    with collector(asks=False) as (server, url), rotel(program, url) as door:
        # 'ship' itself waits until it is there.
        ship(store, door, "--share", "all")
        deadline = time.monotonic() + 60
        while (count := spans(server)[1]) < len(lines) or requests(server) < len(lines):
            assert server.came.wait(max(0, deadline - time.monotonic())), f"{count} spans of {len(lines)}"
            server.came.clear()
        found, count = spans(server)
        assert count == len(found) == requests(server) == len(lines), (count, len(found), requests(server))
        assert {span["wireweight.exchange"] for span in found.values()} == {line["exchange"] for line in lines}
    print(f"{count} exchanges pass through Rotel as spans, once each, and the metrics add up")


def main():
    with tempfile.TemporaryDirectory(prefix="collecting-") as name:
        folder = pathlib.Path(name)
        store = demo(folder)
        lines = [json.loads(line) for line in run("exchanges", store, "--format", "ndjson", "--limit", "100000")[0].splitlines()]
        troubled = pathlib.Path(shutil.copy(store, folder / "troubled.db"))
        test_rotel(shutil.copy(store, folder / "rotel.db"), lines)
        with collector() as (server, url):
            ship(store, url)
            found, count = spans(server)
            assert count == len(found) == len(lines) and requests(server) == len(lines), (count, len(found), len(lines))
            assert {span["wireweight.exchange"] for span in found.values()} == {line["exchange"] for line in lines}
            # Paths stay here unless '--share' says otherwise.
            assert not any("?" in span["url.full"] or "/users/1" in span["url.full"] for span in found.values() if "url.full" in span)
            # What the store has of all hours is one request.
            assert sum(hasattr(message, "resource_metrics") for message in server.messages) == 1
            before = len(server.messages)
            assert "nothing new" in ship(store, url) and len(server.messages) == before
        with collector([503, 429, 200, 502], most=4_000) as (server, url):
            ship(troubled, url, "--share", "all")
            found, count = spans(server)
            assert count == len(found) == len(lines), (count, len(found))
            assert {503, 429, 502, 413, 200} == set(server.seen), server.seen
            urls = {span["url.full"] for span in found.values() if "url.full" in span}
            assert urls == {line["url"] for line in lines if line["direction"] == "called"}, urls
        with collector() as (server, url):
            assert "responded 401" in ship(troubled, url, expected=69, token="guess") and not server.messages
        assert "cannot be reached: Failed to connect to " in ship(store, "otlp+http://127.0.0.1:9/", expected=69)
        assert "OTEL_EXPORTER_OTLP_HEADERS" in ship(store, "otlp+http://me:secret@127.0.0.1/", expected=65)
        print(f"{len(lines)} exchanges are {len(found)} spans at a collector, once each, through refusals, and the metrics add up")


main()
