#!/bin/sh
# Ships a store of a million exchanges to Debian's ClickHouse on loopback, and reads it there: bytes, processor time, the time
# of reports, and whether both print the same. The table of docs/fleet.md.
#
#   Scripts/bench-fleet.sh [EXCHANGES]
set -eu
cd "$(dirname "$0")/.."
folder=${TMPDIR:-/tmp}/bench-fleet
mkdir -p "$folder"
exec python3 -B Scripts/fleet/bench.py release "$folder" "${1:-1000000}"
