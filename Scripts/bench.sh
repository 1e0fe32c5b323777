#!/bin/sh
# Measures what metering costs, and prints the machine and the tables of docs/measurements (tap.md, memory.md, store.md).
#
#   Scripts/bench.sh BUILD_DIR [SCALE]
#
# BUILD_DIR holds a release build. SCALE is 1 unless given; 0.1 is a look that takes two minutes.
set -eu

if [ $# -lt 1 ]; then
    echo "usage: Scripts/bench.sh BUILD_DIR [SCALE]" >&2
    exit 64
fi
program=$(realpath "$1")/WireweightBenchmarks
if [ ! -x "$program" ]; then
    echo "bench: '$program' is not there; build it with 'swift build -c release'" >&2
    exit 66
fi

cd "$(dirname "$0")/.."
# Stores of the benchmarks go where they can be thrown away together.
TMPDIR=$(mktemp -d)
export TMPDIR
WIREWEIGHT_MITMDUMP=$(Scripts/bench-tools.sh .build/bench-tools/venv)
export WIREWEIGHT_MITMDUMP
trap 'rm -rf "$TMPDIR"' EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

"$program" all "${2:-1}"
