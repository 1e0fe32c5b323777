#!/usr/bin/env python3
"""Finds words that a native reader trips over, and says what to write instead.

usage: Scripts/check-words.py [FILE…]      the files, or all pages of the documentation
       Scripts/check-words.py --sources    comments and string literals of Sources: counts only, always status 0

CONTRIBUTING.md, section Words, has the whole list; here are those that can be found without false alarms. In a page, code,
addresses of links and what scripts generate are not looked at, and in CHANGELOG.md only the part that is not released.
"""

import collections
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGES = ["*.md", "Examples/*.md", "Sources/Wireweight/Wireweight.docc/*.md", "docs/**/*.md"]

# Behind something that is in between is fine; behind in time or order is not.
PLACES = r"(?:prox(?:y|ies)|load balancers?|firewalls?|NAT|CDN|gateways?|tunnels?|traits?|flags?|Cloudflare|nginx)"
WORDS = [(re.compile(pattern), use) for pattern, use in [
    (r"\b(?:[Tt]ells?|[Tt]old|untold)\b", "say, report, show; told apart: distinguished; unless told otherwise: by default"),
    (r"\b(?:[Ss]tands?|stood)\b(?!-|\s+(?:for|by|alone|out)\b)", "is; stands behind: follows ('stands for' is fine)"),
    (rf"(?<!left )(?<!falls )(?<!fall )(?<!fell )\b[Bb]ehind\b(?!\s+(?:(?:an?|the|any|each|one's|its|another)\s+)?(?:[\w-]+\s+)?{PLACES}\b)",
     "after ('behind a proxy' is fine)"),
    (r"\b(?:[Tt]he|[Ii]ts|[Tt]heir|whose|an?|by|same)\s+begin\b", "start"),
    (r"\bbegins?\s+so\b", "starts with"),
    (r"\b[Ss]o\s+many\b", "the number, a given number"),
    (r"\b[Nn]obody(?:'s)?\b", "say who does not: 'the meter did not', 'belongs to none'"),
    (r"(?<!-)\b[Hh]ops?\b(?!-)", "attempt"),
    (r"\b[Hh]eads\b(?!\s+up\b)", "headers"),
    (r"\b[Mm]end(?:s|ed|ing)?\b", "fix"),
    (r"\bwants?\s+to\s+be\b", "should be"),
    (r"\b(?:is|are|was|were|be|been)\s+asked\s+for\b", "requested"),
    (r"\bspeaks?\s+of\b", "suggests, mentions"),
    (r"\bin\s+all\s+1\b", "in its only"),
    (r"\bclaim\s+on\s+noise\b", "too few calls, no clear change"),
    (r"\bNor\s+(?:is|are|was|were|does|do|has|have)\b", "say it in two sentences"),
]]

GENERATED = re.compile(r"<!-- (picture|imports|words)\b.*?<!-- end of \1 -->", re.S)
FENCE = re.compile(r"^ *```.*?^ *```", re.S | re.M)
INLINE = re.compile(r"``[^`]+``|`[^`\n]+(?:\n[^`\n]+)?`|\]\([^)\s]*\)|<!--.*?-->", re.S)
# Comments and string literals of Swift, C and JavaScript; in a literal, what is computed is left out.
PROSE = re.compile(r'(?P<comment>//[^\n]*|/\*.*?\*/)|"""(?P<long>.*?)"""|(?P<quoted>"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`)', re.S)
COMPUTED = re.compile(r"\\\((?:[^()]|\([^()]*\))*\)|\$\{[^}]*\}")


def blank(match):
    """Nothing, of as many lines."""
    return "\n" * match[0].count("\n") or " x "


def page_text(path):
    """The prose of a page; its lines keep their numbers."""
    text = path.read_text(encoding="utf-8")
    if path.name == "CHANGELOG.md":
        released = [match.start() for match in re.finditer(r"^## ", text, re.M)][1:]
        text = text[:released[0]] if released else text
    for pattern in (GENERATED, FENCE, INLINE):
        text = pattern.sub(blank, text)
    return text


def source_texts(path):
    """Comments and string literals of a source; words in `code` are left out."""
    for match in PROSE.finditer(path.read_text(encoding="utf-8", errors="replace")):
        text = match["comment"] or match["long"] or match["quoted"]
        yield COMPUTED.sub(" x ", re.sub(r"`[^`\n]*`", " x ", text) if match["comment"] else text)


def found(text):
    """Each word that should be another: its place, itself, what to use."""
    for pattern, use in WORDS:
        for match in pattern.finditer(text):
            yield match.start(), " ".join(match[0].split()), use


def check_pages(names):
    paths = [pathlib.Path(name).resolve() for name in names]
    if not paths:
        paths = [path for pattern in PAGES for path in sorted(ROOT.glob(pattern))
                 if path.parent.name != "releases"]
    status = 0
    for path in paths:
        text = page_text(path)
        name = path.relative_to(ROOT) if path.is_relative_to(ROOT) else path
        for at, word, use in sorted(found(text)):
            print(f"{name}:{text.count(chr(10), 0, at) + 1}: {word} → {use}")
            status = 1
    return status


def count_sources():
    counts, files = collections.Counter(), collections.Counter()
    for path in sorted((ROOT / "Sources").rglob("*")):
        if path.suffix not in (".swift", ".c", ".h", ".js"):
            continue
        for text in source_texts(path):
            for _, word, _ in found(text):
                counts[word.lower()] += 1
                files[path.relative_to(ROOT).as_posix()] += 1
    for counted in (counts, files):
        print("\n".join(f"{count:6}  {name}" for name, count in counted.most_common(20)), end="\n\n")
    print(f"{counts.total()} in {len(files)} files of Sources")
    return 0


if __name__ == "__main__":
    arguments = sys.argv[1:]
    if {each for each in arguments if each.startswith("-")} - {"--sources"}:
        sys.exit(__doc__)
    sys.exit(count_sources() if "--sources" in arguments else check_pages(arguments))
