#!/bin/sh
# Installs what the benchmarks compare with, and prints where mitmdump is: a wheel, in a virtual environment of its own.
# Nothing is printed where it cannot be had.
#
#   Scripts/bench-tools.sh FOLDER
set -eu

if [ $# -ne 1 ]; then
    echo "usage: Scripts/bench-tools.sh FOLDER" >&2
    exit 64
fi
"$(dirname "$0")/install-packages.sh" bench >&2
if [ ! -x "$1/bin/mitmdump" ]; then
    echo "installing mitmproxy" >&2
    /usr/bin/python3 -m venv "$1" >&2
    "$1/bin/pip" install --quiet --disable-pip-version-check mitmproxy >&2 || exit 0
fi
echo "$1/bin/mitmdump"
