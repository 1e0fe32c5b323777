#!/usr/bin/env bash
# What would break those who use the libraries, compared with an earlier state: their public declarations, and those of
# the rooms that they export. The status is 1 where something would. Builds both states. What is removed, renamed or of
# another type is found; what was public and is now for the package alone is not.
#
# usage: Scripts/api-changes.sh [BASELINE]      a tag or commit; by default the newest tag of a release
set -euo pipefail
cd "$(dirname "$0")/.."

baseline=${1:-$(git tag --list 'v[0-9]*' --sort=-version:refname | head -n 1)}
if [ -z "$baseline" ]; then
    echo "api-changes: nothing to compare with: there is no tag v* before the first release." >&2
    echo "api-changes: 'make api-changes BASELINE=COMMIT' compares with a commit." >&2
    exit 0
fi
if ! git rev-parse --verify --quiet "$baseline^{commit}" >/dev/null; then
    echo "api-changes: there is no tag or commit '$baseline'; 'git tag' lists the tags" >&2
    exit 64
fi

echo "api-changes: compared with $baseline"
exec swift package diagnose-api-breaking-changes "$baseline"
