"""The shop's API, on this machine: python3 server.py PORT"""

import gzip
import http.server
import json
import sys

CATALOGUE = json.dumps([
    {"id": number, "title": f"Product number {number}", "price": number % 90 + 0.99, "inStock": number % 7 != 0,
     "description": "A thing of daily use, in several colours, delivered within three working days."}
    for number in range(3_000)
]).encode()


class Shop(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # So that a head and its body leave in one piece, and what is printed is the same each time.
    wbufsize = -1

    def do_GET(self):
        if not self.path.startswith("/v1/catalogue"):
            return self.answer({"path": self.path, "stars": 4.5})
        if self.headers.get("If-None-Match") == '"7"':
            return self.answer(b"", 304, {"ETag": '"7"'})
        fields = {"ETag": '"7"', "Cache-Control": "max-age=60"}
        if "gzip" in self.headers.get("Accept-Encoding", ""):
            return self.answer(gzip.compress(CATALOGUE, mtime=0), fields=fields | {"Content-Encoding": "gzip"})
        self.answer(CATALOGUE, fields=fields)

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.answer({"ok": True})

    def answer(self, body, status=200, fields=None):
        body = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        for name, value in (fields or {}).items():
            self.send_header(name, value)
        if status != 304:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
        self.wfile.flush()

    def log_message(self, *_):
        pass


http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Shop).serve_forever()
