"""What the proxy does for devices: the file that sets them up, and the conditions of a phone's network.

usage: devices.py COMMAND FOLDER
"""

import os
import signal
import socket
import subprocess
import sys
import time

from proxy import FAILED, FOLDER, OK, Origin, Proxy, expect, once, own_address

# A system whose names that begin with "slow" take it long.
SLOW_NAMES = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <netdb.h>
#include <string.h>
#include <unistd.h>
int getaddrinfo(const char *node, const char *service, const struct addrinfo *hints, struct addrinfo **result) {
    int (*next)(const char *, const char *, const struct addrinfo *, struct addrinfo **) = dlsym(RTLD_NEXT, "getaddrinfo");
    if (node && strncmp(node, "slow", 4) == 0) {
        sleep(20);
        return EAI_AGAIN;
    }
    return next(node, service, hints, result);
}
"""


def auto_config(own):
    """The file names the address that the device has reached, and only who may use the proxy gets it."""
    request = b"GET /proxy.pac HTTP/1.1\r\nHost: a\r\n\r\n"
    proxy = Proxy("--for-devices", "--listen", "0.0.0.0:PORT", name="pac")
    for host in ("127.0.0.1", own):
        if not host:
            continue
        for allowed in (host.startswith("127."), True):
            if allowed and not host.startswith("127."):
                proxy.stop()
                proxy = Proxy("--for-devices", "--listen", "0.0.0.0:PORT", "--allow", host, name="pac")
            got = proxy.talk(request, host=host, source=(host, 0))
            if allowed:
                line = f'function FindProxyForURL(url, host) {{ return "PROXY {host}:{proxy.port}"; }}\n'.encode()
                expect(got.startswith(b"HTTP/1.1 200 ") and got.endswith(b"\r\n\r\n" + line), "a device got", got)
                expect(b"Content-Type: application/x-ns-proxy-autoconfig\r\n" in got, "a device got", got)
            else:
                expect(b"403" in got[:12] and b"FindProxy" not in got, "an unknown device got", got)
    head = proxy.talk(b"HEAD /proxy.pac HTTP/1.1\r\nHost: a\r\n\r\n")
    expect(head.endswith(b"\r\n\r\n") and b"Content-Length: " in head, "HEAD gave", head)
    other = proxy.talk(b"GET /other HTTP/1.1\r\nHost: a\r\n\r\n")
    expect(b"400" in other[:12], "another path of the proxy gave", other)
    proxy.stop()


def lookups():
    """One client's slow names do not keep another one's from being looked up."""
    library = FOLDER / "slow.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-x", "c", "-o", library, "-"], input=SLOW_NAMES, text=True, check=True)
    origin = Origin(once(OK))
    proxy = Proxy(name="lookups", environment={"LD_PRELOAD": str(library)})
    slow = []
    for number in range(60):
        client = socket.create_connection(("127.0.0.1", proxy.port), 10)
        client.sendall(b"GET http://slow%d.test/ HTTP/1.1\r\nHost: a\r\n\r\n" % number)
        slow.append(client)
    time.sleep(0.3)
    began = time.monotonic()
    got = proxy.talk(b"GET http://localhost:%d/ HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n" % origin.port,
                     source=("127.0.0.2", 0))
    took = time.monotonic() - began
    expect(got == OK and took < 10, "beside slow names of another client came", got, "after", took, "s")
    for client in slow:
        client.close()
    # Lookups cannot be stopped, and their threads would keep the proxy.
    os.kill(proxy.pid, signal.SIGKILL)
    proxy.process.communicate(timeout=30)
    origin.stop()


def main():
    own = own_address()
    auto_config(own)
    lookups()
    print(f"devices: the file that sets them up, slow names; {len(FAILED)} failed")
    if FAILED:
        sys.exit(1)


if __name__ == "__main__":
    main()
