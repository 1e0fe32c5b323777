#!/bin/sh
# The tap for arm64 in Debian's curl for arm64, by an emulator: each kind of traffic by this machine's curl and by that one,
# against servers that log every byte. Nothing is installed for arm64: its packages are unpacked in a folder.
#
# usage: arm64.sh [debug|release] [NAME…]: all kinds, or those whose names start with these
set -eu
cd "$(dirname "$0")/../.."

leave_out() {
    echo "arm64: left out, $1"
    exit 0
}

configuration=${1:-debug}
[ $# -eq 0 ] || shift
[ "$(uname -m)" != aarch64 ] || leave_out "this machine is arm64, and its own tests say more"
[ "$(uname -m)" = x86_64 ] || leave_out "it needs a machine of x86-64"
distribution=$(sed -n 's/^ID=//p' /etc/os-release 2>/dev/null || true)
[ "$distribution" = debian ] || leave_out "it needs Debian, which has the packages of both architectures in one place"
# The newest package is one file for all targets, under another name.
emulator=$(command -v qemu-aarch64-static || command -v qemu-aarch64) || leave_out "there is no qemu-user"

folder=$PWD/.build/arm64
root=$folder/root
mkdir -p "$folder/apt/lists/partial" "$folder/apt/archives/partial"
# Programs on libcurl, on OpenSSL, GnuTLS and nghttp2, with what one is compiled against that carries its OpenSSL.
packages="curl libc6-dev libio-socket-ssl-perl libssl-dev nghttp2-client nghttp2-server nginx python3 python3-hpack wget"
if [ "$(cat "$folder/unpacked" 2>/dev/null)" != "$packages" ]; then
    # An apt of its own: the machine's lists, and which architectures it knows, stay as they are.
    : >"$folder/apt/status"
    cat >"$folder/apt.conf" <<EOF
APT::Architecture "arm64";
APT::Architectures { "arm64"; };
APT::Sandbox::User "";
Dir::State "$folder/apt";
Dir::State::status "$folder/apt/status";
Dir::Cache "$folder/apt";
EOF
    APT_CONFIG=$folder/apt.conf
    export APT_CONFIG
    rm -f "$folder"/apt/archives/*.deb
    # The library of the C compiler has its version in its name.
    # shellcheck disable=SC2086 # several packages
    if ! { apt-get update -qq && library=$(apt-cache pkgnames libgcc- | grep -x 'libgcc-[0-9]*-dev' | sort -V | tail -n 1) &&
        apt-get install -qq --download-only --no-install-recommends $packages "$library"; } >"$folder/log" 2>&1; then
        cat "$folder/log"
        leave_out "Debian's packages for arm64 cannot be had here"
    fi
    unset APT_CONFIG
    rm -rf "$root"
    for package in "$folder"/apt/archives/*.deb; do dpkg -x "$package" "$root"; done
    echo "$packages" >"$folder/unpacked"
fi

compiler=$(make -s print-clang)
if "$compiler" --target=aarch64_be-linux-gnu -ffreestanding -fsyntax-only -x c Sources/CCurlTap/include/tap_frames.h 2>"$folder/log"; then
    echo "a processor with big-endian numbers is accepted, and frames have none"
    exit 1
fi
grep -q 'little-endian' "$folder/log" || { cat "$folder/log"; exit 1; }
make -s arm64-tap

work=$(mktemp -d)
chmod 755 "$work" # nginx's workers are another user's
trap 'rm -rf "$work"' EXIT

# compile NAME SOURCE WORD…
compile() {
    program=$work/$1
    shift
    "$compiler" --target=aarch64-linux-gnu --sysroot="$folder/root" -fuse-ld=lld -O2 -Wall -Wextra -Werror -Wno-macro-redefined -pthread -D_GNU_SOURCE \
        -DWIREWEIGHT_OWN_THREADS=2 -ISources/CStreamHooks -ISources/CStreamTap/include "$@" -o "$program"
}

# Detours; the emulator has a thread of its own. Then single instructions, where they are and where they are moved to.
compile detours Tests/Programs/detours.c Sources/CStreamHooks/detour.c Sources/CStreamTap/moved_code.c Sources/CStreamTap/moved_arm64.c
"$emulator" -L "$folder/root" "$work/detours"
objdump=$(dirname "$compiler")/llvm-objdump
[ ! -x "$objdump" ] || /usr/bin/python3 Scripts/integration/detours.py arm64 "$objdump" "$folder/root/usr/lib/aarch64-linux-gnu" \
    "$emulator" -L "$folder/root" "$work/detours"
compile places Tests/Programs/places.c Sources/CStreamTap/moved_arm64.c
"$emulator" -L "$folder/root" "$work/places" 5000

# The emulator does not pass on the kernel's count; this finds it outside.
compile counts.so -shared -fPIC Tests/Programs/counts.c
# Programs with TLS inside them, with libraries that they load, and with the tap inside them.
compile inner Tests/Programs/inner.c
compile inner-exported -DEXPORTED -rdynamic Tests/Programs/inner.c
compile inner-stripped -s Tests/Programs/inner.c
compile carries Tests/Programs/carries.c -l:libssl.a -l:libcrypto.a
compile deep Tests/Programs/deep.c
compile deep-extension.so -shared -fPIC -DPLUGIN -nostartfiles -mbranch-protection=standard -Wl,-z,force-bti Tests/Programs/deep.c -lssl -lcrypto
tap=""
for room in CHTTPWire CCurlTap CStreamTap CStreamHooks; do tap="$tap -ISources/$room/include -ISources/$room $(echo Sources/$room/*.c)"; done
# shellcheck disable=SC2086 # several words
compile within $tap Tests/Programs/within.c
# shellcheck disable=SC2086 # several words
compile inner-within -DWITHIN $tap Tests/Programs/inner.c

Scripts/shared/certificate.sh "$work"
/usr/bin/python3 Scripts/integration/emulated.py "$PWD/.build/$configuration/wireweight" "$work" "$emulator" "$folder" "$@"
/usr/bin/python3 Scripts/integration/hostile/arm64.py "$PWD/.build/$configuration/wireweight" "$work" "$emulator" "$folder" "$@"
