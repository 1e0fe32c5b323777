"""Draws how times grow with what is read: docs/scale.svg of what measure.py wrote, and docs/fleet.svg of what growth.py wrote.

usage: plot.py FIGURES
"""

import html
import json
import math
import sys

with open(sys.argv[1]) as file:
    DATA = json.load(file)
# The series, in colours of the inspector's page that everybody can distinguish.
LINES = [
    ("report, all APIs, all time", "#0b6bcb"),
    ("list, the newest 100", "#2a8a57"),
    ("search: the newest 100 with status 500", "#8a5cd1"),
    ("search: a path that matches nothing", "#c2410c"),
    ("inspector: overview", "#0e7490"),
    ("inspector: a new list, its first page", "#b45309"),
    ("export, one hour, NDJSON", "#64748b"),
    ("export, all, NDJSON", "#be185d"),
]
WIDTH, HEIGHT, LEFT, TOP, BOTTOM, RIGHT = 860, 460, 70, 30, 50, 300


def main():
    counts = DATA["counts"]
    title = DATA.get("title", "Processor time of each task, by the number of exchanges in the store")
    axis = DATA.get("axis", "exchanges in the store; processor time")
    series = [
        (name, colour, [(int(count), figure[1]) for count, figure in DATA["figures"].get(name, {}).items() if figure[1] > 0])
        for name, colour in DATA.get("lines", LINES)
    ]
    series = [line for line in series if len(line[2]) >= min(2, len(counts))]
    values = [value for _, _, points in series for _, value in points]
    low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
    first, last = math.log10(min(counts)), math.log10(max(counts))

    def x(count):
        return LEFT + (math.log10(count) - first) / max(last - first, 0.01) * (WIDTH - LEFT - RIGHT)

    def y(seconds):
        return HEIGHT - BOTTOM - (math.log10(seconds) - low) / max(high - low, 1) * (HEIGHT - TOP - BOTTOM)

    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="13">',
        f"<title>{title}</title>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
    ]
    for power in range(low, high + 1):
        place = y(10.0**power)
        label = f"{10**power:g} s" if power >= 0 else f"{10 ** (power + 3):g} ms"
        out.append(f'<line x1="{LEFT}" y1="{place:.1f}" x2="{WIDTH - RIGHT}" y2="{place:.1f}" stroke="#dde3ea"/>')
        out.append(f'<text x="{LEFT - 8}" y="{place + 4:.1f}" text-anchor="end" fill="#475569">{label}</text>')
    for count in counts:
        out.append(f'<line x1="{x(count):.1f}" y1="{TOP}" x2="{x(count):.1f}" y2="{HEIGHT - BOTTOM}" stroke="#eef2f6"/>')
        out.append(
            f'<text x="{x(count):.1f}" y="{HEIGHT - BOTTOM + 20}" text-anchor="middle" fill="#475569">{count / 1e6:g} million</text>')
    out.append(
        f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 8}" text-anchor="middle" fill="#475569">'
        f"{axis}, both scales logarithmic</text>")
    # Names beside the ends of their lines, in their order and never on each other.
    below = TOP
    for name, colour, points in sorted(series, key=lambda line: y(line[2][-1][1])):
        path = " ".join(f"{x(count):.1f},{y(value):.1f}" for count, value in points)
        out.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        for count, value in points:
            out.append(f'<circle cx="{x(count):.1f}" cy="{y(value):.1f}" r="3" fill="{colour}"/>')
        below = max(below + 17, y(points[-1][1]))
        out.append(f'<text x="{WIDTH - RIGHT + 12}" y="{below + 4:.1f}" fill="{colour}">{html.escape(name)}</text>')
    out.append("</svg>")
    print("\n".join(out))


main()
