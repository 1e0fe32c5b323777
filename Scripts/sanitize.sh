#!/usr/bin/env bash
# The test suites under the address sanitizer; any report fails. See docs/measurements/sanitizers.md for what is left out, and why.
#
# usage: Scripts/sanitize.sh
set -euo pipefail
cd "$(dirname "$0")/.."

# The rooms from bytes to rows and answers, and the observers that touch memory that is not Swift's.
suites='FuzzTests|ASCIIBytesTests|PassiveHTTPTests|TLSRecordsTests|ObservingTests|URLTemplatesTests|ConnectionAccountsTests|TrafficModelTests|HTTPWireTests|ContentCodingTests|CurlObserverTests|TrafficPipelineTests'
suites="$suites|TextFormatsTests|TrafficStoreTests|TrafficReportsTests|TrafficAuditTests|CaptureVerificationTests|TrafficExportTests|TrafficInspectorTests"

# Leaks: what Swift keeps for the life of a process would be counted; valgrind looks for those of the tap.
export ASAN_OPTIONS=detect_leaks=0
export SWIFT_BACKTRACE=enable=no
log=$(mktemp)
trap 'rm -f "$log"' EXIT
place=$PWD/.build/address
swift build --build-tests --scratch-path "$place" --sanitize=address
status=0
swift test --skip-build --scratch-path "$place" --sanitize=address --filter "^($suites)\." >"$log" 2>&1 || status=1
if grep -qE 'ERROR: AddressSanitizer' "$log"; then status=1; fi
if [ "$status" -ne 0 ]; then
    cat "$log"
else
    tail -n 3 "$log"
fi
exit "$status"
