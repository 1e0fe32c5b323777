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

processor=$(sed -n 's/^model name[[:space:]]*: //p' /proc/cpuinfo 2>/dev/null | head -n 1)
swift=$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([^ ]*\).*/\1/p' | head -n 1)
commit=$(git rev-parse --short HEAD 2>/dev/null || echo unknown)
if [ -n "$(git status --porcelain 2>/dev/null)" ]; then
    commit="$commit with changes"
fi
load=$(cut -d ' ' -f 1 /proc/loadavg 2>/dev/null || echo unknown)

echo "- machine: ${processor:-$(uname -m)}, $(getconf _NPROCESSORS_ONLN) cores, $(uname -s) $(uname -r)"
echo "- versions: Swift ${swift:-unknown}, $("$program" versions)"
echo "- date: $(date -u +%Y-%m-%d), commit $commit, load before it began $load"
echo
"$program" all "${2:-1}"
