#!/usr/bin/env bash
# Measures what metering below an HTTP library costs: instructions by callgrind, processor time in pairs, start, memory.
# Prints the tables of docs/measurements/streams.md.
#
#   Scripts/bench-streams.sh BUILD_DIR [instructions|time|server|start|memory…]
#
# BUILD_DIR holds the command and the tap of a release build. Takes ten minutes, of which instructions are half.
set -euo pipefail
cd "$(dirname "$0")/.."

if [ $# -lt 1 ]; then
    echo "usage: Scripts/bench-streams.sh BUILD_DIR [instructions|time|server|start|memory…]" >&2
    exit 64
fi
for file in wireweight libWireweightPreload.so; do
    [ -e "$1/$file" ] || { echo "bench-streams: '$1/$file' is not there; build it with 'make bench-streams'" >&2; exit 66; }
done
for tool in valgrind nginx node openssl wrk; do
    command -v "$tool" >/dev/null || { echo "bench-streams: '$tool' is missing; Scripts/install-packages.sh bench" >&2; exit 69; }
done

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
build=$1
shift
/usr/bin/python3 -B Benchmarks/Streams/streams.py "$build" "$folder" "$@"
