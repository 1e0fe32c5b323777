"""The command on a store and on the fleet to which it was shipped. The first argument of the script is the configuration."""

import contextlib
import pathlib
import sqlite3
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
COMMAND = ROOT / ".build" / sys.argv[1] / "wireweight"
READ = [
    "report FILE --json", "report FILE --by host --json", "report FILE --by path --json", "exchanges FILE --json",
    "connections FILE --json", "audit FILE --json", "show FILE 7 --json",
]


def run(*words, expected=0, before=(), limit=300):
    """Output and errors of the command, which ends with that status within seconds; `before` are the words of what starts it."""
    done = subprocess.run([*before, COMMAND, *map(str, words)], text=True, capture_output=True, timeout=limit)
    assert done.returncode == expected, f"{words}: {done.returncode}: {done.stdout}{done.stderr}"
    return done.stdout, done.stderr


def make_tables(server, database):
    server.ask(f"CREATE DATABASE {database}")
    # Servers of 2018 do not know deletion by age.
    settings = server.labels()
    is_old = bool(settings)
    for statement in run("fleet", "schema", *([] if is_old else ["--ttl", "14"]))[0].split(";\n"):
        if statement.strip():
            server.ask(statement, database, **settings)


def compare(store, url):
    """Each command prints the same of the fleet as of the store."""
    for line in READ:
        texts = [run(*[place if word == "FILE" else word for word in line.split()])[0] for place in (str(store), url)]
        assert texts[0] == texts[1], f"{line} differs"


def demo(folder, name="demo.db"):
    """A store with the demo's traffic."""
    store = folder / name
    subprocess.run(
        [COMMAND, "demo", "--once", "--json", "--db", store], stdout=subprocess.DEVNULL, check=True, timeout=120)
    add_handshakes(store)
    return store


def add_handshakes(store):
    """The demo's site has no TLS, so some of its connections get what TLS would have said in the clear."""
    with contextlib.closing(sqlite3.connect(store)) as file, file:
        names = ["name", "version", "cipher", "offered", "protocol", "resumed"]
        columns = [f"handshake_{name} = ?" for name in names] + [
            f"certificate_{name} = ?" for name in ("subject", "issuer", "sha256", "from", "until", "chain")]
        of_server = ("a.test", "It's a CA", "ab12", 1_767_225_600 * 10**9, 1_775_001_600 * 10**9, 3241)
        for number, values in enumerate((
            ("a.test", "TLSv1.2", "TLS_X", "h2,http/1.1", "h2", 0, *of_server),
            ("", "TLSv1.3", "TLS_Y", "", "", 1, *[None] * 6),
            ("b.test", "", "", "h2", "", None, "", "", "0", None, None, None),
        )):
            file.execute(f"UPDATE connection SET {', '.join(columns)} WHERE id % 4 = {number}", values)
        file.execute("UPDATE connection SET opening_connect = 1500000, opening_dns = id * 1000 WHERE id % 5 = 1")
        file.execute("UPDATE connection SET opening_first_byte = 0 WHERE id % 5 = 2")
