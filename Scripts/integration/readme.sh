#!/bin/sh
# What README.md says that is printed is printed.
#
# usage: readme.sh [debug|release]
set -eu
cd "$(dirname "$0")/../.."
exec Scripts/readme-samples.py ".build/${1:-debug}"
