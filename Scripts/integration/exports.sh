#!/bin/sh
# Exports are held against other people's readers: a JSON schema of HAR, promtool, OpenTelemetry's protobuf classes, the
# parsers of OpenMetrics and CSV. A HAR of a gigabyte in one string is refused in little memory.
#
# usage: exports.sh [debug|release]
set -eu
cd "$(dirname "$0")/../.."

command=.build/${1:-debug}/wireweight
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# Debian has no package of OpenTelemetry's classes.
/usr/bin/python3 -m venv --system-site-packages "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check 'opentelemetry-proto>=1.20,<2' 'prometheus-client>=0.17,<1'

"$command" demo --once --json --db "$folder/traffic.db" >"$folder/demo.json"
for format in har csv ndjson curl openmetrics otlp-json otlp-protobuf; do
    "$command" export "$folder/traffic.db" --format "$format" --output "$folder/out.$format"
done
promtool check metrics <"$folder/out.openmetrics"
"$folder/venv/bin/python" Scripts/integration/exports.py "$folder"

# Each command of curl is one that a shell can read.
sh -n "$folder/out.curl"

# A string of a gigabyte: refused with 65, and the process stays small. The runtime alone maps some hundred MiB.
{
    printf '{"log": {"version": "1.2", "comment": "'
    head -c 1073741824 /dev/zero | tr '\0' x
    printf '", "entries": []}}'
} >"$folder/huge.har"
status=0
prlimit --as=1000000000 "$command" import "$folder/huge.har" --db "$folder/huge.db" 2>"$folder/errors" || status=$?
cat "$folder/errors"
[ "$status" -eq 65 ]
grep -q 'a string of more than 268435456 bytes' "$folder/errors"
[ ! -e "$folder/huge.db" ]
echo "a string of a gigabyte is refused"
