#!/bin/sh
# A minute of the soak.
#
# usage: soak.sh [debug|release]
exec "$(dirname "$0")/../soak.sh" "${1:-debug}" 1
