"""nginx in a folder: files, git's own backend, redirects, a password; and a log of what passed on each connection."""

import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "shared"))
import nginx  # noqa: E402
from processes import free_ports  # noqa: E402

INSIDE = """
    types { text/plain txt; application/json json; }
    default_type application/octet-stream;
    gzip on;
    gzip_types application/json;
    server {
        listen 127.0.0.1:%(plain)d;
        listen 127.0.0.1:%(tls)d ssl;
        listen 127.0.0.1:%(h2)d ssl http2;
        root %(folder)s/www;
        location /private/ {
            auth_basic "private";
            auth_basic_user_file %(folder)s/passwords;
        }
        location = /redirect { return 302 /files/small.txt; }
        location = /moved {
            fastcgi_pass unix:%(folder)s/cgi.sock;
            include /etc/nginx/fastcgi_params;
            fastcgi_param SCRIPT_FILENAME %(folder)s/moved.cgi;
        }
        location = /count {
            fastcgi_pass unix:%(folder)s/cgi.sock;
            include /etc/nginx/fastcgi_params;
            fastcgi_param SCRIPT_FILENAME %(folder)s/count.cgi;
        }
        location /git/ {
            fastcgi_pass unix:%(folder)s/cgi.sock;
            include /etc/nginx/fastcgi_params;
            fastcgi_param SCRIPT_FILENAME %(backend)s;
            fastcgi_param GIT_PROJECT_ROOT %(folder)s;
            fastcgi_param GIT_HTTP_EXPORT_ALL 1;
            fastcgi_param PATH_INFO $uri;
            fastcgi_param REMOTE_USER nobody;
        }
    }
"""


class WebServer:
    """Serves `folder`/www and the repositories in `folder`/git."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.log = self.folder / "nginx.ndjson"
        self.certificate = self.folder / "certificate.pem"
        self.plain_port, self.tls_port, self.h2_port = free_ports(3)
        self.read = 0
        self.processes = []

    def __enter__(self):
        # How much was posted; and a redirect with a body in chunks.
        for name, script in (
                ("count", "printf 'Content-Type: text/plain\\r\\n\\r\\n'; wc -c"),
                ("moved", "printf 'Status: 302\\r\\nLocation: /files/small.txt\\r\\n\\r\\n'; seq 500")):
            program = self.folder / f"{name}.cgi"
            program.write_text(f"#!/bin/sh\n{script}\n")
            program.chmod(0o755)
        (self.folder / "passwords").write_text("ada:{PLAIN}lovelace\n")
        self.log.touch()
        backend = pathlib.Path(subprocess.check_output(["git", "--exec-path"], text=True).strip()) / "git-http-backend"
        words = nginx.prepare(self.folder, INSIDE % {
            "folder": self.folder, "backend": backend, "plain": self.plain_port, "tls": self.tls_port,
            "h2": self.h2_port})
        fcgiwrap = shutil.which("fcgiwrap") or "/usr/sbin/fcgiwrap"
        # Its own messages, such as that the peer has gone, are no part of a test.
        quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL,
                 "start_new_session": True}
        self.processes = [
            subprocess.Popen([fcgiwrap, "-c", "4", "-s", f"unix:{self.folder}/cgi.sock"], **quiet),
            subprocess.Popen(words, **quiet),
        ]
        for port in (self.plain_port, self.tls_port, self.h2_port):
            self.wait_for(port)
        return self

    def __exit__(self, *_):
        for process in self.processes:
            # fcgiwrap does not end its children.
            os.killpg(process.pid, signal.SIGTERM)
        for process in self.processes:
            process.wait(timeout=10)

    def wait_for(self, port):
        end = time.monotonic() + 10
        while True:
            try:
                socket.create_connection(("127.0.0.1", port), timeout=1).close()
                return
            except OSError:
                if time.monotonic() > end or any(process.poll() is not None for process in self.processes):
                    raise SystemExit(f"nginx or fcgiwrap does not run:\n{(self.folder / 'nginx.err').read_text()}")
                time.sleep(0.02)

    def take_log(self):
        """What was logged since the last call, once nothing more comes: nginx logs after it has answered."""
        size, since = -1, time.monotonic()
        while time.monotonic() - since < 0.3:
            if self.log.stat().st_size != size:
                size, since = self.log.stat().st_size, time.monotonic()
            time.sleep(0.02)
        with self.log.open() as log:
            log.seek(self.read)
            lines = log.read()
            self.read = log.tell()
        # An unused connection is logged as a request without a method.
        return [line for line in map(json.loads, lines.splitlines()) if line["method"]]
