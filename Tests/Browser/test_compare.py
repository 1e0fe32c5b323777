"""Comparisons: of files and runs chosen on the page, of ranges of time, and of two requests; and files that are dropped on it."""

import base64
import json
import os
import pathlib
import re
import subprocess
import tempfile
import urllib.request
from urllib.parse import quote

from playwright.sync_api import expect

import seeded
from browser import STORES, ask, inspector
from processes import serving
from test_page import ACCESSIBILITY, PageTest, setUpModule  # noqa: F401
from traffic import Traffic

DROP = """([name, text]) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))], name));
    for (const kind of ['dragover', 'drop']) document.body.dispatchEvent(
        new DragEvent(kind, { dataTransfer: transfer, bubbles: true, cancelable: true }));
}"""


class ChoiceTests(PageTest):
    store = "after"

    def drop(self, page, name, content):
        # Until the page knows that the server takes files, a drop is the browser's.
        expect(page.locator(".file-button")).to_be_visible()
        page.evaluate(DROP, [name, base64.b64encode(content).decode()])

    def test_without_another_file_it_offers_to_choose_and_asks_for_nothing(self):
        page = self.open(self.base + "#/compare")
        expect(page.locator("#main .empty")).to_contain_text("Choose what to compare with")
        self.assertFalse(any("/api/v1/compare" in url for url in self.asked))

    def test_halves_of_the_time_add_up_to_the_whole(self):
        page = self.open(self.base + "#/compare")
        page.get_by_label("What is taken as the earlier one").select_option("halves")
        expect(page.locator(".compare tbody tr").first).to_be_visible()
        query = page.url.split("?")[1]
        totals = ask(self.base, f"compare?{query}")["totals"]
        whole = ask(self.base, "apis")["totals"]
        for member in ("requests", "up", "down"):
            self.assertEqual(totals["before"][member] + totals["after"][member], whole[member])
        self.assertTrue(all(totals[side]["requests"] > 0 for side in ("before", "after")))
        # A range that is kept as the earlier one, and another as the later.
        page.get_by_role("button", name="Take this range as the earlier one").click()
        expect(page.get_by_role("button", name="Take this range as the earlier one")).to_have_count(0)
        self.assertIn("before.since=", page.url)
        self.assertNotIn("&since=", page.url)

    def test_a_file_that_is_dropped_is_shown_and_compared(self):
        earlier = pathlib.Path(STORES.get("before")).read_bytes()
        # An inspector of its own: it keeps what is dropped.
        base = self.enterContext(serving(seeded.COMMAND, "inspect", STORES.get("after")))[1]
        page = self.open(base + "#/compare")
        self.drop(page, "earlier.db", earlier)
        expect(page.get_by_label("What is taken as the earlier one")).to_have_value("file:given-1")
        apis = ask(base, "compare?before=given-1")["apis"]
        self.assertEqual(apis, ask(inspector("after", "before"), "compare")["apis"])
        expect(page.locator(".compare")).to_contain_text("vanished")
        page.goto(base + "#/list")
        traffic = Traffic(30)
        with tempfile.TemporaryDirectory() as folder:
            archive = pathlib.Path(folder) / "browser.har"
            traffic.write(archive)
            self.drop(page, "browser.har", archive.read_bytes())
        expect(page.locator(".file-button")).to_have_text("browser.har")
        self.assertIn("?file=given-2#/overview", page.url)
        page.get_by_role("link", name="Requests").click()
        expect(page.locator("#shown")).to_have_text("30 shown")
        # Back to the file of the inspector.
        page.get_by_role("button", name="open another file").click()
        page.get_by_role("menuitem", name="after.db (of this inspector)").click()
        expect(page.locator(".file-button")).to_have_text("after.db")

    def test_a_file_that_is_none_says_so(self):
        page = self.open(self.base + "#/list")
        self.allowed = ("422",)
        self.drop(page, "notes.txt", b"not an archive")
        expect(page.get_by_role("dialog").get_by_role("alert")).to_contain_text("'notes.txt' cannot be opened")
        page.get_by_role("button", name="Close", exact=True).click()
        expect(page.locator(".row").first).to_be_visible()

    def test_two_requests_part_by_part_and_header_by_header(self):
        rows = ask(self.base, f"exchanges?api={quote('GET api.example.com/users/{id}')}&sort=start&limit=2")["exchanges"]
        first, second = (ask(self.base, f"exchanges/{row['id']}")["exchange"] for row in rows)
        page = self.open(self.base + f"#/list?id={second['exchange']}")
        page.get_by_role("button", name="Compare with…").click()
        page.get_by_role("menuitem", name="With the call of this API before it").click()
        expect(page.locator("h1")).to_have_text("Two requests")
        self.assertIn(f"a={first['exchange']}&b={second['exchange']}", page.url)
        for message, title in (("request", "Request"), ("response", "Response")):
            total = page.locator(".pair-part", has=page.get_by_role("heading", name=title, exact=True)).locator(".pair-total td")
            expect(total.nth(0)).to_have_text(f"{first[message]['total']:,} B")
            expect(total.nth(1)).to_have_text(f"{second[message]['total']:,} B")
        changed = page.locator(".pair-headers tbody tr").count()
        page.locator(".compare-same button").click()
        names = {line.split(":")[0].lower() for one in (first, second) for line in one["request"]["fieldLines"]}
        names_down = {line.split(":")[0].lower() for one in (first, second) for line in one["response"]["fieldLines"]}
        expect(page.locator(".pair-headers tbody tr")).to_have_count(len(names) + len(names_down))
        self.assertGreater(len(names) + len(names_down), changed)
        self.assertEqual(page.evaluate(ACCESSIBILITY), [])
        # One that was chosen earlier.
        page.goto(self.base + "#/list?id=7")
        expect(page.locator(".detail-number")).to_have_text("#7")
        page.get_by_role("button", name="Compare with…").click()
        page.get_by_role("menuitem", name="Another request with this one").click()
        page.goto(self.base + "#/list?id=9")
        expect(page.locator(".detail-number")).to_have_text("#9")
        page.get_by_role("button", name="Compare with…").click()
        page.get_by_role("menuitem", name="With request 7").click()
        expect(page.locator(".pair-subjects")).to_contain_text("#9")

    def test_two_apis_beside_each_other(self):
        apis = ask(self.base, "apis")["apis"]
        name = lambda api: f"{api['method']} {api['host']}{api['template']}"
        page = self.open(self.base + "#/compare")
        page.get_by_role("button", name="Two APIs").click()
        expect(page.locator("h1")).to_have_text("Two APIs")
        first, second = page.get_by_label("First"), page.get_by_label("Second")
        expect(first).to_have_value(name(apis[0]))
        expect(second).to_have_value(name(apis[1]))
        calls = page.locator(".pair-part", has=page.get_by_role("heading", name="All calls")).locator("tr", has_text="Requests").locator("td")
        expect(calls).to_have_text([f"{apis[0]['requests']:,}", f"{apis[1]['requests']:,}", re.compile(r"^[+−]\d")])
        second.focus()
        second.select_option(name(apis[3]))
        expect(calls.nth(1)).to_have_text(f"{apis[3]['requests']:,}")
        expect(second).to_be_focused()
        pair = ask(self.base, f"compare?api.a={quote(name(apis[0]))}&api.b={quote(name(apis[3]))}")
        words = dict(lighter="lighter", heavier="heavier", noise="no clear change", tooFew="too few calls")
        weight = page.locator(".pair-part", has=page.get_by_role("heading", name="One call: the median")).locator("tr", has_text="Total")
        expect(weight).to_contain_text(words[pair["perCall"]["finding"]])
        page.get_by_role("button", name="Swap the two").click()
        expect(calls.nth(0)).to_have_text(f"{apis[3]['requests']:,}")
        self.assertEqual(page.evaluate(ACCESSIBILITY), [])
        # From the table of APIs, too: with the heaviest of the others.
        page.goto(self.base + "#/apis")
        page.get_by_role("link", name=f"Compare {name(apis[2])} with another API").focus()
        page.keyboard.press("Enter")
        expect(first).to_have_value(name(apis[2]))
        expect(second).to_have_value(name(apis[0]))
        page.get_by_role("button", name="Files and times").click()
        expect(page.locator("h1")).to_have_text("Before and after")

    def test_pages_are_narrow_and_dark_and_have_names(self):
        base = inspector("after", "before")
        for page_name in ("compare", "compare?a=1&b=2", "compare?api.a=a&api.b=b", "compare?before=this&before.until=1748865606000&since=1748865606000", "overview"):
            page = self.open(base + f"#/{page_name}", width=390, dark=True)
            expect(page.locator("#main table").first).to_be_visible()
            self.fits(page)
            self.assertEqual(page.evaluate(ACCESSIBILITY), [])


class NewsTests(PageTest):
    store = "after"
    before = "before"

    def test_the_overview_says_what_is_new(self):
        page = self.open(self.base + "#/overview")
        news = page.locator(".news")
        expect(news).to_contain_text("new")
        apis = ask(self.base, "compare")["apis"]
        expected = [api for api in apis if not api["before"] or not api["after"] or api["perCall"]["finding"] == "heavier"]
        self.assertGreater(len(expected), 2)
        for api in expected:
            expect(news).to_contain_text(api["template"])
        page.get_by_role("link", name="All changes").click()
        expect(page.locator(".compare")).to_contain_text("vanished")

    def test_kept_runs_can_be_chosen(self):
        origin = seeded.Origin()
        self.addCleanup(origin.server_close)
        self.addCleanup(origin.shutdown)
        with tempfile.TemporaryDirectory() as state:
            environment = os.environ | {"XDG_STATE_HOME": state}
            address = f"http://127.0.0.1:{origin.server_address[1]}"
            for count in (1, 3):
                subprocess.run(
                    [seeded.COMMAND, "run", "--", "curl", "-sS", *["-o", "/dev/null", f"{address}/kept"] * count], check=True,
                    env=environment, capture_output=True)
            # Whoever opens the page by its token from elsewhere gets the file alone.
            with serving(seeded.COMMAND, "inspect", "--address", "0.0.0.0", env=environment) as (_, address):
                base, token = address.split("?token=")
                base = base.replace("0.0.0.0", "127.0.0.1")
                request = urllib.request.Request(f"{base}api/v1/files", headers={"Authorization": f"Bearer {token}"})
                with urllib.request.urlopen(request) as answer:
                    self.assertEqual(json.load(answer), {"files": [], "previous": None, "canAdd": False})
            with serving(seeded.COMMAND, "inspect", env=environment) as (_, base):
                files = ask(base, "files")
                self.assertEqual([file["kind"] for file in files["files"]], ["run"])
                self.assertEqual(files["previous"], files["files"][0]["id"])
                totals = ask(base, f"compare?before={files['previous']}")["totals"]
                self.assertEqual((totals["before"]["requests"], totals["after"]["requests"]), (1, 3))
                page = self.open(base + "#/compare")
                expect(page.get_by_label("What is taken as the earlier one").locator("option:checked")).to_contain_text("Run of")
                page.get_by_role("button", name="open another file").click()
                page.get_by_role("menuitem", name="Run of").click()
                expect(page.locator("#count")).to_have_text("1 exchange")
