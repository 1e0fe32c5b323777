"""The HAR that is exported opens in Chromium's own network panel."""

import collections
import json
import os
import subprocess
import tempfile
import time
import unittest
import urllib.request

from playwright.sync_api import Error, sync_playwright

COMMAND = os.environ["WIREWEIGHT_COMMAND"]
CHROMIUM = "/usr/bin/chromium"

# The panel's own way from a chosen file to its rows.
IMPORT = """async (text) => {
  const UI = await import('./ui/legacy/legacy.js');
  await UI.ViewManager.ViewManager.instance().showView('network');
  const Network = await import('./panels/network/network.js');
  const view = Network.NetworkPanel.NetworkPanel.instance().networkLogView;
  await view.onLoadFromFile(new File([text], 'traffic.har', {type: 'application/json'}));
  const Logs = await import('./models/logs/logs.js');
  return Logs.NetworkLog.NetworkLog.instance().requests().map((request) => ({
    method: request.requestMethod, url: request.url(), status: request.statusCode,
    transferred: request.transferSize, size: request.resourceSize,
  }));
}"""


class DevToolsTest(unittest.TestCase):
    def test_every_exchange_is_a_row_of_the_network_panel(self):
        # Chromium may still be writing its profile when it has been told to end.
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            store, archive = os.path.join(folder, "traffic.db"), os.path.join(folder, "traffic.har")
            subprocess.run([COMMAND, "demo", "--once", "--db", store], check=True, capture_output=True, timeout=120)
            subprocess.run(
                [COMMAND, "export", store, "--format", "har", "--output", archive],
                check=True, capture_output=True, timeout=60)
            with open(archive, encoding="utf-8") as file:
                text = file.read()
            rows = self.imported(text, folder)
        entries = json.loads(text)["log"]["entries"]
        self.assertEqual(len(rows), 200)
        self.assertEqual(
            sorted((row["method"], row["url"], row["status"]) for row in rows),
            sorted(
                (entry["request"]["method"], entry["request"]["url"], entry["response"]["status"])
                for entry in entries))
        # The panel shows something else where there is no content.
        wanted = collections.Counter(
            (entry["request"]["url"], entry["response"]["content"]["size"])
            for entry in entries if entry["response"]["content"]["size"] > 0)
        self.assertEqual(wanted - collections.Counter((row["url"], row["size"]) for row in rows), {})
        self.assertGreater(sum(wanted.values()), 100)

    def imported(self, text, folder):
        port_file = os.path.join(folder, "profile", "DevToolsActivePort")
        # Chromium serves its developer tools to those who debug it.
        chromium = subprocess.Popen(
            [CHROMIUM, "--headless=new", "--no-sandbox", "--remote-debugging-port=0",
             "--user-data-dir=" + os.path.dirname(port_file), "about:blank"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            for _ in range(300):
                if os.path.exists(port_file) and os.path.getsize(port_file) > 0:
                    break
                time.sleep(0.1)
            with open(port_file, encoding="utf-8") as file:
                server = "127.0.0.1:" + file.readline().strip()
            pages = []
            for _ in range(100):
                with urllib.request.urlopen(f"http://{server}/json/list", timeout=10) as answer:
                    pages = [page for page in json.load(answer) if page["type"] == "page"]
                if pages:
                    break
                time.sleep(0.1)
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
                page = browser.new_page()
                page.goto(
                    f"http://{server}/devtools/inspector.html?ws={server}/devtools/page/{pages[0]['id']}&panel=network")
                page.wait_for_selector(".panel.network, .root-view", timeout=30_000)
                # The tools start in their own time; before that they have no panel.
                for attempt in range(10):
                    page.wait_for_timeout(1_000)
                    try:
                        rows = page.evaluate(IMPORT, text)
                        break
                    except Error:
                        if attempt == 9:
                            raise
                browser.close()
                return rows
        finally:
            chromium.kill()
            chromium.wait()


if __name__ == "__main__":
    unittest.main()
