#!/bin/sh
# The proxy's connections beside a packet capture, and the proxy under load: what takes too long for each change.
#
# usage: prove-proxy.sh [debug|release], after `make proxy`; needs root, or a user who may capture packets
set -eu
cd "$(dirname "$0")/.."

command=$PWD/.build/${1:-debug}/wireweight
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

Scripts/shared/certificate.sh "$folder" hostile.test
for part in captured loads; do /usr/bin/python3 -B "Scripts/integration/$part.py" "$command" "$folder"; done
