#!/bin/sh
# Installs the system packages that a group of work needs and that are missing: build, test, arm64, integration, package, proxy,
# sanitize, steps, bench, streams, proxies, peers, fleet, firefox, images or lint. Each of the first four has those of the groups before it; package and proxy have those of build, sanitize,
# steps, bench, streams, proxies, peers, fleet, firefox and images have those of test. Quiet, and done at once, when nothing is missing.
set -eu

# libcurl4 and libxml2 are what Foundation itself loads.
build='ca-certificates clang|gcc libc6-dev libcurl4 libsqlite3-dev libxml2 zlib1g-dev'
test='curl git libcurl4-openssl-dev node|nodejs openssl python3 stunnel4 zbar-tools'
# The toolchain may bring its own lld.
arm64='ld.lld|lld python3 qemu-user-static'
integration='apache2|apache2-bin aria2 busybox-static chromium default-jdk-headless dpkg-dev fcgiwrap fonts-inter fonts-noto-cjk gcc gir1.2-soup-3.0 glib-networking gobjc libio-socket-ssl-perl libnspr4 libnss3-tools libssl-dev libwww-perl links lynx make nghttp2-client nghttp2-server nginx-light perl php-cli php-curl php-fpm procps prometheus python3 python3-dev python3-gi python3-jsonschema python3-pycurl python3-venv ruby sqlite3 tcl tcl-tls tshark util-linux w3m wget wget2 wrk'
# Foundation, in a static link, is linked to these libraries by their names.
package='binutils dpkg-dev libcurl4-gnutls-dev|libcurl4-openssl-dev libssl-dev libxml2-dev patchelf python3'
proxy='libssl-dev'
sanitize='libssl-dev nginx-light python3 valgrind'
steps='python3 valgrind'
bench='python3 python3-venv squid valgrind'
proxies='haproxy libssl-dev nginx-light python3 python3-venv squid wrk'
streams='nginx-light python3 valgrind wrk'
firefox='firefox-esr python3 python3-venv'
fleet='clickhouse-server curl java|default-jre-headless libzookeeper-java nginx-light openssl python3 python3-venv util-linux'
peers='dpkg-dev python3 python3-venv xz-utils'
images='chromium fonts-inter fonts-noto-cjk pngquant python3 python3-venv'

usage() {
    echo "usage: $0 build|test|arm64|integration|package|proxy|sanitize|steps|bench|streams|proxies|peers|fleet|firefox|images|lint" >&2
    exit 64
}

[ $# -eq 1 ] || usage
case $1 in
build) wanted=$build ;;
test) wanted="$build $test" ;;
arm64) wanted="$build $test $arm64" ;;
integration) wanted="$build $test $arm64 $integration" ;;
package) wanted="$build $package" ;;
proxy) wanted="$build $proxy" ;;
sanitize) wanted="$build $test $sanitize" ;;
steps) wanted="$build $test $steps" ;;
bench) wanted="$build $test $bench" ;;
streams) wanted="$build $test $streams" ;;
proxies) wanted="$build $test $proxies" ;;
peers) wanted="$build $test $peers" ;;
fleet) wanted="$build $test $fleet" ;;
firefox) wanted="$build $test $firefox" ;;
images) wanted="$build $test $images" ;;
lint) wanted='python3 shellcheck' ;;
*) usage ;;
esac

[ "$(uname -s)" = Linux ] || exit 0

if ! command -v dpkg-query >/dev/null 2>&1 || ! command -v apt-get >/dev/null 2>&1; then
    # Somebody else's package names: say what is needed once it is seen to be missing.
    [ "$1" = build ] || exit 0
    if [ -e /usr/include/sqlite3.h ] || [ -e /usr/local/include/sqlite3.h ]; then exit 0; fi
    echo "wireweight needs the headers of SQLite (sqlite-devel, sqlite3-dev) and the shared libcurl;" >&2
    echo "packages are installed by themselves on Debian and its kin only" >&2
    exit 1
fi

installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' 2>/dev/null | sed -n 's/^installed //p')
is_installed() {
    printf '%s\n' "$installed" | grep -qxF "$1"
}

missing=
for entry in $wanted; do
    # `a|b`: either will do, and the last is installed.
    found=
    for name in $(echo "$entry" | tr '|' ' '); do
        if is_installed "$name" || { [ "$entry" != "$name" ] && command -v "$name" >/dev/null 2>&1; }; then found=yes; fi
    done
    # Later Debian releases add `t64` to the names of libraries.
    if [ -z "$found" ] && is_installed "${entry}t64"; then found=yes; fi
    [ -n "$found" ] || missing="$missing ${entry##*|}"
done
[ -n "$missing" ] || exit 0

if [ "$(id -u)" -ne 0 ]; then
    echo "some packages are missing; install them with" >&2
    echo "sudo apt-get install --no-install-recommends$missing" >&2
    exit 1
fi

export DEBIAN_FRONTEND=noninteractive
echo "installing$missing"
install() {
    # shellcheck disable=SC2086 # a list of names
    apt-get install --yes --quiet --no-install-recommends -o Dpkg::Use-Pty=0 -o DPkg::Lock::Timeout=300 $missing
}
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# The lists of a fresh machine are empty or old.
if ! install >"$log" 2>&1; then
    apt-get update --quiet >"$log" 2>&1 || true
    if ! install >>"$log" 2>&1; then
        cat "$log" >&2
        exit 1
    fi
fi
