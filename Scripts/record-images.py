"""Records README.md's pictures of the inspector into docs/images, with the demo; see `make images`.

usage: record-images.py COMMAND
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import time
import urllib.request

from playwright.sync_api import sync_playwright

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "Scripts/shared"))
from processes import serving  # noqa: E402

# The demo goes on after its first exchanges, so that there is something to see over time.
SECONDS = 60
PICTURES = {"exchange": ("light", "list?path=/users/"), "apis": ("dark", "apis"), "map": ("light", "map")}


def main():
    command = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        with serving(command, "demo", "--db", "traffic.db", cwd=folder) as (_, address):
            time.sleep(SECONDS)
            chromium = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
            for name, (scheme, place) in PICTURES.items():
                page = chromium.new_context(viewport=dict(width=1280, height=800), color_scheme=scheme, locale="en-US").new_page()
                if name == "exchange":
                    # Chunks, cookies and a body: every part that a message usually has. Named by its number, because
                    # the rows move.
                    with urllib.request.urlopen(f"{address}api/v1/exchanges?path=/users/&limit=200") as answer:
                        posts = [row["id"] for row in json.load(answer)["exchanges"] if row["path"].endswith("/posts")]
                    place += f"&id={posts[3]}"
                page.goto(f"{address}#/{place}")
                if name == "exchange":
                    page.wait_for_selector(".parts tfoot")
                else:
                    page.wait_for_selector(f".{name} tbody tr, .{name}-api")
                page.wait_for_timeout(500)
                picture = ROOT / f"docs/images/inspector-{name}.png"
                page.screenshot(path=picture)
                # The package holds them too: 256 colours are enough for a page, and take a third of the bytes.
                subprocess.run(["pngquant", "--force", "--output", picture, "256", picture], check=True)
            chromium.close()


if __name__ == "__main__":
    main()
