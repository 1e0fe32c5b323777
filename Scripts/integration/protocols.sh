#!/bin/sh
# What HTTP leads to: WebSockets, tunnels, redirects to FTP, names over HTTPS, by curl and by pycurl, against servers that log
# every byte.
#
# usage: protocols.sh [debug|release]
set -eu
cd "$(dirname "$0")/../.."

command=$PWD/.build/${1:-debug}/wireweight
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 30 -subj /CN=localhost \
    -addext subjectAltName=DNS:localhost,IP:127.0.0.1 \
    -keyout "$folder/key.pem" -out "$folder/certificate.pem" 2>"$folder/log" || { cat "$folder/log"; exit 1; }

# The wheel brings a libcurl of its own, and a later one than Debian's: it speaks WebSocket.
/usr/bin/python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check --only-binary :all: 'pycurl>=7.45.3,<8' || {
    echo "pycurl's wheel: left out, it cannot be had here"
    rm -rf "$folder/venv"
}

/usr/bin/python3 Scripts/integration/protocols.py "$command" "$folder"
