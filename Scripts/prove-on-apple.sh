#!/usr/bin/env bash
# Shows what holds on this machine: builds, runs the tests, makes 52 kinds of request against an origin that logs every
# byte, and compares. Writes one report, as report.json and report.md, to be sent with the issue form "Apple report".
#
# On a Mac it does the same in a simulator, if Xcode is there. On Linux it runs the same program, to test it.
#
# usage: Scripts/prove-on-apple.sh [FOLDER]      the folder for the report; .build/proof
set -uo pipefail
cd "$(dirname "$0")/.." || exit
out=${1:-.build/proof}
mkdir -p "$out" && out=$(cd "$out" && pwd) || exit
rm -rf "${out:?}"/{steps,logs,host,simulator}
mkdir -p "$out/logs"

# step NAME COMMAND…: runs it with its output in a log, and notes the status and the seconds.
step() {
    local name=$1 begin=$SECONDS status
    shift
    echo "$name …"
    "$@" >"$out/logs/$name.txt" 2>&1
    status=$?
    printf '%s\t%s\t%s\n' "$name" "$status" "$((SECONDS - begin))" >>"$out/steps"
    [ "$status" -eq 0 ] || echo "$name ended with status $status; see $out/logs/$name.txt"
    return "$status"
}

# The report says so, too, if a step fails after which the others mean nothing.
step build swift build --build-tests || exec Scripts/join-proofs.py "$out"
step tests swift test --skip-build --filter 'URLSessionObserverTests|HTTPWireTests|PortableLocksTests|TrafficInspectorTests.InspectorPageTests'
step proof env WIREWEIGHT_PROOF="$out/host" swift test --skip-build --filter DeviceProofTests

if command -v xcrun >/dev/null && xcrun simctl help >/dev/null 2>&1; then
    simulator=$(xcrun simctl list devices available --json | python3 -c '
import json, sys
devices = json.load(sys.stdin)["devices"]
phones = [each["udid"] for system in sorted(devices) if "iOS" in system for each in devices[system] if each["name"].startswith("iPhone")]
print(phones[-1] if phones else "")')
    # xcodebuild passes variables on without the prefix.
    [ -z "$simulator" ] || step simulator env TEST_RUNNER_WIREWEIGHT_PROOF="$out/simulator" \
        xcodebuild test -scheme wireweight-Package -destination "platform=iOS Simulator,id=$simulator" \
        -only-testing:DeviceProofTests -only-testing:URLSessionObserverTests -skipPackagePluginValidation
fi

Scripts/join-proofs.py "$out"
