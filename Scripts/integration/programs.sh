#!/bin/sh
# Programs that are not ours, metered against a server that is not ours: nginx says what it took and gave on each
# connection, the kernel how much of it passed.
#
# usage: programs.sh [debug|release]
set -eu
cd "$(dirname "$0")/../.."

command=$PWD/.build/${1:-debug}/wireweight
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# The wheel brings a libcurl of its own, under a name of its own, and a later one than Debian's.
Scripts/shared/venv.sh "$folder" "pycurl's wheel" 'pycurl>=7.45.3,<8'

/usr/bin/python3 Scripts/integration/programs.py "$command" "$folder"
