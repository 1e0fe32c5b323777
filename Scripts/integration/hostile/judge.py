"""What must hold for any case, whatever it is.

Parts are the origin's log; phases are the total; messages, named overhead and what is unaccounted are the kernel's count;
the summary says no more than the rows and the ledger do.
"""

import datetime
import functools
import json
import pathlib
import re
import subprocess

from wire import PARTS

# The names of a ledger's parts: the protocols beneath, and what else went beside the messages.
OVERHEAD = ("tlsOverhead", "http2Overhead", "socksOverhead", "proxyProtocolOverhead", "proxyTLSOverhead", "websocketOverhead")
BESIDE = (*OVERHEAD, "websocketPayload", "upgraded", "afterMessage")
# What the servers' log calls them.
LOGGED = {
    "socks": "socksOverhead",
    "proxyLine": "proxyProtocolOverhead",
    "websocketOverhead": "websocketOverhead",
    "websocketPayload": "websocketPayload",
    "upgraded": "upgraded",
}

WAYS = (("up", "request", 0), ("down", "response", 1))


class Unequal(Exception):
    """What is not as it must be."""


def expect(condition, *words):
    if not condition:
        raise Unequal(" ".join(str(word) for word in words))


class Metered:
    """What the meter says of a run."""

    def __init__(self, command, store, summary):
        self.command, self.store = command, store
        self.summary = pathlib.Path(summary).read_text()
        self.rows = self.lines("exchanges")
        self.connections = self.lines("connections")

    @functools.cached_property
    def report(self):
        return json.loads(self.read("report", "--format", "json"))

    def read(self, verb, *words):
        ended = subprocess.run(
            [self.command, verb, self.store, *words], capture_output=True, text=True, timeout=60, check=False
        )
        expect(ended.returncode == 0, f"{verb} ends with {ended.returncode}:", ended.stderr)
        return ended.stdout

    def lines(self, verb):
        return [json.loads(line) for line in self.read(verb, "--format", "ndjson").splitlines()]


class Judge:
    """Judges one run of one case."""

    def __init__(self, case, client, metered, log):
        self.case, self.client, self.metered, self.log = case, client, metered, log
        self.rows, self.ledger = metered.rows, metered.connections
        self.problems = []

    def verdict(self):
        """What does not hold."""
        for check in (
            self.rows_are_messages,
            self.connections_are_kernels,
            self.phases_are_total,
            self.outcomes,
            self.sheets,
            self.sums,
            self.sentence,
        ):
            try:
                check()
            except Unequal as problem:
                self.problems.append(f"{check.__name__}: {problem}")
        if self.case.special and not self.problems:
            try:
                self.case.special(self)
            except Unequal as problem:
                self.problems.append(f"special: {problem}")
        return self.problems

    # Parts are the origin's log

    def http(self):
        return [one for one in self.log if one.role not in self.case.foreign]

    def rows_of(self, connection):
        """The rows of that connection, without those of requests that never left."""
        numbers = {line["connection"] for line in self.ledger if line["localPort"] == connection.port}
        return [
            row
            for row in self.rows
            if row["connection"] in numbers and (row["request"]["total"] != 0 or row["response"])
        ]

    def rows_are_messages(self):
        count = sum(len(one.messages) for one in self.http())
        expect(count + self.case.unseen or self.case.mode == "connect-only", "nothing was asked of the servers")
        expect(
            len(self.rows) == count + self.case.unseen,
            len(self.rows),
            "rows, and",
            count,
            "messages:",
            [(row["method"], row["url"]) for row in self.rows],
            self.http(),
        )
        for connection in self.http():
            rows = self.rows_of(connection)
            expect(
                len(rows) == len(connection.messages),
                "on port",
                connection.port,
                len(rows),
                "rows for",
                connection.messages,
            )
            for row, message in zip(rows, connection.messages):
                self.row_is_message(row, message, connection)

    def row_is_message(self, row, message, connection):
        if message.version != "h2":
            expect(row["method"] == message.method, "method", row["method"], "for", message)
        status = (row["response"] or {}).get("status")
        # Of a head in HTTP/2 that libcurl never shows, the size alone is known.
        expect(
            status == message.status or self.case.hides_head and status is None,
            "status of",
            row["response"],
            "for",
            message,
        )
        for way, member, index in WAYS:
            told, logged = row[member], getattr(message, way)
            total = sum(logged.values())
            if told is None:
                # Inside a libcurl that brings its own HTTP/2, a stream that is reset before its head shows nothing.
                expect(total == 0 or message.version == "h2" and message.status is None, "no", member, "for", message)
                continue
            if way == "down" and self.case.leaves_early:
                # Only the kernel knows what was written and not read: `connections_are_kernels` checks that.
                continue
            # Bytes after the end of a message are its framing where libcurl shows them, and else the ledger's.
            if told["evidence"] in ("reconstructed", "unknown"):
                continue
            extra = told["total"] - total
            spare = self.spare(connection, index)
            late = message.late if way == "up" else 0
            expect(-late <= extra <= spare, member, "of", told, "is not", logged, "in all", total)
            # What is no HTTP has no parts.
            if told["evidence"] == "captured" and message.version != "h2" and (way == "up" or message.status):
                each = {part: told[part] for part in PARTS}
                expect(
                    each == logged | {"framing": logged["framing"] + extra},
                    member,
                    each,
                    "is not",
                    logged,
                    "and",
                    extra,
                )
            if message.version == "h2" and told["evidence"] == "captured":
                expect(
                    (told["fields"], told["body"]) == (logged["fields"], logged["body"]), member, told, "is not", logged
                )

    def spare(self, connection, index):
        """What followed the messages, and may be counted as theirs."""
        return sum(connection.other[name][index] for name in self.case.may_be_in_message if name in connection.other)

    # Messages, overhead and unaccounted are the kernel's count

    def connections_are_kernels(self):
        by_port = {line["localPort"]: line for line in self.ledger}
        for connection in self.http():
            line = by_port.get(connection.port)
            expect(line is not None, "no ledger of port", connection.port, connection, "only of", sorted(by_port))
            rows = [row for row in self.rows if row["connection"] == line["connection"]]
            expect(
                line["exchanges"] in (len(rows), len(self.rows_of(connection))),
                "it carried",
                line["exchanges"],
                "exchanges, not",
                len(rows),
            )
            for way, member, index in WAYS:
                raw = connection.raw[index]
                early = way == "down" and self.case.leaves_early
                expect(line["payload"] is not None, "no payload:", line)
                # A client may close before it has read what follows a message.
                unread = raw - line["payload"][way]
                spare = self.spare(connection, index)
                expect(0 <= unread <= (raw if early else spare), "payload", way, line["payload"], "is not", raw)
                sizes = [row[member]["total"] for row in rows if row[member]]
                messages = sum(known(row[member]) for row in rows)
                expect(line["messages"][way] == messages, "messages", way, line["messages"], "are not", messages)
                parts = {name: line[name][way] for name in BESIDE if line.get(name)}
                beside = sum(parts.values()) + line["unaccounted"][way]
                expect(line["messages"][way] + beside == line["payload"][way], way, "does not add up:", line)
                overhead = sum(parts.get(name, 0) for name in OVERHEAD)
                expect(overhead == line["overhead"][way], way, "the names do not add up to the overhead:", line)
                if early or None in sizes:
                    continue
                other = sum(pair[index] for pair in connection.other.values()) + connection.tls_overhead[index]
                extra = messages - sum(one.total(way) for one in connection.messages)
                wanted = other - extra - unread
                expect(beside == wanted, way, "beside the messages are", beside, "and not", wanted, line, connection)
                for logged, name in LOGGED.items():
                    expect(
                        parts.get(name, 0) == connection.other[logged][index] or line["evidence"] == "reconstructed",
                        *(way, name, "is", parts.get(name, 0), "and not", connection.other[logged][index], line),
                    )
                self.tls_is_the_servers(line, connection, way, index)
            counted = line["websocket"] or {}
            for name in ("frames", "controlFrames", "messages"):
                counts = [counted.get(name, {}).get(way, 0) for way in ("up", "down")]
                expect(
                    counts == connection.websocket[name] or line["evidence"] == "reconstructed",
                    *(name, "of WebSocket are", counts, "and not", connection.websocket[name], line),
                )

    def tls_is_the_servers(self, line, connection, way, index):
        """What each TLS takes is what the server took for it: to the proxy, and to the origin inside of that."""
        if line["evidence"] != "reported" or self.spare(connection, index):
            return
        if line["unaccounted"][way] != 0 and not connection.proxy_layers:
            return
        proxys = connection.proxy_tls_overhead[index]
        own = connection.tls_overhead[index] - proxys + connection.other["tls"][index]
        named = line["proxyTLSOverhead"][way], line["tlsOverhead"][way]
        expect(named == (proxys, own), way, "TLS to the proxy and to the origin is", named, "and not", (proxys, own), line)

    # Phases are the total

    def phases_are_total(self):
        for row in self.rows:
            times = row["timings"]
            total = times["total"]
            phases = {name: value for name, value in times.items() if name != "total"}
            expect("unattributed" in phases, "what no phase explains has no name:", times)
            expect(all(value is None or value >= 0 for value in times.values()), "a time below 0:", times)
            expect(total is not None, "no total:", times)
            told = sum(value or 0 for value in phases.values())
            expect(abs(told - total) <= 0.001 * len(phases), "phases are", told, "and not", total, times)
            took = (moment(row["endedAt"]) - moment(row["startedAt"])) / datetime.timedelta(milliseconds=1)
            expect(abs(took - total) <= 0.01, "from start to end are", took, "and not", total)

    def outcomes(self):
        told = [row["outcome"] for row in self.rows]
        wanted = self.case.outcomes_for(self.client) or ["completed"] * len(self.rows)
        if self.case.is_racing and not self.case.outcomes_for(self.client):
            return
        expect(sorted(told) == sorted(wanted), "outcomes are", told, "and not", wanted)

    def sheets(self):
        for row in self.rows[:3]:
            sheet = self.metered.read("show", str(row["exchange"]))
            totals = [int(word.replace(",", "")) for word in re.findall(r"^  total +([\d,]+)  \w", sheet, re.M)]
            wanted = [
                row[member]["total"] for member in ("request", "response") if row[member] and row[member]["total"]
            ]
            totals = [total for total in totals if total]
            expect(totals == wanted, "the sheet says", totals, "and not", wanted)

    def sums(self):
        totals = self.metered.report["totals"]
        expect(totals["requests"] == len(self.rows), "the report counts", totals["requests"])
        for way, member, _ in WAYS:
            told = sum(known(row[member]) for row in self.rows)
            expect(totals[way] == told, way, "is", totals[way], "and not", told)

    # The sentence is the rows

    def is_exact(self):
        """Whether everything is captured and nothing is open."""
        sides = [row[member] for row in self.rows for member in ("request", "response") if row[member]]
        return (
            all(side["evidence"] == "captured" for side in sides)
            and all(
                line["evidence"] not in (None, "reconstructed") and line["unaccounted"] == {"up": 0, "down": 0}
                for line in self.ledger
            )
            and not self.metered.report["totals"]["losses"]
        )

    def sentence(self):
        totals = self.metered.report["totals"]
        if not totals["up"] + totals["down"]:
            return
        sentences = {"run": self.metered.summary, "report": self.metered.read("report")}
        exact = self.is_exact()
        beside = sum(sum((line["payload"] or {}).values()) for line in self.ledger) - sum(
            known(row[member]) for row in self.rows for member in ("request", "response")
        )
        for name, text in sentences.items():
            says = "exact to the byte" in text
            expect(says == exact, name, "says", repr(text[text.rfind("──") :][3:]), "and exact is", exact)
            denies = "Connection overhead (TLS, HTTP/2): none" in text
            expect(not denies or beside == 0, name, "denies", beside, "bytes")
        told = totals.get("exact", totals["captured"] == 1)
        expect(told == exact, "the report calls it", told, "and exact is", exact)
        expect(not exact or totals["captured"] == 1, "captured is", totals["captured"], "and exact is", exact)


def known(side):
    """What is known of a message's size."""
    return sum(side[part] or 0 for part in PARTS) if side else 0


def moment(text):
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))
