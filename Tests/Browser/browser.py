"""What tests in a browser share: Debian's Chromium, and a page that may not complain."""

import os
import pathlib
import unittest

from playwright.sync_api import expect, sync_playwright

SCREENSHOTS = pathlib.Path(os.environ.get("BROWSER_SCREENSHOTS", "/nonexistent"))
expect.set_options(timeout=15_000)


class BrowserTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.playwright = sync_playwright().start()
        # Chromium's sandbox wants namespaces that a container may not give; what is shown here is our own.
        cls.chromium = cls.playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])

    @classmethod
    def tearDownClass(cls):
        cls.chromium.close()
        cls.playwright.stop()

    def setUp(self):
        self.complaints = []
        self.strangers = []
        self.allowed = ()

    def open(self, address, width=1280, height=800, dark=False, language="en-US", touch=False, first=None):
        """A page of its own; what it complains of, and whom it asks, is kept."""
        context = self.chromium.new_context(
            viewport=dict(width=width, height=height), color_scheme="dark" if dark else "light", locale=language,
            has_touch=touch, permissions=["clipboard-read", "clipboard-write"], accept_downloads=True)
        self.addCleanup(context.close)
        page = context.new_page()
        if first:
            page.add_init_script(first)
        page.set_default_timeout(15_000)
        page.on("console", lambda message: message.type == "error" and self.complaints.append(message.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("dialog", lambda dialog: (self.complaints.append(f"dialog: {dialog.message}"), dialog.dismiss()))
        origin = address.split("#")[0].split("/?")[0].rstrip("/")
        page.on("request", lambda request: request.url.startswith((origin, "blob:", "data:")) or self.strangers.append(request.url))
        page.goto(address)
        return page

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
