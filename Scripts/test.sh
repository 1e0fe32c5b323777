#!/usr/bin/env bash
# Runs the tests that are built, each group in a process of its own. The meter works on a whole process, so suites that meter wait
# for each other inside one process, but not for those of another process.
#
# usage: Scripts/test.sh [debug|release] [GROUP…]      page, units, reports, store, tap, sessions, monitor, command, inspector; all without a GROUP
set -uo pipefail
cd "$(dirname "$0")/.." || exit

configuration=${1:-debug}
[ $# -eq 0 ] || shift
wanted=("$@")

# The tests of a group, by target. What no other group names belongs to the units, so that a new target is not forgotten.
declare -A targets=(
    [reports]='TrafficReportsTests|TrafficAuditTests|CaptureVerificationTests|TextFormatsTests'
    [store]='TrafficStoreTests|TrafficExportTests'
    [tap]='CurlObserverTests'
    [sessions]='URLSessionObserverTests|WireweightTestingTests'
    [monitor]='WireweightTests|DeviceProofTests'
    [command]='WireweightCommandTests'
    [inspector]='TrafficInspectorTests'
)
others=$(IFS='|' && echo "${targets[*]}")
# What only computes has the machine to itself, so that its results come within seconds; then the longest first, three at a
# time, because most of what they do is waiting for programs and servers.
groups=(units reports command store monitor tap inspector sessions)
# Where a test after the other takes no longer, each has its result, and its own duration, as soon as it is done.
declare -A serial=([units]=1 [reports]=1 [tap]=1 [store]=1 [inspector]=1)

logs=$PWD/.build/test-logs
rm -rf "$logs"
mkdir -p "$logs"
begin=$SECONDS
# The longest group takes ten minutes on a busy machine. One that hangs fails and says in which tests; the others run.
limit=1500
# Otherwise each test begins before the first ends, and the first result comes with the last.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=4

is_wanted() { [ ${#wanted[@]} -eq 0 ] || [[ " ${wanted[*]} " == *" $1 "* ]]; }

# run GROUP: shows how many tests have passed as they do, and failures whole; all of it is in the log.
run() {
    local group=$1 filter
    local options=()
    [ -z "${serial[$group]:-}" ] || options=(--no-parallel)
    if [ "$group" = units ]; then filter=(--skip "^($others)\."); else filter=(--filter "^(${targets[$group]})\."); fi
    # shellcheck disable=SC2016 # the variables are awk's
    # Without SwiftPM's lock, which is held while tests run and would make one group wait for another.
    Scripts/shared/deadline.py $limit swift test -c "$configuration" --skip-build --ignore-lock --disable-xctest "${options[@]}" "${filter[@]}" 2>&1 |
        tee "$logs/$group" | stdbuf -i0 awk -v group="$group" -v begin="$(date +%s)" '
            /^✔ Test run/ || /^✘/ || /^↳ [^TS]/ || /[Ff]atal error/ { print group ": " $0; fflush(); next }
            /^✔ Test / { passed++; if (passed == 1 || passed % 50 == 0) { printf "%s: %d passed, %d s\n", group, passed, systime() - begin; fflush() } }'
    local status=${PIPESTATUS[0]}
    [ "$status" -eq 0 ] || echo "$group" >>"$logs/failed"
    [ "$status" -ne 124 ] || hanging "$group" | tee -a "$logs/$group"
}

# hanging GROUP: the tests of its log that have begun and not ended.
hanging() {
    awk -v group="$1" '
        /^◇ Test .* started\.$/ { sub(/^◇ Test /, ""); sub(/ started\.$/, ""); running[$0] }
        /^(✔|✘) Test .* (passed|failed) after / { sub(/^(✔|✘) Test /, ""); sub(/ (passed|failed) after .*/, ""); delete running[$0] }
        END { for (each in running) if (each !~ /^(run$|case )/) print "✘ " group ": it had not ended: " each }' "$logs/$1"
}

# The modules of the inspector's page, without a browser.
page() {
    command -v node >/dev/null 2>&1 || { echo "page: left out, there is no node here"; return; }
    if Scripts/shared/deadline.py $limit node --test Tests/Page/*.test.js >"$logs/page" 2>&1; then
        sed -n 's/^# pass \([0-9]*\)/page: ✔ \1 tests passed/p; s/^ℹ pass \([0-9]*\)/page: ✔ \1 tests passed/p' "$logs/page"
    else
        cat "$logs/page"
        echo page >>"$logs/failed"
    fi
}

for group in "${wanted[@]}"; do
    [[ "$group" == units || "$group" == page ]] || [ -n "${targets[$group]:-}" ] || {
        echo "there is no group '$group'; there are page units ${!targets[*]}" >&2
        exit 64
    }
done
if is_wanted page; then page; fi
for group in "${groups[@]}"; do
    is_wanted "$group" || continue
    while [ "$(jobs -rp | wc -l)" -ge 3 ]; do wait -n; done
    run "$group" &
    [ "$group" != reports ] || wait
done
wait

# The runner's closing lines, once more and together.
for log in "$logs"/*; do sed -nE "s/^(✔|✘) Test run with .*/$(basename "$log"): &/p" "$log"; done
if [ -e "$logs/failed" ]; then
    sort -u "$logs/failed" | while read -r group; do
        echo "$group failed; its whole output is in .build/test-logs/$group:"
        grep -aE -A 6 '✘|[Ff]atal error' "$logs/$group" | tail -n 60
        tail -n 3 "$logs/$group"
    done
    exit 1
fi
echo "all passed in $((SECONDS - begin)) s"
