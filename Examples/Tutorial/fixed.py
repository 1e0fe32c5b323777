"""The same start, after what the audit found: python3 fixed.py PORT"""

import gzip
import http.client
import json
import sys

FIELDS = {"Cookie": "session=4f1d", "Accept": "application/json"}
LOG = "\n".join(f"2026-11-23T09:{n // 60 % 60:02}:{n % 60:02}Z INFO screen opened, number {n}" for n in range(20_000))

server = http.client.HTTPConnection("127.0.0.1", int(sys.argv[1]))


def call(method, path, body=None, fields=None):
    server.request(method, path, body, FIELDS | (fields or {}))
    return server.getresponse().read()


# One catalogue for all screens, compressed.
home = search = offers = json.loads(gzip.decompress(call("GET", "/v1/catalogue", fields={"Accept-Encoding": "gzip"})))
for product in home[:40]:
    call("GET", f"/v1/products/{product['id']}/rating")
log = gzip.compress(LOG.encode(), mtime=0)
call("POST", "/v1/logs", log, {"Content-Type": "text/plain", "Content-Encoding": "gzip"})
