"""Opens COUNT connections, sends a request on each, and prints the private memory in bytes: idle.py SCHEME PORT PATH COUNT CERTIFICATE."""

import http.client
import re
import ssl
import sys

scheme, port, path, count, certificate = sys.argv[1:]
context = ssl.create_default_context(cafile=certificate) if scheme == "https" else None
kept = []
for _ in range(int(count)):
    if context:
        connection = http.client.HTTPSConnection("localhost", int(port), context=context)
    else:
        connection = http.client.HTTPConnection("localhost", int(port))
    connection.request("GET", path)
    connection.getresponse().read()
    kept.append(connection)
with open("/proc/self/smaps_rollup", encoding="ascii") as file:
    text = file.read()
print(sum(int(size) for size in re.findall(r"Private_\w+: +(\d+)", text)) * 1024)
