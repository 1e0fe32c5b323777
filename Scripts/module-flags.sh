#!/usr/bin/env bash
# Prints what a compiler must be told to import the modules of a build, one argument a line.
#
# usage: Scripts/module-flags.sh BUILD_DIR      such as .build/debug
set -euo pipefail

if [ $# -ne 1 ] || [ ! -e "$1/Modules/Wireweight.swiftmodule" ]; then
    echo "usage: $0 BUILD_DIR, where Wireweight is built" >&2
    exit 64
fi
root=$(cd "$(dirname "$0")/.." && pwd)
build=$(cd "$1" && pwd -P)

# The scratch folder is two above: SCRATCH/TRIPLE/debug.
printf '%s\n' -I "$build/Modules" -I "$build/../../checkouts/GRDB.swift/Sources/GRDBSQLite" -I "$root/Sources/CZlib"
# A C target has a module map of its own, or SwiftPM makes one.
for headers in "$root"/Sources/*/include; do
    made=$build/$(basename "$(dirname "$headers")").build/module.modulemap
    if [ -e "$headers/module.modulemap" ]; then
        printf '%s\n' -Xcc "-fmodule-map-file=$headers/module.modulemap"
    elif [ -e "$made" ]; then
        printf '%s\n' -Xcc "-fmodule-map-file=$made"
    fi
done
