#!/bin/sh
# Unmodified servers, each alone and metered, asked by clients that log every byte.
#
# usage: servers.sh [debug|release] [NAME…]: all servers, or those whose names start with NAME
set -eu
cd "$(dirname "$0")/../.."

command=$PWD/.build/${1:-debug}/wireweight
[ $# -eq 0 ] || shift
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# Workers give up their rights, and must reach what they serve.
chmod 755 "$folder"

Scripts/shared/certificate.sh "$folder"
Scripts/shared/venv.sh "$folder" "gunicorn, uvicorn" 'gunicorn>=21,<24' 'uvicorn>=0.27,<1'

/usr/bin/python3 Scripts/integration/servers.py "$command" "$folder" "$@"
