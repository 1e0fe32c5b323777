#!/usr/bin/env bash
# Counts instructions and allocations of an exchange, without the meter and with it, under callgrind: figures that repeat on
# any machine of one kind, whatever else runs there. Prints the table of docs/measurements/instructions.md.
#
#   Scripts/bench-instructions.sh BUILD_DIR
#
# BUILD_DIR holds a release build. Takes a minute or two.
set -euo pipefail
cd "$(dirname "$0")/.."

if [ $# -ne 1 ]; then
    echo "usage: Scripts/bench-instructions.sh BUILD_DIR" >&2
    exit 64
fi
program=$1/WireweightBenchmarks
[ -x "$program" ] || { echo "bench-instructions: '$program' is not there; build it with 'swift build -c release'" >&2; exit 66; }
for tool in valgrind curl; do
    command -v "$tool" >/dev/null || { echo "bench-instructions: '$tool' is missing; Scripts/install-packages.sh bench" >&2; exit 69; }
done

folder=$(mktemp -d)
origins=() stops=()
# shellcheck disable=SC2317 # the trap calls it
cleanup() {
    for origin in "${origins[@]}"; do kill "$origin" 2>/dev/null || true; done
    rm -rf "$folder"
}
trap cleanup EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
mkdir "$folder/counts"

# Debian's valgrind reads debug information of DWARF 4 and before: the tap is built with that, the program goes without.
make --no-print-directory tap CONFIGURATION=instructions TAP=".build/instructions/libWireweightPreload.so" \
    TAP_DEBUG=-gdwarf-4 >"$folder/make" || { cat "$folder/make" >&2; exit 70; }
tap=$PWD/.build/instructions/libWireweightPreload.so

strip --strip-debug -o "$folder/program" "$program"

# serve SIZE: an origin, and its port in the variable `port`.
serve() {
    mkfifo "$folder/stop.$1"
    "$program" serve "$1" <"$folder/stop.$1" >"$folder/port.$1" &
    origins+=($!)
    exec {stop}>"$folder/stop.$1"
    stops+=("$stop")
    while [ ! -s "$folder/port.$1" ]; do sleep 0.1; done
    port=$(head -n 1 "$folder/port.$1")
}

# Somebody who listens and hears everything, as the command does.
/usr/bin/python3 - "$folder/tap" <<'PYTHON' &
import selectors, socket, sys
listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
listener.bind(sys.argv[1])
listener.listen()
watched = selectors.DefaultSelector()
watched.register(listener, selectors.EVENT_READ)
while True:
    for key, _ in watched.select():
        if key.fileobj is listener:
            watched.register(listener.accept()[0], selectors.EVENT_READ)
        elif not key.fileobj.recv(1 << 20):
            watched.unregister(key.fileobj)
            key.fileobj.close()
PYTHON
origins+=($!)

# count NAME OPTION… -- WORDS…: runs the words under callgrind.
count() {
    local name=$1 options=()
    shift
    while [ "$1" != -- ]; do
        options+=("$1")
        shift
    done
    shift
    valgrind --tool=callgrind "${options[@]}" --callgrind-out-file="$folder/counts/$name" "$@" >"$folder/output" 2>&1 \
        || { cat "$folder/output" >&2; exit 1; }
}

for size in 0 65536 10485760; do
    serve "$size"
    few=10 many=60
    [ "$size" -lt 1000000 ] || { few=1 many=4; }
    for exchanges in "$few" "$many"; do
        for _ in $(seq "$exchanges"); do
            printf 'url = http://127.0.0.1:%s/v1/items?page=1\noutput = /dev/null\n' "$port"
        done >"$folder/urls"
        echo "curl, $size bytes, $exchanges exchanges" >&2
        count "curl.$size.$exchanges.without" -- curl -q -s -S -K "$folder/urls"
        LD_PRELOAD=$tap WIREWEIGHT_SOCKET=$folder/tap count "curl.$size.$exchanges.with" -- curl -q -s -S -K "$folder/urls"
    done
    [ "$size" -lt 1000000 ] || continue
    for exchanges in 100 300; do
        echo "URLSession, $size bytes, $exchanges exchanges" >&2
        count "URLSession.$size.$exchanges.without" --separate-threads=yes -- \
            "$folder/program" client "$port" plain 1 "$exchanges" -
        count "URLSession.$size.$exchanges.with" --separate-threads=yes -- \
            "$folder/program" client "$port" metered 1 "$exchanges" -
    done
done
Benchmarks/Instructions/instructions.py "$folder/counts"
