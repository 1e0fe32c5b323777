"""Records the pictures of README.md and docs/proxy.md into docs/images: the inspector over the seeded stores of
its tests, and a proxy; see `make images`.

usage: record-images.py COMMAND
"""

import contextlib
import http.server
import json
import os
import pathlib
import ssl
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
import urllib.request

from playwright.sync_api import sync_playwright

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "Scripts/shared"))
sys.path.insert(0, str(ROOT / "Tests/Browser"))
os.environ["WIREWEIGHT_COMMAND"] = str(pathlib.Path(sys.argv[1]).resolve())
import seeded  # noqa: E402
from processes import free_ports, serving  # noqa: E402

# The store, the colours, the place, and what is there when the picture is complete.
PICTURES = {
    "overview": ("after", "dark", "overview", ".overview-savings .finding"),
    "exchange": ("metered", "light", "list?host=api.example.com&id={id}", ".parts tfoot"),
    "map": ("seeded", "light", "map", ".map-api"),
}


def inspected(command, folder, chromium):
    """Pages of the inspector, of traffic that is the same each time."""
    stores = seeded.Stores()
    for name, (store, scheme, place, wanted) in PICTURES.items():
        compare = ["--compare", stores.get("before")] if store == "after" else []
        # Neither the runs of this machine nor its time zone are in a picture.
        with serving(command, "inspect", stores.get(store), *compare, env={**os.environ, "XDG_STATE_HOME": folder}) as (_, address):
            page = chromium.new_context(
                viewport=dict(width=1280, height=800), color_scheme=scheme, locale="en-US", timezone_id="UTC").new_page()
            if "{id}" in place:
                # Cookies and a body: what a message usually has.
                query = urllib.parse.urlencode({"path": "/bodies/json", "limit": 1})
                with urllib.request.urlopen(f"{address}api/v1/exchanges?{query}") as answer:
                    place = place.format(id=json.load(answer)["exchanges"][0]["id"])
            page.goto(f"{address}#/{place}")
            page.wait_for_selector(wanted)
            page.wait_for_timeout(500)
            picture = ROOT / f"docs/images/inspector-{name}.png"
            page.screenshot(path=picture)
            keep(picture, 256)


class Answer(http.server.BaseHTTPRequestHandler):
    """What the device of the picture gets."""

    def do_GET(self):
        body = json.dumps([{"id": number, "title": f"Article {number}", "price": 1900 + number} for number in range(200)]).encode()
        self.send_response(200)
        for name, value in (("Content-Type", "application/json"), ("Content-Length", len(body)), ("Set-Cookie", "shop=1")):
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def keep(picture, colours):
    """The package holds the pictures too: a few colours are enough for a page, and take a third of the bytes."""
    subprocess.run(["pngquant", "--force", "--output", picture, str(colours), picture], check=True)


def proxied(command, folder, chromium):
    """Both legs of an exchange of a device on a slow network, and the page that sets a device up."""
    subprocess.run([ROOT / "Scripts/shared/certificate.sh", folder], check=True)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answer)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(f"{folder}/certificate.pem", f"{folder}/key.pem")
    server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    opening = [command, "proxy", "--open-tls", "--upstream-ca", "certificate.pem"]
    options = {"cwd": folder, "env": {**os.environ, "XDG_DATA_HOME": folder}}
    subprocess.run(
        [*opening, "--db", "phone.db", "--profile", "3g", "--", "curl", "-s", f"https://localhost:{server.server_port}/articles"],
        check=True, stdout=subprocess.DEVNULL, **options)
    with serving(command, "inspect", "phone.db", cwd=folder) as (_, address):
        page = chromium.new_context(viewport={"width": 1000, "height": 1500}, color_scheme="light", locale="en-US").new_page()
        page.goto(f"{address}#/list?id=2")
        page.wait_for_selector(".parts tfoot")
        page.wait_for_timeout(500)
        picture = ROOT / "docs/images/proxy-legs.png"
        top, last = page.locator("#detail").bounding_box(), page.get_by_text("The proxy's connection to the server").bounding_box()
        page.screenshot(path=picture, clip={**top, "height": last["y"] + last["height"] + 12 - top["y"]})
        keep(picture, 32)
    port = free_ports(1)[0]
    proxy = subprocess.Popen([*opening, "--listen", str(port)], stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **options)
    try:
        page = chromium.new_context(viewport={"width": 390, "height": 844}, color_scheme="light", locale="en-US").new_page()
        for _ in range(300):
            with contextlib.suppress(OSError), urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=5):
                break
            time.sleep(0.1)
        page.goto(f"http://127.0.0.1:{port}/")
        # As on a device of a home network.
        page.evaluate(f"document.body.innerHTML = document.body.innerHTML.replaceAll('127.0.0.1', '192.168.1.5').replaceAll('{port}', '8899')")
        for summary in page.get_by_text("iPhone, iPad", exact=True).all():
            summary.click()
        picture = ROOT / "docs/images/proxy-page.png"
        page.screenshot(path=picture, full_page=True)
        keep(picture, 8)
    finally:
        proxy.terminate()
        proxy.wait()
        server.shutdown()


def main():
    command = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        inspected(command, folder, chromium)
        proxied(command, folder, chromium)
        chromium.close()


if __name__ == "__main__":
    main()
