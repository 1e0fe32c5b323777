"""What tests in a browser share: Debian's Chromium, a page that may not complain, and inspectors over seeded stores."""

import atexit
import contextlib
import functools
import json
import os
import pathlib
import shutil
import tempfile
import time
import unittest
import urllib.request

from playwright.sync_api import expect, sync_playwright

import seeded
from processes import serving

# Runs that this user keeps are none of these tests' business.
os.environ["XDG_STATE_HOME"] = tempfile.mkdtemp(prefix="wireweight-browser-")
atexit.register(shutil.rmtree, os.environ["XDG_STATE_HOME"], ignore_errors=True)
SCREENSHOTS = pathlib.Path(os.environ.get("BROWSER_SCREENSHOTS", "/nonexistent"))
STORES = seeded.Stores()
# BROWSER_SLOW='exchanges/': each answer to the page from such an address comes half a second late, as it may on a busy machine.
# A test that reads what it has not waited for fails then every time, not once in a hundred.
SLOW = os.environ.get("BROWSER_SLOW")
LATE = """{
    const native = window.fetch;
    window.fetch = async (...all) => {
        const answer = await native(...all);
        if (RegExp(%s).test(answer.url)) await new Promise((done) => setTimeout(done, 500));
        return answer;
    };
}""" % json.dumps(SLOW)
expect.set_options(timeout=15_000)
lasting = contextlib.ExitStack()
atexit.register(lasting.close)


@functools.cache
def inspector(name, before=None):
    """The address of an inspector over a seeded store, for tests that change nothing."""
    compare = ["--compare", STORES.get(before)] if before else []
    # It offers no runs: making the stores was some.
    state = lasting.enter_context(tempfile.TemporaryDirectory())
    return lasting.enter_context(serving(
        seeded.COMMAND, "inspect", STORES.get(name), *compare, env=os.environ | {"XDG_STATE_HOME": state}))[1]


def ask(base, path):
    with urllib.request.urlopen(f"{base}api/v1/{path}") as answer:
        return json.load(answer)


@functools.cache
def seeded_rows(name):
    """The rows of a seeded store by their numbers, as the inspector has them."""
    base, rows = inspector(name), {}
    page = ask(base, "exchanges?sort=start&limit=500")
    while True:
        rows |= {row["id"]: row for row in page["exchanges"]}
        if page["cursor"] is None:
            return rows
        page = ask(base, f"exchanges?cursor={page['cursor']}&limit=500")


class BrowserTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.playwright = sync_playwright().start()
        cls.chromium = cls.launch()

    @classmethod
    def launch(cls, *options):
        # Chromium's sandbox wants namespaces that a container may not give; what is shown here is our own.
        return cls.playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox", *options])

    @classmethod
    def tearDownClass(cls):
        cls.chromium.close()
        cls.playwright.stop()

    def setUp(self):
        self.complaints = []
        self.strangers = []
        self.homes = set()
        self.asked = []
        self.allowed = ()

    def open(self, address, width=1280, height=800, dark=False, language="en-US", touch=False, first=None, chromium=None):
        """A page of its own; what it complains of, and whom it asks, is kept."""
        context = (chromium or self.chromium).new_context(
            viewport=dict(width=width, height=height), color_scheme="dark" if dark else "light", locale=language,
            has_touch=touch, permissions=["clipboard-read", "clipboard-write"], accept_downloads=True)
        self.addCleanup(context.close)
        page = context.new_page()
        if SLOW:
            page.add_init_script(LATE)
        if first:
            page.add_init_script(first)
        page.set_default_timeout(15_000)
        page.on("console", lambda message: message.type == "error" and self.complaints.append(message.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("dialog", lambda dialog: (self.complaints.append(f"dialog: {dialog.message}"), dialog.dismiss()))
        self.homes.add(address.split("#")[0].split("/?")[0].rstrip("/"))
        page.on("request", lambda request: request.url.startswith((*self.homes, "blob:", "data:")) or self.strangers.append(request.url))
        page.on("request", lambda request: self.asked.append(request.url))
        page.goto(address)
        return page

    def eventually(self, look, wanted):
        """Looks until it sees that."""
        deadline = time.monotonic() + 15
        while (seen := look()) != wanted and time.monotonic() < deadline:
            time.sleep(0.02)
        self.assertEqual(seen, wanted)

    def tearDown(self):
        """Neither errors nor requests to anybody else; a test names what it allows."""
        complaints = [text for text in self.complaints if not any(word in text for word in self.allowed)]
        self.assertEqual(complaints, [])
        self.assertEqual(self.strangers, [])

    def picture(self, page, name):
        if SCREENSHOTS.is_dir():
            page.screenshot(path=SCREENSHOTS / f"{name}.png")

    def fits(self, page):
        """Nothing is wider than the screen."""
        wide = page.evaluate("""() => [document.documentElement, document.querySelector('main'), document.querySelector('.grid'),
            document.querySelector('.detail-body')].filter((e) => e && e.scrollWidth > e.clientWidth + 1)
            .map((e) => `${e.tagName} ${e.className} ${e.scrollWidth} > ${e.clientWidth}`)""")
        self.assertEqual(wide, [])
