#!/bin/sh
# Writes the inspector's page, Sources/TrafficInspector/Web, into Sources/TrafficInspector/Assets/PageAssets.swift.
# Run it after a change of the page; with --check it says whether somebody forgot to.
set -eu
cd "$(dirname "$0")/.."

web=Sources/TrafficInspector/Web
target=Sources/TrafficInspector/Assets/PageAssets.swift

type_of() {
    case $1 in
    *.html) echo "text/html; charset=utf-8" ;;
    *.css) echo "text/css; charset=utf-8" ;;
    *.js) echo "text/javascript; charset=utf-8" ;;
    *.svg) echo "image/svg+xml" ;;
    *) return 1 ;;
    esac
}

# Raw string literals hold the text as it is, compile at once, and can be read.
write() {
    cat <<'SWIFT'
// swift-format-ignore-file
// Made by Scripts/embed-page.sh from Sources/TrafficInspector/Web; not to be changed by hand.

/// The files of the page.
enum PageAssets {
    struct Asset: Sendable {
        let type: String
        let tag: String
        let bytes: [UInt8]

        fileprivate init(_ type: String, _ tag: String, _ text: StaticString) {
            self.type = type
            self.tag = tag
            bytes = text.withUTF8Buffer { Array($0) }
        }
    }

    static let all: [String: Asset] = [
SWIFT
    for file in "$web"/*; do
        name=${file##*/}
        type=$(type_of "$name") || continue
        if grep -q -e '"""##' -e '\\##' -e "$(printf '\r')" "$file"; then
            echo "$file holds what ends a Swift string literal" >&2
            exit 1
        fi
        tag=$(sha256sum "$file" | cut -c1-20)
        # The line end before the closing quotes is no part of the literal, that of the file's last line is.
        printf '        "%s": Asset("%s", "\\"%s\\"", ##"""\n' "$name" "$type" "$tag"
        cat "$file"
        printf '\n"""##),\n'
    done
    printf '    ]\n}\n'
}

case ${1:-} in
"") write >"$target" ;;
--check)
    made=$(mktemp)
    trap 'rm -f "$made"' EXIT
    write >"$made"
    if ! cmp -s "$made" "$target"; then
        echo "$target is not what Scripts/embed-page.sh makes of $web: run it and commit what it wrote" >&2
        exit 1
    fi
    ;;
*)
    echo "usage: $0 [--check]" >&2
    exit 64
    ;;
esac
