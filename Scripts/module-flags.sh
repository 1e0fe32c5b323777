#!/usr/bin/env bash
# Prints the flags with which a compiler imports the modules of a build, one argument a line.
#
# usage: Scripts/module-flags.sh BUILD_DIR      such as .build/debug
set -euo pipefail

if [ $# -ne 1 ] || [ ! -e "$1/Modules/Wireweight.swiftmodule" ]; then
    echo "usage: $0 BUILD_DIR, where Wireweight is built" >&2
    exit 64
fi
build=$(cd "$1" && pwd -P)

printf '%s\n' -I "$build/Modules"
# SwiftPM's plan of the build, SCRATCH/debug.yaml beside SCRATCH/TRIPLE/debug, names the maps of all modules in C, and the
# folders of their headers, which may include each other.
plan=$build/../../$(basename "$build").yaml
grep -oE '"-fmodule-map-file=[^"]*"' "$plan" | tr -d '"' | sort -u | while read -r flag; do printf '%s\n' -Xcc "$flag"; done
grep -oE '"-Xcc","-I","-Xcc","[^"]*/include"' "$plan" | cut -d '"' -f 8 | sort -u \
    | while read -r folder; do printf '%s\n' -Xcc -I -Xcc "$folder"; done
