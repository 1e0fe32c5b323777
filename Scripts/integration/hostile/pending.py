"""What is known to fail, and why: the cases (NAME/CLIENT, with `*`), what of judge.py fails, the reason.

What is here and fails no more fails the run, so that it is taken out.
"""

PENDING = []
