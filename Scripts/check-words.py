#!/usr/bin/env python3
"""Finds words that a native reader trips over, and says what to write instead.

usage: Scripts/check-words.py [FILE…]      the files, or all pages of the documentation and all sources

CONTRIBUTING.md, section Words, has the whole list; here are those that can be found without false alarms. In a page it skips
code, addresses of links and what scripts generate, and in CHANGELOG.md what is released. In a source it reads comments, and
literals that are sentences.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGES = ["*.md", "Examples/*.md", "Sources/Wireweight/Wireweight.docc/*.md", "docs/**/*.md"]
SOURCES = ["Sources", "Tests", "Fuzz", "Benchmarks", "Examples", "Proxy", "Scripts"]
# Server's phrases and vectors of other projects are as they are; the lists of words themselves, too.
FOREIGN = ["Nobody Knows", "Nobody inspects the spammish repetition", "REMOTE_USER nobody"]

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
    (r"\b(?:of\s+late|[Mm]idst|[Ff]arewells?|[Ss]poken\s+of|(?:lost|loses?)\s+sight)\b",
     "recently; in the middle; close_notify, GOAWAY; named; no longer sees"),
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
# Comments and string literals; in a literal, what is computed is left out.
PROSE = {
    "c": re.compile(
        r'(?P<comment>//[^\n]*|/\*.*?\*/)|"""(?P<long>.*?)"""|(?P<quoted>"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`)', re.S),
    "script": re.compile(
        r'(?P<quoted>"""(?P<long>.*?)"""|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\')|(?P<comment>(?<!\S)\#(?!!)[^\n]*)', re.S),
}
KINDS = {".swift": "c", ".c": "c", ".h": "c", ".m": "c", ".js": "c", ".ts": "c", ".css": "c", ".py": "script", ".sh": "script"}
COMPUTED = re.compile(r"\\\((?:[^()]|\([^()]*\))*\)|\$\{[^}]*\}")
# In a literal that is no sentence are names, paths, statements of SQL, programs.
SENTENCE = re.compile(r"\w[,;:]? \w+[,;:]? \w")
CODE = re.compile(r"`[^`\n]*`|\b(?:SELECT|INSERT|CREATE|DELETE|DROP)\b.*|(?<!\w)[./#][\w{}/.-]+|- \w+:|\w+\(\)", re.S)


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
    """The comments and sentences of a source, with their places."""
    text = path.read_text(encoding="utf-8", errors="replace")
    for match in PROSE[KINDS[path.suffix]].finditer(text):
        prose = match["comment"] or match["long"] or match["quoted"] or ""
        # Long literals of tests are programs and data.
        if not match["comment"] and (not SENTENCE.search(prose) or match["long"] and path.suffix == ".swift" and "Tests" in path.parts):
            continue
        prose = COMPUTED.sub(blank, prose)
        yield match.start(), CODE.sub(blank, prose)


def found(text):
    """Each word that should be another: its place, itself, what to use."""
    for pattern, use in WORDS:
        for match in pattern.finditer(text):
            yield match.start(), " ".join(match[0].split()), use


def files(names):
    if names:
        return [pathlib.Path(name).resolve() for name in names]
    pages = [path for pattern in PAGES for path in sorted(ROOT.glob(pattern)) if path.parent.name != "releases"]
    sources = [path for folder in SOURCES for path in sorted((ROOT / folder).rglob("*"))
               if path.suffix in KINDS and path.is_file() and "Browser" not in path.parts and path.name != pathlib.Path(__file__).name]
    return pages + sources


def texts(path):
    return [(0, page_text(path))] if path.suffix == ".md" else source_texts(path)


def main(names):
    status = 0
    for path in files(names):
        whole = page_text(path) if path.suffix == ".md" else path.read_text(encoding="utf-8", errors="replace")
        name = path.relative_to(ROOT) if path.is_relative_to(ROOT) else path
        for place, text in texts(path):
            if any(phrase in text for phrase in FOREIGN):
                continue
            for at, word, use in sorted(found(text)):
                line = whole.count("\n", 0, place) + text.count("\n", 0, at) + 1
                print(f"{name}:{line}: {word} → {use}")
                status = 1
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
