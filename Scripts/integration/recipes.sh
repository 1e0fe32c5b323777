#!/bin/sh
# The commands of docs/recipes.md with git, PHP-FPM behind nginx, a service that is stopped, a test suite and the others.
#
# usage: recipes.sh [debug|release] [NAME…]: all recipes, or those named
set -eu
cd "$(dirname "$0")/../.."

command=$PWD/.build/${1:-debug}/wireweight
[ $# -eq 0 ] || shift
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# PHP's workers give up their rights, and must reach what they read.
chmod 755 "$folder"

Scripts/shared/venv.sh "$folder" "the test suite" 'pytest>=7,<10'

/usr/bin/python3 Scripts/integration/recipes.py "$command" "$folder" "$@"
