#!/bin/bash
# What is metered beside what a packet capture shows: a URLSession program and curl over HTTP/1.1, HTTPS and HTTP/2, against
# nginx and nghttpd, captured on loopback. Every connection must agree to the byte. Captures that are cut, foreign, late,
# incomplete or of something else must never be said to agree.
#
# usage: verify.sh [debug|release] [FILE]
#
# The table goes into FILE as well, where one is named.
set -euo pipefail
cd "$(dirname "$0")/../.."

command=$PWD/.build/${1:-debug}/wireweight
table=${2:-/dev/null}
folder=$(mktemp -d)
children=()

# shellcheck disable=SC2317 # called by the trap
leave() {
    for child in "${children[@]}"; do kill "$child" 2>/dev/null || true; done
    wait 2>/dev/null || true
    rm -rf "$folder"
}
trap leave EXIT

fail() {
    echo "verify: $*" >&2
    exit 1
}

# Waits for a condition, at most twenty seconds.
until_true() {
    local left=200
    until "$@"; do
        left=$((left - 1))
        [ "$left" -gt 0 ] || fail "timed out: $*"
        sleep 0.1
    done
}

# MARK: servers

free_ports() {
    python3 - "$1" <<'END'
import socket, sys
held = [socket.socket() for _ in range(int(sys.argv[1]))]
for one in held: one.bind(("127.0.0.1", 0))
print(*(one.getsockname()[1] for one in held))
END
}
read -r plain tls both h2 h2c < <(free_ports 5)

Scripts/shared/certificate.sh "$folder"

site=$folder/site
mkdir -p "$site"/{item,pieces,coded,redirect,echo,fill,put}
for number in $(seq 0 60); do
    head -c $((number * 37 + 5)) /dev/urandom >"$site/item/$number"
    head -c $((number * 1000)) /dev/urandom >"$site/fill/$((number * 1000))"
    echo piece >"$site/pieces/$number"
    echo took it >"$site/echo/$number"
done
echo hello >"$site/hello"
gzip -c "$site/hello" >"$site/coded/gzip"
cp "$site/hello" "$site/redirect/2"
cp "$site/hello" "$site/put/1"
cp "$site/hello" "$site/put/2"
head -c 30000000 /dev/urandom >"$site/large"
head -c 5000000 /dev/urandom >"$folder/upload"

cat >"$folder/nginx.conf" <<END
pid $folder/nginx.pid;
error_log $folder/nginx.log;
daemon off;
worker_processes 1;
events { worker_connections 1024; }
http {
    access_log off;
    keepalive_requests 100000;
    client_max_body_size 0;
    client_body_temp_path $folder/body;
    proxy_temp_path $folder/proxy;
    fastcgi_temp_path $folder/fastcgi;
    uwsgi_temp_path $folder/uwsgi;
    scgi_temp_path $folder/scgi;
    ssl_certificate $folder/certificate.pem;
    ssl_certificate_key $folder/key.pem;
    server {
        listen 127.0.0.1:$plain;
        listen [::1]:$plain;
        listen 127.0.0.1:$tls ssl;
        listen 127.0.0.1:$both ssl http2;
        root $site;
        location /redirect/ { return 302 /hello; }
        location /echo/ { return 200 "took it\n"; }
        # Reads what is sent: curl 7.88 never ends an upload over HTTP/2 that is answered before.
        location /put/ { dav_methods PUT; create_full_put_path on; }
        location /coded/ { add_header Content-Encoding gzip; }
        # Of no known length for HTTP/1.0: its end is the end of the connection.
        location /closing/ { gzip on; gzip_http_version 1.0; gzip_min_length 0; gzip_types *; alias $site/item/; }
    }
}
END
nginx=$(command -v nginx || echo /usr/sbin/nginx)
nghttpd=$(command -v nghttpd || echo /usr/sbin/nghttpd)
# Its workers have to read our private folder.
"$nginx" -p "$folder" -c "$folder/nginx.conf" -g 'user root;' 2>"$folder/nginx.out" &
children+=($!)
"$nghttpd" -a 127.0.0.1 -d "$site" "$h2" "$folder/key.pem" "$folder/certificate.pem" >"$folder/nghttpd.log" 2>&1 &
children+=($!)
"$nghttpd" -a 127.0.0.1 -d "$site" --no-tls "$h2c" >"$folder/nghttpd-clear.log" 2>&1 &
children+=($!)
listens() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }
for port in "$plain" "$tls" "$both" "$h2" "$h2c"; do until_true listens "$port"; done

# MARK: the capture

filter="tcp port $plain or tcp port $tls or tcp port $both or tcp port $h2 or tcp port $h2c"
# The interface, and how much of each packet.
capture() {
    dumpcap -q -i "$1" -B 128 -s "$2" -f "$filter" -w "$folder/$1.pcapng" 2>"$folder/$1.log" &
    capturers+=($!)
    children+=($!)
    until_true grep -qs -e '^File:' -e 'permission' -e 'There is no' "$folder/$1.log"
    grep -q '^File:' "$folder/$1.log" || fail "no packets can be captured on '$1': run this as root, or as a member of the \
group wireshark ($(head -n 2 "$folder/$1.log" | tr '\n' ' '))"
}
capturers=()
capture lo 262144
# The same packets with the headers of another link layer, and little more than the headers.
capture any 128

# MARK: the programs

swiftc -O -o "$folder/fetch" Tests/Programs/fetch.swift

# Scenarios in their order: name, protocol and file.
scenarios=()
meter() {
    local name=$1 protocol=$2
    shift 2
    local file try
    file=$folder/$(printf '%02d' ${#scenarios[@]}).db
    scenarios+=("$file|$protocol|$name")
    # See below why a program may hang; what a run that was ended has metered is not looked at.
    for try in 1 2 3; do
        rm -f "$file" "$file-wal" "$file-shm"
        if timeout 30 "$command" run --db "$file" -- "$@" >"$folder/out" 2>"$folder/errors"; then return; fi
        echo "$protocol, $name: try $try failed" >&2
    done
    cat "$folder/errors" >&2
    fail "$protocol, $name: the program failed"
}

# URLSession trusts the system's bundle and nothing else. In a mount namespace the bundle has our certificate, too.
bundle=/etc/ssl/certs/ca-certificates.crt
cat "$bundle" "$folder/certificate.pem" >"$folder/bundle.pem"
# shellcheck disable=SC2016 # the inner shell's own variables
trusting=(unshare -rm sh -c 'mount --bind "$1" "$2" && shift 2 && exec "$@"' sh "$folder/bundle.pem" "$bundle")

# What curl does everywhere: protocol, address, and its options for both.
one_by_one() {
    local protocol=$1 address=$2
    shift 2
    local curl=(curl -qsS --cacert "$folder/certificate.pem" "$@")
    meter 'curl, one request' "$protocol" "${curl[@]}" "$address/hello"
    meter 'curl, upload of 5 MB' "$protocol" "${curl[@]}" -T "$folder/upload" "$address/put/1"
    # shellcheck disable=SC2016 # the inner shell's own variables
    meter 'curl, upload of 5 MB from a pipe' "$protocol" sh -c 'file=$1; shift; cat "$file" | "$@"' sh "$folder/upload" \
        "${curl[@]}" -T - "$address/put/2"
    meter 'curl, download of 30 MB' "$protocol" "${curl[@]}" "$address/large" -o "$folder/out"
}
many_at_once() {
    local protocol=$1 address=$2
    shift 2
    local curl=(curl -qsS --cacert "$folder/certificate.pem" "$@")
    meter 'curl, 50 requests in turn' "$protocol" "${curl[@]}" "$address/item/[1-50]" -o "$folder/out"
    # nginx has the redirect, nghttpd a file.
    meter 'curl, 5 redirects followed' "$protocol" "${curl[@]}" -L "$address/redirect/2?[1-5]" -o "$folder/out"
    meter 'curl, 60 requests in parallel' "$protocol" "${curl[@]}" -Z --parallel-max 20 "$address/fill/[1-60]000" \
        -o "$folder/out-#1"
}
all_of_curl() {
    one_by_one "$@"
    many_at_once "$@"
}

all_of_curl HTTP/1.1 "http://127.0.0.1:$plain"
meter 'curl, IPv6' HTTP/1.1 curl -qsS "http://[::1]:$plain/item/[1-5]" -o "$folder/out"
# shellcheck disable=SC2016 # the inner shell's own variables
meter 'curl, HTTP/1.0, one port eight times' HTTP/1.1 \
    sh -c 'for n in 1 2 3 4 5 6 7 8; do curl -qsS -0 --compressed --local-port "$1" "$2" || exit; done' sh "$(free_ports 1)" \
    "http://127.0.0.1:$plain/closing/7"
meter 'URLSession, 20 at once' HTTP/1.1 "$folder/fetch" "http://127.0.0.1:$plain" 20
all_of_curl HTTPS "https://localhost:$tls" --http1.1
meter 'curl, TLS 1.2' HTTPS curl -qsS --cacert "$folder/certificate.pem" --tls-max 1.2 "https://localhost:$tls/item/[1-5]" \
    -o "$folder/out"
all_of_curl 'HTTP/2, nghttpd' "https://localhost:$h2" --http2
all_of_curl 'HTTP/2, nginx' "https://localhost:$both" --http2
# curl 7.88 cannot use such a connection for a second request, metered or not.
one_by_one 'HTTP/2 in the clear' "http://127.0.0.1:$h2c" --http2-prior-knowledge
if "${trusting[@]}" true 2>/dev/null; then
    meter 'URLSession, 20 at once' HTTPS "${trusting[@]}" "$folder/fetch" "https://localhost:$tls" 20
    # Of 20 requests at once over HTTP/2 one never ends in a quarter of the runs: Foundation's own, metered or not.
    meter 'URLSession, 3 at once' 'HTTP/2, nghttpd' "${trusting[@]}" "$folder/fetch" "https://localhost:$h2" 3
    meter 'URLSession, 3 at once' 'HTTP/2, nginx' "${trusting[@]}" "$folder/fetch" "https://localhost:$both" 3
else
    echo "URLSession over TLS is left out: this machine gives no mount namespace"
fi

# The last packets are written when the files grow no more.
sizes() { stat -c %s "$folder/lo.pcapng" "$folder/any.pcapng"; }
is_quiet() {
    local before
    before=$(sizes)
    sleep 1.5
    [ "$before" = "$(sizes)" ]
}
until_true is_quiet
kill -INT "${capturers[@]}"
for capturer in "${capturers[@]}"; do wait "$capturer" || true; done
for name in lo any; do
    grep -E 'dropped' "$folder/$name.log" || true
done

# MARK: what came out

status=0
for scenario in "${scenarios[@]}"; do
    IFS='|' read -r file protocol name <<<"$scenario"
    for capture in lo any; do
        "$command" verify "$file" --capture "$folder/$capture.pcapng" --format json >"$file.$capture.json" || {
            status=1
            echo "$protocol, $name: does not agree with the capture on '$capture'" >&2
            "$command" verify "$file" --capture "$folder/$capture.pcapng" >&2 || true
        }
    done
done
python3 Scripts/integration/verify.py "$folder" "${scenarios[@]}" | tee "$table"
[ "$status" -eq 0 ] || exit 1

# MARK: bad input

# Packets cut after their headers are as good, and faster to work with.
editcap -s 96 "$folder/lo.pcapng" "$folder/heads.pcapng"
whole=$folder/heads.pcapng
IFS='|' read -r first _ <<<"${scenarios[0]}"
large=
for scenario in "${scenarios[@]}"; do
    case $scenario in *'|HTTP/1.1|curl, download of 30 MB') large=${scenario%%|*} ;; esac
done

# Runs a comparison and expects a status and words of it.
expect() {
    local wanted=$1 words=$2 got=0
    shift 2
    "$command" verify "$@" >"$folder/said" 2>&1 || got=$?
    if [ "$got" -ne "$wanted" ] || ! tr '\n' ' ' <"$folder/said" | grep -qF -- "$words"; then
        cat "$folder/said" >&2
        fail "verify $*: status $got instead of $wanted, or not '$words'"
    fi
    echo "status $got: $words"
}

head -c 100000 "$folder/lo.pcapng" >"$folder/cut.pcapng"
expect 65 'cut short in the middle of a packet' "$first" --capture "$folder/cut.pcapng"
head -c 3 "$whole" >"$folder/tiny.pcapng"
expect 65 'is not a packet capture' "$first" --capture "$folder/tiny.pcapng"
: >"$folder/empty.pcapng"
expect 65 'is not a packet capture' "$first" --capture "$folder/empty.pcapng"
expect 65 'is not a packet capture' "$first" --capture "$first"
expect 65 'is not a packet capture' "$first" --capture "$folder/certificate.pem"
expect 65 'there is no file' "$first" --capture "$folder/nowhere.pcapng"
expect 65 'not a database' "$whole" --capture "$whole"
"$command" import Tests/BrowserHARs/firefox.har --db "$folder/imported.db" >"$folder/out" 2>&1
expect 65 'has no connections' "$folder/imported.db" --capture "$whole"
expect 65 'has no connections in that range of time' "$first" --capture "$whole" --until 2020-01-01

# Late: the first packets are missing, then whole connections.
editcap "$whole" "$folder/late.pcapng" 1-2
expect 1 'its start is not in the capture' "$first" --capture "$folder/late.pcapng"
end_of_first=$(tshark -r "$whole" -Y 'tcp.stream == 0' -T fields -e frame.number 2>/dev/null | tail -n 1)
editcap "$whole" "$folder/behind.pcapng" "1-$end_of_first"
expect 1 'start it before the program' "$first" --capture "$folder/behind.pcapng"
# Early: it ended in mid-connection, at the border of a packet.
editcap -r "$whole" "$folder/early.pcapng" "1-5"
expect 1 '0 of 1 metered connections agree' "$first" --capture "$folder/early.pcapng"
# Another interface: packets of that time, and none of this connection.
port=$(sed -n 's/.*"localPort": \([0-9]*\).*/\1/p' "$large.lo.json" | head -n 1)
tshark -r "$whole" -Y "!(tcp.port == $port)" -w "$folder/other.pcapng" 2>/dev/null
expect 1 'none of the metered connections is in the capture' "$large" --capture "$folder/other.pcapng"
tshark -r "$whole" -Y udp -w "$folder/none.pcapng" 2>/dev/null
expect 1 'the capture has no TCP packets' "$first" --capture "$folder/none.pcapng"
# One packet of thousands is missing.
lost=$(tshark -r "$whole" -Y "tcp.srcport == $plain && tcp.len > 60000" -T fields -e frame.number 2>/dev/null | sed -n 100p)
editcap "$whole" "$folder/lossy.pcapng" "$lost"
expect 1 'packets were lost' "$large" --capture "$folder/lossy.pcapng"
# Cut packets: after the headers all is there, within them it is not.
expect 0 'agrees to the byte' "$large" --capture "$whole"
editcap -s 40 "$whole" "$folder/half-heads.pcapng"
expect 1 'cut within their headers' "$large" --capture "$folder/half-heads.pcapng"
# Each packet twice; the older format; compressed.
mergecap -w "$folder/twice.pcapng" "$whole" "$whole"
expect 0 'agrees to the byte' "$large" --capture "$folder/twice.pcapng"
editcap -F pcap "$whole" "$folder/whole.pcap"
expect 0 'agrees to the byte' "$large" --capture "$folder/whole.pcap"
gzip -1 -c "$whole" >"$whole.gz"
expect 0 'agrees to the byte' "$large" --capture "$whole.gz"
# Without tshark: what to install.
missing=0
PATH=/nonexistent "$command" verify "$first" --capture "$whole" 2>"$folder/said" || missing=$?
if [ "$missing" -ne 69 ] || ! grep -qF 'apt-get install tshark' "$folder/said"; then fail "without tshark: status $missing"; fi
echo "status 69: tshark is not installed"
