#!/bin/sh
# Prints where and when something is measured, as the pages of docs/measurements have it: bench-machine.sh BENCHMARKS
set -eu

here=$(cd "$(dirname "$0")/.." && pwd)
processor=$(sed -n 's/^model name[[:space:]]*: //p' /proc/cpuinfo 2>/dev/null | head -n 1)
commit=$(git -C "$here" rev-parse --short HEAD 2>/dev/null || echo unknown)
if [ -n "$(git -C "$here" status --porcelain 2>/dev/null)" ]; then
    commit="$commit with changes"
fi
echo "- machine: ${processor:-$(uname -m)}, $(getconf _NPROCESSORS_ONLN) cores, $(uname -s) $(uname -r)"
echo "- versions: $("$1" versions)"
echo "- date: $(date -u +%Y-%m-%d), commit $commit, load before it began $(cut -d ' ' -f 1 /proc/loadavg 2>/dev/null || echo unknown)"
