#!/usr/bin/env bash
# Builds the documentation of the libraries; a warning is an error. Looks also whether the files exist to which the
# pages outside of it link.
#
# usage: Scripts/build-docs.sh BUILD_DIR OUTPUT_DIR      such as .build/examples/debug .build/docs
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

# What a library exports of other rooms is part of what an adopter imports.
document() {
    local module=$1
    shift
    mkdir -p "$graphs/$module" "$output"
    swift symbolgraph-extract -module-name "$module" "${flags[@]}" -target "$target" -output-dir "$graphs/$module" \
        -minimum-access-level public -experimental-allowed-reexported-modules=Diagnosis,TrafficModel,TrafficOrigin -skip-synthesized-members
    docc convert "$@" --additional-symbol-graph-dir "$graphs/$module" \
        --fallback-display-name "$module" --fallback-bundle-identifier "wireweight.$module" \
        --output-dir "$output/$module.doccarchive" --warnings-as-errors
    echo "documentation: $output/$module.doccarchive"
}

document Wireweight Sources/Wireweight/Wireweight.docc
document WireweightInspector
document WireweightServer
document WireweightShipping
document WireweightTesting

status=0
for page in ./*.md docs/*.md docs/*/*.md Examples/*.md; do
    while read -r link; do
        # Another place's pages are not looked for.
        if [ "$link" = https ]; then continue; fi
        if [ ! -e "$(dirname "$page")/$link" ]; then
            echo "$page: there is no '$link'" >&2
            status=1
        fi
    done < <(grep -oE '\]\([^)#:]+' "$page" | sed 's/^](//' | sort -u)
done
exit "$status"
