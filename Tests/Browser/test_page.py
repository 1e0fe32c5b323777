"""The inspector's page in a real browser, over the real server and stores that are the same in each run."""

import gzip
import json
import pathlib
import re
import statistics
import tempfile
import time
import unittest
import urllib.parse

from playwright.sync_api import expect

import seeded
import traffic
from browser import STORES, BrowserTest, ask, inspector, seeded_rows
from relay import Relay

HERE = pathlib.Path(__file__).resolve().parent
WEB = seeded.ROOT / "Sources/TrafficInspector/Web"
ACCESSIBILITY = (HERE / "accessibility.js").read_text()
PAGES = ["overview", "list", "apis", "map", "timeline", "audit", "compare", "connections"]


def setUpModule():
    # Takes a while, and is needed late.
    STORES.start("large")
    for name in ("metered", "before", "after", "hostile"):
        STORES.start(name)


class PageTest(BrowserTest):
    """A page over a seeded store."""

    store = "seeded"
    before = None

    def setUp(self):
        super().setUp()
        self.base = inspector(self.store, self.before)

    @property
    def rows(self):
        return seeded_rows(self.store)

    def live(self, store="seeded"):
        """From here on, the page is that of a recording that goes on, over a copy of a store."""
        live = seeded.Live(STORES, store)
        self.addCleanup(live.close)
        self.base = live.base
        return live

    def list(self, hash="#/list", **options):
        page = self.open(self.base + hash, **options)
        page.wait_for_selector(".row.set")
        return page

    def ids(self, page, least=0):
        """The numbers of the rows in sight, from the top, once there are so many: the page draws them anew after a filter, and
        on a busy machine also after its first rows. Six are always in sight, if the list has as many."""
        look = """() => [[...document.querySelectorAll('.row.set:not([hidden])')]
            .sort((a, b) => a.getAttribute('aria-rowindex') - b.getAttribute('aria-rowindex'))
            .map((row) => Number(row.id.slice(4))), (document.querySelector('#grid')?.getAttribute('aria-rowcount') ?? 1) - 1]"""
        deadline = time.monotonic() + 15
        while True:
            found, total = page.evaluate(look)
            if len(found) >= max(least, min(total, 6)) or time.monotonic() > deadline:
                return found
            time.sleep(0.02)

    def total(self, page):
        return int(page.locator("#grid").get_attribute("aria-rowcount")) - 1

    def expect_total(self, page, count):
        expect(page.locator("#grid")).to_have_attribute("aria-rowcount", str(count + 1))

    def serve_modules(self, page):
        """Lets tests import single modules of the page, which the server delivers as one."""
        page.route(re.compile(r"/[a-z-]+\.js$"), lambda route: route.fulfill(
            path=WEB / route.request.url.rsplit("/", 1)[1], content_type="text/javascript"))

    def matching(self, fits):
        """The numbers of the rows that fit, in their order."""
        return [number for number, row in self.rows.items() if fits(row)]


def status(row):
    return row["status"] or 0


def has_failed(row):
    return row["state"] in ("failed", "timedOut") or status(row) >= 400


class ListTests(PageTest):
    def test_newest_first_with_all_columns(self):
        page = self.list()
        self.assertEqual(len(self.rows), traffic.COUNT)
        self.expect_total(page, traffic.COUNT)
        newest = max(self.rows)
        self.assertEqual(self.ids(page)[:10], list(range(newest, newest - 10, -1)))
        for store, evidence in (("seeded", "reported"), ("metered", "captured")):
            self.base = inspector(store)
            rows = seeded_rows(store)
            number = max(number for number, row in rows.items() if row["status"] and row["evidence"] == evidence)
            row = rows[number]
            page = self.list(f"#/list?host={row['host']}")
            cells = page.locator(f"#row-{number} [role=gridcell]")
            self.assertEqual(cells.count(), 10)
            self.assertEqual(cells.nth(0).inner_text(), str(row["status"]))
            self.assertEqual(cells.nth(1).inner_text(), row["method"])
            # Not visible while there is only one.
            self.assertEqual(cells.nth(2).text_content(), row["host"])
            # Its pieces are laid out side by side, so their text as it is seen has line ends.
            self.assertTrue(cells.nth(3).text_content().startswith(row["path"]))
            self.assertEqual(cells.nth(5).inner_text(), f"{row['up']} B")
            self.assertGreater(page.locator(f"#row-{number} .bar").bounding_box()["width"], 0)
            expect(page.locator(f"#row-{number} .mark")).to_have_class(re.compile(f"e-{evidence}"))

    def test_every_filter_and_their_combination(self):
        since = int(self.rows[1200]["start"])
        connection, task = self.rows[40]["connection"], self.rows[40]["task"]
        cases = [
            ("status=4xx", lambda row: 400 <= status(row) < 500),
            ("status=none", lambda row: row["status"] is None),
            ("status=404", lambda row: row["status"] == 404),
            ("type=image/", lambda row: (row["type"] or "").startswith("image/")),
            ("method=POST", lambda row: row["method"] == "POST"),
            ("host=cdn.example.net", lambda row: row["host"] == "cdn.example.net"),
            ("api=GET api.example.com/users/{id}", lambda row: re.fullmatch(r"https://api\.example\.com/users/\d+", row["url"]) and row["method"] == "GET"),
            ("path=/users/1", lambda row: row["path"].startswith("/users/1")),
            ("failed=1", has_failed),
            ("slower=300", lambda row: row["duration"] > 300),
            ("text=AVATAR", lambda row: "avatar" in row["url"]),
            ("text=iphone; ios", lambda row: True),
            (f"since={since}", lambda row: row["start"] >= since),
            (f"until={since}", lambda row: row["start"] < since),
            ("process=shop", lambda row: True),
            (f"connection={connection}", lambda row: row["connection"] == connection),
            (f"task={task}", lambda row: row["task"] == task),
            ("host=api.example.com&failed=1&method=GET",
             lambda row: row["host"] == "api.example.com" and has_failed(row) and row["method"] == "GET"),
        ]
        page = self.list()
        for query, fits in cases:
            with self.subTest(query):
                page.goto(f"{self.base}#/list?{urllib.parse.quote(query, safe='=&/')}")
                wanted = self.matching(fits)
                self.expect_total(page, len(wanted))
                self.assertGreater(len(wanted), 0)
                self.eventually(lambda: self.ids(page)[:5], wanted[::-1][:5])
                for name, _ in urllib.parse.parse_qsl(query):
                    expect(page.locator(f"[data-chip={name}]").first).to_be_visible()

    def expect_sums(self, page, fits):
        rows = [row for row in self.rows.values() if fits(row)]
        up, down = (sum(row[name] or 0 for row in rows) for name in ("up", "down"))
        failed = sum(map(has_failed, rows))
        expect(page.locator(".sums")).to_be_visible()
        expect(page.locator(".sum-requests")).to_have_text(f"{len(rows):,} requests")
        expect(page.locator(".sum-up")).to_have_attribute("title", f"Up: {up:,} B")
        expect(page.locator(".sum-down")).to_have_attribute("title", f"Down: {down:,} B")
        expect(page.locator(".sum-total")).to_have_attribute("title", f"{up + down:,} B")
        expect(page.locator(".sum-failures")).to_contain_text(f"{failed:,} failed ({failed / len(rows) * 100:.1f} %)")
        return rows

    def test_the_sums_follow_the_filter(self):
        page = self.list()
        self.expect_sums(page, lambda row: True)
        for query, fits in [("status=4xx", lambda row: 400 <= status(row) < 500), ("text=avatar", lambda row: "avatar" in row["url"]),
                            ("host=cdn.example.net", lambda row: row["host"] == "cdn.example.net")]:
            with self.subTest(query):
                page.goto(f"{self.base}#/list?{query}")
                rows = self.expect_sums(page, fits)
        times = sorted(row["duration"] for row in rows)
        seen = re.fullmatch(r"time p50 ([\d.]+) ms, p95 ([\d.]+) ms", page.locator(".sum-time").inner_text())
        for text, share in zip(seen.groups(), (.5, .95)):
            self.assertAlmostEqual(float(text) / times[int(len(times) * share)], 1, delta=.05)
        page.goto(f"{self.base}#/list?host=nowhere.test")
        expect(page.locator(".sums")).to_be_hidden()

    def test_a_host_is_named_once_while_there_is_only_one(self):
        page = self.list()
        host = page.get_by_role("columnheader", name="Host")
        expect(page.locator(".sum-requests")).to_be_visible()
        expect(host).to_be_visible()
        expect(page.locator(".sum-host")).to_have_count(0)
        page.goto(f"{self.base}#/list?host=cdn.example.net")
        expect(page.locator(".sum-host")).to_have_text("cdn.example.net")
        expect(host).to_be_hidden()
        page.goto(f"{self.base}#/list")
        expect(host).to_be_visible()

    def test_columns_are_chosen_and_rows_are_low_and_both_are_kept(self):
        page = self.list()
        column = lambda name: page.get_by_role("columnheader", name=name, exact=True)
        for name in ("Type", "Up"):
            page.get_by_role("button", name="Columns").press("Enter")
            page.get_by_role("menuitemcheckbox", name=name, exact=True).click()
            expect(column(name)).to_be_hidden()
        height = lambda: page.locator(".row.set").first.bounding_box()["height"]
        self.assertEqual(height(), 28)
        page.get_by_role("button", name="Low rows").click()
        self.eventually(height, 22)
        expect(page.get_by_role("button", name="Low rows")).to_be_focused()
        page.reload()
        page.wait_for_selector(".row.set")
        self.eventually(height, 22)
        expect(column("Type")).to_be_hidden()
        expect(column("Up")).to_be_hidden()
        expect(column("Down")).to_be_visible()
        self.assertEqual(page.evaluate(ACCESSIBILITY), [])
        self.picture(page, "dense")
        page.get_by_role("button", name="Columns").click()
        page.get_by_role("menuitemcheckbox", name="Up", exact=True).click()
        expect(column("Up")).to_be_visible()

    def test_the_divider_is_dragged_and_moved_by_keys_and_its_place_is_kept(self):
        page = self.list("#/list?id=40")
        page.wait_for_selector(".detail-title")
        width = lambda: page.locator("#detail").bounding_box()["width"]
        box = page.locator(".divider").bounding_box()
        page.mouse.move(box["x"] + 4, box["y"] + 200)
        page.mouse.down()
        page.mouse.move(640, box["y"] + 200, steps=4)
        page.mouse.up()
        self.assertAlmostEqual(width(), 640, delta=8)
        divider = page.get_by_role("separator", name="Width of the details")
        expect(divider).to_have_attribute("aria-valuenow", "50")
        divider.press("ArrowRight")
        expect(divider).to_have_attribute("aria-valuenow", "48")
        self.assertLess(width(), 620)
        page.reload()
        page.wait_for_selector(".detail-title")
        expect(divider).to_have_attribute("aria-valuenow", "48")
        self.assertLess(width(), 620)

    def test_a_row_shows_what_is_not_as_usual(self):
        page = self.list()
        expect(page.locator(".sum-requests")).to_be_visible()
        parameters = page.locator(".row.set .path-id")
        self.assertGreater(parameters.count(), 3)
        self.assertNotIn("users", "".join(parameters.all_inner_texts()))
        self.assertTrue(all(text.startswith("?") for text in page.locator(".path-query").all_inner_texts()))
        p95 = ask(self.base, "sums")["sums"][0]
        apis = {(one["method"], one["host"], one["template"]): one["p95"] for one in ask(self.base, "limits")["apis"]}
        isSlow = lambda row: row["duration"] > apis.get((row["method"], row["authority"], row["template"]), p95["p95"])
        page.goto(f"{self.base}#/list?sort=-down")
        weight = lambda row: row["up"] + (row["down"] or 0)
        heaviest = max(self.rows.values(), key=lambda row: row["down"] or 0)
        bar = "cell => parseFloat(getComputedStyle(cell, '::after').width)"
        expect(page.locator(f"#row-{heaviest['id']}.heavy")).to_be_visible()
        longest = page.locator(f"#row-{heaviest['id']} .c-down").evaluate(bar)
        for number in self.ids(page)[:20]:
            row = self.rows[number]
            classes = page.locator(f"#row-{number}").get_attribute("class").split()
            self.assertEqual("heavy" in classes, weight(row) > p95["perCall"]["total"]["p95"])
            self.assertLessEqual(page.locator(f"#row-{number} .c-down").evaluate(bar), longest)
        self.assertGreater(longest, 20)
        self.eventually(lambda: page.locator(".row.set.slow").evaluate_all("all => all.map((row) => Number(row.id.slice(4))).sort()"),
                        sorted((number for number in self.ids(page) if isSlow(self.rows[number])), key=str))
        expect(page.locator(f"#row-{heaviest['id']} .much")).to_have_class(re.compile("c-down"))
        # Slow for its API, though not among all; and slow among all, though usual for its API.
        self.assertGreaterEqual(len(apis), 10)
        for found, classes in ((True, r"\bslow\b"), (False, r"^((?!\bslow\b).)*$")):
            number = self.matching(lambda row: isSlow(row) == found and (row["duration"] > p95["p95"]) != found)[0]
            page.goto(f"{self.base}#/list?text=exchange:{number}")
            expect(page.locator(f"#row-{number}")).to_have_class(re.compile(classes))
            expect(page.locator(f"#row-{number} .c-duration")).to_have_attribute(
                "title", "Slower than 95 % of the calls of its API" if found else "")

    def test_a_long_path_is_cut_in_its_middle(self):
        live = self.live("small")
        folders = "/".join(f"folder{number}" for number in range(40))
        row, = live.order(seeded.curl(live.origin, f"/{folders}/latest.json?from=here"))
        page = self.list()
        cell = page.locator(f"#row-{row['id']} .c-path")
        expect(cell).to_have_text(f"/{folders}/latest.json?from=here")
        box, last = cell.bounding_box(), cell.locator(".path-last").bounding_box()
        self.assertLessEqual(last["x"] + last["width"], box["x"] + box["width"])
        self.assertEqual(cell.locator(".path-last").evaluate("(one) => one.scrollWidth > one.clientWidth"), False)
        self.assertTrue(cell.locator(".path-before").evaluate("(one) => one.scrollWidth > one.clientWidth"))
        # Where there is room, nothing is cut.
        for piece in page.locator(".row.set:not([hidden]) .c-path").nth(5).locator("span").all():
            self.assertEqual(piece.evaluate("(one) => one.scrollWidth > one.clientWidth"), False)

    def test_the_sums_follow_what_comes(self):
        live = self.live("small")
        page = self.list()
        before = live.last
        expect(page.locator(".sum-requests")).to_have_text(f"{before} requests")
        live.add(3)
        expect(page.locator(".sum-requests")).to_have_text(f"{before + 3} requests")

    def test_the_box_takes_a_filter_and_says_where_it_is_wrong(self):
        self.allowed = ("400",)
        page = self.list()
        page.locator("#search").fill("status:4xx,5xx -method:GET host:*.example.com")
        page.locator("#search").press("Enter")
        wanted = self.matching(lambda row: 400 <= status(row) < 600 and row["method"] != "GET" and row["host"].endswith(".example.com"))
        self.assertGreater(len(wanted), 0)
        self.expect_total(page, len(wanted))
        page.locator("#search").fill("status:4xx zone:a")
        page.locator("#search").press("Enter")
        expect(page.locator(".note")).to_contain_text("at character 12: there is no key 'zone'; choose from host, status")
        page.locator("#search").fill("status:4xx stauts:a")
        page.locator("#search").press("Enter")
        expect(page.locator(".note")).to_contain_text("at character 12: there is no key 'stauts'; did you mean 'status'?")
        page.get_by_role("button", name="中文").click()
        expect(page.locator(".note")).to_contain_text("是否指“status”？")
        page.get_by_role("button", name="English").click()
        page.locator("#search").fill("status:4xx")
        page.locator("#search").press("Enter")
        self.expect_total(page, len(self.matching(lambda row: 400 <= status(row) < 500)))

    def test_a_search_greys_the_rows_and_esc_stops_it(self):
        page = self.list()
        page.route(re.compile("text=slow"), lambda route: None)
        page.locator("#search").fill("slow")
        page.locator("#search").press("Enter")
        expect(page.locator(".list.stale")).to_be_visible()
        expect(page.locator(".note")).to_contain_text("Searching")
        page.keyboard.press("Escape")
        expect(page.locator(".note")).to_contain_text("stopped")
        expect(page.locator(".list.stale")).to_have_count(0)

    def test_a_search_shows_what_it_has_found_and_how_far_it_is(self):
        page = self.list()
        more = []

        def half(route):
            answer = route.fetch()
            route.fulfill(response=answer, json={**answer.json(), "searched": 0.5})

        page.route(re.compile(r"exchanges\?.*text=example"), half)
        page.route(re.compile(r"exchanges\?more="), lambda route: more.append(route))
        page.locator("#search").fill("example")
        page.locator("#search").press("Enter")
        expect(page.locator(".note progress")).to_have_js_property("value", 0.5)
        expect(page.locator(".list.stale")).to_have_count(0)
        expect(page.locator(".row.set").first).to_be_visible()
        page.keyboard.press("Escape")
        expect(page.locator(".note")).to_contain_text("stopped")
        expect(page.locator(".note progress")).to_have_count(0)
        expect(page.locator(".row.set").first).to_be_visible()
        self.assertEqual(len(more), 1)

    def test_filters_are_set_by_hand_and_stand_in_the_address(self):
        refused = lambda row: 400 <= status(row) < 500
        read = lambda row: row["method"] == "GET" and row["host"] == "api.example.com"
        page = self.list()
        page.get_by_role("button", name="4xx").click()
        self.expect_total(page, len(self.matching(refused)))
        page.get_by_role("button", name="More filters").click()
        page.locator("[data-filter=method]").select_option("GET")
        page.locator("[data-filter=host]").fill("api.example.com")
        page.locator("[data-filter=host]").press("Enter")
        wanted = self.matching(lambda row: refused(row) and read(row))
        self.expect_total(page, len(wanted))
        shared = page.url
        other = self.list(shared.removeprefix(self.base))
        self.expect_total(other, len(wanted))
        page.locator("[data-chip=status]").click()
        self.expect_total(page, len(self.matching(read)))
        page.go_back()
        self.expect_total(page, len(wanted))
        page.get_by_role("button", name="Remove all filters").click()
        self.expect_total(page, len(self.rows))

    def test_process_task_and_connection_have_fields(self):
        live = self.live()
        page = self.list()
        rows = live.order(seeded.curl(live.origin, "/old/1", options="-L", program="./worker"), 3)
        wanted = [row["id"] for row in rows]
        page.get_by_role("button", name="More filters").click()
        connection = rows[0]["connection"]
        for name, value in [("process", "worker"), ("task", rows[0]["task"]), ("connection", connection)]:
            with self.subTest(name):
                field = page.locator(f"[data-filter={name}]")
                field.fill(str(value))
                field.press("Enter")
                self.expect_total(page, 3)
                self.eventually(lambda: self.ids(page), wanted[::-1])
                self.assertIn(f"{name}={value}", page.url)
                page.locator(f"[data-chip={name}]").click()
                self.expect_total(page, len(self.rows) + 3)
        # What goes over a connection is listed when it ends: before, it is not known where it goes.
        live.origin.release.clear()
        first, = live.order(seeded.curl(live.origin, "/made/kept", "/held/kept") + " &")
        held, = live.order("", ended=False)
        page.goto(f"{self.base}#/list?connection={first['connection']}")
        self.expect_total(page, 1)
        live.add()
        live.end()
        self.expect_total(page, 2)
        self.assertEqual(self.ids(page), [held["id"], first["id"]])

    def test_the_details_lead_to_all_of_the_same(self):
        row = self.rows[40]
        page = self.list("#/list?id=40")
        for words, fits in [("shop (4711)", lambda row: True),
                            (f"{row['connection']}, ", lambda other: other["connection"] == row["connection"])]:
            page.goto(f"{self.base}#/list?id=40")
            page.locator(".facts a").filter(has_text=words).click()
            self.expect_total(page, len(self.matching(fits)))

    def test_the_header_is_never_older_than_the_stream(self):
        slow = """const ask = fetch; window.fetch = (url, options) => String(url).includes("overview")
            ? ask(url, options).then((answer) => new Promise((done) => setTimeout(() => done(answer), 1500))) : ask(url, options);"""
        live = self.live()
        page = self.list(first=slow)
        live.add(5)
        wanted = re.compile(f"^{len(self.rows) + 5:,} ")
        expect(page.locator("#count")).to_have_text(wanted)
        page.wait_for_timeout(1800)
        expect(page.locator("#count")).to_have_text(wanted)

    def test_sort_by_every_column(self):
        page = self.list()
        for column, member in [("Status", "status"), ("Method", "method"), ("Host", "host"), ("Path", "path"), ("Type", "type"),
                               ("Up", "up"), ("Down", "down"), ("Time", "duration")]:
            with self.subTest(column):
                header = page.get_by_role("columnheader", name=column, exact=True)
                header.get_by_role("button").click()
                expect(header).to_have_attribute("aria-sort", re.compile("ending"))
                values = [row[member] for row in self.rows.values() if row[member] is not None]
                least = min(values) if len(values) == len(self.rows) else None
                wanted = max(values) if header.get_attribute("aria-sort") == "descending" else least
                self.eventually(lambda: self.rows[self.ids(page, 1)[0]][member], wanted)

    def test_keys(self):
        page = self.list()
        newest = max(self.rows)
        page.locator("body").press("/")
        self.assertEqual(page.evaluate("document.activeElement.id"), "search")
        page.keyboard.type("avatar")
        self.expect_total(page, len(self.matching(lambda row: "avatar" in row["url"])))
        page.keyboard.press("Escape")
        self.assertEqual(page.evaluate("document.activeElement.id"), "grid")
        page.locator("[data-chip=text]").click()
        self.expect_total(page, len(self.rows))
        page.locator("#grid").focus()
        for _ in range(3):
            page.keyboard.press("ArrowDown")
        page.keyboard.press("ArrowUp")
        expect(page.locator("#grid")).to_have_attribute("aria-activedescendant", f"row-{newest - 1}")
        expect(page.locator("#detail")).to_be_hidden()
        page.keyboard.press("Enter")
        expect(page.locator(".detail-number")).to_have_text(f"#{newest - 1}")
        page.keyboard.press("ArrowDown")
        expect(page.locator(".detail-number")).to_have_text(f"#{newest - 2}")
        page.keyboard.press("Escape")
        expect(page.locator("#detail")).to_be_hidden()
        page.keyboard.press("End")
        expect(page.locator("#row-1")).to_have_attribute("aria-selected", "true")
        page.keyboard.press("Home")
        expect(page.locator(f"#row-{newest}")).to_have_attribute("aria-selected", "true")
        page.keyboard.press("PageDown")
        expect(page.locator("[aria-selected=true]")).to_have_attribute("aria-rowindex", re.compile(r"^\d\d+$"))
        page.keyboard.press("?")
        expect(page.get_by_role("dialog")).to_contain_text("Keys and marks")
        page.keyboard.press("Escape")
        expect(page.locator("#dialog")).to_be_hidden()
        page.keyboard.press("3")
        expect(page.locator("h1")).to_have_text("What each API weighs")
        page.keyboard.press("1")
        expect(page.locator("h1")).to_have_text("Overview")

    def test_rows_come_run_and_end(self):
        live = self.live()
        page = self.list()
        number = live.begin()
        row = page.locator(f"#row-{number}")
        expect(row).to_have_class(re.compile("running"))
        expect(row).to_contain_text("running")
        self.expect_total(page, len(self.rows) + 1)
        live.end()
        expect(row).not_to_have_class(re.compile("running"))
        expect(row.locator(".c-status")).to_have_text("200")
        lost = live.refuse()
        expect(page.locator(f"#row-{lost}")).to_have_class(re.compile("none"))
        expect(page.locator(f"#row-{lost}")).to_contain_text("no response")

    def test_what_comes_is_filtered(self):
        live = self.live()
        page = self.list("#/list?status=4xx")
        before = self.total(page)
        live.add(status=200)
        wanted, = live.add(status=404)
        expect(page.locator(f"#row-{wanted}")).to_be_visible()
        self.expect_total(page, before + 1)

    def test_who_reads_further_down_is_not_moved(self):
        live = self.live()
        page = self.list()
        page.evaluate("document.getElementById('grid').scrollTop = 28 * 500")
        expect(page.locator(f"#row-{max(self.rows) - 505}")).to_be_visible()
        page.wait_for_timeout(400)
        before = self.ids(page)
        live.add(7)
        self.expect_total(page, len(self.rows) + 7)
        page.wait_for_timeout(200)
        self.assertEqual(self.ids(page), before)

    def test_follow_the_end(self):
        live = self.live()
        page = self.list()
        page.locator("[data-follow]").click()
        expect(page.locator(f"#row-{max(self.rows)}")).to_be_visible()
        number = live.add(40)[-1]
        expect(page.locator(f"#row-{number}")).to_be_in_viewport()

    def test_an_expired_view_is_made_again(self):
        self.allowed = ("410",)
        page = self.list()
        # The server keeps eight views.
        for _ in range(8):
            ask(self.base, "exchanges?limit=1")
        # All that is on the screen comes with one request, which reads 80 rows.
        page.evaluate("document.getElementById('grid').scrollTop = 28 * (80 * 18 + 20)")
        expect(page.locator(f"#row-{max(self.rows) - 1465}")).to_be_visible()
        self.assertEqual(sum("410" in text for text in self.complaints), 1)

    def test_comes_back_after_the_server(self):
        self.allowed = ("ERR_", "Failed to load")
        live = self.live()
        page = self.list()
        live.stop()
        expect(page.locator(".live")).to_have_class(re.compile("lost"))
        missed = traffic.Traffic(0)
        missed.clock = (time.time() - traffic.BEGIN.timestamp()) * 1000
        missed.add(1)
        seeded.import_into(live.file, missed)
        live.start()
        live.last += 1
        expect(page.locator(".live")).to_have_class(re.compile(r"live live"))
        expect(page.locator(f"#row-{live.last}")).to_be_visible()
        after, = live.add()
        expect(page.locator(f"#row-{after}")).to_be_visible()
        self.expect_total(page, len(self.rows) + 2)

    def test_a_lost_connection_is_caught_up(self):
        self.allowed = ("ERR_",)
        live = self.live()
        relay = Relay(live.port)
        self.addCleanup(relay.close)
        # The inspector's name stays its own, and leads over the relay.
        chromium = self.launch(f"--host-resolver-rules=MAP localhost:{live.port} 127.0.0.1:{relay.port}")
        self.addCleanup(chromium.close)
        self.base = f"http://localhost:{live.port}/"
        page = self.list(chromium=chromium)
        live.add()
        self.expect_total(page, len(self.rows) + 1)
        relay.cut()
        expect(page.locator(".live")).to_have_class(re.compile("lost"))
        missed = live.add(3)
        relay.mend()
        expect(page.locator(f"#row-{missed[0]}")).to_be_visible()
        self.eventually(lambda: self.ids(page)[:4], [*missed[::-1], missed[0] - 1])
        self.expect_total(page, len(self.rows) + 4)

    def expect_report(self, download, requests):
        """The saved page is whole without the inspector, in both colour schemes and on a narrow screen."""
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / download.suggested_filename
            download.save_as(file)
            for width, dark in ((1280, False), (390, True)):
                page = self.open(file.as_uri(), width=width, dark=dark)
                expect(page.locator("dl.figures").first.locator("div").first.locator("dd")).to_have_text(f"{requests}")
                expect(page.locator("svg rect").first).to_be_visible()
                expect(page.locator("body")).to_contain_text("The slowest requests")
                self.assertEqual(page.evaluate("document.scripts.length + performance.getEntriesByType('resource').length"), 0)
                self.fits(page)
                self.assertEqual(page.evaluate(ACCESSIBILITY), [])

    def test_pause_resume_clear_export(self):
        live = self.live()
        page = self.list("#/list?host=cdn.example.net")
        page.get_by_role("button", name="Pause recording").click()
        expect(page.locator(".live")).to_have_text("Paused")
        self.assertTrue(live.ask("overview")["paused"])
        page.get_by_role("button", name="Resume recording").click()
        expect(page.locator(".live")).to_have_text("Live")
        self.assertFalse(live.ask("overview")["paused"])
        page.get_by_role("button", name="Export").click()
        with page.expect_download() as download:
            page.get_by_role("menuitem", name="NDJSON").click()
        lines = pathlib.Path(download.value.path()).read_text().splitlines()
        self.assertEqual(len(lines), len(self.matching(lambda row: row["host"] == "cdn.example.net")))
        page.get_by_role("button", name="Export").click()
        with page.expect_download() as download:
            page.get_by_role("menuitem", name="Report as one HTML file").click()
        self.expect_report(download.value, len(lines))
        page.get_by_role("button", name="Clear").click()
        page.get_by_role("button", name="Cancel").click()
        self.assertEqual(live.ask("overview")["exchanges"], len(self.rows))
        page.get_by_role("button", name="Clear").click()
        page.get_by_role("button", name="Delete all").click()
        self.expect_total(page, 0)
        self.assertEqual(live.ask("overview")["exchanges"], 0)


class LargeListTests(PageTest):
    store = "large"

    def test_a_hundred_thousand_rows(self):
        began = time.monotonic()
        page = self.list()
        first = time.monotonic() - began
        self.expect_total(page, 100_000)
        times = page.evaluate("""() => new Promise((done) => {
            const grid = document.getElementById('grid');
            const times = [];
            let last = performance.now();
            function frame(now) {
                times.push(now - last);
                last = now;
                grid.scrollTop += times.length % 60 === 0 ? 200000 : 300;
                if (times.length < 240) requestAnimationFrame(frame); else done(times.slice(1));
            }
            requestAnimationFrame(frame);
        })""")
        times.sort()
        print(f"\n  100,000 rows: first rows after {first * 1000:.0f} ms; frames while scrolling: median "
              f"{statistics.median(times):.1f} ms, p95 {times[int(len(times) * .95)]:.1f} ms, longest {times[-1]:.1f} ms")
        self.assertLess(page.locator(".row").count(), 80)
        page.evaluate("document.getElementById('grid').scrollTop = 1e9")
        expect(page.locator("#row-1")).to_be_visible()
        expect(page.locator("#row-1")).to_have_attribute("aria-rowindex", "100001")
        asked = [url for url in self.asked if "exchanges?" in url]
        self.assertGreater(len(asked), 2)
        self.assertLess(len(asked), 200)
        self.assertTrue(all(int(re.search(r"limit=(\d+)", url)[1]) <= 500 for url in asked))


class DetailTests(PageTest):
    store = "metered"

    def number(self, path):
        return next(number for number, row in self.rows.items() if row["path"] == path)

    def body(self, name, tab="body"):
        page = self.list(f"#/list?id={self.number(f'/bodies/{name}')}&tab={tab}")
        page.wait_for_selector(".detail-title")
        return page

    def test_sizes_add_up_and_carry_their_evidence(self):
        number = self.number("/users/7/avatar")
        page = self.list(f"#/list?id={number}")
        exchange, row = (ask(self.base, f"exchanges/{number}")[name] for name in ("exchange", "row"))
        up, down = exchange["request"], exchange["response"]
        self.assertEqual(up["body"], 48_000)
        page.wait_for_selector(".parts tfoot")
        cells = page.locator(".parts tbody tr").evaluate_all(
            "rows => rows.map((row) => [...row.querySelectorAll('td')].map((cell) => Number(cell.textContent.replace(/\\D/g, ''))))")
        self.assertEqual(cells[1], [up["fields"] - up["cookies"], down["fields"] - down["cookies"]])
        self.assertEqual(sum(cell[0] for cell in cells), row["up"])
        self.assertEqual(sum(cell[1] for cell in cells), row["down"])
        expect(page.locator(".parts tfoot")).to_contain_text(f"{row['up']:,} B")
        for side in (up, down):
            expect(page.locator(".parts tfoot")).to_contain_text(side["evidence"])
        grown = page.locator(".size-bar").first.locator("i").evaluate_all(
            "all => all.map((one) => [one.className, Number(one.style.flexGrow)])")
        self.assertEqual(dict(grown)["p-body"], up["body"])
        self.assertEqual(page.locator(".phase").count(), len(row["phases"]) + 1)

    def test_the_list_and_the_detail_draw_the_same_phases(self):
        self.base = inspector("seeded")
        row = max((row for row in seeded_rows("seeded").values() if row["state"] == "completed"), key=lambda row: len(row["phases"]))
        self.assertGreater(len(row["phases"]), 6)
        page = self.list(f"#/list?id={row['id']}")
        page.wait_for_selector(".phase-track i")
        drawn = "bars => bars.map((bar) => [bar.className, bar.style.left, bar.style.width])"
        listed = page.locator(f"#row-{row['id']} .bar i").evaluate_all(drawn)
        self.assertEqual(listed, page.locator(".phase-track i").evaluate_all(drawn))
        self.assertEqual([name for name, _, _ in listed], [f"ph-{name}" for name, _, _ in row["phases"]])
        lefts = [float(left.rstrip("%")) for _, left, _ in listed]
        for (_, offset, _), left in zip(row["phases"], lefts):
            self.assertAlmostEqual(left, offset / row["duration"] * 100, delta=0.1)

    def test_heads_query_and_cookies(self):
        page = self.body("json", "heads")
        expect(page.locator(".raw").first).to_contain_text("Authorization: Bearer [redacted 41 B]")
        self.assertIn("[redacted 41 B]", page.locator("mark").all_inner_texts())
        # Each of them is marked, in the lines and in the tables.
        shown = "".join(page.locator(".heads .raw, .heads .pairs").all_inner_texts())
        self.assertEqual(page.locator(".heads mark").count(), len(re.findall(r"\[redacted \d+ B\]|\(redacted-\d+-B\)", shown)))
        expect(page.locator(".pairs").nth(0)).to_contain_text("lamp")
        expect(page.locator(".pairs").nth(1)).to_contain_text("sid")
        expect(page.locator(".pairs").nth(2)).to_contain_text("Path=/; HttpOnly; SameSite=Lax")

    def test_headers_have_their_bytes_and_are_sorted_by_them(self):
        page = self.body("json", "heads")
        sizes = lambda at: [int(re.sub(r"\D", "", text)) for text in page.locator(".raw").nth(at).locator(".raw-size").all_inner_texts()]
        exchange = ask(self.base, f"exchanges/{self.number('/bodies/json')}")["exchange"]
        sent = sizes(0)
        # The empty line is the end of the headers.
        self.assertEqual(sum(sent) + 2, exchange["request"]["fields"])
        self.assertEqual(sum(sizes(1)) + 2, exchange["response"]["fields"])
        self.assertNotEqual(sent, sorted(sent, reverse=True))
        page.get_by_role("button", name="By size").press("Enter")
        self.assertEqual(sizes(0), sorted(sent, reverse=True))
        expect(page.get_by_role("button", name="By size")).to_be_focused()
        page.reload()
        page.wait_for_selector(".raw-size")
        self.assertEqual(sizes(0), sorted(sent, reverse=True))
        self.assertEqual(page.evaluate(ACCESSIBILITY), [])
        self.picture(page, "headers-by-size")

    def test_parts_without_bytes_are_one_line_and_findings_are_one_click_away(self):
        page = self.list(f"#/list?id={self.number('/users/7/avatar')}")
        expect(page.locator(".empty-parts")).to_contain_text("No bytes: ")
        expect(page.locator(".empty-parts")).to_contain_text("Framing")
        expect(page.locator(".parts tbody tr").filter(has_text="Framing")).to_have_count(0)
        other = inspector("seeded")
        number = ask(other, "audit")["findings"][0]["evidence"][0]
        count = len(ask(other, f"exchanges/{number}")["findings"])
        page = self.open(f"{other}#/list?id={number}&tab=heads")
        page.get_by_role("button", name=re.compile(rf"^{count} findings?$")).click()
        expect(page.locator(".audit-part .finding").first).to_be_in_viewport()

    def test_json_tree_keeps_long_numbers_and_odd_keys(self):
        page = self.body("json")
        tree = page.get_by_role("tree")
        expect(tree).to_contain_text("12345678901234567890")
        expect(tree).to_contain_text('"__proto__"')
        self.assertIsNone(page.evaluate("({}).polluted ?? null"))
        tree.get_by_role("button", name=re.compile("many")).click()
        expect(tree).to_contain_text("99:")
        tree.get_by_role("button", name="150 more").click()
        expect(tree).to_contain_text("199:")
        page.get_by_role("button", name="Text", exact=True).click()
        expect(page.locator("pre")).to_contain_text('{"name": "lamp"')
        page.get_by_role("button", name="Hex").click()
        expect(page.locator("pre")).to_contain_text("00000000  7b 22 6e 61")

    def test_text_image_bytes_and_what_cannot_be_decoded(self):
        page = self.body("deflate")
        expect(page.locator("pre")).to_have_text("grüße from deflate")
        page = self.body("image")
        expect(page.locator(".picture")).to_be_visible()
        self.assertEqual(page.evaluate("document.querySelector('.picture').naturalWidth"), 2)
        self.assertTrue(page.locator(".picture").get_attribute("src").startswith("blob:"))
        page = self.body("binary")
        expect(page.locator("pre")).to_contain_text("00000000  00 01 02 03")
        expect(page.locator(".pager")).to_contain_text("1–4,096 of 10,240")
        page.get_by_role("button", name="Last page").click()
        expect(page.locator("pre")).to_contain_text("00002000  00 01")
        page = self.body("unheard")
        expect(page.locator(".warning")).to_contain_text("x-unheard-of")
        page = self.body("cut")
        expect(page.locator(".warning")).to_contain_text("incomplete or damaged")

    def test_bodies_are_shown_by_what_they_are(self):
        page = self.body("form")
        expect(page.locator(".body-place tbody tr")).to_have_text(["nameoil lamp", "note你", "empty"])
        page = self.body("parts")
        expect(page.locator(".pieces h3")).to_have_text([
            "note 23 B", f"picture lamp.png · image/png · {len(seeded.PNG)} B", "blob a/b.raw · application/octet-stream · 32 B"])
        expect(page.locator(".pieces pre")).to_have_text(["first line\r\nsecond line", re.compile("^00000000  00 01 02 03.*1f  ·+$", re.S)])
        expect(page.locator(".pieces figcaption")).to_have_text("2 × 2 pixels")
        for name, kept in (("lamp.png", seeded.PNG), ("a_b.raw", bytes(range(32)))):
            self.assertEqual(self.saved(page, f"Save {name}"), (name, kept))
        page = self.body("events")
        expect(page.locator(".body-place tbody tr")).to_have_text(["price · 712.5", "messageplain"])
        page = self.body("query")
        expect(page.locator("pre")).to_have_text("query Lamp {\n  price\n}")
        expect(page.get_by_role("tree")).to_contain_text('"id": 7')
        page = self.body("fields")
        expect(page.locator(".pieces .tree")).to_have_text("1 varint 1502 text hi")
        expect(page.locator(".pieces .warning")).to_have_text("This message is compressed.")
        page = self.body("image")
        expect(page.locator("figcaption")).to_have_text("2 × 2 pixels")
        page = self.body("html")
        expect(page.locator("pre")).to_have_text(re.compile(r"^<h1>Lamp</h1>\n<script>.*</script>\n<img src=[^ ]*>$"))
        page.get_by_role("button", name="Text", exact=True).click()
        expect(page.locator("pre")).to_contain_text("<h1>Lamp</h1><script>")
        page.get_by_role("button", name="Page", exact=True).click()
        frame = page.frame_locator(".preview")
        expect(frame.locator("h1")).to_have_text("Lamp")
        self.assertNotEqual(page.title(), "run")
        # What the frame would load is blocked by the policy of the page around it.
        self.eventually(lambda: page.wait_for_timeout(20) or any("has been blocked" in text for text in self.complaints), True)
        # The browser may report what it has blocked as a request.
        self.strangers = [url for url in self.strangers if url != "http://127.0.0.1:9/x"]
        page = self.body("part")
        expect(page.locator(".body-place > p").first).to_contain_text(re.compile(r"the first [34]\.\d MB of 5\.0 MB kept"))
        expect(page.locator(".warning")).to_have_count(0)
        self.allowed = ("Security Policy", "is sandboxed")

    def saved(self, page, button):
        with page.expect_download() as download:
            page.get_by_role("button", name=button, exact=True).click()
        return download.value.suggested_filename, pathlib.Path(download.value.path()).read_bytes()

    def test_bodies_are_saved_as_they_are_shown_and_as_they_were_sent(self):
        page = self.body("json")
        name, text = self.saved(page, "Save")
        self.assertRegex(name, r"^exchange-\d+-response\.json$")
        self.assertEqual(json.loads(text)["name"], "lamp")
        sent = self.saved(page, "Save as sent")[1]
        self.assertEqual(gzip.decompress(sent), text)
        page = self.body("image")
        expect(page.get_by_role("button", name="Save as sent")).to_have_count(0)
        name, picture = self.saved(page, "Save")
        self.assertRegex(name, r"-response\.png$")
        self.assertEqual(picture, seeded.PNG)
        # What this browser cannot decode, or not to its end, is saved as it was sent, and not as a text.
        for body, sent in (("unheard", b"\x0b\x02\x80abc"), ("cut", seeded.body_table()["cut"][2])):
            name, kept = self.saved(self.body(body), "Save")
            self.assertNotIn(".txt", name)
            self.assertEqual(kept, sent)

    def test_tokens_in_a_body_are_decoded(self):
        page = self.body("token")
        page.get_by_role("button", name="JWT", exact=True).click()
        expect(page.locator(".tokens .tree")).to_have_text([re.compile('"alg": "HS256"'), re.compile('"sub": "ann".*"name": "你"')])
        expect(page.locator(".tokens dt")).to_have_text(["Issued", "Expires"])
        expect(page.locator(".tokens .warning")).to_have_text("It had expired when this request began.")
        page = self.body("json")
        expect(page.get_by_role("button", name="JWT", exact=True)).to_have_count(0)

    def test_a_tree_is_searched_and_copied(self):
        page = self.body("json")
        field = page.get_by_label("Find in the body")
        # Of a list of which the first hundred are there.
        field.fill("150")
        expect(page.locator(".found-places")).to_have_text("1 of 1")
        expect(page.locator(".j-found")).to_have_text("150: 150")
        expect(page.locator(".j-found")).to_be_in_viewport()
        # A key; no member of it is open before.
        field.fill("STILL")
        expect(page.locator(".j-found")).to_have_text('"still": "here"')
        expect(page.locator(".j-found")).to_be_in_viewport()
        field.fill("e")
        field.press("Shift+Enter")
        expect(page.locator(".found-places")).to_have_text(re.compile(r"^(\d+) of \1$"))
        field.fill("nowhere")
        expect(page.locator(".j-found")).to_have_count(0)
        page.get_by_role("button", name="Copy", exact=True).click()
        expect(page.locator("#toast")).to_have_text("It is in the clipboard.")
        self.assertTrue(page.evaluate("navigator.clipboard.readText()").startswith('{\n  "name": "lamp",'))

    def test_a_body_is_searched_and_copied(self):
        page = self.body("json")
        page.get_by_role("button", name="Pretty").click()
        expect(page.locator("pre")).to_contain_text('{\n  "name": "lamp",')
        field = page.get_by_label("Find in the body")
        field.fill("TAGS")
        expect(page.locator("mark")).to_have_text("tags")
        expect(page.locator(".found-places")).to_have_text("1 of 1")
        field.fill("nowhere")
        expect(page.locator(".found-places")).to_have_text("0 of 0")
        expect(page.locator("mark")).to_have_count(0)
        page.get_by_role("button", name="Copy", exact=True).click()
        expect(page.locator("#toast")).to_have_text("It is in the clipboard.")
        self.assertEqual(json.loads(page.evaluate("navigator.clipboard.readText()"))["name"], "lamp")
        page = self.body("large")
        page.get_by_role("button", name="Text", exact=True).click()
        page.get_by_label("Find in the body").fill('"number": 29999,')
        expect(page.locator("mark")).to_be_in_viewport()
        page.get_by_label("Find in the body").fill("lorem")
        expect(page.locator(".found-places")).to_have_text("1 of 10,000+")
        page.get_by_label("Find in the body").press("Shift+Enter")
        expect(page.locator(".found-places")).to_have_text("10,000 of 10,000+")
        page.get_by_label("Find in the body").press("Enter")
        expect(page.locator(".found-places")).to_have_text("1 of 10,000+")

    def test_a_large_body_is_paged_and_does_not_freeze(self):
        page = self.body("large")
        tree = page.get_by_role("tree")
        expect(tree).to_contain_text("30,000 items")
        self.assertLess(page.locator("[role=treeitem]").count(), 1000)
        page.get_by_role("button", name="Text", exact=True).click()
        expect(page.locator(".pager")).to_contain_text("1–65,536 of")
        self.assertLess(len(page.locator("pre").inner_text()), 70_000)
        page.get_by_role("button", name="Next page").click()
        expect(page.locator(".pager")).to_contain_text("65,537–131,072")
        reads = [url for url in self.asked if "/bodies/response" in url]
        self.assertGreater(len(reads), 2)
        self.assertTrue(all("limit=1048576" in url for url in reads))

    def test_code_that_is_copied_has_the_body(self):
        page = self.list(f"#/list?id={self.number('/made/2')}")
        for label, wanted in [("JavaScript (fetch)", 'body: "{\\"lamp\\": \\"你\\"}"'), ("Python (urllib)", 'data="{\\"lamp\\": \\"你\\"}".encode()'),
                              ("Swift (URLSession)", 'request.httpBody = Data("{\\"lamp\\": \\"你\\"}".utf8)')]:
            page.get_by_role("button", name="Copy in another form").press("Enter")
            page.get_by_role("menuitem", name=label, exact=True).press("Enter")
            self.eventually(lambda: wanted in page.evaluate("navigator.clipboard.readText()"), True)

    def test_attempts_findings_curl_and_har(self):
        last = self.number("/users/1")
        page = self.list(f"#/list?id={last}")
        expect(page.locator(".attempt")).to_have_count(3)
        page.locator(".attempt").first.click()
        expect(page.locator(".detail-number")).to_have_text(f"#{last - 2}")
        page.get_by_role("button", name="Copy as cURL").click()
        expect(page.locator("#toast")).to_have_text("The command is in the clipboard.")
        command = page.evaluate("navigator.clipboard.readText()")
        self.assertRegex(command, r"^# exchange \d+, answered with 301\ncurl ")
        self.assertRegex(command, r"--url http://api\.example\.com/old/1\s*$")
        for label, wanted in [
                ("Metered repeat (wireweight run -- curl)", r"^# exchange \d+, answered with 301\nwireweight run -- curl "),
                ("URL", r"^http://api\.example\.com/old/1$"), ("JavaScript (fetch)", r'await fetch\("http://api\.example\.com/old/1"'),
                ("Python (urllib)", r'Request\("http://api\.example\.com/old/1", method="GET"\)'),
                ("Swift (URLSession)", r'URL\(string: "http://api\.example\.com/old/1"\)'),
                ("Command that shows it", rf"^wireweight show \S*metered\.db {last - 2}$"), ("Markdown", r"\| GET http://api\.example\.com/old/1 \| 301 \|")]:
            page.get_by_role("button", name="Copy in another form").press("Enter")
            page.get_by_role("menuitem", name=label, exact=True).press("Enter")
            expect(page.locator("#toast")).to_have_text("It is in the clipboard.")
            self.eventually(lambda: bool(re.search(wanted, page.evaluate("navigator.clipboard.readText()"))), True)
            expect(page.get_by_role("button", name="Copy in another form")).to_be_focused()
        with page.expect_download() as download:
            page.get_by_role("button", name="Save as HAR").click()
        self.assertEqual(json.loads(pathlib.Path(download.value.path()).read_text())["log"]["version"], "1.2")
        other = inspector("seeded")
        finding = ask(other, "audit")["findings"][0]
        page = self.open(f"{other}#/list?id={finding['evidence'][0]}")
        expect(page.locator(".detail .finding").filter(has_text=finding["rule"])).to_contain_text(finding["problem"])
        page.goto(f"{other}#/list?id=999999999")
        expect(page.locator("#detail")).to_contain_text("not in the store any more")
        self.allowed = ("404",)


class PagesTests(PageTest):
    def test_the_overview_has_the_sums_the_heaviest_apis_and_what_could_be_saved(self):
        page = self.open(self.base + "#/overview")
        known = ask(self.base, "apis")
        totals = known["totals"]
        expect(page.locator(".f-requests dd")).to_have_text(f"{totals['requests']:,}")
        expect(page.locator(".f-failures dd")).to_contain_text(f"{totals['failures']:,}")
        expect(page.locator(".f-total")).to_have_attribute("title", f"{totals['total']:,} B")
        heaviest = sorted(known["apis"], key=lambda api: -api["total"])[:5]
        rows = page.locator(".heaviest tbody tr")
        expect(rows).to_have_count(5)
        self.assertEqual(page.locator(".heaviest .t-template").all_inner_texts(), [api["template"] for api in heaviest])
        found = [one for one in ask(self.base, "audit")["findings"] if one["direction"] == "called"]
        expect(page.locator(".finding")).to_have_count(min(3, len(found)))
        self.assertEqual(page.locator(".rule").all_inner_texts(), [one["rule"] for one in found[:3]])
        for said in known["completeness"]["said"]:
            expect(page.locator(".overview")).to_contain_text(said["english"])
        self.picture(page, "overview")
        page.get_by_role("link", name=f"All {len(known['apis'])}").click()
        expect(page.locator(".apis tbody tr")).to_have_count(len(known["apis"]))
        page.go_back()
        rows.first.get_by_role("link").click()
        self.expect_total(page, heaviest[0]["requests"])

    def test_apis_lead_to_the_list(self):
        page = self.open(self.base + "#/apis")
        known = ask(self.base, "apis")["apis"]
        expect(page.locator(".apis tbody tr")).to_have_count(len(known))
        first = page.locator(".apis tbody tr").first
        expect(first).to_contain_text(known[0]["template"])
        expect(first.locator(".t-requests")).to_have_text(f"{known[0]['requests']:,}")
        self.assertEqual(first.locator(".spark rect").count(), sum(value > 0 for value in known[0]["spark"]))
        page.get_by_role("columnheader", name="Requests").get_by_role("button").click()
        most = max(known, key=lambda api: api["requests"])
        expect(page.locator(".apis tbody tr").first).to_contain_text(most["template"])
        page.locator(".apis tbody tr").first.locator(".t-api a").click()
        self.expect_total(page, most["requests"])

    def test_apis_explain_their_columns_and_colours_and_their_rows_lead_to_the_list(self):
        page = self.open(self.base + "#/apis")
        expect(page.locator(".page-body .legend li")).to_have_text(["Start line", "Headers", "Cookies", "Interim", "Body", "Framing"])
        titles = page.locator("table.apis thead .sort").evaluate_all("(all) => all.map((one) => one.title)")
        self.assertEqual(len(set(titles) - {""}), len(titles) - 1)
        self.assertIn("the 95th percentile of the bytes of one call", titles)
        row = page.locator("table.apis tbody tr").nth(1)
        name = row.locator(".t-template").inner_text()
        row.locator(".t-total").click()
        expect(page.locator(".chip-value")).to_contain_text(name)
        self.assertIn("#/list?api=", page.url)
        # What leads elsewhere does so alone.
        page.go_back()
        page.locator("table.apis tbody tr").nth(1).locator(".t-spark a").first.click()
        self.assertIn("#/timeline?", page.url)
        page.go_back()
        self.eventually(lambda: "#/apis" in page.url, True)

    def test_apis_are_searched_by_words_of_their_names(self):
        page = self.open(self.base + "#/apis")
        known = ask(self.base, "apis")["apis"]
        rows = page.locator(".apis tbody tr")
        expect(rows).to_have_count(len(known))
        wanted = [api for api in known if api["method"] == "GET" and "users" in api["template"]]
        self.assertTrue(0 < len(wanted) < len(known))
        search = page.get_by_role("searchbox", name="Search APIs")
        search.press_sequentially("GET USERS")
        expect(rows).to_have_count(len(wanted))
        expect(search).to_be_focused()
        search.fill("nowhere")
        expect(page.locator(".empty")).to_have_text("No API matches.")
        search.fill("")
        expect(rows).to_have_count(len(known))

    def test_sums_are_grouped_by_everything_that_the_command_groups_by(self):
        page = self.open(self.base + "#/apis")
        rows = page.locator(".apis tbody tr")
        expect(rows.first).to_be_visible()
        choice = page.get_by_label("Group by")
        for label, by, plural, name in [
                ("Host", "host", "hosts", "host"), ("Path", "path", "paths", "path"), ("Status", "status", "statuses", "status"),
                ("Media type", "type", "types", "contentType"), ("Method", "method", "methods", "method"),
                ("Program", "process", "processes", "process"), ("Network", "network", "networks", None),
                ("Direction", "direction", "directions", None)]:
            with self.subTest(by):
                page.goto(self.base + "#/apis")
                choice.focus()
                choice.select_option(label)
                expect(page).to_have_url(re.compile(rf"#/apis\?by={by}$"))
                expect(choice).to_be_focused()
                known = ask(self.base, f"apis?by={by}")[plural]
                expect(rows).to_have_count(len(known))
                # The last but one: the first may be everything.
                row, wanted = rows.nth(max(0, len(known) - 2)), known[max(0, len(known) - 2)]
                expect(row.locator(".t-requests")).to_have_text(f"{wanted['requests']:,}")
                if name:
                    expect(row).to_contain_text(str(wanted[name] or ("No response" if by == "status" else "no media type")))
                link = row.locator(".t-api a")
                if link.count():
                    link.click()
                    self.expect_total(page, wanted["requests"])

    def test_a_group_leads_to_its_timeline_whose_filters_can_be_removed(self):
        page = self.open(self.base + "#/apis")
        api = ask(self.base, "apis")["apis"][1]
        page.get_by_title(f"Timeline of {api['method']} {api['host']}{api['template']}", exact=True).click()
        facts = page.locator(".facts-line")
        expect(facts).to_contain_text(f"Requests {api['requests']:,} ")
        chip = page.locator(".page-chips .chip")
        expect(chip).to_contain_text(api["template"])
        chip.click()
        expect(facts).to_contain_text(f"Requests {len(self.rows):,} ")
        expect(chip).to_have_count(0)

    def test_the_timeline_has_round_times(self):
        page = self.open(self.base + "#/timeline")
        page.wait_for_selector(".chart-requests .tick")
        texts = page.locator(".chart-requests .tick").all_text_contents()
        times = [text for text in texts if re.fullmatch(r"\d\d:\d\d:\d\d", text)]
        self.assertGreater(len(times), 2)
        # Forty seconds: a round number of them between each two.
        self.assertEqual([int(text[-2:]) % 5 for text in times], [0] * len(times))

    def test_the_map_has_areas_by_bytes_and_a_table(self):
        page = self.open(self.base + "#/map")
        page.wait_for_selector(".map-api i")
        areas = page.locator(".map-api").evaluate_all(
            "all => all.map((one) => [one.getAttribute('aria-label'), one.offsetWidth * one.offsetHeight])")
        known = ask(self.base, "apis")["apis"]
        self.assertEqual(len(areas), len(known))
        largest = max(areas, key=lambda entry: entry[1])
        self.assertTrue(largest[0].startswith(f"{known[0]['method']} {known[0]['template']}"))
        page.get_by_text("The same as a table").click()
        expect(page.locator(".map-table tbody tr")).to_have_count(len(known))
        page.get_by_role("button", name="Up", exact=True).click()
        expect(page.locator(".map-table tbody tr").first).to_be_visible()
        page.locator(".map-api").first.click()
        self.assertIn("#/list?api=", page.url)

    def test_dragging_over_the_timeline_filters_everything(self):
        page = self.open(self.base + "#/timeline")
        page.wait_for_selector(".chart-bytes path")
        # The chart may still find its width on a busy machine, and is drawn anew then.
        for _ in range(3):
            box = page.locator(".chart-bytes").bounding_box()
            page.mouse.move(box["x"] + box["width"] * .25, box["y"] + 60)
            page.mouse.down()
            page.mouse.move(box["x"] + box["width"] * .5, box["y"] + 60, steps=5)
            page.mouse.up()
            page.wait_for_timeout(500)
            if "since=" in page.url:
                break
        self.assertIn("since=", page.url)
        query = dict(re.findall(r"(since|until)=(\d+)", page.url))
        wanted = len(self.matching(lambda row: int(query["since"]) <= row["start"] < int(query["until"])))
        self.assertGreater(wanted, 0)
        self.assertLess(wanted, len(self.rows))
        for name, check in [("APIs", ".apis tbody tr"), ("Requests", ".row.set")]:
            page.get_by_role("navigation").get_by_role("link", name=name).click()
            page.wait_for_selector(check)
            self.assertIn(f"since={query['since']}", page.url)
        self.expect_total(page, wanted)
        expect(page.locator(".strip .brush")).to_be_visible()
        page.get_by_role("navigation").get_by_role("link", name="Timeline").click()
        page.get_by_role("button", name="Whole range").click()
        self.assertNotIn("since=", page.url)

    def test_a_drag_outlives_what_comes_meanwhile(self):
        live = self.live()
        for hash, chart in (("#/timeline", ".chart-bytes"), ("#/list", ".strip .chart")):
            with self.subTest(hash):
                page = self.open(self.base + hash)
                page.wait_for_selector(f"{chart} path")
                page.wait_for_timeout(500)
                slots = ask(self.base, f"timeline?slots={240 if 'timeline' in hash else 200}")
                begin, span = slots["from"], slots["slot"] * len(slots["requests"])
                box = page.locator(chart).bounding_box()
                drawn = page.locator(f"{chart} path").first.get_attribute("d")
                page.mouse.move(box["x"] + box["width"] * .25, box["y"] + box["height"] / 2)
                page.mouse.down()
                page.mouse.move(box["x"] + box["width"] * .4, box["y"] + box["height"] / 2, steps=3)
                # Now: long after the seeded traffic, so that the whole chart becomes another.
                with page.expect_response(re.compile("/timeline")):
                    live.add(3)
                page.wait_for_timeout(300)
                self.assertEqual(page.locator(f"{chart} path").first.get_attribute("d"), drawn)
                expect(page.locator(f"{chart} .brush")).to_be_visible()
                page.mouse.move(box["x"] + box["width"] * .5, box["y"] + box["height"] / 2, steps=3)
                expect(page.locator(f"{chart} .brush")).to_be_visible()
                page.mouse.up()
                page.wait_for_timeout(300)
                query = dict(re.findall(r"(since|until)=(\d+)", page.url))
                self.assertAlmostEqual(float(query["since"]), begin + span * .25, delta=span * .01)
                self.assertAlmostEqual(float(query["until"]), begin + span * .5, delta=span * .01)
                page.context.close()

    def test_the_audit_leads_to_its_evidence(self):
        findings = ask(self.base, "audit")["findings"]
        page = self.open(self.base + "#/audit")
        expect(page.locator(".finding")).to_have_count(len(findings))
        first, number = findings[0], findings[0]["evidence"][0]
        expect(page.locator(".finding").first).to_contain_text(f"{first['saving']['bytes'] / 1e6:.1f} MB")
        page.locator(".finding").first.get_by_role("link", name=f"#{number}", exact=True).click()
        expect(page.locator(".detail-number")).to_have_text(f"#{number}")

    def test_the_audit_says_its_order_and_takes_another(self):
        findings = ask(self.base, "audit")["findings"]
        most = lambda unit: max(findings, key=lambda finding: finding["saving"][unit])
        self.assertNotEqual(most("bytes"), most("milliseconds"))
        page = self.open(self.base + "#/audit")
        first = page.locator(".finding").first
        shows = lambda finding: (expect(first.locator(".rule")).to_have_text(finding["rule"]),
                                 expect(first).to_contain_text(finding["template"]))
        expect(page.locator(".audit-order")).to_contain_text("bytes and time together")
        shows(findings[0])
        page.get_by_role("button", name="Time", exact=True).click()
        expect(page.locator(".audit-order")).to_contain_text("by the time")
        shows(most("milliseconds"))
        page.get_by_role("button", name="Bytes", exact=True).click()
        expect(page.locator(".audit-order")).to_contain_text("by the bytes")
        shows(most("bytes"))
        expect(page.get_by_role("button", name="Bytes", exact=True)).to_have_attribute("aria-pressed", "true")

    def test_compare(self):
        base = inspector("after", "before")
        page = self.open(base + "#/compare")
        apis = ask(base, "compare")["apis"]
        weight = lambda side: side["up"] + side["down"] if side else None
        same = [api for api in apis if weight(api["before"]) == weight(api["after"])]
        self.assertGreater(len(same), 1)
        rows = page.locator(".compare tbody tr")
        expect(rows).to_have_count(len(apis) - len(same))
        expect(page.locator(".compare")).to_contain_text("new")
        expect(page.locator(".compare")).to_contain_text("vanished")
        expect(page.locator(".compare")).to_contain_text("no clear change")
        page.get_by_role("button", name=f"Show {len(same)} unchanged APIs").click()
        expect(rows).to_have_count(len(apis))
        # What changed most is first, and each column can be.
        self.assertEqual(page.locator(".compare .t-template").first.text_content(), apis[0]["template"])
        page.locator(".compare").get_by_role("button", name="After").click()
        largest = max((api for api in apis if api["after"]), key=lambda api: weight(api["after"]))
        self.assertNotEqual(largest, apis[0])
        self.assertEqual(page.locator(".compare .t-template").first.text_content(), largest["template"])
        expect(page.locator(".compare th.t-after")).to_have_attribute("aria-sort", "descending")
        page.get_by_role("button", name="Hide unchanged APIs").click()
        expect(rows).to_have_count(len(apis) - len(same))

    def test_connections_are_bars_that_add_up(self):
        base = inspector("metered")
        page = self.open(base + "#/connections")
        told = {one["id"]: one for one in ask(base, "connections?limit=500")["connections"]}
        expect(page.locator(".connections tbody tr")).to_have_count(len(told))
        expect(page.locator(".connections .t-id").nth(1)).to_have_text("64")
        # Each segment is as wide as its share of the payload, and together they fill the bar.
        bars = page.locator("td.t-ledger .ledger-bar").evaluate_all("""all => all.map((bar) => ({
            grow: [...bar.children].map((one) => Number(one.style.flexGrow)),
            width: [...bar.children].map((one) => one.getBoundingClientRect().width),
            whole: bar.getBoundingClientRect().width, label: bar.getAttribute("aria-label") }))""")
        self.assertEqual(len(bars), 64)
        for bar, number in zip(bars, range(64, 0, -1)):
            one = told[number]
            if number == 8:
                self.assertIn("unknown", bar["label"])
                continue
            # The browser gives six digits of a number.
            payload = sum(one["payload"].values())
            self.assertAlmostEqual(sum(bar["grow"]), payload, delta=payload * 5e-6)
            self.assertAlmostEqual(sum(bar["width"]) + len(bar["width"]) - 1, bar["whole"], delta=1)
            self.assertEqual("Unaccounted" in bar["label"], number == 64)
        self.assertEqual(page.locator("td.t-ledger .l-unaccounted").count(), 1)

    def test_connections_are_drawn_to_scale(self):
        base = inspector("metered")
        page = self.open(base + "#/connections")
        known = {one["id"]: sum((one["payload"] or one["messages"]).values()) for one in ask(base, "connections?limit=500")["connections"]}
        widths = lambda: page.locator("td.t-ledger .ledger-bar").evaluate_all(
            "all => all.map((bar) => bar.getBoundingClientRect().width / bar.parentElement.getBoundingClientRect().width)")
        expect(page.locator(".connections tbody tr")).to_have_count(len(known))
        self.assertLess(max(widths()) - min(widths()), .01)
        page.get_by_role("button", name="To scale").press("Enter")
        expect(page.get_by_role("button", name="To scale")).to_be_focused()
        drawn, most = widths(), max(known.values())
        for number, width in zip(range(64, 0, -1), drawn):
            self.assertAlmostEqual(width / max(drawn), known[number] / most, delta=.01)
        self.assertLess(min(drawn), .01)
        page.reload()
        expect(page.locator(".connections tbody tr")).to_have_count(len(known))
        self.assertEqual(widths(), drawn)

    def test_a_connection_opens_and_leads_to_its_exchanges(self):
        live = self.live("metered")
        page = self.open(self.base + "#/connections")
        toggle = page.locator('[data-connection="3"]')
        toggle.click()
        expect(toggle).to_have_attribute("aria-expanded", "true")
        expect(toggle).to_be_focused()
        opened = page.locator(".opened-ledger")
        one = next(one for one in ask(self.base, "connections?limit=500")["connections"] if one["id"] == 3)
        self.assertEqual(one["exchanges"], 5)
        expect(opened.locator(".parts tfoot td").first).to_have_text(f"{one['payload']['up']:,} B")
        segments = f"{one['segments']['up']} up, {one['segments']['down']} down"
        for words in ["h2", f"{one['tls']['version']}, {one['tls']['cipher']}", segments, one["local"]]:
            expect(opened.locator(".facts")).to_contain_text(words)
        expect(opened.locator(".carried li")).to_have_count(5)
        # Exchange by exchange the bar adds up to the payload, too.
        bar = opened.locator(".ledger-bar")
        expect(bar.locator(".l-messages")).to_have_count(5)
        sizes = bar.locator("i").evaluate_all("all => all.map((one) => Number(one.style.flexGrow))")
        self.assertEqual(sum(sizes), sum(one["payload"].values()))
        # It stays open while traffic goes on.
        live.add(2)
        expect(page.locator('[data-connection="65"]')).to_be_visible()
        expect(page.locator('[data-connection="3"]')).to_have_attribute("aria-expanded", "true")
        page.locator(".opened-ledger .all-carried").click()
        self.expect_total(page, 5)
        expect(page.locator('[data-chip="connection"]')).to_contain_text("3")
        page.go_back()
        page.locator('[data-connection="8"]').click()
        expect(page.locator(".opened-ledger caption")).to_contain_text("kernel's count is not known")


class LooksTests(PageTest):
    def places(self, base):
        """Addresses of every page, over the store that has something to show there."""
        metered, compared = inspector("metered"), inspector("after", "before")
        number = next(number for number, row in seeded_rows("metered").items() if row["path"] == "/bodies/json")
        bases = dict(connections=metered, compare=compared)
        self.homes |= {metered, compared}
        return {**{name: f"{bases.get(name, base)}#/{name}" for name in PAGES},
                "detail": f"{metered}#/list?id={number}&status=2xx&host=api.example.com", "hops": f"{metered}#/list?id={number - 1}",
                "heads": f"{metered}#/list?id={number}&tab=heads", "body": f"{metered}#/list?id={number}&tab=body",
                "failed": f"{base}#/list?failed=1"}

    def visit(self, page, name, place):
        """Opens an address, and waits until that page is drawn."""
        page.goto(place)
        drawn = dict(list=".row.set", failed=".row.set", map=".map-api i", timeline=".chart-bytes path", audit=".finding", overview=".finding",
                     **{table: f".{table} tbody tr" for table in ("apis", "compare", "connections")})
        page.wait_for_selector(drawn.get(name, ".detail-title"))
        page.wait_for_timeout(250)

    def test_names_roles_and_contrast(self):
        live = self.live()
        live.begin()
        for dark in (False, True):
            for width in (1280, 390):
                page = self.open(self.base, width=width, height=844, dark=dark)
                for name, place in self.places(self.base).items():
                    with self.subTest(name, dark=dark, width=width):
                        self.visit(page, name, place)
                        self.picture(page, f"{name}-{width}-{'dark' if dark else 'light'}-en")
                        self.assertEqual(page.evaluate(ACCESSIBILITY), [])
                        self.fits(page)
                        if name == "connections":
                            page.locator(".toggle").nth(52).click()
                            expect(page.locator(".all-carried")).to_be_visible()
                            self.assertEqual(page.evaluate(ACCESSIBILITY), [])
                            self.fits(page)
                page.context.close()

    def test_dialogs_and_menus_have_names_and_contrast(self):
        self.live("small")
        for dark in (False, True):
            page = self.list(dark=dark)
            page.get_by_role("button", name="More filters").click()
            self.assertEqual(page.evaluate(ACCESSIBILITY), [])
            page.get_by_role("button", name="Keys and marks").click()
            self.assertEqual(page.evaluate(ACCESSIBILITY), [])
            page.keyboard.press("Escape")
            page.get_by_role("button", name="Clear").click()
            self.assertEqual(page.evaluate(ACCESSIBILITY), [])
            page.keyboard.press("Escape")
            page.get_by_role("button", name="Dark or light").click()
            self.assertEqual(page.evaluate(ACCESSIBILITY), [])

    def test_the_check_of_contrast_finds_what_is_wrong(self):
        page = self.list()
        page.evaluate("document.querySelector('.brand b').style.color = '#bbb'; document.querySelector('#header .controls button').removeAttribute('aria-label');"
                      "document.querySelector('#header .controls button').removeAttribute('title')")
        faults = "\n".join(page.evaluate(ACCESSIBILITY))
        self.assertIn("contrast", faults)
        self.assertIn("no name: button", faults)

    def test_phone_width(self):
        for language in ("en-US", "zh-CN"):
            page = self.open(self.base, width=360, height=740, language=language, touch=True)
            for name, place in self.places(self.base).items():
                with self.subTest(name, language=language):
                    self.visit(page, name, place)
                    self.picture(page, f"{name}-360-light-{language[:2]}")
                    self.fits(page)
        page.goto(self.base + "#/list")
        page.locator(".row.set").nth(2).tap()
        expect(page.locator("#detail")).to_be_visible()
        self.assertEqual(page.locator("#detail").bounding_box()["width"], 360)
        # In one line, the button that closes the pane included.
        for button in page.locator(".detail-bar > *:visible").all():
            box = button.bounding_box()
            self.assertLessEqual(box["x"] + box["width"], 360)
            self.assertLess(box["y"], 40)

    def test_filters_on_a_phone_push_no_row_away_and_the_strip_says_everything(self):
        page = self.open(self.base + "#/list", width=375, height=812, touch=True)
        place = lambda: page.locator(".list").bounding_box()["y"]
        expect(page.locator(".row.set").first).to_be_visible()
        expect(page.locator(".strip-most")).to_contain_text("B/s")
        before = place()
        cut = "all => all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent)"
        self.assertEqual(page.locator(".strip-ends, .strip-ends > *").evaluate_all(cut), [])
        page.goto(self.base + "#/list?host=api.example.com&status=200&method=GET&text=larger:10")
        expect(page.locator(".filters .chip")).to_have_count(4)
        self.assertEqual(place(), before)
        expect(page.get_by_role("button", name=re.compile("^More filters"))).to_be_visible()
        page.locator(".filters .chip").last.tap()
        expect(page.locator(".filters .chip")).to_have_count(3)

    def test_both_languages(self):
        page = self.list(language="zh-CN")
        expect(page.locator("html")).to_have_attribute("lang", "zh-CN")
        expect(page.get_by_role("navigation")).to_contain_text("时间线")
        page.get_by_role("button", name="English").click()
        expect(page.get_by_role("navigation")).to_contain_text("Timeline")
        page.reload()
        expect(page.get_by_role("navigation")).to_contain_text("Timeline")
        # Nothing in a Chinese page is left in English but names, units and data.
        page.get_by_role("button", name="中文").click()
        self.serve_modules(page)
        english = page.evaluate("import('/messages.js').then((module) => module.messages)")
        chinese = page.evaluate("import('/chinese.js').then((module) => module.chinese)")
        same = [text for key, text in english.items() if chinese[key] == text]
        english = list(english.values())
        self.assertGreater(len(english), 200)
        for name, place in self.places(self.base).items():
            self.visit(page, name, place)
            self.picture(page, f"{name}-1280-light-zh")
            texts = page.evaluate("""() => [...document.querySelectorAll('button, h1, h2, h3, th, summary, nav a, [role=columnheader]')]
                .filter((e) => e.offsetParent).map((e) => e.textContent.trim())""")
            self.assertEqual([text for text in texts if text in english and text not in same and len(text) > 1 and text != "English"], [])

    def test_the_audits_sentences_in_both_languages(self):
        findings = ask(self.base, "audit")["findings"]
        page = self.open(self.base + "#/audit")
        expect(page.locator(".finding")).to_have_count(len(findings))
        # The page rounds less finely.
        words = lambda texts: [re.sub(r"[\d.,]+", "0", text) for text in texts]
        for name in ("problem", "remedy"):
            self.assertEqual(words(page.locator(f".{name}").all_inner_texts()), words(finding[name] for finding in findings))
        for number in (0, 1):
            expect(page.locator(".problem").nth(number)).to_have_text(findings[number]["problem"])
        page.get_by_role("button", name="中文").click()
        self.assertEqual([finding["rule"] for finding in findings[:2]], ["text-without-coding", "redirects"])
        calls, size = (findings[0]["said"]["problem"]["values"][name] for name in ("calls", "size"))
        expect(page.locator(".problem").nth(0)).to_have_text(
            f"{calls['of']} 次调用中有 {calls['calls']} 次收到平均 {size['bytes'] / 1000:.1f} KB 的 JSON，未经内容编码，尽管客户端要求编码。")
        calls = findings[1]["said"]["problem"]["values"]["calls"]["calls"]
        expect(page.locator(".problem").nth(1)).to_have_text(f"全部 {calls} 次调用只是被重定向（为了末尾的斜杠：{calls}）。")
        expect(page.locator(".remedy").nth(0)).to_have_text("让服务器用 gzip 或更好的方式压缩 JSON。")
        expect(page.locator(".finding").nth(1)).to_contain_text("按线上字节计数")
        page.goto(f"{self.base}#/list?id={findings[0]['evidence'][0]}")
        expect(page.locator(".detail .problem").first).to_contain_text("次调用")

    def test_dark_light_and_as_the_system(self):
        ground = "getComputedStyle(document.body).backgroundColor"
        page = self.list()
        light = page.evaluate(ground)
        page.get_by_role("button", name="Dark or light").click()
        page.get_by_role("menuitemradio", name="Dark").click()
        dark = page.evaluate(ground)
        self.assertNotEqual(light, dark)
        page.reload()
        self.assertEqual(page.evaluate(ground), dark)
        page.get_by_role("button", name="Dark or light").click()
        page.get_by_role("menuitemradio", name="Same as the system").click()
        self.assertEqual(page.evaluate(ground), light)

    def test_focus_is_visible(self):
        page = self.list()
        seen = set()
        for _ in range(25):
            page.keyboard.press("Tab")
            where, width = page.evaluate("""() => { const e = document.activeElement; const s = getComputedStyle(e);
                return [e.id || e.className || e.tagName, s.outlineStyle === 'none' ? 0 : parseFloat(s.outlineWidth)]; }""")
            self.assertGreater(width, 0, where)
            seen.add(where)
        self.assertGreater(len(seen), 6)


class HostileTests(PageTest):
    store = "hostile"

    def test_nothing_captured_is_ever_run(self):
        numbers = self.matching(lambda row: "<script>" in row["process"])
        self.assertEqual(len(numbers), 6)
        page = self.list()
        for number in numbers:
            for tab in ("overview", "heads", "body"):
                page.goto(f"{self.base}#/list?id={number}&tab={tab}")
                page.wait_for_selector(".detail-title")
                page.wait_for_timeout(250)
                if tab == "heads":
                    expect(page.locator(".raw").first).to_contain_text("<script>window.pwned=1")
                if tab == "body" and self.rows[number]["status"]:
                    for kind in page.locator(".body-bar .segments").nth(1).get_by_role("button").all():
                        kind.click()
                        page.wait_for_timeout(100)
                    self.assertEqual(page.locator(".picture").count(), 0)
        for name in PAGES:
            page.goto(f"{self.base}#/{name}")
            page.wait_for_timeout(300)
        page.goto(f"{self.base}#/list?host=<img src=x onerror=window.pwned=1>&text=<script>window.pwned=1</script>")
        page.wait_for_timeout(300)
        self.assertIsNone(page.evaluate("window.pwned ?? ({}).pwned ?? null"))
        self.assertEqual(page.evaluate("document.querySelectorAll('main script, iframe, object, embed').length"), 0)
        self.assertEqual(page.evaluate("[...document.links].filter((a) => a.protocol !== location.protocol).length"), 0)
        self.assertEqual(page.evaluate("document.querySelectorAll('[onerror], [onload], img[src=x]').length"), 0)
        # A body that is shown as a page tries, in its frame.
        self.allowed = ("is sandboxed", 'Security Policy directive: "img-src')


if __name__ == "__main__":
    unittest.main(verbosity=2)
