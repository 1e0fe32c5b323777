#!/bin/sh
# Proves from built objects that the pure rooms are pure: ASCIIBytes, TrafficModel, HTTPWire, PassiveHTTP, ConnectionAccounts, RowBinary, FleetTables,
# TextFormats and URLTemplates use no Foundation, and call nothing that opens files or sockets or reads a clock.
#
# usage: Scripts/check-purity.sh BUILD_DIR      such as .build/debug or .build/release
set -eu

if [ $# -ne 1 ] || [ ! -d "$1" ]; then
    echo "usage: $0 BUILD_DIR" >&2
    exit 64
fi
build=$1
status=0

# Whatever may list symbols: binutils', or the toolchain's.
nm=
for candidate in nm llvm-nm "$(dirname "$(command -v swift || echo /)")/llvm-nm"; do
    if command -v "$candidate" >/dev/null 2>&1; then
        nm=$candidate
        break
    fi
done
if [ -z "$nm" ]; then
    echo "$0: neither 'nm' nor 'llvm-nm' is installed" >&2
    exit 69
fi

# Names of modules in mangled symbols follow their length.
modules='10Foundation|20FoundationEssentials|20FoundationNetworking|29FoundationInternationalization|13FoundationXML'
modules="$modules|8Dispatch"
calls='socket|connect|bind|listen|accept|accept4|send|sendto|sendmsg|recv|recvfrom|recvmsg|getaddrinfo|open|open64'
calls="$calls|fopen|fopen64|creat|read|pread|write|pwrite|stat|unlink|mmap|getenv|clock_gettime|gettimeofday|time"
calls="$calls|openat|clock|clock_gettime_nsec_np|mach_absolute_time|nanosleep|usleep|sleep|pthread_create|dlopen|dlsym"
calls="$calls|system|fork|execve"

impure="^_?(\\\$s.*($modules)|OBJC_CLASS_\\\$_NS|_swift_FORCE_LOAD_\\\$_swift(Foundation|Dispatch)|($calls)\$)"

# The undefined symbols of a target's objects, of those in sub-folders, too.
undefined() {
    find "$build/$1.build" -name '*.o' -exec "$nm" -u {} + \
        | sed -n 's/^.*[[:space:]]U[[:space:]]*//p' | sed 's/@.*//' | sort -u
}

for target in ASCIIBytes TrafficModel CHTTPWire HTTPWire PassiveHTTP ConnectionAccounts RowBinary FleetTables TextFormats URLTemplates; do
    objects=$(find "$build/$target.build" -name '*.o' 2>/dev/null | wc -l)
    if [ "$objects" -eq 0 ]; then
        echo "$target: nothing is built in '$build'" >&2
        status=1
        continue
    fi
    symbols=$(undefined "$target")
    found=$(printf '%s\n' "$symbols" | grep -E "$impure" || true)
    if [ -n "$found" ]; then
        echo "$target is not pure; it uses:" >&2
        printf '%s\n' "$found" | sed 's/^/    /' >&2
        status=1
    else
        count=$(printf '%s\n' "$symbols" | grep -c . || true)
        echo "$target: $objects objects, $count symbols from elsewhere, none of Foundation, files, sockets or clocks"
    fi
done

# An import counts also where no symbol of it is used.
access='public|package|internal|private|fileprivate|@_exported|@preconcurrency'
for target in ASCIIBytes TrafficModel HTTPWire PassiveHTTP ConnectionAccounts RowBinary FleetTables TextFormats URLTemplates; do
    imports=$(grep -rhE "^[[:space:]]*(($access)[[:space:]]+)*import[[:space:]]" "$(dirname "$0")/../Sources/$target" \
        | grep -vE 'import[[:space:]]+(ASCIIBytes|TrafficModel|CHTTPWire|HTTPWire|RowBinary)$' || true)
    if [ -n "$imports" ]; then
        echo "$target imports what it may not:" >&2
        printf '%s\n' "$imports" | sort -u | sed 's/^/    /' >&2
        status=1
    fi
done
exit $status
