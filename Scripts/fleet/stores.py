"""The command on a store and on the fleet to which it was shipped. The first argument of the script is the configuration."""

import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
COMMAND = ROOT / ".build" / sys.argv[1] / "wireweight"
READ = [
    "report FILE --json", "report FILE --by host --json", "report FILE --by path --json", "exchanges FILE --json",
    "connections FILE --json", "audit FILE --json", "show FILE 7 --json",
]


def run(*words, expected=0, before=()):
    """Output and errors of the command, which ends with that status; `before` are the words of what starts it."""
    done = subprocess.run([*before, COMMAND, *map(str, words)], text=True, capture_output=True, timeout=300)
    assert done.returncode == expected, f"{words}: {done.returncode}: {done.stdout}{done.stderr}"
    return done.stdout, done.stderr


def make_tables(server, database):
    server.ask(f"CREATE DATABASE {database}")
    # Servers of 2018 need this setting, and do not know deletion by age; today's are the other way around.
    is_old = server.ask("SELECT version() FORMAT TSV").startswith("18.")
    settings = {"allow_experimental_low_cardinality_type": 1} if is_old else {}
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
    return store
