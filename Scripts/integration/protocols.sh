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

Scripts/shared/certificate.sh "$folder"

# The wheel brings a libcurl of its own, and a later one than Debian's: it speaks WebSocket.
Scripts/shared/venv.sh "$folder" "pycurl's wheel" 'pycurl>=7.45.3,<8'

/usr/bin/python3 Scripts/integration/protocols.py "$command" "$folder"
