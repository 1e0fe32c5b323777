#!/usr/bin/env bash
# Builds the example Reader for a release without its trait "Metered", and looks for anything of Wireweight in it: symbols of
# a room, of the tap, of the store's and the server's packages, and SQLite among the libraries. The debug build beside it
# has the trait and must have them, or else the search would find nothing anywhere.
#
# usage: Scripts/check-left-out.sh SCRATCH      where the examples are built: .build/examples
set -euo pipefail
[ $# -eq 1 ] || { echo "usage: $0 SCRATCH, where the examples are built" >&2; exit 64; }
cd "$(dirname "$0")/.."

swift build --package-path Examples --scratch-path "$1" -c release --product Reader --disable-default-traits >&2

# Swift's names of a module's declarations contain its name after the length of it.
pattern='(^|[^[:alnum:]_])(ww|wwt)_[a-z]'
for name in $(find Sources -mindepth 1 -maxdepth 1 -type d -printf '%f\n') GRDB FlyingSocks; do
    pattern+="|${#name}${name}"
done
found() { nm "$1" | grep -cE "$pattern" || true; }

release=$(found "$1/release/Reader")
debug=$(found "$1/debug/Reader")
libraries=$(ldd "$1/release/Reader" | grep -c sqlite || true)
echo "check-left-out: symbols of Wireweight: $debug in the debug build of Reader, $release in its release"
if [ "$debug" -eq 0 ]; then
    echo "check-left-out: nothing was found where it must be; the search is wrong" >&2
    exit 1
fi
if [ "$release" -ne 0 ] || [ "$libraries" -ne 0 ]; then
    echo "check-left-out: the release has parts of Wireweight" >&2
    nm "$1/release/Reader" | grep -E "$pattern" | sed -n 1,10p >&2
    exit 1
fi
