#!/bin/sh
# A Python with packages of PyPI, in FOLDER/venv. If they cannot be had, says what is left out and leaves no folder.
#
# usage: venv.sh FOLDER WHAT PACKAGE…
set -eu
venv=$1/venv what=$2
shift 2
/usr/bin/python3 -m venv "$venv"
"$venv/bin/pip" install --quiet --disable-pip-version-check --only-binary :all: "$@" || {
    echo "$what: left out, PyPI cannot be reached or has none for this machine"
    rm -rf "$venv"
}
