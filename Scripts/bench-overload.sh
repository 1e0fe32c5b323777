#!/bin/sh
# Measures the writer on a disk that takes a third of what comes, and prints the table of docs/measurements/store.md.
#
#   Scripts/bench-overload.sh BUILD_DIR [SECONDS]
#
# BUILD_DIR holds a release build. Each write to the slow file takes a millisecond longer: a library that is loaded into
# the benchmark sees to it. SECONDS are 30 unless given.
set -eu

if [ $# -lt 1 ]; then
    echo "usage: Scripts/bench-overload.sh BUILD_DIR [SECONDS]" >&2
    exit 64
fi
program=$1/WireweightBenchmarks
if [ ! -x "$program" ]; then
    echo "bench-overload: '$program' is not there; build it with 'make build CONFIGURATION=release'" >&2
    exit 66
fi
here=$(cd "$(dirname "$0")/.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM
cc -shared -fPIC -O2 -D_GNU_SOURCE "$here/Tests/Programs/faults.c" -o "$folder/shim.so" -ldl

echo "| what | aim | measured | half of the runs |"
echo "| --- | --- | --- | --- |"
LD_PRELOAD="$folder/shim.so" FAULTS_PATH="$folder/slow" FAULTS_ONE_IN=0 FAULTS_DELAY="${FAULTS_DELAY:-1000}" \
    "$program" overload "$folder/slow.db" "$folder/fast.db" "${2:-30}"
