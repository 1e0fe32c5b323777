#!/bin/sh
# Unmodified servers, each alone and metered, asked by clients that log every byte.
#
# usage: servers.sh [debug|release] [NAME…]: all servers, or those whose names start with NAME
set -eu
cd "$(dirname "$0")/../.."

command=$PWD/.build/${1:-debug}/wireweight
[ $# -eq 0 ] || shift
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# Workers give up their rights, and must reach what they serve.
chmod 755 "$folder"

openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 30 -subj /CN=localhost \
    -addext subjectAltName=DNS:localhost,IP:127.0.0.1 \
    -keyout "$folder/key.pem" -out "$folder/certificate.pem" 2>"$folder/log" || { cat "$folder/log"; exit 1; }
/usr/bin/python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check --only-binary :all: 'gunicorn>=21,<24' 'uvicorn>=0.27,<1' || {
    echo "gunicorn, uvicorn: left out, they cannot be had here"
    rm -rf "$folder/venv"
}

/usr/bin/python3 Scripts/integration/servers.py "$command" "$folder" "$@"
