"""What is drawn a second time keeps its elements: the user may be about to press one, and a text in one may be selected."""

import json
import re
import unittest

from playwright.sync_api import expect

from browser import inspector, seeded_rows
from test_page import PageTest, setUpModule  # noqa: F401

# Notes of the rows in sight which lose their class or their contents; of other elements, what is taken out.
WATCH = """(name) => {
    window.drawn = [];
    const all = document.querySelector(name);
    const rows = new Set(all.querySelectorAll('.row.set:not([hidden])'));
    window.watching = new MutationObserver((records) => {
        for (const { target, type, oldValue, removedNodes } of records) {
            const row = target.closest('.row');
            if (type === 'attributes' && rows.has(target) && !target.hidden && !oldValue.split(' ').includes('set')) window.drawn.push(`${target.id} had been taken out`);
            if (type === 'childList' && removedNodes.length > 0) window.drawn.push(rows.has(row) ? row.id : target.className);
        }
    });
    window.watching.observe(all, { subtree: true, childList: true, attributes: true, attributeFilter: ['class'], attributeOldValue: true });
}"""
FRAMES = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(window.drawn))))"
# Sizes are only observed from `letSizes()` on, as if the browser had no time for it before.
LATE_SIZES = """{
    const Native = ResizeObserver;
    const late = [];
    window.letSizes = () => late.splice(0).forEach((begin) => begin());
    window.ResizeObserver = class extends Native {
        observe(...all) { late.push(() => super.observe(...all)); }
    };
}"""


class DrawingTests(PageTest):
    def begin(self, hash, held, **options):
        """The page at an address, and its requests that are held until the test answers them."""
        page = self.open("about:blank", **options)
        self.homes.add(self.base.rstrip("/"))
        waiting = []
        page.route(re.compile(held), lambda route: waiting.append(route))
        # What these say may change a row at any time.
        page.route(re.compile("/api/v1/limits$"), lambda route: route.fulfill(json=dict(apis=[], least=20)))
        page.goto(self.base + hash)
        return page, waiting

    def watch(self, page, name):
        page.evaluate(WATCH, name)

    def drawn(self, page):
        return page.evaluate(FRAMES)

    def events(self, page, waiting, **events):
        """Answers a stream of events that is held."""
        self.eventually(lambda: page.evaluate("1") and len(waiting) > 0, True)
        text = "".join(f"event: {name}\ndata: {json.dumps(data)}\n\n" for name, data in events.items())
        waiting.pop(0).fulfill(content_type="text/event-stream", body="retry: 600000\n" + text)

    def test_rows_are_not_drawn_again_when_the_sums_come(self):
        page, waiting = self.begin("#/list", "/api/v1/sums")
        expect(page.locator(".row.set").nth(10)).to_be_visible()
        self.eventually(lambda: page.evaluate("1") and len(waiting) > 0, True)
        self.watch(page, ".canvas")
        waiting.pop(0).continue_()
        expect(page.locator(".row.slow, .row.heavy").first).to_be_attached()
        marked = page.locator(".row.slow, .row.heavy").evaluate_all("all => all.map((row) => row.id)")
        self.assertEqual(set(self.drawn(page)) - set(marked), set())

    def test_rows_and_their_heads_stay_when_another_exchange_is_opened(self):
        page, _ = self.begin("#/list", "/nothing$")
        expect(page.locator(".sum-total")).to_be_visible()
        first, second = self.ids(page)[:2]
        page.locator(f"#row-{first}").click()
        expect(page.locator(".detail-number")).to_have_text(f"#{first}")
        self.drawn(page)
        self.watch(page, ".grid")
        page.keyboard.press("ArrowDown")
        expect(page.locator(".detail-number")).to_have_text(f"#{second}")
        self.assertEqual(self.drawn(page), [])

    def test_a_list_that_is_read_again_keeps_its_rows(self):
        page, waiting = self.begin("#/list", "/api/v1/events")
        expect(page.locator(".row.set").nth(10)).to_be_visible()
        expect(page.locator(".sum-total")).to_be_visible()
        self.drawn(page)
        self.watch(page, ".grid")
        with page.expect_response(re.compile("/api/v1/exchanges")):
            self.events(page, waiting, reset={})
        self.assertEqual(self.drawn(page), [])

    def test_a_detail_that_is_read_twice_is_drawn_once(self):
        number = self.matching(lambda row: row["status"] == 200)[0]
        page, waiting = self.begin(f"#/list?id={number}", rf"/api/v1/(events|exchanges/{number}$)")
        of = lambda name: [route for route in waiting if name in route.request.url]
        self.eventually(lambda: page.evaluate("1") and (len(of("events")), len(of("exchanges"))), (1, 1))
        first, = of("exchanges")
        self.events(page, of("events"), rows=dict(rows=[self.rows[number]]))
        self.eventually(lambda: page.evaluate("1") and len(of("exchanges")), 2)
        first.continue_()
        expect(page.locator(".detail-number")).to_have_text(f"#{number}")
        self.watch(page, "#detail")
        with page.expect_response(re.compile(f"/api/v1/exchanges/{number}$")):
            of("exchanges")[1].continue_()
        self.assertEqual(self.drawn(page), [])

    def test_headers_stay_when_it_is_known_how_often_they_were_sent_again(self):
        number = max(number for number, row in self.rows.items() if row["host"] == "legacy.example.com")
        page, waiting = self.begin(f"#/list?id={number}&tab=heads", "/repeats$")
        expect(page.locator(".head-block").nth(1)).to_be_visible()
        self.eventually(lambda: page.evaluate("1") and len(waiting) > 0, True)
        self.watch(page, "#detail")
        waiting.pop(0).continue_()
        expect(page.locator(".heads-again")).to_contain_text("Compared with the")
        expect(page.locator(".raw-again").filter(has_text="×").first).to_be_visible()
        self.assertEqual(self.drawn(page), [])
        # Another order moves the lines; the buttons stay.
        page.get_by_role("button", name="Sent again").click()
        self.assertEqual(set(self.drawn(page)) & {"detail", "detail-body", "heads", "heads-bar", "segments"}, set())

    def test_bodies_side_by_side_are_drawn_once(self):
        self.base = inspector("metered")
        number = max(number for number, row in seeded_rows("metered").items() if row["path"] == "/users/7/avatar")
        page = self.list(f"#/list?id={number}&tab=body", width=1900, first=LATE_SIZES)
        expect(page.locator(".bodies")).to_have_count(2)
        expect(page.locator(".bodies").nth(1)).to_contain_text("stored")
        expect(page.locator(".bodies").nth(0).locator(".body-place pre")).to_be_visible()
        self.watch(page, "#detail")
        page.evaluate("letSizes()")
        self.assertEqual(self.drawn(page), [])
        page.set_viewport_size(dict(width=1200, height=800))
        expect(page.locator(".bodies")).to_have_count(1)

    def test_the_buttons_of_the_header_stay_while_traffic_comes(self):
        page, waiting = self.begin("#/list", "/api/v1/events")
        expect(page.locator("#count")).to_have_text(re.compile("^2,000 "))
        self.watch(page, "#header")
        overview = page.evaluate("fetch('/api/v1/overview').then((answer) => answer.json())")
        self.events(page, waiting, status=overview | dict(exchanges=2001))
        expect(page.locator("#count")).to_have_text(re.compile("^2,001 "))
        self.assertEqual(set(self.drawn(page)) & {"controls", "brand"}, set())


if __name__ == "__main__":
    unittest.main(verbosity=2)
