#!/bin/sh
# Browsers by the keys that they write (`run --tls-keys`), against a server that logs every byte.
#
# usage: browsers.sh [debug|release] [NAME…]: all browsers, or those named
set -eu
cd "$(dirname "$0")/../.."

command=$PWD/.build/${1:-debug}/wireweight
[ $# -eq 0 ] || shift
if ! command -v chromium >/dev/null && ! command -v firefox-esr >/dev/null; then
    echo "browsers: left out, neither Chromium nor Firefox is installed"
    exit 0
fi
folder=$(mktemp -d)
# A browser may still be writing its profile when it has ended.
trap 'rm -rf "$folder" || { sleep 1; rm -rf "$folder"; }' EXIT

Scripts/shared/certificate.sh "$folder"
Scripts/shared/venv.sh "$folder" "browsers" 'hpack>=4,<5'
[ -x "$folder/venv/bin/python3" ] || exit 0

"$folder/venv/bin/python3" Scripts/integration/browsers.py "$command" "$folder" "$@"
