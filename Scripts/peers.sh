#!/bin/sh
# The test suites of programs and libraries that do HTTP without libcurl, each alone and under `wireweight run`: CPython, urllib3,
# requests, httpx, httpcore, aiohttp and Node. No test may end otherwise under the meter. Fetches the suites once, into the user's
# cache: CPython's tests with its own interpreter and Node's tests from Debian, the others from PyPI.
#
# usage: peers.sh [debug|release] [NAME…]: all suites, or those whose names start with NAME
set -eu
cd "$(dirname "$0")/.."

command=$PWD/.build/${1:-debug}/wireweight
[ $# -eq 0 ] || shift
cache=${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/wireweight/peers
mkdir -p "$cache"
fresh=$(mktemp -d "$cache/new.XXXXXX")
work=$(mktemp -d)
trap 'rm -rf "$fresh" "$work"' EXIT

# An interpreter of the version that the tests are of, beside the system's.
fetch_python() {
    cd "$fresh"
    version=$(/usr/bin/python3 -c 'import sys; print("%d.%d" % sys.version_info[:2])')
    apt-get download "python$version-minimal" "libpython$version-minimal" "libpython$version-stdlib" "libpython$version-testsuite" || return 1
    for package in *.deb; do dpkg -x "$package" python || return 1; done
    ln -s "python$version" python/usr/bin/python
    rm -- *.deb
}

# Where a suite is built for other versions, the one before.
fetch_libraries() {
    cd "$fresh"
    /usr/bin/python3 -m venv "$cache/venv" || return 1
    pip() { "$cache/venv/bin/pip" "$@" --quiet --disable-pip-version-check; }
    # What their source packages are built with, and then those.
    pip install hatchling hatch-fancy-pypi-readme hatch-vcs "setuptools>=77" wheel || return 1
    # Later ones of urllib3 need a hypercorn of their own.
    for package in 'urllib3<2.2' 'requests<3' 'httpx<1' 'httpcore<2' 'aiohttp<4'; do
        name=${package%%<*}
        pip download --no-deps --no-build-isolation --no-binary "$name" "$package" --dest sources || return 1
    done
    for archive in sources/*.tar.gz; do
        tar xzf "$archive" || return 1
        folder=$(basename "$archive" .tar.gz)
        mv "$folder" "${folder%-*}"
    done
    rm -r sources
    pip install --prefer-binary 'pytest<9' pytest-timeout 'urllib3<2.2' 'requests<3' 'httpx<1' 'httpcore<2' 'aiohttp<4' h2 trio anyio trustme tornado \
        pysocks python-dateutil uvicorn chardet socksio brotli zstandard pytest-httpbin pytest-mock pytest-trio pytest-xdist pytest-cov httpbin \
        re-assert freezegun proxy.py blockbuster isal zlib-ng pytest-codspeed a2wsgi rich click pygments
}

# Node's tests of Debian's version run with other versions, too: a few fail then, with and without the meter.
fetch_node() {
    cd "$fresh"
    mkdir -p lists/partial
    # shellcheck disable=SC2016 # apt's own variables
    apt-get indextargets --format 'deb-src $(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' |
        grep -E ' (main|universe)$' | grep -E '/(debian|ubuntu)' | sort -u >sources.list
    set -- -o Dir::Etc::sourcelist="$fresh/sources.list" -o Dir::Etc::sourceparts=/dev/null -o Dir::State::lists="$fresh/lists"
    apt-get "$@" update || return 1
    # An update may have replaced the packaging, and left the source.
    apt-get "$@" --download-only --tar-only source nodejs || true
    tar xJf nodejs_*.orig.tar.xz --wildcards '*/test/*' '*/tools/test.py' '*/tools/utils.py' || return 1
    mv node-v* node
    rm -rf lists sources.list nodejs_*
}

for part in python libraries node; do
    [ ! -e "$cache/$part.ready" ] || continue
    if (fetch_$part) >"$work/log" 2>&1; then
        for folder in "$fresh"/*; do
            rm -rf "${cache:?}/$(basename "$folder")"
            mv "$folder" "$cache"
        done
        touch "$cache/$part.ready"
    else
        echo "test suites of $part: left out, they cannot be had here: $(tail -n 1 "$work/log")"
        rm -rf "${fresh:?}"/*
    fi
done

/usr/bin/python3 -B Scripts/integration/peers/peers.py "$command" "$cache" "$work" "$@"
