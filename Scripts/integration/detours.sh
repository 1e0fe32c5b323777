#!/bin/sh
# Detours: the functions of Tests/Programs/detours.c, and how the beginnings of all functions of some libraries would be
# moved, against what objdump says of them.
#
# usage: detours.sh [debug|release]
set -eu
cd "$(dirname "$0")/../.."

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$(make -s print-clang)" -O2 -Wall -Wextra -Werror -D_GNU_SOURCE -ISources/CStreamHooks -ISources/CStreamTap/include \
    Tests/Programs/detours.c Sources/CStreamHooks/detour.c Sources/CStreamTap/moved_code.c Sources/CStreamTap/moved_arm64.c -o "$folder/detours"
"$folder/detours"
if [ "$(uname -m)" = aarch64 ]; then
    # Single instructions, where they are and where they are moved to; on x86-64 `make arm64` has them in an emulator.
    "$(make -s print-clang)" -O2 -Wall -Wextra -Werror -D_GNU_SOURCE -ISources/CStreamTap/include \
        Tests/Programs/places.c Sources/CStreamTap/moved_arm64.c -o "$folder/places"
    "$folder/places"
    echo "detours: objdump's text is read for x86-64 alone"
    exit 0
fi
/usr/bin/python3 Scripts/integration/detours.py "$folder/detours"
