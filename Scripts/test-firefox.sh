#!/bin/sh
# The inspector's page in Debian's Firefox, over a seeded store.
#
# usage: test-firefox.sh [debug|release]
set -eu
cd "$(dirname "$0")/.."
configuration=${1:-debug}

tools=$PWD/.build/firefox-tools
if ! "$tools/bin/python" -c 'import marionette_driver' 2>/dev/null; then
    rm -rf "$tools"
    python3 -m venv "$tools"
    "$tools/bin/pip" install --quiet --disable-pip-version-check marionette_driver==3.7.1
fi
WIREWEIGHT_COMMAND=$PWD/.build/$configuration/wireweight
export WIREWEIGHT_COMMAND
cd Tests/Firefox
# The driver leaves its sockets to the collector.
exec "$tools/bin/python" -B -W ignore::ResourceWarning -m unittest -v
