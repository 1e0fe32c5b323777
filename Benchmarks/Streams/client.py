"""Asks a server COUNT times over one connection, and prints the bytes of all bodies and the processor time that it took, in seconds.

usage: client.py SCHEME PORT PATH COUNT CERTIFICATE
"""

import http.client
import ssl
import sys
import time

scheme, port, path, count, certificate = sys.argv[1:]
if scheme == "https":
    connection = http.client.HTTPSConnection("localhost", int(port), context=ssl.create_default_context(cafile=certificate))
else:
    connection = http.client.HTTPConnection("localhost", int(port))
began = time.process_time()
size = 0
for _ in range(int(count)):
    connection.request("GET", path)
    response = connection.getresponse()
    size += len(response.read())
print(size, time.process_time() - began)
