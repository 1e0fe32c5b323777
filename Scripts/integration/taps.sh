#!/bin/sh
# The hostile cases by curl, and by pycurl those of WebSockets, each metered in libcurl's calls and then below libcurl: both must agree in every figure.
#
# usage: taps.sh [debug|release] [NAME…]: most cases, or those whose names start with NAME
set -eu
cd "$(dirname "$0")/../.."

command=$PWD/.build/${1:-debug}/wireweight
[ $# -eq 0 ] || shift
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

Scripts/shared/certificate.sh "$folder" hostile.test

# The wheel brings a libcurl that speaks WebSocket.
Scripts/shared/venv.sh "$folder" "pycurl's wheel" 'pycurl>=7.45.3,<8'

/usr/bin/python3 Scripts/integration/hostile/taps.py "$command" "$folder" "$@"
