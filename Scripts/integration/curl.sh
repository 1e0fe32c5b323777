#!/bin/sh
# curl's own tests of HTTP, with and without the meter: no test may end otherwise.
#
# usage: curl.sh [debug|release]
exec "$(dirname "$0")/../curl-tests.sh" "${1:-debug}" all
