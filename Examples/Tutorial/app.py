"""What the shop's app does when it starts: python3 app.py PORT"""

import http.client
import json
import sys

PROFILE = "".join(f"{number:08x}" for number in range(700))
FIELDS = {"Cookie": f"session=4f1d; profile={PROFILE}", "Accept": "application/json"}
LOG = "\n".join(f"2026-11-23T09:{n // 60 % 60:02}:{n % 60:02}Z INFO screen opened, number {n}" for n in range(20_000))

server = http.client.HTTPConnection("127.0.0.1", int(sys.argv[1]))


def call(method, path, body=None, fields=None):
    server.request(method, path, body, FIELDS | (fields or {}))
    return server.getresponse().read()


# Each screen loads what it shows.
home = json.loads(call("GET", "/v1/catalogue"))
search = json.loads(call("GET", "/v1/catalogue"))
offers = json.loads(call("GET", "/v1/catalogue"))
for product in home[:40]:
    call("GET", f"/v1/products/{product['id']}/rating")
call("POST", "/v1/logs", LOG.encode(), {"Content-Type": "text/plain"})
