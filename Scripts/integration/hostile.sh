#!/bin/sh
# Proxies, handshakes, early answers, resets and cancels of every kind, by curl, pycurl and URLSession, each alone and metered, against
# servers that log every byte.
#
# usage: hostile.sh [debug|release] [NAME…]: all cases, or those whose names start with NAME; NAME/c, NAME/p or NAME/s for one client
set -eu
cd "$(dirname "$0")/../.."

command=$PWD/.build/${1:-debug}/wireweight
[ $# -eq 0 ] || shift
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

Scripts/shared/certificate.sh "$folder" hostile.test

# The wheel brings a libcurl of its own, a later one than Debian's.
Scripts/shared/venv.sh "$folder" "pycurl's wheel" 'pycurl>=7.45.3,<8'
swiftc -swift-version 6 -o "$folder/sessions" Tests/Programs/sessions.swift

# URLSession trusts the system's bundle and nothing else: see integration.sh.
bundle=/etc/ssl/certs/ca-certificates.crt
cat "$bundle" "$folder/certificate.pem" >"$folder/bundle.pem"
if unshare -rm true 2>/dev/null; then
    # shellcheck disable=SC2016 # the inner shell's own variables
    HOSTILE_SESSION_TLS=1 unshare -rm sh -c 'mount --bind "$1" "$2" && shift 2 && exec "$@"' sh \
        "$folder/bundle.pem" "$bundle" /usr/bin/python3 Scripts/integration/hostile/hostile.py "$command" "$folder" "$@"
else
    echo "URLSession over TLS: left out, this machine gives no mount namespace"
    /usr/bin/python3 Scripts/integration/hostile/hostile.py "$command" "$folder" "$@"
fi
