#!/usr/bin/env bash
# Type-checks the Swift in the documentation: every ```swift block of the pages, and of the façade's own comments.
# The views in Examples/App are checked here, too, against a few declarations of SwiftUI's (Tests/AppleStandIn).
#
# A block is taken as what it looks like: a manifest, lines of a manifest, declarations, or else statements. Those
# are put into a method with the variables that samples use: see `context` below.
#
# usage: Scripts/check-samples.sh BUILD_DIR      where the examples are built: .build/examples/debug
set -euo pipefail

if [ $# -ne 1 ] || [ ! -e "$1/Modules/AppTraffic.swiftmodule" ]; then
    echo "usage: $0 BUILD_DIR, where the examples are built; 'make examples' builds them" >&2
    exit 64
fi
cd "$(dirname "$0")/.."
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

toolchain=$(dirname "$(readlink -f "$(command -v swiftc)")")/..
mapfile -t flags < <(Scripts/module-flags.sh "$1")
flags+=(-swift-version 6 -parse-as-library -module-cache-path "$out/cache" -I "$out"
    -plugin-path "$toolchain/lib/swift/host/plugins/testing")
manifest_flags=(-swift-version 6 -package-description-version 6.2.0
    -module-cache-path "$out/cache" -I "$toolchain/lib/swift/pm/ManifestAPI")

# Writes each block of a page to a file of its own, OUT/NUMBER.swift, or OUT/NUMBER.manifest.
# Errors are reported at their lines in the page.
extract() {
    awk -v page="$1" -v out="$2" '
        function context() {
            return "import FeedClient\nimport Foundation\n#if canImport(FoundationNetworking)\nimport FoundationNetworking\n#endif\n" \
                "import Testing\nimport Wireweight\nimport WireweightInspector\nimport WireweightShipping\nimport WireweightTesting\n"
        }
        function finish(    file, place, line, i) {
            count += 1
            place = "#sourceLocation(file: \"" page "\", line: " first ")\n"
            file = out "/" count (kind ~ /manifest/ ? ".manifest" : ".swift")
            if (kind == "manifest") {
                printf "%s%s", place, body > file
            } else if (kind == "manifest lines") {
                printf "import PackageDescription\nprivate func lines() {\n%s%s}\n", place, lines > file
            } else if (kind == "declarations") {
                printf "%s%sprivate var client: FeedClient { fatalError() }\n%s%s", context(), imports, place, body > file
            } else {
                printf "%s%s", context(), imports > file
                printf "private final class Sample: NSObject, URLSessionDelegate, @unchecked Sendable {\n" > file
                printf "func sample(monitor: TrafficMonitor, session: URLSession, request: URLRequest, url: URL, client: FeedClient) async throws {\n" > file
                printf "%s%s}\n}\n", place, body > file
            }
            close(file)
        }
        { text = $0; sub(/^ *\/\/\/ ?/, "", text) }
        !inside && text ~ /^ *```swift *$/ {
            inside = 1; first = NR + 1; kind = "statements"; body = ""; lines = ""; imports = ""; next
        }
        inside && text ~ /^ *``` *$/ { inside = 0; finish(); next }
        inside {
            if (body == "" && text ~ /^\/\/ swift-tools-version/) kind = "manifest"
            if (text ~ /^\.(package|product)\(/) {
                kind = "manifest lines"
                type = text ~ /^\.package/ ? "Package.Dependency" : "Target.Dependency"
                value = text; sub(/ +\/\/.*$/, "", value); sub(/,$/, "", value)
                lines = lines "let line" NR ": " type " = " value
            }
            if (kind == "statements" && text ~ /^(@main|@Test|@Suite|((public|private|final) )*(struct|class|actor|enum|extension|protocol) )/) kind = "declarations"
            lines = lines "\n"
            # A method must not contain an import; its line stays empty, so that the others keep their numbers.
            if (text ~ /^import / && kind != "manifest") { imports = imports text "\n"; text = "" }
            body = body text "\n"
        }
    ' "$1"
}

fail() {
    echo "check-samples: $1" >&2
    exit 1
}

swiftc -emit-module -emit-module-path "$out/SwiftUI.swiftmodule" -module-name SwiftUI -parse-as-library \
    -swift-version 6 -module-cache-path "$out/cache" \
    Tests/AppleStandIn/SwiftUI/*.swift
swiftc -typecheck -warnings-as-errors "${flags[@]}" -module-name App Examples/App/*.swift \
    || fail "the views of Examples/App do not compile"

blocks=0
manifests=0
for page in README.md docs/*.md docs/*/*.md Examples/*.md Sources/Wireweight/Wireweight.docc/*.md Sources/Wireweight/*.swift \
    Sources/WireweightInspector/*.swift Sources/WireweightServer/*.swift \
    Sources/WireweightShipping/*.swift Sources/Diagnosis/SelfTest/*.swift Sources/WireweightTesting/Metering/*.swift; do
    [ -e "$page" ] || continue
    folder=$out/${page//\//-}
    mkdir "$folder"
    extract "$page" "$folder"
    mapfile -t samples < <(find "$folder" -type f -name '*.swift' | sort)
    if [ ${#samples[@]} -gt 0 ]; then
        swiftc -typecheck -suppress-warnings "${flags[@]}" -module-name Samples "${samples[@]}" \
            || fail "a sample in $page does not compile"
        blocks=$((blocks + ${#samples[@]}))
    fi
    while read -r manifest; do
        cp "$manifest" "$out/Package.swift"
        swiftc -typecheck -suppress-warnings "${manifest_flags[@]}" "$out/Package.swift" \
            || fail "a manifest in $page does not compile"
        manifests=$((manifests + 1))
    done < <(find "$folder" -type f -name '*.manifest' | sort)
done
if [ "$blocks" -eq 0 ] || [ "$manifests" -eq 0 ]; then fail "no samples were found; pages begin them with '\`\`\`swift'"; fi
echo "check-samples: $blocks samples and $manifests manifests compile, and the views of Examples/App"
