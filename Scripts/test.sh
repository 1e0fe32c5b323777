#!/usr/bin/env bash
# Runs the tests that are built, each group in a process of its own. The meter works on a whole process, so suites that meter wait
# for each other inside one process, but not for those of another process. The page's modules come first, then two groups at a time.
#
# usage: Scripts/test.sh [debug|release] [GROUP…]      page, units, tap, sessions, monitor, command, inspector; all without a GROUP
set -uo pipefail
cd "$(dirname "$0")/.." || exit

configuration=${1:-debug}
[ $# -eq 0 ] || shift
wanted=("$@")

# The tests of a group, by target. What no other group names belongs to the units, so that a new target is not forgotten.
declare -A targets=(
    [tap]='CurlObserverTests'
    [sessions]='URLSessionObserverTests|WireweightTestingTests'
    [monitor]='WireweightTests'
    [command]='WireweightCommandTests'
    [inspector]='TrafficInspectorTests'
)
others=$(IFS='|' && echo "${targets[*]}")
# Two at a time: the units, whose results come first, then the longest.
groups=(units command monitor tap sessions inspector)

logs=$PWD/.build/test-logs
rm -rf "$logs"
mkdir -p "$logs"
begin=$SECONDS
# Otherwise each test begins before the first ends, and the first result comes with the last.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=4

is_wanted() { [ ${#wanted[@]} -eq 0 ] || [[ " ${wanted[*]} " == *" $1 "* ]]; }

# run GROUP: shows suites as they end, and failures whole; all of it is in the log.
run() {
    local group=$1 filter
    if [ "$group" = units ]; then filter=(--skip "^($others)\."); else filter=(--filter "^(${targets[$group]})\."); fi
    # Without SwiftPM's lock, which is held while tests run and would make one group wait for another.
    swift test -c "$configuration" --skip-build --ignore-lock --disable-xctest "${filter[@]}" 2>&1 |
        tee "$logs/$group" | sed -nuE "s/^(✔ Suite|✘|↳|✔ Test run|.*[Ff]atal error)/$group: &/p"
    local status=${PIPESTATUS[0]}
    [ "$status" -eq 0 ] || echo "$group" >>"$logs/failed"
}

# The modules of the inspector's page, without a browser.
page() {
    command -v node >/dev/null 2>&1 || { echo "page: left out, there is no node here"; return; }
    if node --test Tests/Page/*.test.js >"$logs/page" 2>&1; then
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
    while [ "$(jobs -rp | wc -l)" -ge 2 ]; do wait -n; done
    run "$group" &
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
