#!/bin/sh
# Installs what drives Chromium and checks the page's types into .build/browser-tools, and prints that folder.
set -eu
cd "$(dirname "$0")/.."

tools=.build/browser-tools
# Two parts of `make integration` may come at once.
mkdir -p .build
exec 9>"$tools.lock"
flock 9
if ! [ -x "$tools/bin/deno" ] || ! "$tools/bin/python" -c 'import playwright' 2>/dev/null; then
    rm -rf "$tools"
    python3 -m venv "$tools"
    # Versions that were tested together; Chromium is Debian's.
    "$tools/bin/pip" install --quiet --disable-pip-version-check playwright==1.65.2 deno==2.9.8 >&2
fi
echo "$PWD/$tools"
