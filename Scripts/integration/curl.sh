#!/bin/sh
# A spread of curl's own tests; `make curl-tests` runs all that are HTTP.
#
# usage: curl.sh [debug|release]
exec "$(dirname "$0")/../curl-tests.sh" "${1:-debug}" spread
