#!/bin/sh
# What README.md and the pages in docs say that is printed is printed.
#
# usage: pages.sh [debug|release]
set -eu
cd "$(dirname "$0")/../.."
exec Scripts/page-samples.py ".build/${1:-debug}"
