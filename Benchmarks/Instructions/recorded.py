"""Compares a figure with the one that was last recorded, in docs/measurements/figures.json."""
import json
import pathlib

ALLOWED = 0.03


def change(figures, name, table, row, now, *, unit=""):
    """How much more it is than the figure of that row, as a share of it; prints both."""
    rows = json.loads(pathlib.Path(figures).read_text())[name]["tables"][table]["rows"]
    before = float(next(each[1] for each in rows if each[0] == row).replace(",", ""))
    share = now / before - 1
    print(f"\n{now:,.1f} {unit or table}; {before:,.1f} when it was last recorded: {100 * share:+.1f} %")
    return share
