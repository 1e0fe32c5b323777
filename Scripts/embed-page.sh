#!/bin/sh
# Writes the inspector's page, Sources/TrafficInspector/Web, into Sources/TrafficInspector/Assets/PageAssets.swift.
# Run it after a change of the page; with --check it says whether somebody forgot to.
set -eu
cd "$(dirname "$0")/.."

web=Sources/TrafficInspector/Web
target=Sources/TrafficInspector/Assets/PageAssets.swift

write() {
    Scripts/embed-page.py "$web"
}

case ${1:-} in
"") write >"$target" ;;
--check)
    made=$(mktemp)
    trap 'rm -f "$made"' EXIT
    write >"$made"
    if ! cmp -s "$made" "$target"; then
        echo "$target is not what Scripts/embed-page.sh makes of $web: run it and commit what it wrote" >&2
        exit 1
    fi
    ;;
*)
    echo "usage: $0 [--check]" >&2
    exit 64
    ;;
esac
