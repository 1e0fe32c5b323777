#!/usr/bin/env bash
# Fuzzes the machines that take bytes of others: see docs/measurements/fuzzing.md.
#
# usage: Scripts/fuzz.sh SECONDS [TARGET…]      SECONDS for each target; all targets unless some are named
#
# JOBS fuzzers run beside each other (1). With a SEED chance repeats itself; without, each run has another. What they found
# interesting is kept in .build/fuzz/corpus, so that the next run goes on from there; an input that breaks something is kept in
# .build/fuzz/findings.
set -euo pipefail
cd "$(dirname "$0")/.."

if [[ $# -lt 1 || ! $1 =~ ^[1-9][0-9]*$ ]]; then
    echo "usage: $0 SECONDS [TARGET…], such as $0 60 chunks http2" >&2
    exit 64
fi
seconds=$1
shift
targets=("$@")
if [ ${#targets[@]} -eq 0 ]; then
    mapfile -t targets < <(sed -n 's/^ *name: "\([a-z0-9-]*\)",$/\1/p' Fuzz/Targets/*.swift)
fi
place=$PWD/.build/fuzz
fuzzer=$place/wireweight-fuzz
# Swift's own report of a crash would come before that of the sanitizer.
export SWIFT_BACKTRACE=enable=no

# A target, not a product: libFuzzer brings `main`, and SwiftPM would bring another. Its objects are linked here.
# Both sanitizers in one flag: of several, swiftc takes the last, and SwiftPM writes them in any order.
# CStreamTap is used by another room in C alone, so a build of Fuzz leaves its objects out.
for target in CStreamTap Fuzz; do
    swift build -c release --scratch-path "$place" --target "$target" --sanitize=fuzzer \
        -Xswiftc -sanitize=fuzzer,address -Xcc -fsanitize=fuzzer,address -Xswiftc -DFUZZING
done
# What was built is what Fuzz needs, and nothing else.
mapfile -t objects < <(find "$place"/release/*.build/ -name '*.o')
if [ ! -e "$fuzzer" ] || [ -n "$(find "${objects[@]}" -newer "$fuzzer")" ]; then
    swiftc -use-ld=lld -sanitize=fuzzer,address "${objects[@]}" -lz -Xlinker -l:libcurl.so.4 -o "$fuzzer"
fi

# Prints one line, and fails where something was found.
fuzz() {
    local target=$1 corpus=$place/corpus/$1 findings=$place/findings/$1 seeds=$place/seeds/$1 log=$place/$1.log
    rm -rf "$seeds"
    mkdir -p "$corpus" "$findings" "$seeds"
    local folders=("$corpus" "$seeds")
    FUZZ_TARGET=$target FUZZ_SEEDS=$seeds "$fuzzer" >"$log" 2>&1 || { cat "$log" >&2; return 1; }
    # What was found once is where to look again.
    [ ! -d "Tests/FuzzTests/Findings/$target" ] || folders+=("Tests/FuzzTests/Findings/$target")
    # Concurrent fuzzers share the processors, so print the processor time of each.
    local TIMEFORMAT='processor: %U + %S'
    if ! { time FUZZ_TARGET=$target "$fuzzer" -seed="${SEED:-0}" -max_total_time="$seconds" -max_len=4096 \
        -timeout=20 -rss_limit_mb=2048 -print_final_stats=1 -artifact_prefix="$findings/" "${folders[@]}"; } >"$log" 2>&1; then
        grep -E 'Fatal error|ERROR|SUMMARY|Test unit written' "$log" | cut -c1-2000 >&2
        echo "$target: FOUND something; the input is in $findings, all that was said in $log" >&2
        return 1
    fi
    local runs edges processor
    processor=$(awk '/^processor: /{printf "%.0f", $2 + $4}' "$log")
    runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
    edges=$(grep -o 'cov: [0-9]*' "$log" | tail -n 1)
    echo "$target: $runs inputs in $seconds s, $processor s of processor, ${edges#cov: } edges, no finding"
}

status=0
running=0
for target in "${targets[@]}"; do
    fuzz "$target" &
    running=$((running + 1))
    if [ "$running" -ge "${JOBS:-1}" ]; then
        wait -n || status=1
        running=$((running - 1))
    fi
done
while [ "$running" -gt 0 ]; do
    wait -n || status=1
    running=$((running - 1))
done
exit "$status"
