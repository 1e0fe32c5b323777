"""nginx in a folder of its own, which logs what passed on each connection."""

import os
import pathlib
import shutil
import subprocess

# What nginx says of an exchange: `$request_length` and `$bytes_sent` are all bytes of it, in and out, chunks and all.
FRAME = """
%(user)s
daemon off;
worker_processes 1;
pid %(folder)s/nginx.pid;
error_log %(folder)s/nginx.err;
events { worker_connections 512; }
http {
    log_format exchange escape=json '{"connection":$connection,"port":$remote_port,"method":"$request_method",'
        '"target":"$request_uri","status":$status,"up":$request_length,"down":$bytes_sent,'
        '"protocol":"$server_protocol","t":$msec}';
    access_log %(folder)s/nginx.ndjson exchange;
    client_body_temp_path %(folder)s/n-body;
    fastcgi_temp_path %(folder)s/n-fastcgi;
    proxy_temp_path %(folder)s/n-proxy;
    uwsgi_temp_path %(folder)s/n-uwsgi;
    scgi_temp_path %(folder)s/n-scgi;
    client_max_body_size 0;
    ssl_certificate %(folder)s/certificate.pem;
    ssl_certificate_key %(folder)s/key.pem;
    %(inside)s
}
"""


def prepare(folder, inside):
    """Writes a certificate for this machine and the configuration; `inside` is what it has of its own.

    Returns the words that start nginx. The certificate is `certificate.pem`, the log `nginx.ndjson`, complaints are in
    `nginx.err`.
    """
    folder = pathlib.Path(folder)
    subprocess.run([pathlib.Path(__file__).with_name("certificate.sh"), folder], check=True)
    configuration = folder / "nginx.conf"
    configuration.write_text(
        FRAME % {"user": "user root;" if os.getuid() == 0 else "", "folder": folder, "inside": inside})
    program = shutil.which("nginx") or "/usr/sbin/nginx"
    return [program, "-e", str(folder / "nginx.err"), "-c", str(configuration)]
