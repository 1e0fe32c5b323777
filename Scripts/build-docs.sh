#!/usr/bin/env bash
# Builds the documentation of the library; a warning is an error. Looks also whether the files exist to which the pages
# outside of it link.
#
# usage: Scripts/build-docs.sh BUILD_DIR OUTPUT_DIR      such as .build/debug .build/docs
set -euo pipefail

if [ $# -ne 2 ] || [ ! -d "$1" ]; then
    echo "usage: $0 BUILD_DIR OUTPUT_DIR" >&2
    exit 64
fi
cd "$(dirname "$0")/.."
build=$1 output=$2
graphs=$(mktemp -d)
trap 'rm -rf "$graphs"' EXIT

mapfile -t flags < <(Scripts/module-flags.sh "$build")
target=$(swiftc -print-target-info | sed -n 's/.*"unversionedTriple": "\(.*\)".*/\1/p')
# What Wireweight exports of TrafficModel is part of what an adopter imports.
swift symbolgraph-extract -module-name Wireweight "${flags[@]}" -target "$target" -output-dir "$graphs" \
    -minimum-access-level public -experimental-allowed-reexported-modules=TrafficModel -skip-synthesized-members

mkdir -p "$output"
docc convert Sources/Wireweight/Wireweight.docc --additional-symbol-graph-dir "$graphs" \
    --fallback-display-name Wireweight --fallback-bundle-identifier wireweight \
    --output-dir "$output/Wireweight.doccarchive" --warnings-as-errors

status=0
for page in ./*.md docs/*.md Examples/*.md; do
    while read -r link; do
        if [ ! -e "$(dirname "$page")/$link" ]; then
            echo "$page: there is no '$link'" >&2
            status=1
        fi
    done < <(grep -oE '\]\([^)#:]+' "$page" | sed 's/^](//')
done
[ "$status" -eq 0 ] || exit "$status"
echo "documentation: $output/Wireweight.doccarchive"
