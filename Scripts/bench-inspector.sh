#!/bin/sh
# Measures the inspector over a store of 100,000 exchanges, its page also over a million, and prints the table of
# docs/measurements/inspector.md.
#
#   Scripts/bench-inspector.sh BUILD_DIR [FOLDER]
#
# BUILD_DIR holds a release build. The stores are made in FOLDER unless they are there from an earlier run.
set -eu

if [ $# -lt 1 ]; then
    echo "usage: Scripts/bench-inspector.sh BUILD_DIR [FOLDER]" >&2
    exit 64
fi
here=$(cd "$(dirname "$0")/.." && pwd)
maker=$1/WireweightBenchmarks
command=$1/wireweight
folder=${2:-${TMPDIR:-/tmp}/bench-stores}
for program in "$maker" "$command" "$1/libWireweightPreload.so"; do
    if [ ! -e "$program" ]; then
        echo "bench-inspector: '$program' is not there; build it with 'make build CONFIGURATION=release'" >&2
        exit 66
    fi
done

"$here/Scripts/install-packages.sh" integration
tools=$("$here/Scripts/browser-tools.sh")
mkdir -p "$folder"
for store in "100k 100000" "1m 1000000"; do
    name=${store% *}
    if [ ! -f "$folder/$name.db" ]; then
        "$maker" make-store "$folder/$name.new" "${store#* }" >&2
        mv "$folder/$name.new" "$folder/$name.db"
    fi
done

echo "- with: $(/usr/bin/chromium --version 2>/dev/null | cut -d ' ' -f 1-2), wrk $(dpkg-query -W -f '${Version}' wrk)"
echo
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$tools/bin/python" -B "$here/Benchmarks/Inspector/measure.py" "$command" "$folder/100k.db" "$scratch" \
    --million "$folder/1m.db"
