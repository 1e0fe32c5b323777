#!/bin/sh
# Installs the package of `make package` in a bare Debian without Swift and without a compiler, uses it, and removes it.
#
# usage: check-package.sh [SUITE [MIRROR]]: as debootstrap takes them; by default this system's Debian. As root.
#        An Ubuntu: check-package.sh noble http://archive.ubuntu.com/ubuntu
set -eu
cd "$(dirname "$0")/.."

suite=${1:-$(sed -n "s/^VERSION_CODENAME=//p" /etc/os-release)}
mirror=${2:-http://deb.debian.org/debian}
# shellcheck disable=SC2012 # names that package.sh made
package=$(ls -t dist/wireweight_*.deb 2>/dev/null | head -1)
[ -n "$package" ] || { echo "no package in dist; run 'make package' first" >&2; exit 66; }
[ "$(id -u)" -eq 0 ] || { echo "debootstrap needs root; run this as root" >&2; exit 77; }
command -v debootstrap >/dev/null || apt-get install -qq -y --no-install-recommends debootstrap >/dev/null

root=$(mktemp -d)
trap 'umount "$root/proc" 2>/dev/null || true; rm -rf "$root"' EXIT
# debootstrap knows the suites of its own time; a later Ubuntu is made as an earlier one, and Debian has no keys of Ubuntu's.
recipe='' unsigned='' components=main
case $mirror in
*ubuntu*)
    components=main,universe
    [ -e /usr/share/debootstrap/scripts/"$suite" ] || recipe=/usr/share/debootstrap/scripts/gutsy
    [ -e /usr/share/keyrings/ubuntu-archive-keyring.gpg ] || unsigned=--no-check-gpg
    ;;
esac
# shellcheck disable=SC2086 # nothing is no argument
debootstrap --variant=minbase --components=$components $unsigned "$suite" "$root" "$mirror" $recipe >"$root.log" 2>&1 ||
    { tail -5 "$root.log"; echo "left out: debootstrap cannot make $suite here"; exit 77; }
rm -f "$root.log"
mount -t proc proc "$root/proc" || { echo "left out: nothing can be mounted here"; exit 77; }
cp /etc/resolv.conf "$root/etc/resolv.conf"
inside() {
    chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C DEBIAN_FRONTEND=noninteractive "$@"
}
files() {
    inside find / -xdev \( -path /proc -o -path /var/lib/apt -o -path /var/lib/dpkg -o -path /var/cache -o -path /var/log -o -path /tmp \) -prune \
        -o ! -type d -print | sort
}
apt() {
    inside apt-get -qq -y --no-install-recommends "$@" >"$root/tmp/apt.log" 2>&1 || { cat "$root/tmp/apt.log"; exit 1; }
}
expect() {
    grep -q -- "$2" "$root/tmp/output" || { echo "$1: no '$2' in:" >&2; cat "$root/tmp/output" >&2; exit 1; }
}

apt update
# What the checks themselves use.
apt install curl
files >"$root/tmp/before"
cp "$package" "$root/tmp/wireweight.deb"
apt install /tmp/wireweight.deb
echo "$suite: installed, $(stat -c %s "$package") bytes of package"

use() {
    # The last runs are the user's own, as files of '--db' are.
    inside XDG_STATE_HOME=/tmp/state sh -c "cd /tmp; $1" >"$root/tmp/output" 2>&1 || { echo "$1:" >&2; cat "$root/tmp/output" >&2; exit 1; }
}
use 'ldd /usr/lib/wireweight/wireweight'
! grep -E 'swift|not found' "$root/tmp/output" || exit 1
use 'wireweight demo --once --db demo.db'
expect demo 'difference  *0  *0$'
use 'wireweight doctor'
# shellcheck disable=SC2016 # the inner shell's own variables
use 'wireweight inspect demo.db --port 8321 & page=$!
    tries=0; until curl -sfo page.html http://127.0.0.1:8321/ || [ $tries -ge 50 ]; do tries=$((tries + 1)); sleep 0.2; done
    wireweight run --db /tmp/run.db -- curl -sf http://127.0.0.1:8321/; kill $page'
expect 'run and inspect' '<html'
expect 'run and inspect' 'exact to the byte'
# shellcheck disable=SC2016 # the inner shell's own variables
use 'wireweight inspect demo.db --port 8321 & page=$!
    tries=0; until curl -sfo page.html http://127.0.0.1:8321/ || [ $tries -ge 50 ]; do tries=$((tries + 1)); sleep 0.2; done
    wireweight proxy --listen 0 --db /tmp/proxy.db -- curl -sf http://127.0.0.1:8321/; kill $page
    wireweight exchanges /tmp/proxy.db --json'
expect proxy '<html'
expect proxy '"direction": *"served"'
for page in wireweight.1 wireweight-proxy.1 wireweight-run.1 wireweight-exit-status.7; do
    [ -e "$root/usr/share/man/man${page##*.}/$page.gz" ] || { echo "no manual page $page" >&2; exit 1; }
done
for page in using filter proxy; do
    [ -e "$root/usr/share/doc/wireweight/docs/$page.md" ] || { echo "no page $page.md" >&2; exit 1; }
done
echo "$suite: demo with a difference of 0, doctor, run and proxy around curl, and the inspector's page"

apt purge --autoremove wireweight
files >"$root/tmp/after"
diff "$root/tmp/before" "$root/tmp/after" || { echo "$suite: it left these files" >&2; exit 1; }
echo "$suite: removed without a trace"
