"""The inspector's page in Firefox: every page, the filter, the details of a request, keys, and a drag over the timeline.

Mozilla's own driver for Python steers Debian's Firefox; Debian has no package of geckodriver.
"""

import pathlib
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Browser"))

import seeded
from marionette_driver import By
from marionette_driver.keys import Keys
from marionette_driver.marionette import ActionSequence, Marionette
from processes import free_ports, serving

PAGES = {
    "overview": ".heaviest tbody tr", "apis": ".apis tbody tr", "apis?by=status": ".apis tbody tr", "map": ".map-api i",
    "timeline": ".chart-bytes path", "audit": ".finding", "compare": ".compare tbody tr",
    "compare?api.a=GET%20api.example.com/feed": ".pair-part", "compare?a=3&b=5": ".pair-part", "connections": "#main .empty",
    "list?id=5": ".detail-body .parts", "list?id=5&tab=heads": ".raw-line",
}
WATCH = """window.complaints = [];
addEventListener('error', (event) => complaints.push(event.message));
addEventListener('unhandledrejection', (event) => complaints.push(String(event.reason)));"""
WIDE = """return [document.documentElement, document.querySelector('main'), document.querySelector('.detail-body')]
    .filter((one) => one && one.scrollWidth > one.clientWidth + 1).map((one) => `${one.tagName} ${one.className}`)"""


class WalkTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        stores = seeded.Stores()
        _, cls.base = cls.enterClassContext(
            serving(seeded.COMMAND, "inspect", stores.get("after"), "--compare", stores.get("before")))
        cls.firefox = Marionette(
            bin="/usr/bin/firefox-esr", headless=True, host="127.0.0.1", port=free_ports(1)[0],
            prefs={"intl.accept_languages": "en-US"})
        cls.addClassCleanup(cls.leave)
        cls.firefox.start_session()
        cls.firefox.timeout.page_load = 60

    @classmethod
    def leave(cls):
        cls.firefox.quit()
        # Its files are removed when it is collected, which is too late at the end of the interpreter.
        cls.firefox.cleanup()
        del cls.firefox

    def run_script(self, script, *values):
        return self.firefox.execute_script(script, script_args=list(values), sandbox=None)

    def eventually(self, script, *values):
        """What the script returns, once that is something."""
        deadline = time.monotonic() + 60
        while not (found := self.run_script(script, *values)):
            self.assertLess(time.monotonic(), deadline, script)
            time.sleep(0.02)
        return found

    def open(self, place):
        self.firefox.navigate("about:blank")
        self.firefox.navigate(f"{self.base}#/{place}")
        self.run_script(WATCH)
        self.addCleanup(lambda: self.assertEqual(self.run_script("return window.complaints"), []))

    def test_every_page(self):
        self.open("list")
        self.eventually("return document.querySelectorAll('.row.set').length")
        for place, wanted in PAGES.items():
            with self.subTest(place):
                self.run_script("location.hash = `#/${arguments[0]}`", place)
                self.eventually("return document.querySelectorAll(arguments[0]).length", wanted)
                self.assertEqual(self.run_script(WIDE), [])
        self.assertTrue(self.eventually("return document.fonts.check('13px \"Page text\"')"))

    def test_rows_are_filtered_opened_and_left_by_keys(self):
        self.open("list")
        self.eventually("return document.querySelectorAll('.row.set').length")
        search = self.firefox.find_element(By.ID, "search")
        search.send_keys("status:404" + Keys.ENTER)
        self.eventually("return document.querySelector('#shown').textContent === '10 shown'")
        # The number is there a frame before the rows.
        self.eventually("""const statuses = [...document.querySelectorAll('.row.set:not([hidden]) .c-status')];
            return statuses.length === 10 && statuses.every((one) => one.textContent === '404')""")
        search.send_keys(Keys.ESCAPE)
        self.firefox.find_element(By.ID, "grid").send_keys(Keys.ARROW_DOWN, Keys.ENTER)
        self.eventually("return document.querySelector('.detail-title')?.textContent.startsWith('404')")
        self.firefox.find_element(By.CSS_SELECTOR, ".detail-bar [aria-label='Close the details']").click()
        self.eventually("return document.querySelector('#detail') === null || !location.hash.includes('id=')")

    def test_a_drag_over_the_timeline_chooses_a_range(self):
        self.open("timeline")
        self.eventually("return document.querySelectorAll('.chart-bytes path').length")
        chart = self.firefox.find_element(By.CSS_SELECTOR, ".chart-bytes")
        drag = ActionSequence(self.firefox, "pointer", "mouse", {"pointerType": "mouse"})
        drag.pointer_move(-200, 0, origin=chart).pointer_down(0).pointer_move(0, 0, duration=100, origin=chart).pointer_up(0).perform()
        self.eventually("return /since=\\d+&until=\\d+/.test(location.hash)")
        self.eventually("return document.querySelectorAll('.page-chips .chip').length === 2")

    def test_the_header_is_one_line_in_which_nothing_touches(self):
        self.firefox.set_window_rect(width=1300, height=860)
        self.open("list")
        self.eventually("return document.querySelectorAll('.row.set').length")
        boxes = self.run_script("""return [...document.querySelectorAll('.brand, #nav a, .live, .controls button')]
            .map((one) => one.getBoundingClientRect()).map(({ left, right, bottom }) => ({ left, right, bottom }))""")
        line = sorted(boxes, key=lambda box: box["left"])
        self.assertGreaterEqual(len(line), 15)
        self.assertTrue(all(one["right"] <= other["left"] + 0.5 for one, other in zip(line, line[1:])), line)
        self.assertLessEqual(max(box["bottom"] for box in line), 48)
        self.assertLessEqual(self.run_script("return document.querySelector('.row.set').getBoundingClientRect().top"), 165)


if __name__ == "__main__":
    unittest.main()
