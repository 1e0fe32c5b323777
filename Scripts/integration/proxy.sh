#!/bin/sh
# The proxy's unit tests, and `wireweight proxy` between real and raw clients and servers that log every byte.
#
# usage: proxy.sh [debug|release] [NAME…]: all hostile cases, or those whose names start with NAME
set -eu
cd "$(dirname "$0")/../.."

configuration=${1:-debug}
[ $# -eq 0 ] || shift
command=$PWD/.build/$configuration/wireweight

# As `make proxy` does; its tests with it.
proxy() {
    swift "$@" -c release --package-path Proxy --scratch-path .build/proxy
}
proxy build --build-tests
proxy test --skip-build
cp .build/proxy/release/wireweight-proxy ".build/$configuration/"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

Scripts/shared/certificate.sh "$folder" hostile.test
if [ $# -eq 0 ]; then
    # What drives Chromium, and a program on URLSession, for the clients.
    Scripts/browser-tools.sh >/dev/null
    swiftc -swift-version 6 -o "$folder/sessions" Tests/Programs/sessions.swift
    for part in proxy proxy_ends proxy_turns chained closed devices conditions opened clients; do /usr/bin/python3 "Scripts/integration/$part.py" "$command" "$folder"; done
fi
/usr/bin/python3 Scripts/integration/proxied.py "$command" "$folder" "$@"
