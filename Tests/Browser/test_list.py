"""The list as a tool: several rows selected, marks and notes, menus, the palette, columns, and the filter's suggestions."""

import json
import pathlib
import re
import unittest

from playwright.sync_api import expect

import seeded
from browser import STORES, inspector, seeded_rows
from processes import serving
from test_page import ACCESSIBILITY, PageTest, setUpModule, status  # noqa: F401


class ListToolTests(PageTest):
    def own(self, store="seeded"):
        """An inspector of its own over a copy of a store, for tests that mark; gives the file."""
        file = STORES.copy(store)
        context = serving(seeded.COMMAND, "inspect", file)
        _, self.base = context.__enter__()
        self.addCleanup(context.__exit__, None, None, None)
        return file

    def row(self, page, place):
        return page.locator(f"#row-{self.ids(page, place + 1)[place]}")

    def expect_selected(self, page, numbers):
        """Looks at all rows at once: the page may draw them again between two looks."""
        self.eventually(lambda: sorted(page.evaluate("""() =>
            [...document.querySelectorAll('.row.set[aria-selected=true]')].map((row) => Number(row.id.slice(4)))""")),
                        sorted(numbers))

    def clipboard(self, page):
        return page.evaluate("navigator.clipboard.readText()")

    def clean(self, page):
        """Names, roles, contrast, and nothing wider than the screen."""
        self.assertEqual(page.evaluate(ACCESSIBILITY), [])
        self.fits(page)


class SelectionTests(ListToolTests):
    def expect_sums(self, page, numbers):
        rows = [self.rows[number] for number in numbers]
        up, down = (sum(row[name] or 0 for row in rows) for name in ("up", "down"))
        expect(page.locator(".chosen-count")).to_have_text(f"{len(numbers):,} selected")
        expect(page.locator(".chosen-up")).to_have_attribute("title", f"{up:,} B")
        expect(page.locator(".chosen-down")).to_have_attribute("title", f"{down:,} B")
        expect(page.locator(".chosen-total")).to_have_attribute("title", f"{up + down:,} B")

    def test_several_rows_are_selected_with_the_pointer_and_added_up(self):
        page = self.list()
        ids = self.ids(page)
        self.row(page, 2).click(modifiers=["Control"])
        self.row(page, 5).click(modifiers=["Control"])
        self.expect_selected(page, [ids[2], ids[5]])
        self.expect_sums(page, [ids[2], ids[5]])
        expect(page.locator("#detail")).to_be_hidden()
        self.row(page, 8).click(modifiers=["Shift"])
        self.expect_selected(page, ids[5:9])
        self.expect_sums(page, ids[5:9])
        self.row(page, 6).click(modifiers=["Control"])
        self.expect_sums(page, [ids[5], ids[7], ids[8]])
        self.picture(page, "selected")
        self.clean(page)
        page.get_by_role("button", name="Clear the selection").click()
        expect(page.locator(".chosen")).to_be_hidden()
        expect(page.locator("#grid")).to_be_focused()
        # A click without a key is about one row again.
        self.row(page, 1).click(modifiers=["Control"])
        self.row(page, 3).click()
        expect(page.locator(".chosen")).to_be_hidden()
        expect(page.locator(".detail-number")).to_have_text(f"#{ids[3]}")

    def test_several_rows_are_selected_with_keys(self):
        page = self.list()
        ids = self.ids(page)
        page.locator("#grid").focus()
        page.keyboard.press("ArrowDown")
        for _ in range(3):
            page.keyboard.press("Shift+ArrowDown")
        self.expect_sums(page, ids[:4])
        page.keyboard.press("Shift+ArrowUp")
        self.expect_sums(page, ids[:3])
        page.keyboard.press("Escape")
        expect(page.locator(".chosen")).to_be_hidden()
        page.keyboard.press("j")
        page.keyboard.press(" ")
        page.keyboard.press("k")
        page.keyboard.press(" ")
        # Moving without a key ends the first choice.
        self.expect_sums(page, [ids[2]])
        page.goto(f"{self.base}#/list?status=5xx")
        wanted = self.matching(lambda row: 500 <= status(row))
        self.expect_total(page, len(wanted))
        expect(page.locator(".chosen")).to_be_hidden()
        page.locator("#grid").focus()
        page.keyboard.press("Control+a")
        self.expect_sums(page, wanted)
        # A filter that hides them ends the choice.
        page.goto(f"{self.base}#/list?status=4xx")
        expect(page.locator(".chosen")).to_be_hidden()

    def test_rows_that_are_not_read_yet_are_selected_up_to_a_thousand(self):
        page = self.list()
        page.locator("#grid").focus()
        page.keyboard.press("Control+a")
        newest = sorted(self.rows)[-1000:]
        self.expect_sums(page, newest)
        expect(page.locator("#toast")).to_have_text("At most 1,000 rows can be selected.")

    def test_har_and_copies_of_the_selected(self):
        page = self.list()
        ids = self.ids(page)
        self.row(page, 1).click(modifiers=["Control"])
        self.row(page, 3).click(modifiers=["Shift"])
        with page.expect_download() as download:
            page.get_by_role("button", name="Save the selected requests as HAR").click()
        entries = json.loads(pathlib.Path(download.value.path()).read_text())["log"]["entries"]
        urls = [self.rows[number]["url"] for number in sorted(ids[1:4])]
        self.assertEqual([entry["request"]["url"] for entry in entries], urls)
        page.get_by_role("button", name="Markdown").click()
        self.eventually(lambda: self.clipboard(page).count("\n| "), 4)
        self.row(page, 2).click(button="right")
        page.get_by_role("menuitem", name="Copy as URL").click()
        self.eventually(lambda: sorted(self.clipboard(page).split("\n")), sorted(urls))


class MarkTests(ListToolTests):
    def test_marks_and_notes_are_kept_beside_the_store(self):
        file = self.own()
        page = self.list()
        ids = self.ids(page)
        page.locator("#grid").focus()
        page.keyboard.press("ArrowDown")
        page.keyboard.press("m")
        expect(page.locator(f"#row-{ids[0]} .flag")).to_be_visible()
        page.keyboard.press("ArrowDown")
        page.keyboard.press("n")
        # What one writes at once goes nowhere else.
        page.keyboard.type("mind the cache")
        page.keyboard.press("Enter")
        expect(page.locator(f"#row-{ids[1]} .row-note")).to_have_text("mind the cache")
        expect(page.locator("#grid")).to_be_focused()
        expect(page.get_by_role("textbox", name="Note")).to_have_value("mind the cache")
        expect(page.get_by_role("button", name="Remove the mark")).to_have_attribute("aria-pressed", "true")
        self.picture(page, "marked")
        self.clean(page)
        kept = pathlib.Path(f"{file}.marks.json")
        self.assertEqual(kept.stat().st_mode & 0o777, 0o600)
        self.assertEqual([(mark["exchange"], mark["note"]) for mark in json.loads(kept.read_text())["marks"]],
                         [(ids[1], "mind the cache"), (ids[0], "")])
        # They are there for the next inspector, whatever its port, and for another page.
        with serving(seeded.COMMAND, "inspect", file) as (_, base):
            other = self.open(f"{base}#/list?marked=1")
            other.wait_for_selector(".row.set")
            self.expect_total(other, 2)
            self.assertEqual(self.ids(other), ids[:2])
            expect(other.locator(".row-note")).to_have_text("mind the cache")
            expect(other.locator("[data-chip=marked]")).to_be_visible()
            other.locator("#grid").focus()
            other.keyboard.press("Control+a")
            other.get_by_role("button", name="Remove the mark").click()
            self.expect_total(other, 0)
            self.assertFalse(kept.exists())

    def test_another_page_sees_a_mark_at_once(self):
        self.own()
        page, other = self.list(), self.list()
        number = self.ids(page, 5)[4]
        page.locator(f"#row-{number}").click(modifiers=["Control"])
        page.locator(".chosen").get_by_role("button", name="Mark", exact=True).click()
        expect(other.locator(f"#row-{number} .flag")).to_be_visible()
        page.locator(".chosen").get_by_role("button", name="Remove the mark").click()
        expect(other.locator(f"#row-{number} .flag")).to_have_count(0)

    def test_a_mark_that_cannot_be_kept_is_refused(self):
        self.allowed = ("409",)
        file = self.own("small")
        pathlib.Path(f"{file}.marks.json").mkdir()
        page = self.list()
        page.locator("#grid").focus()
        page.keyboard.press("ArrowDown")
        page.keyboard.press("m")
        expect(page.locator("#toast")).to_contain_text("the marks cannot be written to")
        expect(page.locator(".flag")).to_have_count(0)


class MenuTests(ListToolTests):
    def test_the_menu_of_a_row_copies_filters_and_is_driven_by_keys(self):
        page = self.list()
        number = self.ids(page, 4)[3]
        row = self.rows[number]
        page.locator(f"#row-{number}").click(button="right")
        menu = page.get_by_role("menu")
        self.clean(page)
        self.picture(page, "menu")
        menu.get_by_role("menuitem", name="Copy as URL").click()
        self.eventually(lambda: self.clipboard(page), row["url"])
        expect(page.locator("#grid")).to_be_focused()
        for key in ("Shift+F10", "ContextMenu"):
            page.keyboard.press(key)
            expect(menu).to_be_visible()
            expect(menu.get_by_role("menuitem").first).to_be_focused()
            page.keyboard.press("Escape")
            expect(menu).to_have_count(0)
            expect(page.locator("#grid")).to_be_focused()
        page.keyboard.press("Shift+F10")
        menu.get_by_role("menuitem", name="Copy as HAR").click()
        self.eventually(lambda: '"log"' in self.clipboard(page), True)
        self.assertEqual(json.loads(self.clipboard(page))["log"]["entries"][0]["request"]["url"], row["url"])
        page.keyboard.press("Shift+F10")
        menu.get_by_role("menuitem", name=f"Only {row['authority']}", exact=True).click()
        self.expect_total(page, len(self.matching(lambda other: other["host"] == row["host"])))
        self.row(page, 0).click(button="right")
        first = self.rows[self.ids(page, 1)[0]]
        menu.get_by_role("menuitem", name=re.compile(rf"^Not {first['method']} ")).click()
        self.expect_total(page, len(self.matching(lambda other: other["host"] == row["host"] and (
            other["method"], other["template"]) != (first["method"], first["template"]))))
        expect(page.locator(".chip.not")).to_contain_text("-api:")

    def test_a_menu_stays_inside_the_window(self):
        page = self.list(width=900, height=420)
        page.locator(".row.set").nth(5).click(button="right", position=dict(x=850, y=10))
        box = page.get_by_role("menu").bounding_box()
        self.assertLessEqual(box["x"] + box["width"], 900)
        self.assertLessEqual(box["y"] + box["height"], 420)
        self.assertGreaterEqual(box["y"], 0)


class PaletteTests(ListToolTests):
    def test_the_palette_finds_pages_and_actions_by_letters(self):
        page = self.list()
        palette = page.get_by_role("dialog", name="Commands")
        for keys in ("Control+k", "Meta+k"):
            page.keyboard.press(keys)
            expect(palette).to_be_visible()
            page.keyboard.press("Escape")
            expect(palette).to_be_hidden()
        page.keyboard.press("Control+k")
        self.clean(page)
        names = palette.get_by_role("option").all_inner_texts()
        for wanted in ("Overview", "Connections", "HAR, for browser tools", "Dark", "Columns", "Hold the rows still", "Select all rows"):
            self.assertTrue(any(wanted in name for name in names), wanted)
        page.keyboard.type("conn")
        self.picture(page, "palette")
        expect(palette.locator("[aria-selected=true] .palette-label")).to_have_text("Connections")
        page.keyboard.press("Enter")
        expect(page.locator("h1")).to_have_text(re.compile("onnections"))
        page.get_by_role("button", name="Find a command").click()
        page.keyboard.type("only 5xx")
        page.keyboard.press("Enter")
        self.expect_total(page, len(self.matching(lambda row: status(row) >= 500)))
        page.keyboard.press("Control+k")
        page.keyboard.type("zzzz")
        expect(palette).to_contain_text("No command has these letters.")
        page.keyboard.press("Escape")
        # What is about a row is there when one is chosen.
        page.locator("#grid").focus()
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Control+k")
        page.keyboard.type("copy url")
        page.keyboard.press("Enter")
        self.eventually(lambda: self.clipboard(page), self.rows[self.ids(page, 1)[0]]["url"])
        page.keyboard.press("Control+k")
        page.keyboard.type("low rows")
        page.keyboard.press("Enter")
        expect(page.locator(".grid.dense")).to_be_visible()

    def test_the_palette_has_what_the_page_that_is_shown_offers(self):
        page = self.open(self.base + "#/overview")
        for place, wanted in {
                "apis": ["Group by Host", "Group by Direction", "Sort by Call p95"], "map": ["Map Up"], "timeline": ["Timeline Zoom in"],
                "audit": ["Audit Bytes", "Audit Time"], "compare": ["Compare Two APIs", "What is taken as the earlier one The first half of the time"],
                "connections": ["Connections To scale"], "overview": ["Inspector Open another file"]}.items():
            page.goto(f"{self.base}#/{place}")
            expect(page.locator("#nav [aria-current]")).to_have_attribute("data-page", place)
            page.wait_for_selector({
                "apis": "table.apis", "audit": ".finding", "timeline": ".chart-bytes path", "compare": "[data-control=earlier]",
                "connections": "[data-scale]"}.get(place, "h1"))
            for name in wanted:
                with self.subTest(name):
                    self.command(page, name)
        page.goto(f"{self.base}#/audit")
        page.wait_for_selector(".finding")
        self.command(page, "audit time", run=True)
        expect(page.locator("main [data-sort=time]")).to_have_attribute("aria-pressed", "true")
        page.goto(f"{self.base}#/apis")
        page.wait_for_selector("table.apis")
        self.command(page, "group by host", run=True)
        self.eventually(lambda: "by=host" in page.url, True)
        page = self.list(f"#/list?id={next(iter(self.rows))}")
        page.wait_for_selector(".detail-title")
        self.command(page, "compare with", run=True)
        expect(page.get_by_role("menu", name="Compare with…")).to_be_visible()
        page.keyboard.press("Escape")
        self.command(page, "close details", run=True)
        expect(page.locator("#detail")).to_be_hidden()

    def command(self, page, name, run=False):
        """The command of these words is there, and first."""
        expect(page.locator("main .page-head, .list-page").first).to_be_visible()
        page.keyboard.press("Control+k")
        page.keyboard.type(name)
        first = page.locator("#palette-list [aria-selected=true]")
        if not run:
            self.eventually(lambda: " ".join(first.inner_text().split()) if first.count() else None, name)
        page.keyboard.press("Enter" if run else "Escape")
        expect(page.locator("#palette")).to_be_hidden()

    def test_the_palette_and_menus_in_chinese_dark_and_on_a_phone(self):
        page = self.list(width=390, height=844, dark=True, language="zh-CN", touch=True)
        page.get_by_role("button", name="查找命令").tap()
        palette = page.get_by_role("dialog", name="命令")
        expect(palette).to_be_visible()
        self.clean(page)
        self.picture(page, "palette-390-dark-zh")
        page.keyboard.type("仅 4xx")
        page.keyboard.press("Enter")
        self.expect_total(page, len(self.matching(lambda row: 400 <= status(row) < 500)))
        page.locator("#search").tap()
        expect(page.get_by_role("listbox", name="建议")).to_be_visible()
        self.clean(page)
        page.keyboard.press("Escape")
        page.locator("#grid").focus()
        page.keyboard.press("Control+a")
        expect(page.locator(".chosen")).to_be_visible()
        self.clean(page)
        self.picture(page, "selected-390-dark-zh")


class ColumnTests(ListToolTests):
    def heads(self, page):
        return page.evaluate("[...document.querySelectorAll('.head .cell')].map((cell) => cell.className.match(/c-([a-z]+)/)[1])")

    def cells(self, page):
        return page.evaluate("[...document.querySelector('.row.set').children].map((cell) => cell.className.match(/c-([a-z]+)/)[1])")

    def width(self, page, name):
        return page.locator(f".head .c-{name}").bounding_box()["width"]

    def test_columns_are_moved_and_resized_with_the_pointer_and_stay_so(self):
        page = self.list(width=1400)
        box = page.locator(".head .c-type").bounding_box()
        target = page.locator(".head .c-host").bounding_box()
        page.mouse.move(box["x"] + 20, box["y"] + 12)
        page.mouse.down()
        page.mouse.move(target["x"] + 20, box["y"] + 12, steps=6)
        expect(page.locator(".head .drop-before")).to_have_class(re.compile("c-host"))
        page.mouse.up()
        wanted = ["status", "method", "type", "host", "path", "up", "down", "duration", "waterfall", "evidence"]
        self.assertEqual(self.heads(page), wanted)
        self.assertEqual(self.cells(page), wanted)
        # The drag was no click: the order of the rows is as before.
        self.assertNotIn("sort=", page.url)
        edge = page.locator(".head .c-host .column-edge").bounding_box()
        before = self.width(page, "host")
        page.mouse.move(edge["x"] + 4, edge["y"] + 8)
        page.mouse.down()
        page.mouse.move(edge["x"] - 56, edge["y"] + 8, steps=4)
        page.mouse.up()
        self.assertAlmostEqual(self.width(page, "host"), before - 60, delta=2)
        self.assertAlmostEqual(page.locator(".row.set .c-host").first.bounding_box()["width"], before - 60, delta=2)
        self.picture(page, "columns")
        page.reload()
        page.wait_for_selector(".row.set")
        self.assertEqual(self.cells(page), wanted)
        self.assertAlmostEqual(self.width(page, "host"), before - 60, delta=2)
        self.clean(page)
        # Escape gives a drag up.
        box = page.locator(".head .c-type").bounding_box()
        page.mouse.move(box["x"] + 20, box["y"] + 12)
        page.mouse.down()
        page.mouse.move(box["x"] + 500, box["y"] + 12, steps=4)
        page.keyboard.press("Escape")
        page.mouse.up()
        self.assertEqual(self.heads(page), wanted)
        page.get_by_role("button", name="Columns").click()
        page.get_by_role("menuitem", name="Usual order and widths").click()
        self.assertEqual(self.cells(page)[:5], ["status", "method", "host", "path", "type"])
        self.eventually(lambda: abs(self.width(page, "host") - before) < 3, True)

    def test_columns_are_moved_and_resized_with_keys(self):
        page = self.list(width=1400)
        head = page.get_by_role("columnheader", name="Type").get_by_role("button")
        head.focus()
        before = self.width(page, "type")
        page.keyboard.press("Shift+ArrowRight")
        page.keyboard.press("Shift+ArrowRight")
        self.assertAlmostEqual(self.width(page, "type"), before + 20, delta=1)
        expect(page.locator("#toast")).to_have_text("Type: 116 pixels wide")
        page.keyboard.press("Control+Shift+ArrowLeft")
        expect(page.locator("#toast")).to_have_text("Type: column 4 of 10")
        self.assertEqual(self.cells(page)[2:5], ["host", "type", "path"])
        expect(page.get_by_role("columnheader", name="Type").get_by_role("button")).to_be_focused()
        cell = page.locator(".row.set .c-type").first
        expect(cell).to_have_attribute("aria-colindex", "4")

    def test_wide_columns_give_way_in_a_narrow_list(self):
        page = self.list(width=1400)
        page.evaluate("localStorage.setItem('wireweight.widths', 'host:600 up:300 down:300')")
        page.set_viewport_size(dict(width=760, height=700))
        page.reload()
        page.wait_for_selector(".row.set")
        self.fits(page)
        self.assertGreater(self.width(page, "path"), 100)


class HoldTests(ListToolTests):
    def test_rows_are_held_still_and_come_when_they_may(self):
        live = self.live("small")
        page = self.list()
        before = self.ids(page)
        page.get_by_role("button", name="Hold the rows still").click()
        expect(page.get_by_role("button", name="Hold the rows still")).to_have_attribute("aria-pressed", "true")
        added = live.add(2)
        expect(page.locator(".fresh")).to_have_text("2 new")
        self.assertEqual(self.ids(page), before)
        page.locator(".fresh").click()
        self.eventually(lambda: self.ids(page)[:2], added[::-1])
        added += live.add(1)
        expect(page.locator(".fresh")).to_have_text("1 new")
        page.get_by_role("button", name="Hold the rows still").click()
        self.eventually(lambda: self.ids(page)[:3], added[::-1])
        added += live.add(1)
        self.eventually(lambda: self.ids(page)[:4], added[::-1])


class FilterTests(ListToolTests):
    def test_the_filter_is_completed_with_keys_and_values_of_the_traffic(self):
        page = self.list()
        box = page.get_by_role("combobox", name="Filter")
        box.click()
        suggestions = page.get_by_role("listbox", name="Suggestions")
        expect(suggestions.get_by_role("option").first).to_contain_text("status:")
        self.clean(page)
        page.keyboard.type("ho")
        expect(suggestions.get_by_role("option")).to_have_count(1)
        page.keyboard.press("ArrowDown")
        expect(box).to_have_attribute("aria-activedescendant", "suggestion-0")
        self.picture(page, "suggestions")
        page.keyboard.press("Tab")
        expect(box).to_have_value("host:")
        expect(suggestions.get_by_role("option").filter(has_text="cdn.example.net")).to_be_visible()
        page.keyboard.type("cd")
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        expect(box).to_have_value("host:cdn.example.net ")
        self.expect_total(page, len(self.matching(lambda row: row["host"] == "cdn.example.net")))
        page.keyboard.type("-met")
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        expect(box).to_have_value("host:cdn.example.net -method:")
        # Esc closes the list first, then leaves the box.
        expect(suggestions).to_be_visible()
        page.keyboard.press("Escape")
        expect(suggestions).to_be_hidden()
        expect(box).to_be_focused()
        # A list that is still searched would be stopped first.
        expect(page.locator("#grid")).to_have_attribute("aria-busy", "false")
        page.keyboard.press("Escape")
        expect(page.locator("#grid")).to_be_focused()
        # A filter that is only begun was not asked for.
        self.assertFalse([url for url in self.asked if "method%3A&" in url])

    def test_terms_are_chips_and_filters_are_remembered(self):
        page = self.list()
        box = page.locator("#search")
        box.fill("status:4xx,5xx -method:GET example")
        box.press("Enter")
        refused = lambda row: status(row) >= 400 and row["method"] != "GET"
        self.expect_total(page, len(self.matching(refused)))
        self.assertEqual([re.sub(r"\s+", " ", chip) for chip in page.locator("[data-chip=text]").all_inner_texts()],
                         ["status: 4xx,5xx", "-method: GET", "Word example"])
        page.get_by_role("button", name="Remove filter -method: GET").click()
        self.expect_total(page, len(self.matching(lambda row: status(row) >= 400)))
        expect(box).to_have_value("status:4xx,5xx example")
        page.get_by_role("button", name="Remove all filters").click()
        self.expect_total(page, len(self.rows))
        page.reload()
        page.wait_for_selector(".row.set")
        box.click()
        old = page.locator(".suggestions .old")
        expect(old.first).to_contain_text("status:4xx,5xx -method:GET example")
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        self.expect_total(page, len(self.matching(refused)))
        box.fill("")
        box.click()
        page.get_by_role("button", name="Forget these filters").click()
        box.click()
        expect(page.locator(".suggestions [role=option]").first).to_contain_text("status:")
        expect(old).to_have_count(0)

    def test_a_mistake_is_shown_at_its_character(self):
        self.allowed = ("400",)
        page = self.list()
        page.locator("#search").fill("status:4xx stauts:a")
        page.locator("#search").press("Enter")
        expect(page.locator(".mistake mark")).to_have_text("s")
        self.assertEqual(page.locator(".mistake code").inner_text(), "status:4xx stauts:a")
        self.assertEqual(page.locator(".mistake mark").evaluate("mark => mark.previousSibling.textContent"), "status:4xx ")
        expect(page.locator("#search")).to_have_attribute("aria-invalid", "true")
        self.picture(page, "mistake")
        self.clean(page)
        page.locator("#search").fill("status:4xx")
        page.locator("#search").press("Enter")
        expect(page.locator("#search")).to_have_attribute("aria-invalid", "false")
        expect(page.locator(".mistake")).to_have_count(0)

    def test_the_text_names_exchanges_by_their_numbers(self):
        page = self.list()
        page.locator("#search").fill("exchange:17,40,1999")
        page.locator("#search").press("Enter")
        self.eventually(lambda: self.ids(page), [1999, 40, 17])


class SideBySideTests(ListToolTests):
    store = "metered"

    def number(self, path):
        return max(number for number, row in self.rows.items() if row["path"] == path)

    def test_headers_say_how_often_they_were_sent_again(self):
        self.base = inspector("seeded")
        rows = seeded_rows("seeded")
        others = lambda number: [row for row in rows.values() if row["id"] != number and row["host"] == "legacy.example.com"]
        number = max(number for number, row in rows.items() if row["host"] == "legacy.example.com")
        page = self.list(f"#/list?id={number}&tab=heads")
        count = len(others(number))
        self.assertGreater(count, 20)
        expect(page.locator(".heads-again")).to_contain_text(f"Compared with the {count} other calls of this API.")
        again = lambda name: page.locator(".raw-line").filter(has_text=f"{name}:").locator(".raw-again")
        expect(again("Host")).to_have_text(f"{count}×")
        expect(again("Host")).to_have_attribute("title", f"The same in {count} of {count} other calls")
        # It leads to another place in each call.
        same = sum(row["path"] == rows[number]["path"] for row in others(number))
        expect(again("Location")).to_have_text(f"{same}×" if same else "")
        # What replaces a secret in the store says nothing about it.
        expect(again("Authorization")).to_have_text("")
        page.get_by_role("button", name="Sent again").click()
        expect(page.get_by_role("button", name="Sent again")).to_have_attribute("aria-pressed", "true")
        texts = lambda name: page.locator(".head-block").first.locator(name).all_inner_texts()
        weights = [int(count[:-1] or 0) * int(size[:-2]) for count, size in zip(texts(".raw-again"), texts(".raw-size"))]
        self.assertEqual(weights, sorted(weights, reverse=True))
        self.assertGreater(weights[0], weights[-1])
        expect(page.get_by_role("button", name="Sent again")).to_be_focused()
        self.clean(page)

    def order(self, both):
        """How the second of both lies to the first; None while one is drawn anew."""
        boxes = [both.nth(0).bounding_box(), both.nth(1).bounding_box()]
        if None in boxes:
            return None
        return "beside" if boxes[0]["y"] == boxes[1]["y"] else "below" if boxes[0]["y"] < boxes[1]["y"] else "above"

    def test_request_and_response_are_side_by_side_where_there_is_room(self):
        page = self.list(f"#/list?id={self.number('/bodies/json')}&tab=heads", width=1900)
        blocks = page.locator(".both-sides .head-block")
        expect(blocks).to_have_count(2)
        self.eventually(lambda: self.order(blocks), "beside")
        self.picture(page, "side-by-side")
        page.set_viewport_size(dict(width=1200, height=800))
        self.eventually(lambda: self.order(blocks), "below")
        # Both bodies, too, if there are two.
        number = self.number("/users/7/avatar")
        page.set_viewport_size(dict(width=1900, height=900))
        page.goto(f"{self.base}#/list?id={number}&tab=body")
        expect(page.locator(".bodies")).to_have_count(2)
        expect(page.locator(".bodies").nth(1)).to_contain_text("stored")
        self.eventually(lambda: self.order(page.locator(".bodies")), "beside")
        self.clean(page)
        page.set_viewport_size(dict(width=1200, height=800))
        expect(page.locator(".bodies")).to_have_count(1)


if __name__ == "__main__":
    unittest.main(verbosity=2)
