#!/usr/bin/env bash
# Type-checks what only Apple platforms compile, on Linux: the whole of URLSessionObserver against declarations of the
# Objective-C runtime and of Foundation that are kept in Tests/AppleStandIn, in Swift 6 mode with Objective-C
# interoperation on. The front end has no standard library for an Apple target here, so `os(iOS)` and `os(macOS)` cannot
# be distinguished; the sources do not ask for them, and this script makes sure of that.
set -euo pipefail
cd "$(dirname "$0")/.."

room=Sources/URLSessionObserver
stand_in=Tests/AppleStandIn
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

if grep -rnE '#(else)?if.*(os|targetEnvironment)\(' "$room"; then
    echo "check-apple: '$room' distinguishes Apple platforms, which cannot be checked here" >&2
    exit 1
fi

interop=(-Xfrontend -enable-objc-interop -Xfrontend -disable-objc-attr-requires-foundation-module)
common=(-swift-version 6 -parse-as-library -package-name wireweight -I "$out" -module-cache-path "$out/cache")
strict=(-enable-upcoming-feature ExistentialAny -enable-upcoming-feature InternalImportsByDefault
    -enable-upcoming-feature MemberImportVisibility)

module() {
    local name=$1
    shift
    swiftc "${common[@]}" -emit-module -emit-module-path "$out/$name.swiftmodule" -module-name "$name" "$@"
}

mkdir "$out/CHTTPWire"
cp Sources/CHTTPWire/include/*.h "$out/CHTTPWire/"
printf 'module CHTTPWire {\n    umbrella "."\n    export *\n}\n' >"$out/CHTTPWire/module.modulemap"

sources() { find "$1" -name '*.swift' | sort; }

mapfile -t bytes < <(sources Sources/ASCIIBytes)
mapfile -t model < <(sources Sources/TrafficModel)
mapfile -t clocks < <(sources Sources/Clocks)
mapfile -t wire < <(sources Sources/HTTPWire)
mapfile -t accounts < <(sources Sources/ConnectionAccounts)
mapfile -t coding < <(sources Sources/ContentCoding)
mapfile -t observing < <(sources Sources/Observing)
mapfile -t foundation < <(sources "$stand_in/Foundation")
mapfile -t observer < <(sources "$room")

module ASCIIBytes "${strict[@]}" "${bytes[@]}"
module TrafficModel "${strict[@]}" "${model[@]}"
module HTTPWire "${strict[@]}" -I "$out/CHTTPWire" "${wire[@]}"
module Clocks "${strict[@]}" "${clocks[@]}"
module ConnectionAccounts "${strict[@]}" -I "$out/CHTTPWire" "${accounts[@]}"
module Observing "${strict[@]}" -I "$out/CHTTPWire" "${observing[@]}"
module ContentCoding "${strict[@]}" -I "$out/CHTTPWire" -I Sources/CZlib "${coding[@]}"
module ObjectiveC "${interop[@]}" -import-underlying-module -I "$stand_in/ObjectiveC" "$stand_in/ObjectiveC/ObjectiveC.swift"
module Foundation "${interop[@]}" -I "$stand_in/ObjectiveC" "${foundation[@]}"

swiftc "${common[@]}" "${strict[@]}" "${interop[@]}" -typecheck -warnings-as-errors -D APPLE_STAND_IN \
    -module-name URLSessionObserver -I "$stand_in/ObjectiveC" -I "$out/CHTTPWire" -I Sources/CZlib "${observer[@]}"
echo "check-apple: ${#observer[@]} files type-checked as on an Apple platform"
