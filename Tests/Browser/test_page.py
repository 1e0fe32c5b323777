"""The inspector's page in a real browser, over a hundred thousand made-up exchanges that are the same in each run."""

import json
import pathlib
import re
import statistics
import time
import unittest
import urllib.request

from playwright.sync_api import expect

import mock_inspector
from browser import BrowserTest

HERE = pathlib.Path(__file__).resolve().parent
ACCESSIBILITY = (HERE / "accessibility.js").read_text()
PAGES = ["list", "apis", "map", "timeline", "audit", "compare", "connections"]


class PageTest(BrowserTest):
    exchanges = 3000
    hostile = False

    def setUp(self):
        super().setUp()
        self.mock = mock_inspector.Mock(self.exchanges, self.hostile)
        self.server = mock_inspector.serve(self.mock)
        self.base = f"http://127.0.0.1:{self.server.server_port}/"
        self.addCleanup(self.stop)

    def stop(self):
        self.server.shutdown()
        self.server.server_close()
        self.mock.test("drop", {})

    def list(self, hash="#/list", **options):
        page = self.open(self.base + hash, **options)
        page.wait_for_selector(".row.set")
        return page

    def ids(self, page):
        """The numbers of the rows in sight, from the top."""
        return page.evaluate("""() => [...document.querySelectorAll('.row.set:not([hidden])')]
            .sort((a, b) => a.getAttribute('aria-rowindex') - b.getAttribute('aria-rowindex'))
            .map((row) => Number(row.id.slice(4)))""")

    def total(self, page):
        return int(page.locator("#grid").get_attribute("aria-rowcount")) - 1

    def expect_total(self, page, count):
        expect(page.locator("#grid")).to_have_attribute("aria-rowcount", str(count + 1))

    def matching(self, **filters):
        fits = mock_inspector.matcher({name: [str(value)] for name, value in filters.items()})
        return [row["id"] for row in self.mock.data.rows.values() if fits(row)]


class ListTests(PageTest):
    def test_newest_first_with_all_columns(self):
        page = self.list()
        self.expect_total(page, len(self.mock.data.rows))
        newest = max(self.mock.data.rows)
        self.assertEqual(self.ids(page)[:10], list(range(newest, newest - 10, -1)))
        row = self.mock.data.rows[newest]
        cells = page.locator(f"#row-{newest} [role=gridcell]")
        self.assertEqual(cells.count(), 10)
        self.assertEqual(cells.nth(0).inner_text(), str(row["status"]))
        self.assertEqual(cells.nth(1).inner_text(), row["method"])
        self.assertEqual(cells.nth(2).inner_text(), row["host"])
        self.assertTrue(cells.nth(3).inner_text().startswith(row["path"]))
        self.assertEqual(cells.nth(5).inner_text(), f"{row['up']} B")
        self.assertGreater(page.locator(f"#row-{newest} .bar").bounding_box()["width"], 0)
        expect(page.locator(f"#row-{newest} .mark")).to_have_class(re.compile(f"e-{row['evidence']}"))

    def test_every_filter_and_their_combination(self):
        rows = self.mock.data.rows.values()
        since = sorted(row["start"] for row in rows)[1200]
        cases = [dict(status="4xx"), dict(status="none"), dict(status="404"), dict(type="image/"), dict(method="POST"),
                 dict(host="cdn.example.net"), dict(api="GET api.example.com/users/{id}"), dict(path="/users/1"),
                 dict(failed="1"), dict(slower="300"), dict(text="AVATAR"), dict(since=str(int(since))),
                 dict(until=str(int(since))), dict(process="shop"), dict(connection="40"), dict(task="40"), dict(host="api.example.com", failed="1", method="GET")]
        page = self.list()
        for filters in cases:
            with self.subTest(**filters):
                query = "&".join(f"{name}={urllib.request.quote(value)}" for name, value in filters.items())
                page.goto(f"{self.base}#/list?{query}")
                wanted = self.matching(**filters)
                self.expect_total(page, len(wanted))
                self.assertGreater(len(wanted), 0)
                self.assertLess(len(wanted), len(rows) + ("process" in filters))
                self.assertEqual(self.ids(page)[:5], wanted[::-1][:5])
                for name in filters:
                    expect(page.locator(f"[data-chip={name}]")).to_be_visible()

    def test_filters_are_set_by_hand_and_stand_in_the_address(self):
        page = self.list()
        page.get_by_role("button", name="4xx").click()
        self.expect_total(page, len(self.matching(status="4xx")))
        page.get_by_role("button", name="More filters").click()
        page.locator("[data-filter=method]").select_option("GET")
        page.locator("[data-filter=host]").fill("api.example.com")
        page.locator("[data-filter=host]").press("Enter")
        wanted = self.matching(status="4xx", method="GET", host="api.example.com")
        self.expect_total(page, len(wanted))
        shared = page.url
        other = self.list(shared.removeprefix(self.base))
        self.expect_total(other, len(wanted))
        page.locator("[data-chip=status]").click()
        self.expect_total(page, len(self.matching(method="GET", host="api.example.com")))
        page.go_back()
        self.expect_total(page, len(wanted))
        page.get_by_role("button", name="Remove all filters").click()
        self.expect_total(page, len(self.mock.data.rows))

    def test_process_task_and_connection_have_fields(self):
        page = self.list()
        other = self.mock.test("add", dict(count=3, members=dict(process="worker", task=2990, connection=77)))["ids"]
        page.get_by_role("button", name="More filters").click()
        for name, value in [("process", "worker"), ("task", "2990"), ("connection", "77")]:
            with self.subTest(name):
                field = page.locator(f"[data-filter={name}]")
                field.fill(value)
                field.press("Enter")
                wanted = self.matching(**{name: value})
                self.assertLess(len(wanted), 20)
                self.assertTrue(set(other) <= set(wanted))
                self.expect_total(page, len(wanted))
                self.assertIn(f"{name}={value}", page.url)
                page.locator(f"[data-chip={name}]").click()
                self.expect_total(page, len(self.mock.data.rows))
        # What comes over the connection is listed when it ends: before, nobody knows where it goes.
        page.goto(f"{self.base}#/list?connection=77")
        self.expect_total(page, len(self.matching(connection=77)))
        before = self.total(page)
        self.mock.test("add", dict(members=dict(connection=78)))
        self.mock.test("add", dict(members=dict(connection=77)))
        self.expect_total(page, before + 1)

    def test_the_details_lead_to_all_of_the_same(self):
        page = self.list("#/list?id=40")
        for words, filters in [("shop (4711)", dict(process="shop")), ("9, ", dict(connection=9))]:
            page.goto(f"{self.base}#/list?id=40")
            page.locator(".facts a").filter(has_text=words).click()
            self.expect_total(page, len(self.matching(**filters)))

    def test_the_header_is_never_older_than_the_stream(self):
        slow = """const ask = fetch; window.fetch = (url, options) => String(url).includes("overview")
            ? ask(url, options).then((answer) => new Promise((done) => setTimeout(() => done(answer), 1500))) : ask(url, options);"""
        page = self.list(first=slow)
        self.mock.test("add", {"count": 5})
        wanted = re.compile(f"^{len(self.mock.data.rows):,} ")
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
                page.wait_for_timeout(300)
                first = self.mock.data.rows[self.ids(page)[0]][member]
                values = [row[member] for row in self.mock.data.rows.values() if row[member] is not None]
                if header.get_attribute("aria-sort") == "descending":
                    self.assertEqual(first, max(values))
                else:
                    self.assertIn(first, (min(values), None))

    def test_keys(self):
        page = self.list()
        newest = max(self.mock.data.rows)
        page.locator("body").press("/")
        self.assertEqual(page.evaluate("document.activeElement.id"), "search")
        page.keyboard.type("avatar")
        self.expect_total(page, len(self.matching(text="avatar")))
        page.keyboard.press("Escape")
        self.assertEqual(page.evaluate("document.activeElement.id"), "grid")
        page.locator("[data-chip=text]").click()
        self.expect_total(page, len(self.mock.data.rows))
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
        expect(page.locator("dialog")).to_be_hidden()
        page.keyboard.press("2")
        expect(page.locator("h1")).to_have_text("What each API weighs")

    def test_rows_come_run_and_end(self):
        page = self.list()
        before = self.total(page)
        began = time.monotonic()
        number = self.mock.test("begin", {})["ids"][0]
        row = page.locator(f"#row-{number}")
        expect(row).to_have_class(re.compile("running"))
        print(f"\n  from the server's word to the row: {(time.monotonic() - began) * 1000:.0f} ms at most")
        expect(row).to_contain_text("running")
        self.expect_total(page, before + 1)
        self.mock.test("end", {"id": number})
        expect(row).not_to_have_class(re.compile("running"))
        expect(row.locator(".c-status")).to_have_text("200")
        lost = self.mock.test("add", {"members": {"status": None, "down": None, "state": "failed", "error": "refused"}})["ids"][0]
        expect(page.locator(f"#row-{lost}")).to_have_class(re.compile("none"))
        expect(page.locator(f"#row-{lost}")).to_contain_text("no response")

    def test_what_comes_is_filtered(self):
        page = self.list("#/list?status=4xx")
        before = self.total(page)
        self.mock.test("add", {"members": {"status": 200, "state": "completed"}})
        wanted = self.mock.test("add", {"members": {"status": 404, "state": "completed"}})["ids"][0]
        expect(page.locator(f"#row-{wanted}")).to_be_visible()
        self.expect_total(page, before + 1)

    def test_who_reads_further_down_is_not_moved(self):
        page = self.list()
        page.evaluate("document.getElementById('grid').scrollTop = 28 * 500")
        page.wait_for_timeout(400)
        before = self.ids(page)
        self.mock.test("add", {"count": 7})
        self.expect_total(page, len(self.mock.data.rows))
        page.wait_for_timeout(200)
        self.assertEqual(self.ids(page), before)

    def test_follow_the_end(self):
        page = self.list()
        page.locator("[data-follow]").click()
        newest = max(self.mock.data.rows)
        expect(page.locator(f"#row-{newest}")).to_be_visible()
        number = self.mock.test("add", {"count": 40})["ids"][-1]
        expect(page.locator(f"#row-{number}")).to_be_in_viewport()

    def test_an_expired_view_is_made_again(self):
        self.allowed = ("410",)
        page = self.list()
        self.mock.test("expire", {})
        page.evaluate("document.getElementById('grid').scrollTop = 28 * 1500")
        expect(page.locator(f"#row-{max(self.mock.data.rows) - 1505}")).to_be_visible()

    def test_comes_back_after_the_server(self):
        self.allowed = ("ERR_", "Failed to load")
        page = self.list()
        port = self.server.server_port
        self.server.shutdown()
        self.server.server_close()
        self.mock.test("drop", {})
        expect(page.locator(".live")).to_have_class(re.compile("lost"))
        missed = self.mock.data.add(at=time.time() * 1000)["id"]
        self.mock.views.clear()
        self.server = mock_inspector.serve(self.mock, port)
        expect(page.locator(".live")).to_have_class(re.compile(r"live live"))
        self.mock.tell("reset", {})
        expect(page.locator(f"#row-{missed}")).to_be_visible()
        after = self.mock.test("add", {})["ids"][0]
        expect(page.locator(f"#row-{after}")).to_be_visible()

    def test_a_lost_connection_is_caught_up(self):
        page = self.list()
        self.mock.test("add", {})
        expect(page.locator("#grid")).to_have_attribute("aria-rowcount", str(len(self.mock.data.rows) + 1))
        self.mock.test("drop", {})
        missed = self.mock.test("add", {"count": 3})["ids"]
        expect(page.locator(f"#row-{missed[0]}")).to_be_visible()
        self.assertIn(missed[-1], self.ids(page))

    def test_pause_resume_clear_export(self):
        page = self.list("#/list?host=cdn.example.net")
        page.get_by_role("button", name="Pause recording").click()
        expect(page.locator(".live")).to_have_text("Paused")
        page.get_by_role("button", name="Resume recording").click()
        expect(page.locator(".live")).to_have_text("Live")
        page.get_by_role("button", name="Export").click()
        with page.expect_download() as download:
            page.get_by_role("menuitem", name="NDJSON").click()
        lines = pathlib.Path(download.value.path()).read_text().splitlines()
        self.assertEqual(len(lines), len(self.matching(host="cdn.example.net")))
        page.get_by_role("button", name="Clear").click()
        page.get_by_role("button", name="Cancel").click()
        self.assertNotIn("POST clear", self.mock.log)
        page.get_by_role("button", name="Clear").click()
        page.get_by_role("button", name="Delete all").click()
        self.expect_total(page, 0)
        self.assertIn("POST clear", self.mock.log)


class LargeListTests(PageTest):
    exchanges = 100_000

    def test_a_hundred_thousand_rows(self):
        began = time.monotonic()
        page = self.list()
        first = time.monotonic() - began
        self.expect_total(page, len(self.mock.data.rows))
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
        expect(page.locator("#row-1")).to_have_attribute("aria-rowindex", str(len(self.mock.data.rows) + 1))
        asked = [line for line in self.mock.log if "exchanges?" in line]
        self.assertLess(len(asked), 200)
        self.assertTrue(all(int(re.search(r"limit=(\d+)", line)[1]) <= 500 for line in asked))


class DetailTests(PageTest):
    def body(self, name, tab="body"):
        page = self.list(f"#/list?id={self.mock.data.bodies[name]}&tab={tab}")
        page.wait_for_selector(".detail-title")
        return page

    def test_sizes_add_up_and_carry_their_evidence(self):
        number = next(row["id"] for row in self.mock.data.rows.values()
                      if row["template"] == "/users/{id}/avatar" and row["status"] == 200)
        page = self.list(f"#/list?id={number}")
        up, down = self.mock.data.size[number]
        row = self.mock.data.rows[number]
        cells = page.locator(".parts tbody tr").evaluate_all(
            "rows => rows.map((row) => [...row.querySelectorAll('td')].map((cell) => Number(cell.textContent.replace(/\\D/g, ''))))")
        self.assertEqual(cells[1], [up["fields"] - up["cookies"], down["fields"] - down["cookies"]])
        self.assertEqual(sum(cell[0] for cell in cells), row["up"])
        self.assertEqual(sum(cell[1] for cell in cells), row["down"])
        expect(page.locator(".parts tfoot")).to_contain_text(f"{row['up']:,} B")
        expect(page.locator(".parts tfoot")).to_contain_text(row["evidence"])
        grown = page.locator(".size-bar").first.locator("i").evaluate_all(
            "all => all.map((one) => [one.className, Number(one.style.flexGrow)])")
        self.assertEqual(dict(grown)["p-body"], up["body"])
        self.assertEqual(page.locator(".phase").count(), len(row["phases"]) + 1)

    def test_the_list_and_the_detail_draw_the_same_phases(self):
        row = max((row for row in self.mock.data.rows.values() if row["state"] == "completed"), key=lambda row: row["start"])
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
        expect(page.locator(".raw").first).to_contain_text("Authorization: Bearer [redacted 48 B]")
        self.assertIn("[redacted 48 B]", page.locator("mark").all_inner_texts())
        expect(page.locator(".pairs").nth(0)).to_contain_text("lamp")
        expect(page.locator(".pairs").nth(1)).to_contain_text("sid")
        expect(page.locator(".pairs").nth(2)).to_contain_text("Path=/; HttpOnly; SameSite=Lax")

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
        page = self.body("brotli")
        expect(page.locator(".warning")).to_contain_text("x-unheard-of")
        page = self.body("cut")
        expect(page.locator(".warning")).to_contain_text("incomplete or damaged")

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
        reads = [line for line in self.mock.log if "/bodies/response" in line]
        self.assertTrue(all("limit=1048576" in line for line in reads))

    def test_hops_findings_curl_and_har(self):
        last = self.mock.data.bodies["json"] - 1
        page = self.list(f"#/list?id={last}")
        self.assertEqual(page.locator(".hop").count(), 3)
        page.locator(".hop").first.click()
        expect(page.locator(".detail-number")).to_have_text(f"#{last - 2}")
        page.get_by_role("button", name="Copy as cURL").click()
        expect(page.locator("#toast")).to_have_text("The command is in the clipboard.")
        self.assertTrue(page.evaluate("navigator.clipboard.readText()").startswith("curl 'https://legacy.example.com/old/1'"))
        with page.expect_download() as download:
            page.get_by_role("button", name="Save as HAR").click()
        self.assertEqual(json.loads(pathlib.Path(download.value.path()).read_text())["log"]["version"], "1.2")
        page.goto(f"{self.base}#/list?id=4")
        expect(page.locator(".detail .finding")).to_contain_text("text-without-coding")
        page.goto(f"{self.base}#/list?id=999999999")
        expect(page.locator("#detail")).to_contain_text("not in the store any more")
        self.allowed = ("404",)


class PagesTests(PageTest):
    def test_apis_lead_to_the_list(self):
        page = self.open(self.base + "#/apis")
        known = self.mock.apis({})["apis"]
        expect(page.locator(".apis tbody tr")).to_have_count(len(known))
        first = page.locator(".apis tbody tr").first
        expect(first).to_contain_text(known[0]["template"])
        expect(first.locator(".t-requests")).to_have_text(f"{known[0]['requests']:,}")
        self.assertEqual(first.locator(".spark rect").count(), sum(value > 0 for value in known[0]["spark"]))
        page.get_by_role("columnheader", name="Requests").get_by_role("button").click()
        most = max(known, key=lambda api: api["requests"])
        expect(page.locator(".apis tbody tr").first).to_contain_text(most["template"])
        page.locator(".apis tbody tr").first.get_by_role("link").click()
        self.expect_total(page, most["requests"])

    def test_the_map_has_areas_by_bytes_and_a_table(self):
        page = self.open(self.base + "#/map")
        page.wait_for_selector(".map-api i")
        areas = page.locator(".map-api").evaluate_all(
            "all => all.map((one) => [one.getAttribute('aria-label'), one.offsetWidth * one.offsetHeight])")
        known = self.mock.apis({})["apis"]
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
        wanted = len(self.matching(**query))
        self.assertGreater(wanted, 0)
        self.assertLess(wanted, len(self.mock.data.rows))
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
        for hash, chart in (("#/timeline", ".chart-bytes"), ("#/list", ".strip .chart")):
            with self.subTest(hash):
                page = self.open(self.base + hash)
                page.wait_for_selector(f"{chart} path")
                page.wait_for_timeout(500)
                slots = self.mock.timeline(dict(slots=["240" if "timeline" in hash else "200"]))
                begin, span = slots["from"], slots["slot"] * len(slots["requests"])
                box = page.locator(chart).bounding_box()
                drawn = page.locator(f"{chart} path").first.get_attribute("d")
                page.mouse.move(box["x"] + box["width"] * .25, box["y"] + box["height"] / 2)
                page.mouse.down()
                page.mouse.move(box["x"] + box["width"] * .4, box["y"] + box["height"] / 2, steps=3)
                asked = len(self.mock.log)
                # Now: far behind the made-up traffic, so that the whole chart becomes another.
                self.mock.test("add", {"count": 3})
                page.wait_for_timeout(2600)
                self.assertTrue(any("timeline" in line for line in self.mock.log[asked:]), "nothing was read meanwhile")
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
        page = self.open(self.base + "#/audit")
        expect(page.locator(".finding")).to_have_count(3)
        expect(page.locator(".finding").first).to_contain_text("118.4 MB")
        page.locator(".finding").first.get_by_role("link", name="#4").click()
        expect(page.locator(".detail-number")).to_have_text("#4")

    def test_the_audit_says_its_order_and_takes_another(self):
        page = self.open(self.base + "#/audit")
        first = page.locator(".finding .rule").first
        expect(page.locator(".audit-order")).to_contain_text("bytes and time together")
        expect(first).to_have_text("text-without-coding")
        page.get_by_role("button", name="Time", exact=True).click()
        expect(page.locator(".audit-order")).to_contain_text("by the time")
        expect(first).to_have_text("redirects")
        page.get_by_role("button", name="Bytes", exact=True).click()
        expect(page.locator(".audit-order")).to_contain_text("by the bytes")
        expect(first).to_have_text("text-without-coding")
        expect(page.get_by_role("button", name="Bytes", exact=True)).to_have_attribute("aria-pressed", "true")

    def test_compare(self):
        page = self.open(self.base + "#/compare")
        apis = self.mock.compare()["apis"]
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
        self.assertEqual(page.locator(".compare .t-template").first.text_content(), largest["template"])
        expect(page.locator(".compare th.t-after")).to_have_attribute("aria-sort", "descending")
        page.get_by_role("button", name="Hide unchanged APIs").click()
        expect(rows).to_have_count(len(apis) - len(same))

    def test_connections_are_bars_that_add_up(self):
        page = self.open(self.base + "#/connections")
        expect(page.locator(".connections tbody tr")).to_have_count(60)
        expect(page.locator(".connections .t-id").nth(1)).to_have_text("60")
        # Each segment is as wide as its share of the payload, and together they fill the bar.
        bars = page.locator("td.t-ledger .ledger-bar").evaluate_all("""all => all.map((bar) => ({
            grow: [...bar.children].map((one) => Number(one.style.flexGrow)),
            width: [...bar.children].map((one) => one.getBoundingClientRect().width),
            whole: bar.getBoundingClientRect().width, label: bar.getAttribute("aria-label") }))""")
        told = {one["id"]: one for one in self.mock.connections({})["connections"]}
        for bar, number in zip(bars, range(60, 0, -1)):
            one = told[number]
            if one["sent"] is None:
                self.assertIn("unknown", bar["label"])
                continue
            self.assertEqual(sum(bar["grow"]), one["sent"] + one["received"])
            self.assertAlmostEqual(sum(bar["width"]) + len(bar["width"]) - 1, bar["whole"], delta=1)
            self.assertEqual("Unaccounted" in bar["label"], number == 7)
        self.assertEqual(page.locator("td.t-ledger .l-unaccounted").count(), 1)

    def test_a_connection_opens_and_leads_to_its_exchanges(self):
        page = self.open(self.base + "#/connections")
        toggle = page.locator('[data-connection="3"]')
        toggle.click()
        expect(toggle).to_have_attribute("aria-expanded", "true")
        expect(toggle).to_be_focused()
        opened = page.locator(".opened-ledger")
        one = next(one for one in self.mock.connections({})["connections"] if one["id"] == 3)
        expect(opened.locator(".parts tfoot td").first).to_have_text(f"{one['sent']:,} B")
        for words in ["h2", "TLSv1.3, TLS_AES_256_GCM_SHA384", "12 up, 20 down", "192.168.1.20:50003"]:
            expect(opened.locator(".facts")).to_contain_text(words)
        expect(opened.locator(".carried li")).to_have_count(one["exchanges"])
        # Exchange by exchange the bar adds up to the payload, too.
        bar = opened.locator(".ledger-bar")
        expect(bar.locator(".l-messages")).to_have_count(one["exchanges"])
        sizes = bar.locator("i").evaluate_all("all => all.map((one) => Number(one.style.flexGrow))")
        self.assertEqual(sum(sizes), one["sent"] + one["received"])
        # It stays open while traffic goes on.
        self.mock.test("add", {"count": 2})
        page.wait_for_timeout(2600)
        expect(page.locator('[data-connection="3"]')).to_have_attribute("aria-expanded", "true")
        page.locator(".opened-ledger .all-carried").click()
        expect(page.locator("#grid")).to_have_attribute("aria-rowcount", str(one["exchanges"] + 1))
        expect(page.locator('[data-chip="connection"]')).to_contain_text("3")
        page.go_back()
        page.locator('[data-connection="8"]').click()
        expect(page.locator(".opened-ledger caption")).to_contain_text("kernel's count is not known")


class LooksTests(PageTest):
    def test_names_roles_and_contrast(self):
        number = self.mock.data.bodies["json"]
        places = [f"#/{name}" for name in PAGES] + [
            f"#/list?id={number}&status=2xx&host=api.example.com", f"#/list?id={number}&tab=heads", f"#/list?id={number}&tab=body",
            "#/list?failed=1"]
        self.mock.test("begin", {})
        for dark in (False, True):
            for width in (1280, 390):
                page = self.open(self.base, width=width, height=844, dark=dark)
                for place in places:
                    with self.subTest(place, dark=dark, width=width):
                        page.goto(self.base + place)
                        page.wait_for_timeout(350)
                        self.assertEqual(page.evaluate(ACCESSIBILITY), [])
                        self.fits(page)
                        if place == "#/connections":
                            page.locator(".toggle").nth(52).click()
                            expect(page.locator(".all-carried")).to_be_visible()
                            self.assertEqual(page.evaluate(ACCESSIBILITY), [])
                            self.fits(page)
                page.context.close()

    def test_dialogs_and_menus_have_names_and_contrast(self):
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
        page.evaluate("document.querySelector('.brand b').style.color = '#bbb'; document.querySelector('#header button').removeAttribute('aria-label');"
                      "document.querySelector('#header button').removeAttribute('title')")
        faults = "\n".join(page.evaluate(ACCESSIBILITY))
        self.assertIn("contrast", faults)
        self.assertIn("no name: button", faults)

    def test_phone_width(self):
        number = self.mock.data.bodies["json"]
        for language in ("en-US", "zh-CN"):
            page = self.open(self.base, width=360, height=740, language=language, touch=True)
            for place in [f"#/{name}" for name in PAGES] + [f"#/list?id={number}", f"#/list?id={number}&tab=heads", f"#/list?id={number}&tab=body"]:
                with self.subTest(place, language=language):
                    page.goto(self.base + place)
                    page.wait_for_timeout(300)
                    self.fits(page)
        page.goto(self.base + "#/list")
        page.locator(".row.set").nth(2).tap()
        expect(page.locator("#detail")).to_be_visible()
        self.assertEqual(page.locator("#detail").bounding_box()["width"], 360)

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
        english = page.evaluate("import('/messages.js').then((m) => Object.values(m.messages).map((pair) => pair[0]))")
        same = page.evaluate("import('/messages.js').then((m) => Object.values(m.messages).filter((pair) => pair[0] === pair[1]).map((pair) => pair[0]))")
        for name in PAGES:
            page.goto(f"{self.base}#/{name}")
            page.wait_for_timeout(300)
            texts = page.evaluate("""() => [...document.querySelectorAll('button, h1, h2, h3, th, summary, nav a, [role=columnheader]')]
                .filter((e) => e.offsetParent).map((e) => e.textContent.trim())""")
            self.assertEqual([text for text in texts if text in english and text not in same and len(text) > 1 and text != "English"], [])

    def test_the_audits_sentences_in_both_languages(self):
        page = self.open(self.base + "#/audit")
        expect(page.locator(".problem").nth(0)).to_have_text(
            "Text of 18.0 KB on average came uncompressed in 13,200 of 14,000 calls, although the client accepts compression.")
        expect(page.locator(".problem").nth(2)).to_have_text(
            "All 1,950 calls only led to another URL (permanent: 1,900, for a trailing slash: 50).")
        page.get_by_role("button", name="中文").click()
        expect(page.locator(".problem").nth(0)).to_have_text(
            "14,000 次调用中有 13,200 次收到平均 18.0 KB 的文本，未经内容编码，尽管客户端要求编码。")
        expect(page.locator(".problem").nth(2)).to_have_text("全部 1,950 次调用只是被重定向（永久：1,900、为了末尾的斜杠：50）。")
        expect(page.locator(".remedy").nth(0)).to_have_text("让服务器用 gzip 或更好的方式压缩文本。")
        expect(page.locator(".finding").nth(1)).to_contain_text("按线上字节计数")
        page.goto(f"{self.base}#/list?id=4")
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

    def test_pictures(self):
        number = self.mock.data.bodies["json"]
        places = {"list": "#/list", "detail": f"#/list?id={number - 1}", "body": f"#/list?id={number}&tab=body",
                  **{name: f"#/{name}" for name in PAGES[1:]}}
        for width, height in ((1280, 800), (390, 844)):
            for dark in (False, True):
                for language in ("en-US", "zh-CN"):
                    page = self.open(self.base, width=width, height=height, dark=dark, language=language)
                    for name, place in places.items():
                        page.goto(self.base + place)
                        page.wait_for_timeout(250)
                        self.picture(page, f"{name}-{width}-{'dark' if dark else 'light'}-{language[:2]}")
                    page.context.close()


class MessageTests(PageTest):
    exchanges = 10

    def test_both_languages_have_every_key_and_no_key_is_missing(self):
        page = self.open(self.base)
        table = page.evaluate("import('/messages.js').then((m) => m.messages)")
        for key, pair in table.items():
            self.assertEqual(len(pair), 2, key)
            for text in pair:
                self.assertTrue(text.strip(), key)
            names = [sorted(re.findall(r"\{(\w+)\}", text)) for text in pair]
            self.assertEqual(names[0], names[1], key)
        sources = "\n".join(file.read_text() for file in mock_inspector.WEB.glob("*.js") if file.name != "messages.js")
        used = set(re.findall(r"""\bt\(\s*(?:\w+ \? )?"([^"]+)"(?: : "([^"]+)")?""", sources))
        for key in {key for pair in used for key in pair if key}:
            self.assertIn(key, table)
        literals = set(re.findall(r'"([\w.]+)"', sources))
        stems = re.findall(r"t\(`([\w.]+)\.\$\{", sources) + [
            "state", "evidence", "evidence.short", "compare", "audit.say", "audit.kind", "audit.content", "refusal"]
        for key in table:
            made = any(key.startswith(f"{stem}.") for stem in stems)
            with self.subTest(key):
                self.assertTrue(key in literals or made, "not used")


class HostileTests(PageTest):
    exchanges = 40
    hostile = True

    def test_nothing_captured_is_ever_run(self):
        numbers = [number for number, special in self.mock.data.special.items() if "hostile" in special]
        page = self.list()
        for number in numbers:
            for tab in ("overview", "heads", "body"):
                page.goto(f"{self.base}#/list?id={number}&tab={tab}")
                page.wait_for_selector(".detail-title")
                page.wait_for_timeout(250)
                if tab == "heads":
                    expect(page.locator(".raw").first).to_contain_text("<script>window.pwned=1")
                if tab == "body":
                    for kind in page.locator(".body-bar .segments").nth(1).get_by_role("button").all():
                        kind.click()
                        page.wait_for_timeout(100)
                    self.assertEqual(page.locator(".picture").count(), 0)
        for name in PAGES[1:]:
            page.goto(f"{self.base}#/{name}")
            page.wait_for_timeout(300)
        page.goto(f"{self.base}#/list?host=<img src=x onerror=window.pwned=1>&text=<script>window.pwned=1</script>")
        page.wait_for_timeout(300)
        self.assertIsNone(page.evaluate("window.pwned ?? ({}).pwned ?? null"))
        self.assertEqual(page.evaluate("document.querySelectorAll('main script, iframe, object, embed').length"), 0)
        self.assertEqual(page.evaluate("[...document.links].filter((a) => a.protocol !== location.protocol).length"), 0)
        self.assertEqual(page.evaluate("document.querySelectorAll('[onerror], [onload], img[src=x]').length"), 0)


if __name__ == "__main__":
    unittest.main(verbosity=2)
