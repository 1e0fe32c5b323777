#!/usr/bin/env bash
# Counts what the tap of `wireweight run` adds to an empty exchange of `curl`, under callgrind: instructions by where they are,
# and system calls. Prints the tables of docs/measurements/instructions.md.
#
#   Scripts/bench-program.sh BUILD_DIR [--limit]
#
# BUILD_DIR holds the tap, which is the same in a debug and in a release build. --limit fails if the sums are more than 3 %
# above those in docs/measurements/figures.json. Takes a quarter of a minute.
set -euo pipefail
cd "$(dirname "$0")/.."

if [ $# -lt 1 ] || [ $# -gt 2 ] || [ "${2:---limit}" != --limit ]; then
    echo "usage: Scripts/bench-program.sh BUILD_DIR [--limit]" >&2
    exit 64
fi
[ -e "$1/libWireweightPreload.so" ] || { echo "bench-program: '$1/libWireweightPreload.so' is not there; build it with 'make tap'" >&2; exit 66; }
tap=$(realpath "$1/libWireweightPreload.so")
for tool in valgrind curl; do
    command -v "$tool" >/dev/null || { echo "bench-program: '$tool' is missing; Scripts/install-packages.sh steps" >&2; exit 69; }
done

folder=$(mktemp -d)
origin=
# shellcheck disable=SC2317 # the trap calls it
leave() {
    [ -z "$origin" ] || kill "$origin" 2>/dev/null || true
    rm -rf "$folder"
}
trap leave EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# The toolchain brings a C compiler.
compiler=$(dirname "$(readlink -f "$(command -v swift)")")/clang
"$compiler" -O2 -D_GNU_SOURCE -Wall -Wextra -Werror -ISources/CCurlTap/include Tests/Programs/answers.c \
    Sources/CCurlTap/shared_ring.c -o "$folder/answers"
mkfifo "$folder/stop"
"$folder/answers" "$folder/tap" 0 30 <"$folder/stop" >"$folder/port" &
origin=$!
exec {stop}>"$folder/stop"
while [ ! -s "$folder/port" ]; do sleep 0.1; done

echo "- with: $(curl --version | grep -o 'libcurl/[0-9.]*'), $(valgrind --version)"
mkdir "$folder/counts"
# What allocating costs hangs on the heap's layout, and that on the lengths of paths and of the environment: they are the same
# everywhere.
cp "$tap" "$folder/libWireweightPreload.so"
for exchanges in 20 120; do
    echo "$exchanges exchanges" >&2
    for _ in $(seq "$exchanges"); do
        printf 'url = http://127.0.0.1:%s/v1/items?page=1\noutput = /dev/null\n' "$(cat "$folder/port")"
    done >"$folder/urls"
    for way in without with; do
        loaded=()
        [ "$way" = without ] || loaded=(LD_PRELOAD=./libWireweightPreload.so WIREWEIGHT_SOCKET=./tap)
        (cd "$folder" && env -i PATH=/usr/bin:/bin HOME=/ "${loaded[@]}" \
            "$(command -v valgrind)" --tool=callgrind --callgrind-out-file="counts/$exchanges.$way" curl -q -s -S -K urls) \
            >"$folder/output" 2>&1 || { cat "$folder/output" >&2; exit 70; }
    done
done
exec {stop}>&-
limit=()
[ $# -eq 1 ] || limit=(--limit docs/measurements/figures.json bench-program)
Benchmarks/Instructions/program.py "$folder/counts" "${limit[@]}"
