#!/bin/bash
# What building costs: how many packages an adopter resolves, the processor time of clean builds, the size of the command.
#
# usage: bench-build.sh [FOLDER]
#
# Builds what is committed, in clones of this repository under FOLDER (/tmp/bench-build unless given), which is removed at the end. Prints Markdown.
# Processor time is that of all processes, user and system, and repeats where time on the clock does not. Packages are taken from
# SwiftPM's cache where they are there.
set -euo pipefail
cd "$(dirname "$0")/.."

folder=${1:-/tmp/bench-build}
source=$PWD
rm -rf "$folder"
mkdir -p "$folder"
trap 'rm -rf "$folder"' EXIT
git clone -q "$source" "$folder/wireweight"
git -C "$folder/wireweight" tag 0.0.1

# An app that uses the library; with which traits is its argument.
adopter() {
    local name=$1 traits=$2
    mkdir -p "$folder/$name/Sources/App"
    cat >"$folder/$name/Package.swift" <<SWIFT
// swift-tools-version: 6.2
import PackageDescription
let package = Package(
    name: "App",
    dependencies: [.package(url: "file://$folder/wireweight", exact: "0.0.1"$traits)],
    targets: [.executableTarget(name: "App", dependencies: [.product(name: "Wireweight", package: "wireweight")])])
SWIFT
    cat >"$folder/$name/Sources/App/App.swift" <<'SWIFT'
import Wireweight

@main enum App {
    static func main() throws { try TrafficMonitor.start().stop() }
}
SWIFT
    swift package --package-path "$folder/$name" resolve >"$folder/$name.log" 2>&1 || { cat "$folder/$name.log" >&2; exit 1; }
}

resolved() { grep -c '"identity"' "$folder/$1/Package.resolved"; }
names() { sed -n 's/.*"identity" : "\(.*\)".*/\1/p' "$folder/$1/Package.resolved" | grep -v '^wireweight$' | paste -sd, | sed 's/,/, /g'; }

# A clean build: processor time and time on the clock, in seconds.
measure() {
    local log=$folder/build.log
    local TIMEFORMAT='%U %S %R'
    { time swift build "$@" >"$log" 2>&1 || { tail -n 40 "$log" >&2; exit 1; }; } 2>"$folder/time"
    tail -n 1 "$folder/time" | awk '{ printf "%.0f s | %.0f s", $1 + $2, $3 }'
}

mebibytes() { stat -c %s "$1" | awk '{ printf "%.1f MiB", $1 / 1048576 }'; }

adopter all ''
adopter library ', traits: []'
echo "| packages that an adopter resolves beside ours | | |"
echo "| --- | ---: | --- |"
echo "| usually | $(($(resolved all) - 1)) | $(names all) |"
echo "| with \`traits: []\`, without the command | $(($(resolved library) - 1)) | $(names library) |"
echo
echo "| clean build | processor time | by the clock |"
echo "| --- | ---: | ---: |"
echo "| an app with the library, debug | $(measure --package-path "$folder/library") |"
echo "| all of the package, debug | $(measure --package-path "$folder/wireweight") |"
mkdir "$folder/statistics"
echo "| the command, release | $(measure --package-path "$folder/wireweight" -c release --product wireweight \
    -Xswiftc -stats-output-dir -Xswiftc "$folder/statistics") |"
echo
echo "| of the last one, the compiler by module | processor time |"
echo "| --- | ---: |"
python3 - "$folder/statistics" <<'PYTHON'
import json, pathlib, re, sys
times = {}
for file in pathlib.Path(sys.argv[1]).glob("stats-*-swift-frontend-*.json"):
    module = re.search(r"swift-frontend-(\w+?)-", file.name)[1]
    figures = json.loads(file.read_text())
    whole = [value for key, value in figures.items() if re.match(r"time\.swift-frontend\..*\.(user|sys)$", key)]
    times[module] = times.get(module, 0) + sum(whole)
shown = sorted(times.items(), key=lambda entry: -entry[1])
for module, seconds in shown[:6]:
    print(f"| {module} | {seconds:.0f} s |")
print(f"| {len(shown) - 6} others | {sum(seconds for _, seconds in shown[6:]):.0f} s |")
PYTHON
binary=$folder/wireweight/.build/release/wireweight
cp "$binary" "$folder/stripped"
strip "$folder/stripped"
echo
echo "| the command, release | size |"
echo "| --- | ---: |"
echo "| as it is built | $(mebibytes "$binary") |"
echo "| stripped | $(mebibytes "$folder/stripped") |"
make -s -C "$folder/wireweight" tap CONFIGURATION=release >/dev/null
cp "$folder/wireweight/.build/release/libWireweightPreload.so" "$folder/tap"
strip "$folder/tap"
echo "| the tap that it loads into programs, stripped | $(mebibytes "$folder/tap") |"
