#!/usr/bin/env bash
# What takes long, or needs more than the toolchain: real programs at length, kill -9 five hundred times, hostile clients, the
# corpus over TLS. `make integration` builds what it runs, and calls it.
#
# usage: integration.sh [debug|release]
set -eu
cd "$(dirname "$0")/.."

export configuration=${1:-debug}
export WIREWEIGHT_INTEGRATION=1
# The longest part takes nine minutes on a busy machine. One that hangs fails and says where; the others run.
limit=1200

logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT
# The last runs of whoever calls this stay as they are.
export XDG_STATE_HOME=$logs/state
# Each part is timed, and the others run when one fails. What it prints comes when it ends: two parts run at a time.
part() {
    name=$1
    shift
    begin=$(date +%s)
    if Scripts/shared/deadline.py $limit "$@" >"$logs/$name" 2>&1; then result=passed; else
        result=FAILED
        echo "$name" >>"$logs/failed"
    fi
    {
        echo "== $name"
        cat "$logs/$name"
        echo "== $name: $result in $(($(date +%s) - begin)) s"
    } >"$logs/$name.said"
    cat "$logs/$name.said"
}

# The parts that are no scripts, for the shell that runs them: their own process has a deadline.
tests() {
    swift test -c "$configuration" --skip-build --ignore-lock "$@"
}

# URLSession on Linux trusts the system's bundle and nothing else. In a mount namespace the bundle is one with our
# certificate in it, and the machine stays as it is.
corpus_over_tls() {
    folder=$(mktemp -d)
    bundle=/etc/ssl/certs/ca-certificates.crt
    Scripts/shared/certificate.sh "$folder"
    cat "$bundle" "$folder/certificate.pem" >"$folder/bundle.pem"
    status=0
    # shellcheck disable=SC2016 # the inner shell's own variables
    CORPUS_TLS=$folder unshare -rm sh -c 'mount --bind "$1" "$2" && shift 2 && exec "$@"' sh \
        "$folder/bundle.pem" "$bundle" swift test -c "$configuration" --skip-build --ignore-lock --filter 'WireweightTests.*overTLS' || status=$?
    rm -rf "$folder"
    return $status
}
export -f tests corpus_over_tls
# shellcheck disable=SC2016 # that shell's own words
in_shell=(bash -euc '"$@"' integration)

# Two parts at a time, for two cores: most of what they do is waiting for programs and clocks. Each begins when another ends.
beside() {
    while [ "$(jobs -rp | wc -l)" -ge 2 ]; do wait -n || true; done
    part "$@" &
}
scripts() {
    for name in "$@"; do beside "$name" "Scripts/integration/$name.sh" "$configuration"; done
}
# `.ci/run` has run these tests at this length already.
if [ -z "${WIREWEIGHT_TESTED:-}" ]; then
    part "the command and real programs" "${in_shell[@]}" tests --filter WireweightCommandTests
    part "damaged stores" "${in_shell[@]}" tests --filter TrafficStoreTests.DamageTests
    part "faults by the hundred" "${in_shell[@]}" tests --filter 'TapTests.*Faults'
fi
# The longest first, so that both cores are busy to the end, whichever part takes longer on a machine.
scripts browser
# shellcheck disable=SC2086 # several words, or none
beside hostile Scripts/integration/hostile.sh "$configuration" ${HOSTILE_CLIENTS:-}
if unshare -rm true 2>/dev/null; then
    beside "the corpus over TLS" "${in_shell[@]}" corpus_over_tls
else
    echo "== the corpus over TLS: left out, this machine gives no mount namespace"
fi
scripts curl proxy verify arm64 taps soak stacks browsers protocols programs servers recipes detours exports store pages lookups
wait

# No script is forgotten.
for script in Scripts/integration/*.sh; do
    [ -e "$logs/$(basename "$script" .sh)" ] || echo "$script: nothing runs it" >>"$logs/failed"
done
# What a part printed is far above by now: its end once more.
[ ! -e "$logs/failed" ] || {
    while read -r name; do
        echo "FAILED: $name"
        tail -n 60 "$logs/$name" 2>/dev/null || true
    done <"$logs/failed"
    echo "failed: $(paste -sd , "$logs/failed")" >&2
    exit 1
}
echo "integration passed"
