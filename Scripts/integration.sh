#!/bin/sh
# What takes long, or needs more than the toolchain: real programs at length, kill -9 five hundred times, hostile clients, the
# corpus over TLS. `make integration` builds what it runs, and calls it.
#
# usage: integration.sh [debug|release]
set -eu
cd "$(dirname "$0")/.."

configuration=${1:-debug}
WIREWEIGHT_INTEGRATION=1
export WIREWEIGHT_INTEGRATION

failed=
# Each part is timed, and the others run when one fails.
part() {
    name=$1
    shift
    echo "== $name"
    begin=$(date +%s)
    if "$@"; then result=passed; else
        result=FAILED
        failed="$failed $name;"
    fi
    echo "== $name: $result in $(($(date +%s) - begin)) s"
}

tests() {
    swift test -c "$configuration" --skip-build "$@"
}

# URLSession on Linux trusts the system's bundle and nothing else. In a mount namespace the bundle is one with our
# certificate in it, and the machine stays as it is.
corpus_over_tls() {
    folder=$(mktemp -d)
    bundle=/etc/ssl/certs/ca-certificates.crt
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 30 -subj /CN=localhost \
        -addext subjectAltName=DNS:localhost,IP:127.0.0.1 \
        -keyout "$folder/key.pem" -out "$folder/certificate.pem" 2>"$folder/log" || cat "$folder/log"
    cat "$bundle" "$folder/certificate.pem" >"$folder/bundle.pem"
    status=0
    # shellcheck disable=SC2016 # the inner shell's own variables
    CORPUS_TLS=$folder unshare -rm sh -c 'mount --bind "$1" "$2" && shift 2 && exec "$@"' sh \
        "$folder/bundle.pem" "$bundle" swift test -c "$configuration" --skip-build --filter 'WireweightTests.*overTLS' || status=$?
    rm -rf "$folder"
    return $status
}

part "the command and real programs" tests --filter WireweightCommandTests
part "damaged stores" tests --filter TrafficStoreTests.DamageTests
part "faults by the hundred" tests --filter 'TapTests.*Faults'
if unshare -rm true 2>/dev/null; then
    part "the corpus over TLS" corpus_over_tls
else
    echo "== the corpus over TLS: left out, this machine gives no mount namespace"
fi
for script in Scripts/integration/*.sh; do
    [ -e "$script" ] || continue
    part "$(basename "$script" .sh)" "$script" "$configuration"
done

[ -z "$failed" ] || {
    echo "failed:$failed" >&2
    exit 1
}
echo "integration passed"
