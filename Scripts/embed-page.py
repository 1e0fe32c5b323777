#!/usr/bin/env python3
"""Writes the inspector's page as Swift to standard output; Scripts/embed-page.sh calls it."""

import hashlib
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "shared"))
from bundle_page import Refused, files  # noqa: E402

TYPES = {"html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8",
         "svg": "image/svg+xml"}
HEAD = """\
// swift-format-ignore-file
// Made by Scripts/embed-page.sh from Sources/TrafficInspector/Web; not to be changed by hand.

/// The files of the page.
enum PageAssets {
    static let all: [String: PageAsset] = [
"""


def main():
    try:
        served = files(sys.argv[1])
    except Refused as refusal:
        sys.exit(f"embed-page: {refusal}")
    text = HEAD
    # Raw string literals hold the text as it is, compile at once, and can be read.
    for name, is_named_by_content, content in served:
        if any(mark in content for mark in ('"""##', "\\##", "\r")):
            sys.exit(f"embed-page: {name} holds what ends a Swift string literal")
        tag = "nil" if is_named_by_content else f'"{hashlib.sha256(content.encode()).hexdigest()[:20]}"'
        # The line end before the closing quotes is no part of the literal, that of the file's last line is.
        text += f'        "{name}": PageAsset("{TYPES[name.rsplit(".", 1)[1]]}", tag: {tag}, ##"""\n{content}\n"""##),\n'
    sys.stdout.write(text + "    ]\n}\n")


if __name__ == "__main__":
    main()
