"""What the proxy does for devices: the page, files and code that set them up, by what they are known, and lookups.

usage: devices.py COMMAND FOLDER
"""

import contextlib
import json
import os
import pathlib
import plistlib
import pty
import re
import select
import signal
import socket
import ssl
import subprocess
import sys
import threading
import time
import urllib.request

from proxy import COMMAND, FAILED, FOLDER, OK, Origin, Proxy, expect, free_ports, once, own_address, start

# Debian's Chromium, driven as by Tests/Browser.
BROWSER = str(pathlib.Path(__file__).resolve().parents[2] / ".build/browser-tools/bin/python")
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


def request(path, host, method="GET"):
    return f"{method} {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode()


def page():
    """The page is served at the proxy's own address and, through it, by name; with TLS opened it has the certificate."""
    plain = Proxy("--for-devices", "--listen", "0.0.0.0:PORT", name="page")
    head, _, html = plain.talk(request("/", f"127.0.0.1:{plain.port}")).partition(b"\r\n\r\n")
    expect(head.startswith(b"HTTP/1.1 200 ") and b"text/html" in head, "the page came with", head)
    expect(b"default-src 'none'" in head and b"--open-tls" in html and b".crt" not in html, "the page is", html)
    expect(html.count(b"have not been tried on a device") == 1, "the page does not say that its steps are unproven", html)
    own = own_address()
    expect(not own or f"http://{own}:{plain.port}/".encode() in html, "the page does not name", own, html)
    for asked in (b"GET / HTTP/1.1\r\nHost: example.com\r\n\r\n", request("/wireweight.crt", f"127.0.0.1:{plain.port}")):
        expect(b"400" in plain.talk(asked)[:12], asked, "got", plain.talk(asked))
    plain.stop()
    opened = Proxy("--open-tls", name="page", environment={"XDG_DATA_HOME": str(FOLDER / "page")})
    authority = ssl.PEM_cert_to_DER_cert((FOLDER / "page/wireweight/authority.pem").read_text())
    for target, host in (("", f"127.0.0.1:{opened.port}"), ("http://wireweight.local", "wireweight.local")):
        head, _, html = opened.talk(request(f"{target}/", host)).partition(b"\r\n\r\n")
        expect(head.startswith(b"HTTP/1.1 200 ") and b"/wireweight.mobileconfig" in html, "the page came with", head, html)
        got = opened.talk(request(f"{target}/wireweight.crt", host))
        expect(got.endswith(b"\r\n\r\n" + authority) and b"x-x509-ca-cert" in got, "the certificate is", got)
        got = opened.talk(request(f"{target}/wireweight.mobileconfig", host))
        expect(b"application/x-apple-aspen-config" in got, "the profile came with", got)
        profile = plistlib.loads(got.partition(b"\r\n\r\n")[2])
        (content,) = profile["PayloadContent"]
        expect(content["PayloadContent"] == authority, "the profile has", content)
        expect(content["PayloadType"] == "com.apple.security.root", "the profile has", content)
        ids = {profile["PayloadUUID"], content["PayloadUUID"]}
        form = r"[0-9A-F]{8}-[0-9A-F]{4}-8[0-9A-F]{3}-8[0-9A-F]{3}-[0-9A-F]{12}"
        expect(len(ids) == 2 and all(re.fullmatch(form, one) for one in ids), "the profile has the identifiers", ids)
    head = opened.talk(request("/wireweight.crt", "a", "HEAD"))
    expect(head.endswith(b"\r\n\r\n") and f"Content-Length: {len(authority)}".encode() in head, "HEAD gave", head)
    opened.stop()


def heard(terminal, until=None):
    """What comes on a terminal until it has those bytes, or until nothing comes for a second."""
    said = b""
    while not until or until not in said:
        if not select.select([terminal], [], [], 30 if until else 1)[0]:
            break
        try:
            said += os.read(terminal, 65_536)
        except OSError:
            break
    return said


def code():
    """On a terminal, a code that a camera reads; not without colours."""
    if not own_address():
        return
    port = free_ports(1)[0]
    for no_color in ("", "1"):
        master, terminal = pty.openpty()
        environment = {**os.environ, "TERM": "xterm"} | ({"NO_COLOR": no_color} if no_color else {})
        words = [COMMAND, "proxy", "--db", str(FOLDER / "code.db"), "--for-devices", "--listen", f"0.0.0.0:{port}"]
        process = start(words, stdin=terminal, stdout=subprocess.DEVNULL, stderr=terminal, env=environment)
        os.close(terminal)
        said = heard(master, until=b"on the device") + heard(master)
        process.send_signal(signal.SIGTERM)
        heard(master)
        process.wait(30)
        os.close(master)
        lines = re.findall("\x1b\\[30;107m([ ▀▄█]+)\x1b\\[0m", said.decode())
        if no_color:
            expect(not lines, "without colours it drew", lines)
            continue
        rows = [[character in half for character in line] for line in lines for half in ("▀█", "▄█")]
        scale = 4
        pixels = b"".join(bytes(0 if dark else 255 for dark in row for _ in range(scale)) * scale for row in rows)
        image = FOLDER / "code.pgm"
        image.write_bytes(b"P5 %d %d 255\n" % (scale * len(rows[0]), scale * len(rows)) + pixels)
        read = subprocess.run(["zbarimg", "--quiet", "--raw", str(image)], capture_output=True, text=True, check=False)
        expect(read.stdout.strip() == f"http://{own_address()}:{port}/", "the code says", read.stdout, read.stderr)


# A person at the inspector's page.
PERSON = """
import sys
from playwright.sync_api import sync_playwright
with sync_playwright() as playwright:
    browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
    page = browser.new_page()
    page.goto(sys.argv[1])
    button = page.locator("[data-device]")
    button.wait_for(timeout=20_000)
    print(page.locator("#banner").inner_text())
    button.click()
    page.locator("#banner").wait_for(state="hidden", timeout=20_000)
    browser.close()
"""


def asking():
    """A device that was refused is let in on the page, or by its address on the terminal, and then asks no more."""
    own = own_address()
    if not own:
        return
    origin = Origin(once(OK), host=own)
    ask = b"GET http://%b:%d/ HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n" % (own.encode(), origin.port)
    for by_page in (True, False):
        port = free_ports(1)[0]
        master, terminal = pty.openpty()
        words = [COMMAND, "proxy", "--db", str(FOLDER / "asking.db"), "--for-devices", "--inspect", "--listen", f"0.0.0.0:{port}"]
        process = start(words, stdin=terminal, stdout=subprocess.DEVNULL, stderr=terminal)
        os.close(terminal)
        said = heard(master, until=b"on the device")
        url = re.search(r"http://127[\d.:]+/", said.decode())[0]

        def overview():
            with urllib.request.urlopen(f"{url}api/v1/overview", timeout=10) as answer:
                return json.load(answer)["asking"]

        def wait(wanted):
            for _ in range(200):
                if (seen := overview()) == wanted:
                    return
                time.sleep(0.05)
            expect(False, "the page has", seen, "and not", wanted)

        def device():
            with socket.create_connection((own, port), 10, source_address=(own, 0)) as client:
                client.sendall(ask)
                got = b""
                while data := client.recv(65_536):
                    got += data
                return got

        wait([])
        expect(b"403" in device()[:12], "an unknown device was not refused")
        wait([own])
        if by_page:
            browser = subprocess.run([BROWSER, "-c", PERSON, url], capture_output=True, text=True, check=False)
            expect(own in browser.stdout and "asks to use the proxy" in browser.stdout, "the page said", browser.stdout, browser.stderr)
        else:
            os.write(master, own.encode() + b"\n")
            heard(master, until=b"may use the proxy")
        got = device()
        expect(got == OK, "a device that was let in got", got)
        wait([])
        process.send_signal(signal.SIGTERM)
        # The page stays until another one.
        heard(master, until=b"closes the page")
        process.send_signal(signal.SIGTERM)
        process.wait(30)
        os.close(master)
    origin.stop()


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


# Two addresses for documentation, which no network has.
HERE, DEVICE = "198.51.100.1", "198.51.100.2"
HARDWARE = "02:00:5e:00:53:02"
AGENT = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)"


@contextlib.contextmanager
def neighbour():
    """The name of a network namespace that is a device beside this machine; None where it cannot be made."""
    name = f"ww{os.getpid()}"
    steps = [
        f"ip netns add {name}", f"ip link add {name} type veth peer name w0 netns {name}",
        f"ip addr add {HERE}/30 dev {name}", f"ip link set {name} up",
        f"ip -n {name} link set w0 address {HARDWARE}", f"ip -n {name} addr add {DEVICE}/30 dev w0", f"ip -n {name} link set w0 up",
    ]
    try:
        made = all(subprocess.run(step.split(), capture_output=True, check=False).returncode == 0 for step in steps)
        yield name if made else None
    finally:
        for step in (f"ip link del {name}", f"ip netns del {name}"):
            subprocess.run(step.split(), capture_output=True, check=False)


def announcing():
    """It names the addresses at which devices reach it: those of IPv6, too, where it listens on all."""
    six = "fd00::1"
    made = (f"ip link set lo up && ip link add w0 type veth peer name w1 && ip addr add {HERE}/30 dev w0 && "
            f"ip addr add {six}/64 dev w0 nodad && ip link set w0 up && exec \"$@\"")
    if subprocess.run(["unshare", "-n", "sh", "-c", made, "sh", "true"], capture_output=True, check=False).returncode != 0:
        return
    for listening, hosts in (("0.0.0.0", [HERE]), ("[::]", [HERE, six]), (f"[{six}]", [six]), (HERE, [HERE]), ("[::1]", [])):
        proxy = Proxy("--for-devices", "--listen", f"{listening}:PORT", name="announcing", within=["unshare", "-n", "sh", "-c", made, "sh"])
        # One that names fewer is ended.
        timer = threading.Timer(20, proxy.process.terminate)
        timer.start()
        while proxy.said.count("on the device") < len(hosts) and (line := proxy.process.stderr.readline()):
            proxy.said += line
        timer.cancel()
        proxy.stop()
        expected = [
            f"on the device, open http://{place}/; or choose HTTP proxy, manual: server {host}, port {proxy.port}; "
            f"or automatic: http://{place}/proxy.pac"
            for host in hosts for place in [f"[{host}]:{proxy.port}" if ":" in host else f"{host}:{proxy.port}"]]
        said = re.findall("wireweight: (on the device.*)", proxy.said)
        expect(said == expected, listening, "is announced as", proxy.said)
    for listening, word in (("[::1]", "try: curl -x http://[::1]:PORT http://example.com"), (HERE, f"on the device, open http://{HERE}:PORT/;"),
                            ("127.0.0.1", "try: curl -x http://127.0.0.1:PORT http://example.com")):
        proxy = Proxy("--listen", f"{listening}:PORT", name="announcing", within=["unshare", "-n", "sh", "-c", made, "sh"])
        proxy.said += proxy.process.stderr.readline()
        proxy.stop()
        expect(word.replace("PORT", str(proxy.port)) in proxy.said, "without devices,", listening, "is announced as", proxy.said)


def known():
    """A device is known by the system's name for its address, otherwise by its hardware address, and by its User-Agent."""
    with neighbour() as namespace:
        if not namespace:
            return
        for hosts, known_as in (("", f"{HARDWARE} (neighbour)"), (f"{DEVICE} annas-phone.local\n", "annas-phone.local (lookup)")):
            # What answers for the addresses of others, and when, is the network's own affair.
            files = {"hosts": hosts + "127.0.0.1 localhost\n", "nsswitch.conf": "hosts: files\n"}
            for name, text in files.items():
                (FOLDER / name).write_text(text)
            hide = "".join(f"mount --bind {FOLDER}/{name} /etc/{name} && " for name in files if os.path.exists(f"/etc/{name}")) + "exec \"$@\""
            proxy = Proxy(
                "--for-devices", "--listen", f"{HERE}:PORT", "--allow", DEVICE, name="known",
                within=["unshare", "-m", "sh", "-c", hide, "sh"])
            got = subprocess.run(
                ["ip", "netns", "exec", namespace, "curl", "-sS", "-A", AGENT, f"http://{HERE}:{proxy.port}/"],
                capture_output=True, text=True, check=False)
            expect("<html" in got.stdout, "the device got", got.stdout[:200], got.stderr)
            proxy.stop()
            report = subprocess.run(
                [COMMAND, "report", str(proxy.store), "--by", "device", "--json"], capture_output=True, text=True, check=False)
            rows = [(row["device"], row["knownAs"]) for row in json.loads(report.stdout)["devices"]]
            expect(rows == [(DEVICE, f"{known_as}, iPhone (user-agent)")], "the devices are", rows)
            for name, count in ((known_as.split()[0], 1), ("iPhone", 1), (DEVICE, 1), ("iPad", 0)):
                found = subprocess.run(
                    [COMMAND, "exchanges", str(proxy.store), "--format", "ndjson", "--filter", f"device:{name}"],
                    capture_output=True, text=True, check=False)
                expect(len(found.stdout.splitlines()) == count, "by", name, "it found", found.stdout, found.stderr)


def left_out(own):
    """Of requests to hosts that the project leaves out, nothing is kept but their connections, and the summary says so."""
    folder = FOLDER / "project"
    folder.mkdir(exist_ok=True)
    (folder / ".wireweight.toml").write_text('hosts = ["a.test"]\n')
    origin = Origin(once(OK), host=own)
    proxy = Proxy("--for-devices", "--allow", own, "--listen", "0.0.0.0:PORT", name="left_out", within=("env", "-C", str(folder)))
    ask = b"GET http://%b:%d/ HTTP/1.1\r\nHost: a\r\nUser-Agent: Bank-App/1\r\nConnection: close\r\n\r\n" % (own.encode(), origin.port)
    got = proxy.talk(ask, host=own, source=(own, 0))
    expect(got == OK, "a host that is left out gave", got)
    proxy.stop()
    stored = proxy.store.read_bytes()
    expect(own.encode() in stored and b"Bank-App" not in stored, "a User-Agent that is left out is in the file")
    expect("no request went to a host that is to be metered" in proxy.said, "the summary says", proxy.said)
    origin.stop()


def main():
    own = own_address()
    auto_config(own)
    page()
    code()
    asking()
    announcing()
    known()
    if own:
        left_out(own)
    lookups()
    print(f"devices: the page, files and code that set them up, asking, names, what is left out, slow names; {len(FAILED)} failed")
    if FAILED:
        sys.exit(1)


if __name__ == "__main__":
    main()
