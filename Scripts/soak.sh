#!/bin/sh
# Mixed load on one store for MINUTES, with restarts of everything; at the end the ledger must close to the byte.
#
# usage: soak.sh [debug|release] [MINUTES] [RATE]
#
# All is on loopback, in a folder that is removed when all holds; otherwise its path is printed.
set -eu
cd "$(dirname "$0")/.."

build=$PWD/.build/${1:-debug}
folder=$(mktemp -d /tmp/soak-XXXXXX)
# A build in the meantime is not part of it.
for file in wireweight WireweightBenchmarks libWireweightPreload.so; do cp "$build/$file" "$folder/"; done

status=0
nice -n 5 python3 Scripts/soak/soak.py --command "$folder/wireweight" --programs "$folder/WireweightBenchmarks" \
    --folder "$folder" --minutes "${2:-60}" --rate "${3:-40}" || status=$?
if [ "$status" -eq 0 ]; then rm -rf "$folder"; else echo "soak: what was logged is in '$folder'" >&2; fi
exit "$status"
