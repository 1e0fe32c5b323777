#!/bin/sh
# Measures reports on large stores beside DuckDB, and prints the table of docs/measurements/reports.md.
#
#   Scripts/bench-reports.sh BUILD_DIR [FOLDER [EXCHANGES…]]
#
# BUILD_DIR holds a release build. The stores are made in FOLDER (2 GB for both, some minutes) unless they are there
# from an earlier run; they are the same each time. EXCHANGES are 1000000 and 10000000 unless given.
set -eu

if [ $# -lt 1 ]; then
    echo "usage: Scripts/bench-reports.sh BUILD_DIR [FOLDER [EXCHANGES…]]" >&2
    exit 64
fi
maker=$1/WireweightBenchmarks
command=$1/wireweight
folder=${2:-${TMPDIR:-/tmp}/bench-stores}
for program in "$maker" "$command"; do
    if [ ! -x "$program" ]; then
        echo "bench-reports: '$program' is not there; build it with 'swift build -c release'" >&2
        exit 66
    fi
done
if [ $# -gt 2 ]; then shift 2; else set -- 1000000 10000000; fi
here=$(cd "$(dirname "$0")/.." && pwd)
compare=$here/Benchmarks/Reports/compare.py

mkdir -p "$folder"
python=$folder/venv/bin/python3
if [ ! -x "$python" ]; then
    python3 -m venv "$folder/venv"
    "$folder/venv/bin/pip" install --quiet duckdb
fi

echo "- with: DuckDB $("$python" -c 'import duckdb; print(duckdb.__version__)')"
echo
echo "| what, exchanges | wireweight (processor) | memory | DuckDB (processor) | memory | ratio, clock | ratio, processor |"
echo "| --- | ---: | ---: | ---: | ---: | ---: | ---: |"
for count in "$@"; do
    name=$folder/$(echo "$count" | sed 's/000000$/m/')
    if [ ! -f "$name.db" ]; then
        "$maker" make-store "$name.new" "$count"
        mv "$name.new" "$name.db"
    fi
    if [ ! -f "$name.parquet" ]; then
        "$maker" print-rows "$count" | "$python" "$compare" load "$name.new"
        mv "$name.new" "$name.parquet"
    fi
    "$python" "$compare" compare "$command" "$name.db" "$name.parquet"
done
echo
echo "| store | aim | by the clock | processor time | memory at most |"
echo "| --- | ---: | ---: | ---: | ---: |"
for count in "$@"; do
    "$python" "$compare" audit "$command" "$folder/$(echo "$count" | sed 's/000000$/m/').db" "$count"
done
