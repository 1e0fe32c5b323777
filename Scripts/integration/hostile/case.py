"""What a case is: the transfers of a client, the scripts of the servers, and what is special about it."""

import dataclasses
import json
import typing


@dataclasses.dataclass
class Transfer:
    """One transfer, in words that each client can be given."""

    path: str = "/item"
    scheme: str = "http"
    role: str = "origin"
    # The whole address; {ROLE} stands for the address of that server.
    url: str = ""
    method: str = ""
    headers: dict = dataclasses.field(default_factory=dict)
    # The content's size.
    body: int | None = None
    is_chunked: bool = False
    seconds: float | None = None
    user: str = ""
    # The number of received bytes after which it ends itself.
    stop_at: int | None = None
    # The numbers of received bytes and of seconds after which the program removes it.
    removed_at: tuple | None = None
    curl: tuple = ()
    easy: dict = dataclasses.field(default_factory=dict)

    @property
    def address(self):
        return self.url or f"{self.scheme}://{{{self.role}}}{self.path}"


@dataclasses.dataclass
class Case:
    """One case."""

    name: str
    roles: dict
    transfers: tuple
    # c: curl, p: pycurl, s: URLSession, g: git.
    clients: str = "cps"
    git: tuple = ()
    curl: tuple = ()
    easy: dict = dataclasses.field(default_factory=dict)
    environment: dict = dataclasses.field(default_factory=dict)
    mode: str = "easy"
    # Whether the program turns on verbose mode itself: `log` has libcurl write, `debug` has a debug function.
    verbose: str = ""
    # What each row's outcome is, in the order of the rows, for all clients or for each; all completed where it is left out.
    outcomes: typing.Any = None
    # Rows of requests that no server ever saw.
    unseen: int = 0
    # The client leaves, or is refused, before all that was written has come.
    leaves_early: bool = False
    # Chance decides how far an upload comes and which of two errors the client meets first.
    is_racing: bool = False
    keeps_bodies: int = 0
    # libcurl shows nothing of an answer's head though the server sent one.
    hides_head: bool = False
    # Connections of these roles carry no HTTP.
    foreign: tuple = ()
    # Bytes of these names in the servers' log may be counted as the last message's.
    may_be_in_message: tuple = ()
    # Called with the judge's findings, for what is special.
    special: typing.Any = None

    def outcomes_for(self, client):
        return self.outcomes.get(client) if isinstance(self.outcomes, dict) else self.outcomes


CASES = []


def case(name, *transfers, roles=None, **more):
    """Makes a case of the script that follows."""

    def make(script):
        CASES.append(Case(name, {"origin": script, **(roles or {})}, transfers or (Transfer(),), **more))
        return script

    return make


class Clients:
    """How each client is given a case's transfers."""

    def __init__(self, folder, certificate, session_trusts):
        self.folder, self.certificate, self.session_trusts = folder, certificate, session_trusts
        here = __file__.rsplit("/", 1)[0]
        self.script, self.python = f"{here}/transfers.py", str(folder / "venv/bin/python")

    def words(self, client, case, fill):
        return {"c": self.curl, "p": self.pycurl, "s": self.session, "g": self.git}[client](case, fill)

    def upload(self, size):
        path = self.folder / f"upload-{size}"
        if not path.exists():
            temporary = path.with_suffix(".part")
            temporary.write_bytes(b"u" * size)
            temporary.rename(path)
        return path

    def curl(self, case, fill):
        words = ["curl", "-q"]
        for index, one in enumerate(case.transfers):
            if index:
                words.append("--next")
            words += ["-sS", "-g", "--cacert", str(self.certificate), "-m", str(one.seconds or 20)]
            words += ["-w", "\\n%{http_code} %{exitcode} %{num_connects} %{size_download} %{size_upload}\\n"]
            if one.method == "HEAD":
                words.append("-I")
            elif one.method and not (one.method == "POST" and one.body is not None):
                words += ["-X", one.method]
            for name, value in one.headers.items():
                words += ["-H", f"{name}: {value}" if value else f"{name}:"]
            if one.body is not None:
                if one.is_chunked:
                    words += ["-H", "Transfer-Encoding: chunked"]
                words += (
                    ["--data-binary", f"@{self.upload(one.body)}"]
                    if one.method != "PUT"
                    else ["-T", str(self.upload(one.body))]
                )
            if one.user:
                words += ["-u", f"{one.user}:pass"]
            words += [fill(word) for word in (*case.curl, *one.curl)] + [fill(one.address)]
        return words

    def pycurl(self, case, fill):
        transfers = []
        for one in case.transfers:
            options = {
                "URL": fill(one.address),
                "TIMEOUT_MS": int(1_000 * (one.seconds or 20)),
                "NOSIGNAL": 1,
                "CAINFO": str(self.certificate),
                "USERAGENT": "hostile",
            }
            headers = [f"{name}: {value}" if value else f"{name}:" for name, value in one.headers.items()]
            if one.method == "HEAD":
                options["NOBODY"] = 1
            elif one.method:
                options["CUSTOMREQUEST"] = one.method
            if one.body is not None:
                if one.method == "PUT":
                    options["UPLOAD"] = 1
                    options["INFILESIZE"] = -1 if one.is_chunked else one.body
                else:
                    options["POST"] = 1
                    if not one.is_chunked:
                        options["POSTFIELDSIZE_LARGE"] = one.body
                if one.is_chunked:
                    headers.append("Transfer-Encoding: chunked")
            if headers:
                options["HTTPHEADER"] = headers
            if one.user:
                options["USERPWD"] = f"{one.user}:pass"
            for name, value in {**case.easy, **one.easy}.items():
                options[name] = (
                    fill(value)
                    if isinstance(value, str)
                    else [fill(each) for each in value] if isinstance(value, list) else value
                )
            transfers.append(
                {
                    "options": options,
                    "body": one.body,
                    "stopAt": one.stop_at,
                    "removedAt": one.removed_at,
                    "verbose": case.verbose,
                }
            )
        return [
            self.python,
            self.script,
            json.dumps({"mode": case.mode, "transfers": transfers}),
        ]

    def git(self, case, fill):
        """Debian's git has libcurl on GnuTLS. It asks once, and gets an answer that is no repository's."""
        words = ["git", "-c", f"http.sslCAInfo={self.certificate}", "-c", f"http.proxySSLCAInfo={self.certificate}"]
        one = case.transfers[0]
        for name, value in one.headers.items():
            words += ["-c", f"http.extraHeader={name}: {value}"]
        return words + [fill(word) for word in case.git] + ["ls-remote", fill(one.address)]

    def session(self, case, fill):
        transfers = []
        for one in case.transfers:
            each = {
                "url": fill(one.address),
                "method": one.method or None,
                "headers": one.headers or None,
                "body": one.body,
                "timeout": one.seconds,
                "user": one.user or None,
                "stopAt": one.stop_at,
                "removedAfter": one.removed_at[1] if one.removed_at else None,
            }
            transfers.append({name: value for name, value in each.items() if value is not None})
        return [str(self.folder / "sessions"), json.dumps(transfers)]
