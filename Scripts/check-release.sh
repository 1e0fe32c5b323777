#!/usr/bin/env bash
# The version is in one place, and the texts about releases agree with it: the newest release in CHANGELOG.md is
# that version and has a date, above it is a section for what comes, and the release has its notes.
#
# usage: Scripts/check-release.sh
set -euo pipefail
cd "$(dirname "$0")/.."

place=Sources/TrafficExport/Producer.swift
status=0
fail() {
    echo "check-release: $1" >&2
    status=1
}

version=$(sed -n 's/.*static let version = "\(.*\)".*/\1/p' "$place")
if [[ ! $version =~ ^[0-9]+\.[0-9]+\.[0-9]+$ ]]; then
    fail "$place: '$version' is no version such as 0.1.0"
    exit 1
fi

mapfile -t headings < <(grep '^## ' CHANGELOG.md)
if [ "${headings[0]:-}" != '## [Unreleased]' ]; then
    fail "CHANGELOG.md begins with '${headings[0]:-nothing}'; '## [Unreleased]' must be above all releases"
fi
if [[ ! ${headings[1]:-} =~ ^"## [$version] - "[0-9]{4}-[0-9]{2}-[0-9]{2}$ ]]; then
    fail "CHANGELOG.md: the newest release is '${headings[1]:-none}', and $place says $version; make them agree"
fi
if ! grep -qs "^# Wireweight $version\$" "docs/releases/$version.md"; then
    fail "docs/releases/$version.md is missing, or does not begin with '# Wireweight $version'"
fi
# A second copy would be forgotten. Versions of other software are not meant.
while read -r found; do
    fail "$found: the version is only in $place; take it from there"
done < <(grep -rnF "\"$version\"" Sources --include='*.swift' --include='*.c' --include='*.js' | grep -v "^$place:" | cut -d: -f1,2)
exit "$status"
