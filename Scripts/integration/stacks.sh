#!/bin/sh
# HTTP libraries of other languages, each alone and metered below them, against a server that logs every byte.
#
# usage: stacks.sh [debug|release] [NAME…]: all programs, or those whose names start with NAME
set -eu
cd "$(dirname "$0")/../.."

command=$PWD/.build/${1:-debug}/wireweight
[ $# -eq 0 ] || shift
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 30 -subj /CN=localhost \
    -addext subjectAltName=DNS:localhost,IP:127.0.0.1 \
    -keyout "$folder/key.pem" -out "$folder/certificate.pem" 2>"$folder/log" || { cat "$folder/log"; exit 1; }
/usr/bin/python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check --only-binary :all: 'requests>=2.31,<3' 'httpx[http2]>=0.27,<1' \
    'aiohttp>=3.9,<4' || {
    echo "requests, httpx, aiohttp: left out, they cannot be had here"
    rm -rf "$folder/venv"
}
# Its HPACK reads what is asked over HTTP/2.
python=$folder/venv/bin/python3
[ -x "$python" ] || python=/usr/bin/python3

"$python" Scripts/integration/stacks.py "$command" "$folder" "$@"
