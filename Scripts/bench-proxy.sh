#!/usr/bin/env bash
# Measures the proxy beside HAProxy, squid and mitmproxy in one run: requests and megabytes per second, and processor time of each.
# Prints the tables of docs/measurements/proxy.md.
#
# usage: bench-proxy.sh BUILD_DIR [SECONDS]
#
# BUILD_DIR holds the command and the tap of a release build, and wireweight-proxy. Each case takes SECONDS (5), three times.
set -euo pipefail
cd "$(dirname "$0")/.."

if [ $# -lt 1 ]; then
    echo "usage: Scripts/bench-proxy.sh BUILD_DIR [SECONDS]" >&2
    exit 64
fi
for file in wireweight libWireweightPreload.so wireweight-proxy; do
    [ -e "$1/$file" ] || { echo "bench-proxy: '$1/$file' is not there; build it with 'make bench-proxy'" >&2; exit 66; }
done
for tool in wrk nginx haproxy squid; do
    command -v "$tool" >/dev/null || { echo "bench-proxy: '$tool' is missing; Scripts/install-packages.sh proxies" >&2; exit 69; }
done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
chmod 755 "$folder"

/usr/bin/python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check wheel
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check 'mitmproxy>=11,<13'

# As SwiftPM compiles it for a release.
cc -O2 -IProxy/Sources/CProxyTLS/include Proxy/Benchmarks/leaf.c Proxy/Sources/CProxyTLS/certificates.c -lcrypto -o "$folder/leaf"
printf '\n| opening TLS | processor, µs |\n| --- | --- |\n| a certificate for a host | %s |\n' "$("$folder/leaf")"

/usr/bin/python3 -B Benchmarks/Proxy/proxies.py "$1" "$folder" "${2:-5}"
