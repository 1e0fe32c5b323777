"""Puts the inspector's page together: one script, one style sheet, and a page that asks for them by what they hold.

The modules stay as they are, each in a function of its own, in the order in which they need each other; what a module
exports is what its function returns. So the page comes in a few requests instead of one for each module, one after the other.
"""

import hashlib
import pathlib
import re

IMPORT = re.compile(r'^import \{([^}]*)\} from "\./([\w-]+)\.js";\n', re.M)
EXPORT = re.compile(r"^export (async function|function|class|const) (\w+)", re.M)


class Refused(Exception):
    """The page has something that cannot be put into one script."""


def variable(module):
    return "$" + module.replace("-", "_")


def module(name, text):
    """The module as a function, and the modules that it needs."""
    needs = []

    def taken(match):
        needs.append(match[2])
        names = [one.strip() for one in match[1].split(",") if one.strip()]
        pairs = ", ".join(": ".join(one.split(" as ")) for one in names)
        return f"const {{ {pairs} }} = {variable(match[2])};\n"

    text = IMPORT.sub(taken, text)
    names = [match[2] for match in EXPORT.finditer(text)]
    text = EXPORT.sub(r"\1 \2", text)
    for left in re.finditer(r"^(import|export)\b.*$", text, re.M):
        raise Refused(f"{name}.js: '{left[0]}' is a form that Scripts/shared/bundle_page.py does not know")
    returned = f"return {{ {', '.join(names)} }};\n" if names else ""
    return f"const {variable(name)} = (() => {{\n{text}{returned}}})();\n", needs


def script(web, first):
    """All modules that `first` needs, those that are needed before those that need them."""
    done, under_way, pieces = set(), [], []

    def add(name):
        if name in done:
            return
        if name in under_way:
            raise Refused(f"modules need each other in a circle: {' → '.join(under_way + [name])}")
        under_way.append(name)
        text, needs = module(name, (web / f"{name}.js").read_text(encoding="utf-8"))
        for need in needs:
            add(need)
        under_way.pop()
        done.add(name)
        pieces.append(text)

    add(first)
    return "".join(pieces)


def files(web):
    """The files that are served: name, whether the name changes with what it holds, text."""
    web = pathlib.Path(web)
    page = (web / "index.html").read_text(encoding="utf-8")
    sheets = re.findall(r'<link rel="stylesheet" href="/([\w-]+\.css)">\n', page)
    parts = {
        "style.css": "".join((web / sheet).read_text(encoding="utf-8") for sheet in sheets),
        "app.js": script(web, "app"),
        "theme.js": (web / "theme.js").read_text(encoding="utf-8"),
    }
    if {"base.css"} - set(sheets) or 'src="/app.js"' not in page or 'src="/theme.js"' not in page:
        raise Refused("index.html names not what Scripts/shared/bundle_page.py looks for")
    page = page.replace(f'<link rel="stylesheet" href="/{sheets[0]}">', '<link rel="stylesheet" href="/style.css">')
    for sheet in sheets[1:]:
        page = page.replace(f'<link rel="stylesheet" href="/{sheet}">\n', "")
    served = []
    for name, text in parts.items():
        stem, kind = name.rsplit(".", 1)
        named = f"{stem}.{hashlib.sha256(text.encode()).hexdigest()[:12]}.{kind}"
        page = page.replace(f'="/{name}"', f'="/{named}"')
        served.append((named, True, text))
    served.append(("index.html", False, page))
    served.append(("icon.svg", False, (web / "icon.svg").read_text(encoding="utf-8")))
    return served
