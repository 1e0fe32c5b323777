#!/bin/sh
# A fleet on a real ClickHouse: Debian's 18.16, started on loopback in a folder of its own, and today's, which PyPI has as chdb.
# `make integration-fleet` builds what this runs, and calls it.
#
# usage: integration-fleet.sh [debug|release]
set -eu
cd "$(dirname "$0")/.."

configuration=${1:-debug}
folder=$(mktemp -d)
mkdir "$folder/collector"
trap 'rm -rf "$folder"' EXIT
python=python3
if ! python3 -c 'import chdb' 2>/dev/null; then
    Scripts/shared/venv.sh "$folder" "today's ClickHouse" 'chdb>=4.4,<5'
    [ ! -d "$folder/venv" ] || python=$folder/venv/bin/python
fi
# Debian has no package of OpenTelemetry's classes.
Scripts/shared/venv.sh "$folder/collector" "a collector of OpenTelemetry" 'opentelemetry-proto>=1.20,<2'
if [ -d "$folder/collector/venv" ]; then
    "$folder/collector/venv/bin/pip" install --quiet --disable-pip-version-check --only-binary :all: rotel==0.0.1a15 || true
fi
[ ! -d "$folder/collector/venv" ] || "$folder/collector/venv/bin/python" Scripts/fleet/collecting.py "$configuration"
"$python" Scripts/fleet/reading.py "$configuration"
"$python" Scripts/fleet/inspecting.py "$configuration"
"$python" Scripts/fleet/forging.py "$configuration"
"$python" Scripts/fleet/halves.py "$configuration"
python3 Scripts/fleet/shipping.py "$configuration"
"$python" Scripts/fleet/auditing.py "$configuration"
if [ -e /usr/share/java/zookeeper.jar ]; then
    python3 Scripts/fleet/shards.py "$configuration"
else
    echo "a cluster: left out, there is no ZooKeeper"
fi
python3 Scripts/fleet/gateway.py "$configuration"
"$python" Scripts/fleet/questions.py "$configuration"
if "$python" -c 'import chdb' 2>/dev/null; then
    "$python" Scripts/fleet/labels.py "$configuration"
else
    echo "a cap on new names: left out, there is no chdb here"
fi
echo "integration-fleet passed"
