"""The page and the real server together: the demo live, a file, and what a hostile server sent."""

import http.server
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import unittest

from playwright.sync_api import expect

from browser import BrowserTest
from seeded import import_into
from traffic import Traffic

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "Scripts/shared"))
from processes import serving  # noqa: E402

COMMAND = os.environ.get("WIREWEIGHT_COMMAND", "")
ACCESSIBILITY = (pathlib.Path(__file__).resolve().parent / "accessibility.js").read_text()
STOPWATCH = (pathlib.Path(__file__).resolve().parent / "stopwatch.js").read_text()
PAGES = ["overview", "list", "apis", "map", "timeline", "audit", "compare", "connections"]
SCRIPT = "<img src=x onerror=\"window.pwned=1;alert(1)\"><script>window.pwned=1;alert(1)</script>"


class Hostile(http.server.BaseHTTPRequestHandler):
    """Answers everything with what should never be run."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_GET(self):
        self.send_response(200, f"OK {SCRIPT}")
        body = SCRIPT.encode()
        self.send_header("Content-Type", f"text/html; x={SCRIPT}")
        self.send_header("X-Evil", SCRIPT)
        self.send_header("Set-Cookie", f"{SCRIPT.replace(';', ',')}=1; Path={SCRIPT.replace(';', ',')}")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@unittest.skipUnless(COMMAND, "WIREWEIGHT_COMMAND names no command")
class InspectorTest(BrowserTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="wireweight-browser-"))

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder, ignore_errors=True)
        super().tearDownClass()

    def run_demo(self, name):
        file = self.folder / name
        if not file.exists():
            subprocess.run([COMMAND, "demo", "--once", "--db", file], check=True, capture_output=True, timeout=120)
        return file


class DemoTests(InspectorTest):
    def test_the_demo_live(self):
        with serving(COMMAND, "demo", "--port", "0", "--db", self.folder / "live.db") as (_, base):
            page = self.open(base + "#/list", first=STOPWATCH)
            page.wait_for_selector(".row.set")
            expect(page.locator(".live")).to_have_text("Live")
            count = int(page.locator("#grid").get_attribute("aria-rowcount"))
            page.wait_for_timeout(3000)
            self.assertGreater(int(page.locator("#grid").get_attribute("aria-rowcount")), count)
            delays = sorted(page.evaluate("window.delays"))
            self.assertGreater(len(delays), 5)
            print(f"\n  from the end of an exchange to its row: median {delays[len(delays) // 2]:.0f} ms, "
                  f"p95 {delays[int(len(delays) * .95)]:.0f} ms, of {len(delays)}")
            page.get_by_role("button", name="Pause recording").click()
            expect(page.locator(".live")).to_have_text("Paused")
            page.wait_for_timeout(1500)
            count = page.locator("#grid").get_attribute("aria-rowcount")
            page.wait_for_timeout(1500)
            self.assertEqual(page.locator("#grid").get_attribute("aria-rowcount"), count)
            page.get_by_role("button", name="Clear").click()
            page.get_by_role("button", name="Delete all").click()
            expect(page.locator("#grid")).to_have_attribute("aria-rowcount", "1")
            page.get_by_role("button", name="Resume recording").click()
            expect(page.locator(".row.set").first).to_be_visible()


class FileTests(InspectorTest):
    def test_every_page(self):
        with serving(COMMAND, "inspect", self.run_demo("after.db"), "--compare", self.run_demo("before.db"), "--port", "0") as (_, base):
            page = self.open(base + "#/list")
            expect(page.locator("#grid")).to_have_attribute("aria-rowcount", "201")
            expect(page.locator(".live")).to_have_text("File")
            expect(page.get_by_role("button", name="Clear")).to_have_count(0)
            self.picture(page, "demo-list")
            for name in PAGES:
                page.goto(f"{base}#/{name}")
                page.wait_for_timeout(600)
                self.assertEqual(page.locator(".error").count(), 0, name)
                self.assertEqual(page.evaluate(ACCESSIBILITY), [], name)
                self.fits(page)
            page.goto(f"{base}#/apis")
            expect(page.locator(".apis tbody tr")).to_have_count(12)
            page.goto(f"{base}#/map")
            expect(page.locator(".map-api")).to_have_count(12)
            page.goto(f"{base}#/audit")
            expect(page.locator(".finding").first).to_be_visible()
            page.locator(".finding").first.locator(".evidence-links a").first.click()
            expect(page.locator(".detail .finding").first).to_be_visible()
            page.goto(f"{base}#/compare")
            page.locator(".compare-same button").click()
            expect(page.locator(".compare tbody tr")).to_have_count(12)
            page.goto(f"{base}#/connections")
            expect(page.locator(".connections tbody tr").first).to_be_visible()
            # Without TLS and HTTP/2 the messages are all there is, also exchange by exchange.
            page.locator(".connections .toggle").first.click()
            carried = page.locator(".carried li")
            expect(carried.first).to_be_visible()
            page.locator(".opened-ledger .all-carried").click()
            expect(page.locator("#shown")).not_to_be_empty()
            page.wait_for_timeout(300)
            rows = int(page.locator("#grid").get_attribute("aria-rowcount")) - 1
            self.assertGreater(rows, 0)
            self.assertLess(rows, 200)

    def test_what_the_server_says_is_said_in_both_languages(self):
        self.allowed = ("400", "404")
        with serving(COMMAND, "inspect", self.run_demo("after.db"), "--port", "0") as (_, base):
            for language, fits in (("en-US", r"^[\x20-\x7eµ×…]+$"), ("zh-CN", r"[\u4e00-\u9fff]")):
                page = self.open(f"{base}#/audit", language=language)
                expect(page.locator(".finding").first).to_be_visible()
                for text in page.locator(".problem, .remedy").all_inner_texts():
                    self.assertRegex(text, fits)
                    self.assertNotIn("{", text)
                page.goto(f"{base}#/list?status=abc")
                expect(page.locator(".note")).to_have_text(re.compile(fits))
                expect(page.locator(".note")).to_contain_text("400-499")

    def test_filters_are_the_servers_and_the_pages(self):
        with serving(COMMAND, "inspect", self.run_demo("after.db"), "--port", "0") as (_, base):
            page = self.open(base + "#/list")
            for query, count in [("host=127.0.0.1", 200), ("method=PUT", 12), ("status=3xx", None), ("path=/users", None),
                                 ("failed=1", None), ("text=AVATAR", 12), ("method=GET&path=/downloads", 6), ("slower=100", None),
                                 ("type=application/octet", None), ("status=none", None), ("connection=1", None),
                                 ("task=1", None)]:
                with self.subTest(query):
                    page.goto(f"{base}#/list?{query}")
                    expect(page.locator("#shown")).not_to_be_empty()
                    page.wait_for_timeout(300)
                    rows = int(page.locator("#grid").get_attribute("aria-rowcount")) - 1
                    self.assertEqual(page.locator(".error").count(), 0)
                    if count is not None:
                        self.assertEqual(rows, count)
                    else:
                        self.assertLess(rows, 200)

    def test_what_was_called_and_what_was_served_are_apart(self):
        made = Traffic(120)
        for number, entry in enumerate(made.entries):
            entry.setdefault("_wireweight", {})["direction"] = "served" if number % 3 == 0 else "called"
        served = sum(1 for number in range(len(made.entries)) if number % 3 == 0)
        file = self.folder / "directions.db"
        import_into(file, made)
        with serving(COMMAND, "inspect", file, "--port", "0") as (_, base):
            page = self.open(base + "#/list")
            choice = page.locator(".filters [data-direction]")
            expect(choice).to_have_text(["All", "Called", "Served"])
            expect(page.locator("#grid")).to_have_attribute("aria-rowcount", str(len(made.entries) + 1))
            expect(page.locator(".row.set .served-mark").first).to_have_text("Served")
            choice.nth(2).click()
            expect(page.locator("#grid")).to_have_attribute("aria-rowcount", str(served + 1))
            page.locator(".row.set").first.click()
            expect(page.locator(".detail .served-mark")).to_have_text("Served")
            expect(page.locator(".detail .facts")).to_contain_text("Served: the program sent the response")
            # Sums are of one direction: the first, unless the address names one.
            for direction, count in (("called", len(made.entries) - served), ("served", served)):
                page.goto(f"{base}#/apis?direction={direction}")
                expect(page.locator(f"[data-direction={direction}][aria-pressed=true]")).to_be_visible()
                expect(page.locator("td.t-requests").first).to_be_visible()
                page.wait_for_function(
                    """(count) => [...document.querySelectorAll('td.t-requests')]
                        .reduce((sum, cell) => sum + Number(cell.textContent.replace(/\\D/g, '')), 0) === count""", arg=count)
                for name in ("map", "timeline"):
                    page.goto(f"{base}#/{name}?direction={direction}")
                    expect(page.locator(f"[data-direction={direction}][aria-pressed=true]")).to_be_visible()
                expect(page.locator(".facts-line")).to_contain_text(f"Requests {count}")
            page.goto(f"{base}#/apis")
            expect(page.locator("[data-direction=called][aria-pressed=true]")).to_be_visible()
            page.close()
        with serving(COMMAND, "inspect", self.run_demo("after.db"), "--port", "0") as (_, base):
            page = self.open(base + "#/list")
            expect(page.locator(".row.set").first).to_be_visible()
            expect(page.locator("[data-direction]")).to_have_count(0)
            expect(page.locator(".served-mark")).to_have_count(0)

    def test_an_exchange_part_by_part(self):
        with serving(COMMAND, "inspect", self.run_demo("after.db"), "--port", "0") as (_, base):
            page = self.open(f"{base}#/list?method=PUT&sort=-up")
            page.locator(".row.set").first.click()
            expect(page.locator(".parts tfoot")).to_contain_text("captured")
            cells = page.locator(".parts tr").evaluate_all(
                "rows => rows.slice(1).map((row) => [...row.querySelectorAll('td')].map((cell) => Number(cell.textContent.replace(/\\D/g, ''))))")
            *parts, total = cells
            self.assertEqual([sum(part[side] for part in parts) for side in (0, 1)], total)
            self.assertGreater(total[0], 1000)
            self.picture(page, "demo-detail")
            page.get_by_role("tab", name="Headers").click()
            expect(page.locator(".raw").first).to_contain_text("PUT /users/")
            expect(page.locator("mark").first).to_contain_text("redacted")
            with page.expect_download() as download:
                page.get_by_role("button", name="Save as HAR").click()
            self.assertIn('"log"', pathlib.Path(download.value.path()).read_text())

    def test_comes_back_after_a_restart(self):
        self.allowed = ("ERR_", "Failed to load")
        file = self.run_demo("after.db")
        with serving(COMMAND, "inspect", file, "--port", "0") as (_, base):
            page = self.open(base + "#/list")
            page.wait_for_selector(".row.set")
            port = re.search(r":(\d+)/", base)[1]
        expect(page.locator(".live")).to_have_class(re.compile("lost"))
        with serving(COMMAND, "inspect", file, "--port", port):
            expect(page.locator(".live")).to_have_text("File")
            listed = subprocess.run([COMMAND, "exchanges", file, "--status", "3xx", "--format", "ndjson"], check=True,
                                    capture_output=True, timeout=30).stdout.splitlines()
            page.get_by_role("button", name="3xx").click()
            expect(page.locator("#grid")).to_have_attribute("aria-rowcount", str(len(listed) + 1))


class DeliveryTests(InspectorTest):
    def test_the_first_rows_take_few_requests_and_few_bytes(self):
        with serving(COMMAND, "inspect", self.run_demo("after.db"), "--port", "0") as (_, base):
            asked = []
            page = self.open("about:blank")
            page.on("requestfinished", lambda request: asked.append(request))
            page.goto(base + "#/list")
            page.wait_for_selector(".row.set")
            page.wait_for_timeout(500)
            sizes = {request.url: request.sizes()["responseBodySize"] for request in asked}
            # The sums below the list come after its rows, and so do the fonts.
            paths = [request.url.split("/")[-1].split("?")[0] for request in asked]
            fonts = [path for path in paths if path.endswith(".woff2")]
            self.assertGreater(len(fonts), 1)
            others = [path for path in paths if path.startswith(("other-pages.", "chinese."))]
            self.assertEqual(len(others), 2)
            for late in ("sums", *fonts, *others):
                self.assertLess(paths.index("exchanges"), paths.index(late))
            # What shows bodies comes with the first body.
            self.assertEqual([path for path in paths if path.startswith("body-views.")], [])
            # The rows were requested once, while the modules were on their way, and the page took the response.
            self.assertEqual(paths.count("exchanges"), 1)
            begun = {url.split("/")[-1].split("?")[0].split(".")[0]: at for at, url in enumerate(self.asked)}
            self.assertLess(begun["exchanges"], begun["overview"])
            self.assertEqual(page.evaluate("window.wireweightEarly"), None)
            self.assertEqual(page.evaluate("document.fonts.check('13px \"Page text\"')"), True)
            sizes = {url: size for url, size in sizes.items() if url.split("/")[-1] not in (*fonts, *others)}
            self.assertLessEqual(len(sizes), 10, sizes)
            # At 50 kB/s and 400 ms a round trip, of which four follow each other, this is less than 4 s.
            self.assertLess(sum(sizes.values()), 94_000, sizes)
            # What is named by its content is not asked for again.
            asked.clear()
            page.goto("about:blank")
            page.goto(base + "#/list")
            page.wait_for_selector(".row.set")
            again = [request.url for request in asked if re.search(r"\.(js|css)$", request.url)
                     and request.sizes()["responseBodySize"] > 0]
            self.assertEqual(again, [])
            # The page began elsewhere, so that these were all strangers to it.
            self.assertEqual([url for url in self.strangers if not url.startswith(base)], [])
            self.strangers.clear()

    def test_the_address_alone_leads_to_the_overview_at_once(self):
        with serving(COMMAND, "inspect", self.run_demo("after.db"), "--port", "0") as (_, base):
            page = self.open("about:blank")
            self.asked.clear()
            page.goto(base)
            expect(page.locator(".f-requests dd")).to_have_text("200")
            expect(page.locator("#nav [aria-current]")).to_have_text("Overview")
            # The sums and the script of this page are requested while the first script is on its way.
            begun = [url.split("/")[-1].split("?")[0].split(".")[0] for url in self.asked]
            for early in ("apis", "other-pages"):
                self.assertEqual(begun.count(early), 1)
                self.assertLess(begun.index(early), begun.index("events"))
            self.assertNotIn("exchanges", begun)
            self.assertEqual(page.evaluate("window.wireweightEarly"), None)
            page.locator("#nav [data-page=list]").click()
            expect(page.locator(".row.set").first).to_be_visible()
            self.strangers.clear()

    def test_the_audit_finds_nothing_in_the_inspectors_own_traffic(self):
        """What the browser exchanges while someone goes through the pages, and the same and exports by curl, metered."""
        archive, browsed, metered = self.folder / "own.har", self.folder / "browsed.db", self.folder / "metered.db"
        with serving(COMMAND, "inspect", self.run_demo("after.db"), "--compare", self.run_demo("before.db"), "--port", "0") as (_, base):
            context = self.chromium.new_context(record_har_path=archive)
            page = context.new_page()
            for name in ("list", "list?id=1", *(name for name in PAGES if name != "list")):
                page.goto(f"{base}#/{name}")
                page.wait_for_timeout(300)
            context.close()
            har = json.loads(archive.read_text())
            # Chromium's driver gives what came from the cache a size below -1.
            entries = har["log"]["entries"] = [entry for entry in har["log"]["entries"] if entry["response"]["bodySize"] >= -1]
            archive.write_text(json.dumps(har))
            wanted = sorted({entry["request"]["url"] for entry in entries if not entry["request"]["url"].endswith("/events")}
                            | {f"{base}api/v1/export?format={name}" for name in ("har", "csv", "ndjson")})
            self.assertGreater(len(wanted), 20)
            subprocess.run([COMMAND, "run", "--db", metered, "--", "curl", "-sS", "--compressed", *sum((["-o", "/dev/null", url] for url in wanted), [])],
                           check=True, capture_output=True, timeout=60)
            subprocess.run([COMMAND, "import", archive, "--db", browsed], check=True, capture_output=True, timeout=60)
        for store, count in ((browsed, len(entries)), (metered, len(wanted))):
            audit = json.loads(subprocess.run([COMMAND, "audit", store, "--format", "json"], check=True, capture_output=True, timeout=60).stdout)
            self.assertGreaterEqual(audit["requests"], count)
            self.assertEqual([(finding["rule"], finding["problem"]) for finding in audit["findings"]], [])


class HostileServerTests(InspectorTest):
    def test_what_a_hostile_server_sent_is_text(self):
        origin = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Hostile)
        threading.Thread(target=origin.serve_forever, daemon=True).start()
        self.addCleanup(origin.server_close)
        self.addCleanup(origin.shutdown)
        file = self.folder / "hostile.db"
        url = f"http://127.0.0.1:{origin.server_port}/a'\"onload=alert(1)/%3Cscript%3E?q=<svg/onload=alert(1)>&javascript:alert(1)"
        subprocess.run([COMMAND, "run", "--db", file, "--", "curl", "-gs", "-o", "/dev/null", "-H", f"X-Sent: {SCRIPT}", url],
                       check=True, capture_output=True, timeout=60)
        with serving(COMMAND, "inspect", file, "--port", "0") as (_, base):
            page = self.open(base + "#/list")
            page.locator(".row.set").first.click()
            page.get_by_role("tab", name="Headers").click()
            expect(page.locator(".heads")).to_contain_text("X-Evil: <img src=x onerror=")
            page.get_by_role("tab", name="Body").click()
            page.wait_for_timeout(300)
            for name in PAGES:
                page.goto(f"{base}#/{name}")
                page.wait_for_timeout(300)
            self.assertIsNone(page.evaluate("window.pwned ?? null"))
            self.allowed = ("404",)


if __name__ == "__main__":
    unittest.main(verbosity=2)
