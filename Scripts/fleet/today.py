"""Today's ClickHouse on loopback: chdb from PyPI has its SQL and its tables, but no server, so this serves it.

It takes what ClickHouse's HTTP interface takes, as far as `wireweight` uses it.
"""

import contextlib
import gzip
import http.server
import pathlib
import re
import tempfile
import threading
import urllib.parse

import chdb.session

import clickhouse


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.headers.get("Content-Encoding") == "gzip":
            body = gzip.decompress(body)
        parameters = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(self.path).query))
        database = parameters.pop("database", "default")
        parameters.pop("wait_end_of_query", None)
        sql = parameters.pop("query", None)
        if sql is None:
            sql, body = body.decode(), b""
        try:
            status, response = 200, self.server.engine.ask(sql, database, body, parameters)
        except Exception as error:
            said = str(error)
            status, response = (404 if "Code: 60." in said or "Code: 81." in said else 500), said.encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(response)))
        self.end_headers()
        self.wfile.write(response)

    def log_message(self, *words):
        pass


class Engine:
    """One session of chdb, which answers one statement at a time."""

    def __init__(self, folder):
        self.folder = folder
        self.session = chdb.session.Session(str(folder / "data"))
        self.lock = threading.Lock()

    def ask(self, sql, database, data, settings):
        with self.lock:
            for name in settings:
                if not self.text(f"SELECT name FROM system.settings WHERE name = '{name}'"):
                    raise RuntimeError(f"Code: 115. DB::Exception: Setting {name} is neither a builtin setting nor started")
            self.session.query(f"USE `{database}`")
            insertion = re.fullmatch(r"INSERT INTO (`\w+`|\w+) \((.*)\) FORMAT RowBinary", sql, re.S)
            if not insertion:
                return self.session.query(sql).bytes() or b""
            # chdb takes no data beside the statement, but reads files.
            rows = self.folder / "rows"
            rows.write_bytes(data)
            table, columns = insertion[1].strip("`"), [name.strip(" `") for name in insertion[2].split(",")]
            types = dict(line.split("\t") for line in self.text(
                f"SELECT name, type FROM system.columns WHERE database = '{database}' AND table = '{table}'").splitlines())
            structure = ", ".join(f"{name} {types[name]}" for name in columns).replace("'", "\\'")
            options = ", ".join(f"{name} = '{value}'" for name, value in settings.items())
            self.session.query(
                f"INSERT INTO {table} ({', '.join(columns)}) {'SETTINGS ' + options if options else ''} "
                f"SELECT * FROM file('{rows}', 'RowBinary', '{structure}')")
            return b""

    def text(self, sql):
        return self.session.query(sql, "TSVRaw").bytes().decode()


@contextlib.contextmanager
def serving():
    """A server until the end of the block, as `clickhouse.serving` has one."""
    with tempfile.TemporaryDirectory(prefix="chdb-") as name:
        folder = pathlib.Path(name)
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        server.engine = Engine(folder)
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield clickhouse.Server(folder, server.server_address[1])
        finally:
            server.shutdown()
            thread.join()
            server.server_close()
            server.engine.session.close()
