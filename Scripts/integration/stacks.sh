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

Scripts/shared/certificate.sh "$folder"
Scripts/shared/venv.sh "$folder" "requests, httpx, aiohttp, gRPC" 'requests>=2.31,<3' 'httpx[http2]>=0.27,<1' 'aiohttp>=3.9,<4' 'grpcio>=1.60,<2'
# Its HPACK reads what is asked over HTTP/2.
python=$folder/venv/bin/python3
[ -x "$python" ] || python=/usr/bin/python3

"$python" Scripts/integration/stacks.py "$command" "$folder" "$@"
