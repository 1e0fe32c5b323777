"""A plugin of pytest: writes how each test ended to the file that VERDICTS names, as soon as it has."""

import os

WORST = ("failed", "skipped", "passed")
ends = {}


def pytest_runtest_logreport(report):
    """A test has three parts, and ends as the worst of them."""
    ends.setdefault(report.nodeid, set()).add("xfailed" if hasattr(report, "wasxfail") else report.outcome)
    if report.when != "teardown":
        return
    seen = ends.pop(report.nodeid)
    verdict = next((end for end in WORST[:2] if end in seen), "xfailed" if "xfailed" in seen else "passed")
    with open(os.environ["VERDICTS"], "a", encoding="utf-8") as file:
        file.write(f"{verdict}\t{report.nodeid!r}\n")
