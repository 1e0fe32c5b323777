#!/bin/sh
# Ships a store of a million exchanges to Debian's ClickHouse on loopback, and reads it there: bytes, processor time, the time
# of reports, and whether both print the same. The table of docs/fleet.md.
#
#   Scripts/bench-fleet.sh [EXCHANGES]
#
# How long a report by API takes in fleets that are 10 and 100 times as large, which are made of it in ClickHouse; draws
# docs/fleet.svg:
#
#   Scripts/bench-fleet.sh growth [EXCHANGES]
set -eu
cd "$(dirname "$0")/.."
folder=${TMPDIR:-/tmp}/bench-fleet
mkdir -p "$folder"
if [ "${1:-}" != growth ]; then
    exec python3 -B Scripts/fleet/bench.py release "$folder" "${1:-1000000}"
fi
count=${2:-1000000}
store=$folder/$count.db
[ -e "$store" ] || .build/release/WireweightBenchmarks make-store "$store" "$count"
python3 -B Scripts/fleet/growth.py release "$store" "$folder/growth.json"
python3 -B Benchmarks/Scale/plot.py "$folder/growth.json" >docs/fleet.svg
