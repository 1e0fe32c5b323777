#!/bin/sh
# A fleet on a real ClickHouse: Debian's 18.16, started on loopback in a folder of its own. `make integration-fleet` builds what
# this runs, and calls it.
#
# usage: integration-fleet.sh [debug|release]
set -eu
cd "$(dirname "$0")/.."

configuration=${1:-debug}
python3 Scripts/fleet/reading.py "$configuration"
python3 Scripts/fleet/shipping.py "$configuration"
echo "integration-fleet passed"
