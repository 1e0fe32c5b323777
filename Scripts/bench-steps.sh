#!/usr/bin/env bash
# Counts the instructions that one exchange costs the command, step by step, under callgrind: the frames of a fixed
# recording are replayed as fast as the command takes them. Prints the table of docs/measurements/instructions.md.
#
#   Scripts/bench-steps.sh BUILD_DIR [--limit]
#
# BUILD_DIR holds the command and the tap, of a release build or, with fewer exchanges, a debug one. --limit fails if the sum
# is more than 3 % above that of the same kind of build in docs/measurements/figures.json. Takes half a minute.
set -euo pipefail
cd "$(dirname "$0")/.."

if [ $# -lt 1 ] || [ $# -gt 2 ] || [ "${2:---limit}" != --limit ]; then
    echo "usage: Scripts/bench-steps.sh BUILD_DIR [--limit]" >&2
    exit 64
fi
for file in wireweight libWireweightPreload.so; do
    [ -e "$1/$file" ] || { echo "bench-steps: '$1/$file' is not there; build it with 'make bench-steps'" >&2; exit 66; }
done
command -v valgrind >/dev/null || { echo "bench-steps: 'valgrind' is missing; Scripts/install-packages.sh steps" >&2; exit 69; }

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# The toolchain brings a C compiler. Debian's valgrind does not read the debug information of Swift's compiler.
compiler=$(dirname "$(readlink -f "$(command -v swift)")")/clang
"$compiler" -O2 -Wall -Wextra -Werror -ISources/CCurlTap/include Tests/Programs/replay.c -o "$folder/replay"
strip --strip-debug -o "$folder/wireweight" "$1/wireweight"
cp "$1/libWireweightPreload.so" "$folder"

mkdir "$folder/counts"
figures=bench-steps
counts='1000 6000'
if [ "$(basename "$1")" = debug ]; then
    figures=bench-steps-debug
    counts='500 1500'
fi
for count in $counts; do
    echo "$count exchanges" >&2
    rm -f "$folder"/traffic.db*
    valgrind --tool=callgrind --separate-threads=yes --callgrind-out-file="$folder/counts/replay.$count" \
        "$folder/wireweight" run --no-progress --db "$folder/traffic.db" -- "$folder/replay" "$count" \
        >"$folder/output" 2>&1 || { cat "$folder/output" >&2; exit 70; }
    # Nothing may be lost on the way: what was not recorded costs nothing.
    "$1/wireweight" report --format json "$folder/traffic.db" | grep -q "\"requests\": *$count\b" \
        || { echo "bench-steps: not all of $count exchanges are in the file" >&2; exit 70; }
done
limit=()
[ $# -eq 1 ] || limit=(--limit docs/measurements/figures.json "$figures")
Benchmarks/Instructions/steps.py "$folder/counts" "${limit[@]}"
