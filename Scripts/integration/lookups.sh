#!/bin/sh
# Lookups of names: by the C library, by c-ares in Node, by datagrams of a program's own, beside a resolver that logs every
# byte. Its network and its /etc/resolv.conf are those of a namespace, so the machine stays as it is.
#
# usage: lookups.sh [debug|release]
set -eu
cd "$(dirname "$0")/../.."

command=$PWD/.build/${1:-debug}/wireweight
if ! unshare -rmn true 2>/dev/null; then
    echo "lookups: left out, this machine gives no namespaces"
    exit 0
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$(make -s print-clang)" -O1 -Wall -Wextra -Werror Tests/Programs/lookups.c -o "$folder/lookups"
printf 'nameserver 127.0.0.1\noptions timeout:1 attempts:1\n' >"$folder/resolv.conf"
printf '127.0.0.1 localhost\n192.0.2.77 file.test\n' >"$folder/hosts"
printf 'hosts: files dns\n' >"$folder/nsswitch.conf"
# shellcheck disable=SC2016 # the inner shell's own variables
unshare -rmn sh -euc '
    for name in resolv.conf hosts nsswitch.conf; do mount --bind "$1/$name" "$(readlink -f "/etc/$name")"; done
    exec /usr/bin/python3 -B Scripts/integration/lookups.py "$2" "$1"' sh "$folder" "$command"
