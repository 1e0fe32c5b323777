#!/bin/sh
# What other people's SQL reads from a store is what the command shows: sqlite3 and DuckDB on the views of docs/store.md.
#
# usage: store.sh [debug|release]
set -eu
cd "$(dirname "$0")/../.."

command=.build/${1:-debug}/wireweight
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# DuckDB's reader of SQLite is a wheel of its own, so that nothing is downloaded at run time.
/usr/bin/python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check 'duckdb>=1.4,<2' 'duckdb-extension-sqlite-scanner>=1.4,<2'

"$command" demo --once --json --db "$folder/traffic.db" >"$folder/demo.json"
for grouping in host api; do
    "$command" report "$folder/traffic.db" --by "$grouping" --limit 100000 --format json >"$folder/$grouping.json"
done
"$command" exchanges "$folder/traffic.db" --limit 100000 --format ndjson >"$folder/exchanges.ndjson"
"$command" connections "$folder/traffic.db" --format ndjson >"$folder/connections.ndjson"
"$folder/venv/bin/python" Scripts/integration/store.py "$folder"
