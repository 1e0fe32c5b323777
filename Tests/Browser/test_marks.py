"""What the page says in words and marks: true of what happened, in words of a reader, and with what to do next."""

import re
import subprocess
import unittest

from playwright.sync_api import expect

import seeded
from browser import STORES, inspector
from processes import serving
from test_page import PageTest, has_failed, setUpModule, status  # noqa: F401

IN_SIGHT = """() => { const row = document.querySelector('.row[aria-selected="true"]'), grid = document.getElementById('grid');
    if (!row) return 'no row';
    const [a, b, head] = [row, grid, grid.querySelector('.head')].map((e) => e.getBoundingClientRect());
    return a.top >= head.bottom - 1 && a.bottom <= b.bottom + 1 ? 'in sight' : `${a.top}-${a.bottom} of ${head.bottom}-${b.bottom}`; }"""


class CompareTests(PageTest):
    store = "after"
    before = "before"

    def test_says_what_changed_in_words_and_by_what_it_is_sorted(self):
        page = self.open(self.base + "#/compare")
        order = page.locator("#main .order")
        expect(order).to_have_text("Sorted by the change in bytes, up and down together, largest first.")
        page.get_by_role("button", name="unchanged APIs").click()
        expect(page.locator("#main")).to_contain_text("too few calls")
        self.assertNotRegex(page.locator("#main").inner_text(), r"\b[a-z]+[A-Z][a-z]+\b")
        page.locator('.compare [data-sort="api"]').click()
        expect(order).to_have_text("Sorted by host and path, from A to Z.")
        hosts = page.locator(".compare tbody .t-api small").all_inner_texts()
        self.assertEqual(hosts, sorted(hosts))
        page.locator('.compare [data-sort="after"]').click()
        page.locator('.compare [data-sort="after"]').click()
        expect(order).to_have_text("Sorted by bytes after, up and down together, smallest first.")
        page.get_by_role("button", name="中文").click()
        expect(page.locator("#main")).to_contain_text("调用次数太少")

    def test_says_that_nothing_has_changed(self):
        page = self.open(inspector("after", "after") + "#/compare")
        expect(page.locator("#main .empty")).to_have_text("Nothing has changed.")
        self.assertEqual(page.locator(".compare tbody tr").count(), 0)


class SentTests(PageTest):
    store = "metered"

    def number(self, path):
        return next(number for number, row in self.rows.items() if row["path"] == path)

    def test_what_was_never_sent_has_no_size_and_no_evidence(self):
        refused = self.number("/refused")
        page = self.list(f"#/list?id={refused}")
        expect(page.locator(".detail .nothing-sent")).to_have_text("Nothing was sent.")
        self.assertEqual(page.locator(".detail .parts, .detail .evidence").count(), 0)
        mark = page.locator(f"#row-{refused} .mark")
        self.assertEqual(mark.get_attribute("aria-label"), "nothing sent")
        self.assertNotIn("e-captured", mark.get_attribute("class"))
        page.get_by_role("tab", name="Headers").click()
        expect(page.locator(".heads")).to_contain_text("No request was sent.")

    def test_a_version_is_named_as_it_was_sent_and_answered_or_not_at_all(self):
        page = self.list(f"#/list?id={self.number('/refused')}")
        fact = lambda: page.locator(".facts div", has=page.locator("dt", has_text=re.compile("^Version$"))).locator("dd")
        expect(fact()).to_have_text("–")
        page.goto(f"{self.base}#/list?id={self.number('/made/1')}")
        expect(fact()).to_have_text("HTTP/1.1, response in HTTP/1.0")
        page.goto(f"{self.base}#/list?id={self.number('/users/1')}")
        expect(fact()).to_have_text("HTTP/1.1")


class PlaceTests(PageTest):
    def expect_in_sight(self, page, number):
        expect(page.locator('.row[aria-selected="true"]')).to_have_id(f"row-{number}")
        for _ in range(100):
            seen = page.evaluate(IN_SIGHT)
            if seen == "in sight":
                return
            page.wait_for_timeout(50)
        self.fail(seen)

    def test_an_address_leads_to_its_row_wherever_that_is(self):
        for number in (1, 1500, max(self.rows)):
            for sort in ("", "&sort=start", "&sort=-down"):
                with self.subTest(number, sort=sort):
                    page = self.open(f"{self.base}#/list?id={number}{sort}")
                    self.expect_in_sight(page, number)
                    expect(page.locator(".strip")).to_be_visible()
                    expect(page.locator(".detail-number")).to_be_visible()
                    self.expect_in_sight(page, number)
                    page.context.close()

    def test_a_row_stays_in_sight_when_the_window_shrinks_and_goes_when_one_scrolls(self):
        page = self.open(f"{self.base}#/list?id=1")
        self.expect_in_sight(page, 1)
        page.set_viewport_size(dict(width=1280, height=420))
        self.expect_in_sight(page, 1)
        page.locator("#grid").hover()
        page.mouse.wheel(0, -20_000)
        expect(page.locator("#row-1")).to_be_hidden()
        page.set_viewport_size(dict(width=1280, height=800))
        page.wait_for_timeout(300)
        self.assertEqual(page.locator("#row-1").count(), 0)

    def test_a_link_within_the_page_leads_to_its_row(self):
        page = self.list()
        page.goto(f"{self.base}#/list?id=7")
        self.expect_in_sight(page, 7)


class StripTests(PageTest):
    def test_the_strip_follows_every_filter_and_says_from_when_to_when_and_how_much(self):
        page = self.list()
        ends = page.locator(".strip-ends > span")
        expect(ends.nth(1)).to_contain_text("at most")
        moment = r"^(\d{4}-\d\d-\d\d )?\d\d:\d\d:\d\d$"
        expect(ends.nth(0)).to_have_text(re.compile(moment))
        expect(ends.nth(2)).to_have_text(re.compile(moment))
        self.assertRegex(ends.nth(1).inner_text(), r"at most [\d.,]+ [KM]?B/s")
        for query, fits in [
                ("text=lamp", lambda row: "lamp" in row["url"]), ("status=5xx", lambda row: status(row) >= 500),
                ("type=image/", lambda row: (row["type"] or "").startswith("image/")), ("failed=1", has_failed),
                ("slower=200", lambda row: row["duration"] > 200), ("process=shop", lambda row: True),
                ("method=POST", lambda row: row["method"] == "POST")]:
            with self.subTest(query):
                page.goto(f"{self.base}#/list?{query}")
                wanted = len(self.matching(fits))
                expect(page.locator(".strip .chart")).to_have_attribute("aria-label", re.compile(rf"\b{wanted:,} requests"))
        # The range is what is chosen on the strip: it goes on showing all of the time.
        page.goto(f"{self.base}#/list?since={int(self.rows[1]['start']) + 20_000}")
        expect(page.locator(".strip .chart")).to_have_attribute("aria-label", re.compile(rf"\b{len(self.rows):,} requests"))


class RoomTests(PageTest):
    def test_the_strip_comes_late_and_moves_no_row(self):
        held = []
        page = self.open("about:blank")
        page.route(re.compile("/timeline"), lambda route: held.append(route))
        page.goto(self.base + "#/list")
        expect(page.locator(".row.set").first).to_be_visible()
        before = page.locator(".list").bounding_box()
        self.eventually(lambda: len(held) > 0, True)
        for route in held:
            route.continue_()
        expect(page.locator(".strip-most")).to_contain_text("at most")
        self.assertEqual(page.locator(".list").bounding_box(), before)
        self.strangers.clear()


class EndedTests(PageTest):
    def test_an_inspector_that_has_ended_is_said_to_have_and_comes_back(self):
        self.allowed = ("ERR_", "Failed to load")
        live = self.live()
        # Ten seconds are a tenth of that here; all other waits are as they are.
        page = self.list(first="const real = setTimeout; window.setTimeout = (f, ms, ...more) => real(f, ms === 10_000 ? 1_000 : ms, ...more);")
        live.stop()
        expect(page.locator(".live")).to_have_text("Reconnecting …")
        expect(page.locator(".live")).to_have_text("Ended")
        expect(page.locator("#banner")).to_have_text("The inspector has ended. Start it again:wireweight inspect logs/shop.db")
        for name in ("Pause recording", "Clear …", "Export filtered exchanges"):
            expect(page.get_by_role("button", name=name)).to_be_disabled()
        page.get_by_role("button", name="中文").click()
        expect(page.locator("#banner")).to_contain_text("检查器已结束")
        page.get_by_role("button", name="English").click()
        live.start()
        expect(page.locator(".live")).to_have_text("Live")
        expect(page.locator("#banner")).to_be_hidden()
        expect(page.get_by_role("button", name="Pause recording")).to_be_enabled()
        after, = live.add()
        expect(page.locator(f"#row-{after}")).to_be_visible()


class EmptyTests(PageTest):
    def test_a_file_without_exchanges_says_how_to_record_some(self):
        file = STORES.copy("empty")
        with serving(seeded.COMMAND, "inspect", "logs/shop.db", cwd=file.parents[1]) as (_, base):
            page = self.open(base + "#/list")
            commands = page.locator(".note .command")
            expect(commands).to_have_text(["wireweight run --db logs/shop.db -- PROGRAM", "wireweight doctor -- PROGRAM"])
            self.assertNotIn("as they happen", page.locator(".note").inner_text())
            # The page to which the address alone leads says the same.
            first = self.open(base)
            expect(first.locator(".overview .empty .command")).to_have_text(["wireweight run --db logs/shop.db -- PROGRAM", "wireweight doctor -- PROGRAM"])
            # A program that has sent nothing yet.
            recording = subprocess.Popen([seeded.COMMAND, "run", "--db", file, "--", "cat"], stdin=subprocess.PIPE, stderr=subprocess.DEVNULL)
            try:
                expect(page.locator(".note")).to_contain_text("appear here as they happen")
                expect(first.locator(".overview .empty")).to_contain_text("appear here as they happen")
            finally:
                recording.communicate()


class OrderTests(PageTest):
    def test_tables_say_what_they_are_sorted_by(self):
        page = self.open(self.base + "#/apis")
        expect(page.locator("#main .order")).to_have_text("Sorted by bytes, up and down together, largest first.")
        page.locator('[data-sort="p95"]').click()
        expect(page.locator("#main .order")).to_have_text("Sorted by the 95th percentile of durations, largest first.")
        page.locator('[data-sort="callP95"]').click()
        expect(page.locator("#main .order")).to_have_text("Sorted by the 95th percentile of the bytes of one call, largest first.")
        heaviest = page.evaluate("""async () => {
            const { apis } = await (await fetch("api/v1/apis")).json();
            return apis.sort((a, b) => (b.perCall.total.p95 ?? -1) - (a.perCall.total.p95 ?? -1))[0].template;
        }""")
        expect(page.locator("tbody .t-template").first).to_have_text(heaviest)
        page.locator('[data-sort="callMax"]').click()
        expect(page.locator("#main .order")).to_have_text("Sorted by the bytes of the largest call, largest first.")
        largest = page.evaluate("""async () => {
            const { apis } = await (await fetch("api/v1/apis")).json();
            return apis.sort((a, b) => (b.perCall.total.max ?? -1) - (a.perCall.total.max ?? -1))[0].template;
        }""")
        expect(page.locator("tbody .t-template").first).to_have_text(largest)
        # Each direction is beside the sum of both.
        for column in ("call", "callP95", "callMax"):
            expect(page.locator(f"tbody .t-{column}").first).to_have_attribute("title", re.compile(r"^↑ [\d.]+ [KM]?B, ↓ [\d.]+ [KM]?B$"))
        page.locator('[data-sort="total"]').click()
        expect(page.locator("#main .order")).to_have_text("Sorted by bytes, up and down together, largest first.")
        page = self.open(inspector("metered") + "#/connections")
        expect(page.locator("#main .page-head")).to_contain_text("The newest come first.")


if __name__ == "__main__":
    unittest.main(verbosity=2)
