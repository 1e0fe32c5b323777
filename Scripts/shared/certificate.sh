#!/bin/sh
# A certificate of this machine that signs itself, for the servers of a test: key.pem and certificate.pem in FOLDER.
#
# usage: certificate.sh FOLDER [NAME…]: it is also for these names
set -eu
folder=$1
shift
names=DNS:localhost,IP:127.0.0.1,IP:::1
for name in "$@"; do names=$names,DNS:$name; done
said=$(openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 30 -subj /CN=localhost \
    -addext "subjectAltName=$names" -keyout "$folder/key.pem" -out "$folder/certificate.pem" 2>&1) || {
    printf '%s\n' "$said" >&2
    exit 1
}
