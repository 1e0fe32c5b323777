#!/bin/sh
# The hostile cases with every libcurl that Debian and PyPI have: pycurl is built against each of those that
# integration/hostile/libcurls.txt lists, and makes each case alone and metered.
#
# usage: libcurls.sh [debug|release] [VERSION…]: all versions, or these
#
# Thirty cases, or CASES="socks5 h2" by the start of their names, or CASES=all. LIBCURLS_CACHE=FOLDER keeps what was downloaded
# and built.
set -eu
cd "$(dirname "$0")/.."

list=Scripts/integration/hostile/libcurls.txt
command=$PWD/.build/${1:-debug}/wireweight
[ $# -eq 0 ] || shift
versions=${*:-all}

if [ "$(uname -m)" != x86_64 ]; then
    echo "left out: the wheels are for x86-64"
    exit 0
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cache=${LIBCURLS_CACHE:-$folder/cache}
mkdir -p "$cache"
/usr/bin/python3 -m venv "$folder/venv"

get() {
    "$folder/venv/bin/pip" download --quiet --disable-pip-version-check --no-deps "$@" >"$folder/said" 2>&1 && return
    tail -3 "$folder/said"
    return 1
}

source=$cache/pycurl-7.45.7
if [ ! -d "$source" ]; then
    get --no-binary :all: --dest "$cache" "$(basename "$source" | sed 's/-/==/')" || {
        echo "left out: pycurl's source cannot be had here"
        exit 0
    }
    tar -C "$cache" -xzf "$source.tar.gz"
fi
headers=$(dirname "$(find /usr/include -name curlver.h | head -1)")

# Unpacks the wheel's libraries into a folder, or finds Debian's library; prints the path of libcurl.
find_libcurl() {
    into=$1 origin=$2 python=$3 platform=$4
    case $origin in
    *==*)
        get --only-binary :all: --python-version "$python" --platform "$platform" --dest "$folder/wheel" "$origin" >&2 || return 1
        mkdir -p "$into"
        for wheel in "$folder"/wheel/*.whl; do /usr/bin/python3 -m zipfile -e "$wheel" "$folder/wheel/all"; done
        find "$folder/wheel/all" -path '*.libs/*.so*' -exec mv {} "$into" \;
        rm -rf "$folder/wheel"
        find "$into" -name 'libcurl*'
        ;;
    *) ldconfig -p | sed -n "s#^[[:space:]]*$origin .*x86-64.*=> ##p" | head -1 ;;
    esac
}

# Builds pycurl in that folder, linked against that libcurl.
build_pycurl() {
    into=$1 version=$2 tls=$3 library=$4
    mkdir -p "$folder/build"
    cp -r "$source/src" "$folder/build/src"
    cp -r "$headers" "$folder/build/curl"
    # pycurl asks for what the headers' version has, and no more.
    number=$(echo "$version" | awk -F. '{ printf "%d", ($1 * 256 + $2) * 256 + $3 }')
    known=$(($(sed -n 's/^#define LIBCURL_VERSION_NUM *//p' "$headers/curlver.h")))
    [ "$number" -ge "$known" ] ||
        sed -i "s/^\(#define LIBCURL_VERSION_NUM\) .*/\1 $number/" "$folder/build/curl/curlver.h"
    # It refuses to load if it was built for another TLS library, and uses nothing of it.
    sed -i "s#\"none/other\"#\"$tls\"#" "$folder/build/src/pycurl.h"
    # shellcheck disable=SC2046 # words
    cc -w -shared -fPIC -DPYCURL_VERSION='"7.45.7"' -I"$folder/build" $(/usr/bin/python3-config --includes) \
        "$folder"/build/src/*.c "$library" -Wl,--disable-new-dtags,-rpath,"$into/libs" -o "$into/pycurl.so"
    rm -rf "$folder/build"
}

Scripts/shared/certificate.sh "$folder" hostile.test

: >"$folder/names"
grep -v '^#' "$list" >"$folder/list"
while read -r version tls origin python platform; do
    case " $versions " in *" all "* | *" $version "*) ;; *) continue ;; esac
    into=$cache/$version-$tls
    if [ ! -e "$into/pycurl.so" ]; then
        mkdir -p "$into"
        library=$(find_libcurl "$into/libs" "$origin" "$python" "$platform") || library=
        if [ -z "$library" ]; then
            echo "libcurl $version, $tls: LEFT OUT, $origin cannot be had here"
            continue
        fi
        build_pycurl "$into" "$version" "$tls" "$library"
    fi
    echo "$version-$tls" >>"$folder/names"
done <"$folder/list"

# shellcheck disable=SC2046 # words
/usr/bin/python3 Scripts/integration/hostile/libcurls.py "$command" "$folder" "$cache" $(cat "$folder/names")
