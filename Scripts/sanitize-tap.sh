#!/usr/bin/env bash
# The tap in C programs, with tools that find its mistakes: the address and undefined-behaviour sanitizers, the thread
# sanitizer, and valgrind. The programs of Tests/Programs are metered by 'wireweight run' while they call nginx, over HTTP/1.1
# and, inside TLS, over HTTP/2. Any report fails. Nothing is suppressed.
#
# usage: Scripts/sanitize-tap.sh [debug|release]      which wireweight meters
set -euo pipefail
cd "$(dirname "$0")/.."

command=$PWD/.build/${1:-debug}/wireweight
[ -x "$command" ] || { echo "there is no $command; 'make build' makes it" >&2; exit 69; }
clang=$(dirname "$(readlink -f "$(command -v swift)")")/clang
folder=$(mktemp -d)
# shellcheck disable=SC2317 # the trap calls it
cleanup() {
    [ ! -s "$folder/nginx.pid" ] || kill "$(cat "$folder/nginx.pid")" 2>/dev/null || true
    rm -rf "$folder"
}
trap cleanup EXIT

# A server that is not ours.
mapfile -t ports < <(/usr/bin/python3 -c '
import socket
sockets = [socket.socket() for _ in range(2)]
for s in sockets: s.bind(("127.0.0.1", 0))
for s in sockets: print(s.getsockname()[1])')
openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost,IP:127.0.0.1 \
    -keyout "$folder/key.pem" -out "$folder/certificate.pem" 2>/dev/null
mkdir "$folder/www"
head -c 200000 /dev/zero >"$folder/www/body"
cat >"$folder/nginx.conf" <<CONF
daemon on;
pid $folder/nginx.pid;
error_log $folder/error.log;
worker_processes 1;
events { worker_connections 256; }
http {
    access_log off;
    client_body_temp_path $folder/body;
    proxy_temp_path $folder/proxy;
    fastcgi_temp_path $folder/fastcgi;
    uwsgi_temp_path $folder/uwsgi;
    scgi_temp_path $folder/scgi;
    server {
        listen 127.0.0.1:${ports[0]};
        listen 127.0.0.1:${ports[1]} ssl http2;
        ssl_certificate $folder/certificate.pem;
        ssl_certificate_key $folder/key.pem;
        root $folder/www;
        error_page 405 =200 /body;
        location / { try_files /body =404; }
    }
}
CONF
PATH=$PATH:/usr/sbin nginx -c "$folder/nginx.conf" -e "$folder/error.log"
plain=http://127.0.0.1:${ports[0]}
secure=https://127.0.0.1:${ports[1]}

status=0
# with NAME PREFIX…: meters each program, after the words of the prefix.
with() {
    local name=$1 place=$folder/$1 program begin=$SECONDS
    shift
    local runs=(
        "threads $plain 8 10" "forks $plain 5" "late $plain/a $plain/b" "successor $plain 3 $place/threads $plain 2 2"
        "streams $plain 16" "streams $secure 32 $folder/certificate.pem"
        "sockets $plain" "inner 20" "bios"
        "flavours $place/flavours-plugin $secure 5 $folder/certificate.pem"
    )
    cp "$command" "$place/wireweight"
    for program in "${runs[@]}"; do
        [ -e "$place/${program%% *}" ] || continue
        # A report fails at once. A transfer of libcurl's that fails without one (a server's early answer, say) is run again:
        # whether transfers come to the same end with the tap and without it is what the verify and curl parts judge.
        local ended=1 attempt
        for attempt in 1 2; do
            # shellcheck disable=SC2086 # words
            timeout 300 "$place/wireweight" run --output /dev/null -- "$@" "$place/"$program >"$folder/log" 2>&1 && ended=0 || ended=$?
            ! grep -qE 'ERROR: |WARNING: |runtime error|definitely lost: [1-9]' "$folder/log" || ended=66
            [ "$ended" = 0 ] || { echo "$name: $program: exit $ended in try $attempt" >&2; cat "$folder/log" >&2; }
            [ "$ended" = 1 ] || break
        done
        [ "$ended" = 0 ] || status=1
    done
    echo "$name: ${#runs[@]} programs in $((SECONDS - begin)) s"
}

# The toolchain's thread sanitizer knows Dispatch, and needs it.
swift_libraries=$(dirname "$clang")/../lib/swift/linux
libraries=(
    -fuse-ld=lld "-L$swift_libraries" "-Wl,-rpath,$swift_libraries" "-Wl,--push-state,--as-needed" -ldispatch -lBlocksRuntime
    "-Wl,--pop-state"
)

# build NAME FLAGS…: the tap and the programs.
build() {
    local place=$folder/$1 program
    shift
    mkdir "$place"
    "$clang" "$@" -fuse-ld=lld -gdwarf-4 -O1 -shared -fPIC -std=gnu11 -D_GNU_SOURCE -DWIREWEIGHT_PRELOADED -fvisibility=hidden -ISources/CHTTPWire/include \
        -ISources/CCurlTap/include -ISources/CCurlTap -ISources/CStreamTap/include -ISources/CStreamHooks/include -ISources/CStreamHooks \
        -ISources/WireweightPreload/include -Wl,-z,nodelete \
        Sources/CHTTPWire/*.c Sources/CCurlTap/*.c Sources/CStreamTap/*.c Sources/CStreamHooks/*.c Sources/WireweightPreload/*.c -o "$place/libWireweightPreload.so"
    for program in threads forks successor streams sockets; do
        "$clang" "$@" "${libraries[@]}" -gdwarf-4 -O1 -pthread "Tests/Programs/$program.c" -o "$place/$program" -lcurl
    done
    "$clang" "$@" "${libraries[@]}" -gdwarf-4 -O1 Tests/Programs/inner.c -o "$place/inner"
    "$clang" "$@" "${libraries[@]}" -gdwarf-4 -O1 -D_GNU_SOURCE Tests/Programs/bios.c -o "$place/bios" -lssl -lcrypto
    "$clang" "$@" "${libraries[@]}" -gdwarf-4 -O1 Tests/Programs/late.c -o "$place/late" -ldl
    if [ -e "/usr/lib/$(uname -m)-linux-gnu/libcurl-gnutls.so.4" ]; then
        "$clang" "$@" "${libraries[@]}" -gdwarf-4 -O1 Tests/Programs/flavours.c -o "$place/flavours" -lcurl -ldl
        "$clang" "$@" -fuse-ld=lld -gdwarf-4 -O1 -shared -fPIC -DPLUGIN Tests/Programs/flavours.c -o "$place/flavours-plugin" \
            -l:libcurl-gnutls.so.4
    fi
}

# The fourth version of DWARF is the newest that Debian's valgrind reads.
export ASAN_OPTIONS=exitcode=66 UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 TSAN_OPTIONS=exitcode=66:halt_on_error=0
# Not the check of function types: libcurl declares 'curl_easy_setopt' with three dots, and no function of ours can hand such
# arguments on; that the one argument travels like a named one is what the tap relies on (Sources/WireweightPreload/preload.c).
# within NAME FLAGS…: the tap in a program that starts it itself, again and again while its threads go on.
within() {
    local place=$folder/$1 begin=$SECONDS
    shift
    "$clang" "$@" -fuse-ld=lld -gdwarf-4 -O1 -shared -fPIC -D_GNU_SOURCE -DPLUGIN Tests/Programs/deep.c -o "$place/extension" \
        -lssl -lcrypto
    "$clang" "$@" "${libraries[@]}" -gdwarf-4 -O1 -pthread -std=gnu11 -D_GNU_SOURCE -ISources/CHTTPWire/include \
        -ISources/CCurlTap/include -ISources/CCurlTap -ISources/CStreamTap/include -ISources/CStreamHooks/include \
        -ISources/CStreamHooks Sources/CHTTPWire/*.c Sources/CCurlTap/*.c Sources/CStreamTap/*.c Sources/CStreamHooks/*.c \
        Tests/Programs/within.c -o "$place/within" -ldl
    if ! LD_BIND_NOW=1 timeout 300 "$place/within" "$place/extension" 20 >"$folder/log" 2>&1 ||
        ! grep -q 'as many hooks each time 1, failed 0, restored 1' "$folder/log"; then
        echo "within:" >&2
        cat "$folder/log" >&2
        status=1
    fi
    echo "within: $((SECONDS - begin)) s"
}

build address -fsanitize=address,undefined -fno-sanitize=function -fno-sanitize-recover=all
with address
within address -fsanitize=address,undefined -fno-sanitize=function -fno-sanitize-recover=all
build thread -fsanitize=thread
with thread
within thread -fsanitize=thread
build valgrind
with valgrind valgrind --quiet --error-exitcode=66 --trace-children=yes --leak-check=full --errors-for-leak-kinds=definite
# The tap as it is shipped, too: valgrind starts no program whose debug information it cannot read.
if ! timeout 300 "$command" run --output /dev/null -- valgrind --quiet --error-exitcode=66 curl -s -o /dev/null "$plain/" \
    >"$folder/log" 2>&1; then
    echo "valgrind with the tap that is shipped:" >&2
    cat "$folder/log" >&2
    status=1
fi
exit "$status"
