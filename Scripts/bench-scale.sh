#!/bin/sh
# Measures stores of several sizes, prints the tables of docs/measurements/scale.md and that of retention (store.md beside
# it), and draws docs/scale.svg.
#
#   Scripts/bench-scale.sh BUILD_DIR [FOLDER [EXCHANGES…]]
#
# BUILD_DIR holds a release build. The stores are made in FOLDER unless they are there from an earlier run: 150 MB and
# some 15 seconds a million. EXCHANGES are 1000000, 10000000 and 50000000 unless given. What is let go in the end is let
# go of a copy.
set -eu

if [ $# -lt 1 ]; then
    echo "usage: Scripts/bench-scale.sh BUILD_DIR [FOLDER [EXCHANGES…]]" >&2
    exit 64
fi
here=$(cd "$(dirname "$0")/.." && pwd)
maker=$1/WireweightBenchmarks
command=$1/wireweight
folder=${2:-${TMPDIR:-/tmp}/bench-stores}
for program in "$maker" "$command"; do
    if [ ! -x "$program" ]; then
        echo "bench-scale: '$program' is not there; build it with 'make build CONFIGURATION=release'" >&2
        exit 66
    fi
done
if [ $# -gt 2 ]; then shift 2; else set -- 1000000 10000000 50000000; fi

mkdir -p "$folder"
stores=
for count in "$@"; do
    name=$folder/$(echo "$count" | sed 's/000000$/m/').db
    if [ ! -f "$name" ]; then
        rm -f "$name.new" "$name.new-wal" "$name.new-shm"
        "$maker" make-store "$name.new" "$count"
        mv "$name.new" "$name"
    fi
    stores="$stores $name"
done
# shellcheck disable=SC2086 # Names of this script's making.
python3 -B "$here/Benchmarks/Scale/measure.py" "$command" "$folder/scale.json" $stores
python3 -B "$here/Benchmarks/Scale/plot.py" "$folder/scale.json" >"$here/docs/scale.svg"
echo
echo "| retention | aim | measured | half of the commits |"
echo "| --- | --- | --- | --- |"
copy=$folder/retention.db
trap 'rm -f "$copy" "$copy-wal" "$copy-shm"' EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM
for name in $stores; do
    rm -f "$copy" "$copy-wal" "$copy-shm"
    cp --reflink=auto "$name" "$copy"
    "$maker" retention "$copy" 0.05
done
