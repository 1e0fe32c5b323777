"""What is known to fail, and why: the cases (NAME/CLIENT, with `*`), what of judge.py fails, the reason.

What is here and fails no more fails the run, so that it is taken out.
"""

PENDING = [
    *(
        (
            "doh*/p",
            check,
            "from 8.21 on libcurl names neither ports nor sockets of the handles by which it asks for names",
        )
        for check in ("rows_are_messages", "connections_are_kernels")
    ),
    *(
        ("redirect-to-nowhere/*", check, "where a redirect leads to a closed port, the redirect is said to have failed")
        for check in ("rows_are_messages", "outcomes")
    ),
    (
        "h2-never-asks*/p",
        "outcomes",
        "the wheel has an HTTP/2 of its own that cannot be seen, and without a length nothing else says that all has come",
    ),
]
