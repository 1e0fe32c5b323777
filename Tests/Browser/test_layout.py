"""Where things are: how much is above the rows, what touches what, and what moves."""

import unittest

import seeded
from browser import STORES, BrowserTest, expect, inspector

BOXES = """(all) => all.filter((one) => one.getClientRects().length).map((one) => {
    const { left, right, top, bottom } = one.getBoundingClientRect();
    return { name: one.className || one.id || one.textContent, left, right, top, bottom };
})"""
# The words of the tabs, without the room around them.
WORDS = """(all) => all.map((one) => {
    const range = document.createRange();
    range.selectNodeContents([...one.querySelectorAll("span")].find((word) => word.getClientRects().length));
    const { left, right } = range.getBoundingClientRect();
    return [left, right];
})"""
MOVES = """() => [...document.querySelectorAll("*")].filter((one) => ["", "::before", "::after"].some((part) => {
    const style = getComputedStyle(one, part);
    return style.animationName !== "none" || style.transitionDuration.split(", ").some((time) => time !== "0s");
})).map((one) => one.id || one.className)"""


class LayoutTests(BrowserTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        # Pause, clear, and requests that run: the header with the most in it.
        cls.live = seeded.Live(STORES, "seeded")
        cls.addClassCleanup(cls.live.close)
        cls.live.begin()

    def test_rows_begin_below_one_line_of_header_one_of_filters_and_the_strip(self):
        for language in ("en-US", "zh-CN"):
            with self.subTest(language):
                page = self.open(inspector("seeded") + "#/list", language=language)
                first = page.locator(".row.set").first
                expect(first).to_be_visible()
                expect(page.locator(".strip-most")).to_contain_text("MB/")
                self.assertLessEqual(first.bounding_box()["y"], 165)

    def test_the_filter_has_room_at_every_width(self):
        page = self.open(inspector("seeded") + "#/list", width=701)
        expect(page.locator(".row.set").first).to_be_visible()
        for width in (701, 760, 820, 900, 1024, 1280):
            with self.subTest(width):
                page.set_viewport_size(dict(width=width, height=800))
                self.assertGreaterEqual(page.locator(".search-box").bounding_box()["width"], 150)
                self.fits(page)

    def test_nothing_in_the_header_touches_anything_else(self):
        for width in (1180, 1280, 1339, 1340, 1600):
            for language in ("en-US", "zh-CN"):
                with self.subTest(width=width, language=language):
                    page = self.open(self.live.base, width=width, language=language)
                    expect(page.locator(".running-count")).to_have_count(1)
                    boxes = page.locator(".brand, #nav a, .live, .counts > *, .controls button").evaluate_all(BOXES)
                    self.assertGreaterEqual(len(boxes), 17)
                    line = sorted(boxes, key=lambda box: box["left"])
                    for one, other in zip(line, line[1:]):
                        self.assertLessEqual(one["right"], other["left"] + 0.5, (one, other))
                    self.assertTrue(all(box["left"] >= 0 and box["right"] <= width and box["bottom"] <= 48 for box in boxes), boxes)

    def test_tabs_of_a_phone_are_apart(self):
        for width in (360, 390):
            for language in ("en-US", "zh-CN"):
                with self.subTest(width=width, language=language):
                    page = self.open(inspector("seeded") + "#/list", width=width, height=844, language=language, touch=True)
                    expect(page.locator(".row.set").first).to_be_visible()
                    words = page.locator("#nav a").evaluate_all(WORDS)
                    self.assertEqual(len(words), 8)
                    gaps = [other[0] - one[1] for one, other in zip(words, words[1:])]
                    self.assertGreaterEqual(min(gaps), 7, gaps)

    def test_bars_of_the_timeline_are_within_their_ground(self):
        for width in (390, 1280):
            page = self.open(f"{inspector('seeded')}#/timeline", width=width)
            for kind, bars in (("bytes", ".area-down"), ("requests", ".area-requests")):
                chart = page.locator(f".chart-{kind}")
                expect(chart.locator(bars)).to_be_visible()
                ground, drawn = chart.bounding_box(), chart.locator(bars).bounding_box()
                self.assertGreaterEqual(drawn["x"] - ground["x"], 10)
                self.assertGreaterEqual(ground["x"] + ground["width"] - drawn["x"] - drawn["width"], 10)

    def test_nothing_moves_for_who_wants_less_motion(self):
        page = self.open(self.live.base)
        expect(page.locator(".live.live")).to_be_visible()
        moving = page.evaluate(MOVES)
        self.assertTrue({"dot", "toast"} <= set(moving), moving)
        page.emulate_media(reduced_motion="reduce")
        self.assertEqual(page.evaluate(MOVES), [])


if __name__ == "__main__":
    unittest.main()
