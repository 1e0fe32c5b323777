"""The same answers as a WSGI, an ASGI and a plain HTTP application of Python."""

import http.server
import socketserver
import sys

LARGE = b"0123456789" * 30_000


def answer(path, body):
    """Status, fields and the pieces of a body; without a length the pieces are chunks."""
    if path == "/none":
        return 204, [], []
    if path == "/missing":
        return 404, [("Content-Length", "8")], [b"missing\n"]
    if path == "/chunked":
        return 200, [], [b"a", b"b" * 300, b"c" * 70_000]
    if path == "/echo":
        return 200, [("Content-Length", str(len(body)))], [body]
    if path == "/large":
        return 200, [("Content-Length", str(len(LARGE)))], [LARGE]
    return 200, [("Content-Length", "3"), ("Content-Type", "text/plain"), ("Set-Cookie", "a=b")], [b"ok\n"]


def wsgi(environment, start):
    """For gunicorn."""
    status, fields, pieces = answer(environment["PATH_INFO"], environment["wsgi.input"].read())
    start(f"{status} Whatever", fields)
    return [] if environment["REQUEST_METHOD"] == "HEAD" else pieces


async def asgi(scope, receive, send):
    """For uvicorn."""
    if scope["type"] != "http":
        return
    body, goes_on = b"", True
    while goes_on:
        message = await receive()
        body += message.get("body", b"")
        goes_on = message.get("more_body", False)
    status, fields, pieces = answer(scope["path"], body)
    headers = [(name.lower().encode(), value.encode()) for name, value in fields]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    if scope["method"] != "HEAD":
        for piece in pieces:
            await send({"type": "http.response.body", "body": piece, "more_body": True})
    await send({"type": "http.response.body", "body": b"", "more_body": False})


class Handler(http.server.BaseHTTPRequestHandler):
    """For a server with a process for each connection. Without a length, its body lasts until the connection ends."""

    def answer(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        status, fields, pieces = answer(self.path, body)
        self.send_response(status)
        for field in fields:
            self.send_header(*field)
        self.end_headers()
        for piece in pieces if self.command != "HEAD" else []:
            self.wfile.write(piece)

    do_GET = do_HEAD = do_POST = answer

    def log_message(self, *_):
        pass


class Forking(socketserver.ForkingMixIn, http.server.HTTPServer):
    """The parent accepts, a child answers, and the parent closes its own descriptor at once."""

    block_on_close = True


if __name__ == "__main__":
    try:
        Forking(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever(poll_interval=0.05)
    except KeyboardInterrupt:
        pass
