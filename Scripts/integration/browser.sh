#!/bin/sh
# The inspector in Chromium: its scripts are type-checked, its page is driven over seeded stores, over the demo and over
# what a hostile server sent. Pictures of the main pages come to .build/screenshots.
#
# usage: browser.sh [debug|release]
set -eu
cd "$(dirname "$0")/../.."
configuration=${1:-debug}

tools=$(Scripts/browser-tools.sh)

(cd Sources/TrafficInspector/Web && "$tools/bin/deno" check --quiet app.js start.js)

mkdir -p .build/screenshots
WIREWEIGHT_COMMAND=$PWD/.build/$configuration/wireweight
BROWSER_SCREENSHOTS=$PWD/.build/screenshots
export WIREWEIGHT_COMMAND BROWSER_SCREENSHOTS
cd Tests/Browser
exec "$tools/bin/python" -B -m unittest -v
