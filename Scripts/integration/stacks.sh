#!/bin/sh
# HTTP libraries of other languages, each alone and metered below them, against a server that logs every byte.
#
# With CAPTURES=1 (root, tshark; five seconds more for each) their connections must also have the bytes of a packet capture.
#
# usage: stacks.sh [debug|release] [NAME…]: all programs, or those whose names start with NAME
set -eu
cd "$(dirname "$0")/../.."

command=$PWD/.build/${1:-debug}/wireweight
[ $# -eq 0 ] || shift
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

Scripts/shared/certificate.sh "$folder"
Scripts/shared/venv.sh "$folder" "requests, httpx, aiohttp, gRPC" 'requests>=2.31,<3' 'httpx[http2]>=0.27,<1' 'aiohttp>=3.9,<4' 'grpcio>=1.60,<2'
# A wheel that brings an OpenSSL 1.1, for whichever Python.
if [ -x "$folder/venv/bin/pip" ]; then
    "$folder/venv/bin/pip" -q --disable-pip-version-check download --no-deps --only-binary :all: --python-version 3.10 -d "$folder/wheels" \
        psycopg2-binary==2.9.3 && python3 -m zipfile -e "$folder"/wheels/psycopg2*.whl "$folder/openssl-1.1" ||
        echo "OpenSSL 1.1: its wheel cannot be had here"
fi
# Its HPACK reads what is asked over HTTP/2.
python=$folder/venv/bin/python3
[ -x "$python" ] || python=/usr/bin/python3

"$python" Scripts/integration/stacks.py "$command" "$folder" "$@"
