"""What a soak has shown: the log of the origin beside the rows of the store, exchange by exchange and connection by connection.

What must hold:

- An exchange of a run that ended by itself has a row with the origin's bytes, up and down.
- One of a run that was cut short has so, too, unless it was under way in the last moments; their number is printed.
- What the origin never answered has no row that is complete; what was not metered has none at all.
- Each connection's ledger closes, and its payload is what the origin's log and kernel say.
- The sums of the store are the sums of all rows that ever were, also of those that retention has taken.
- The store is sound; nothing runs on, nothing is left over; who lived all along has not grown.

usage: verdict.py FOLDER    judges the notes of an earlier soak once more
"""

import collections
import datetime
import json
import pathlib
import sqlite3
import statistics
import sys
import urllib.parse

# Seconds before a kill in which an exchange counts as under way: the tap's and the writer's batches, and a busy machine.
BEFORE = {"program killed": 0.3, "command asked to end": 0.3, "command killed": 2, "command killed with its program": 2}


def moment(text):
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp() if text else None


def summary_of(summary):
    return {"exchanges": summary["exchanges"], "incomplete": summary["incomplete"],
            "losses": summary["totals"].get("losses", [])}


class Notes:
    """What was noted while it ran."""

    def __init__(self):
        self.failures, self.counts, self.runs, self.app, self.samples = [], {}, {}, [], {}
        self.kills = {"origin": [], "nginx": []}
        self.exchanges, self.connections, self.totals = {}, {}, {}
        self.left_over, self.seconds = [], 0

    def take_exchange(self, line):
        response = line["response"] or {}
        self.exchanges[line["exchange"]] = {
            "n": urllib.parse.parse_qs(line["query"] or "").get("n", ["?"])[0], "outcome": line["outcome"],
            "up": line["request"]["total"], "down": response.get("total", 0) if response else 0,
            "connection": line["connection"], "started": moment(line["startedAt"]), "error": line["error"],
            "path": line["path"],
            "adds_up": all(
                message is None or None in (message["total"], message["startLine"]) or message["total"] == sum(
                    message[part] or 0 for part in ("startLine", "fields", "interim", "body", "framing"))
                for message in (line["request"], line["response"]))}

    def take_connection(self, line):
        self.connections[line["connection"]] = {
            "port": line["localPort"], "peer": line["remotePort"], "tls": line["tls"] is not None, "protocol": line["protocol"],
            "opened": moment(line["openedAt"]), "closed": moment(line["closedAt"]), "payload": line["payload"],
            "messages": line["messages"], "overhead": line["overhead"],
            "unaccounted": line["unaccounted"], "process": line["process"]}

    def save(self, path):
        path.write_text(json.dumps(self.__dict__))

    @classmethod
    def load(cls, path):
        notes = cls()
        notes.__dict__.update(json.loads(path.read_text()))
        for name in ("exchanges", "connections"):
            setattr(notes, name, {int(key): value for key, value in getattr(notes, name).items()})
        return notes


def label(number):
    return number.removesuffix("-r").rsplit("-", 1)[0]


class Judge:
    """Compares, and keeps the figures."""

    def __init__(self, notes, folder):
        self.notes, self.folder = notes, folder
        self.failures = list(notes.failures)
        self.figures = collections.OrderedDict()
        self.oldest_lost = 0.0
        self.read_logs()

    def read_logs(self):
        self.seen, self.closed, self.carried = collections.defaultdict(dict), collections.defaultdict(list), collections.Counter()
        self.cut = set()
        for position, text in enumerate((self.folder / "origin.ndjson").read_text().splitlines()):
            line = json.loads(text)
            if line["event"] == "begin":
                self.seen[line["n"]][line["connection"], line["t"]] = {**line, "began": line["t"], "end": None}
            elif line["event"] == "end":
                exchange = self.seen[line["n"]][line["connection"], line["began"]]
                exchange.update(end=line["t"], up=line["up"], down=line["down"], kind=line["kind"])
                self.carried[line["connection"]] += line["down"]
            else:
                self.closed[line["port"]].append(line)
        log = self.folder / "nginx.ndjson"
        self.nginx = collections.defaultdict(list)
        for text in log.read_text().splitlines() if log.exists() else []:
            line = json.loads(text)
            number = urllib.parse.parse_qs(urllib.parse.urlsplit(line["target"]).query).get("n", ["?"])[0]
            self.nginx[number].append(line)

    def fail(self, *words):
        self.failures.append(" ".join(map(str, words)))

    def under_way(self, number, end):
        """Why this exchange need not be whole in the store; nil where it must be."""
        name = label(number)
        if name.startswith("app-"):
            life = int(name.split("-")[1])
            stop = next((step["t"] for step in self.notes.app if (step["event"], step["life"]) == ("stopping", life)), None)
            return "the monitor was stopped" if stop is None or end is None or end > stop - 0.3 else None
        run = self.notes.runs.get(name)
        if run is None or run["ended"] == "normally":
            return None
        if run["ended"] == "hung":
            return "the run hung"
        return run["ended"] if end is None or end > run["at"] - BEFORE[run["ended"]] else None

    # MARK: exchanges

    def compare_exchanges(self):
        rows = collections.defaultdict(list)
        for row in self.notes.exchanges.values():
            rows[row["n"]].append(dict(row))
        same = collections.Counter()
        lost, other = collections.Counter(), collections.Counter()
        up = down = 0
        for number, found in self.seen.items():
            left = rows.get(number, [])
            for exchange in found.values():
                if number.startswith("unmetered-"):
                    continue
                if exchange["end"] is None:
                    # The origin was killed during it, so it is unknown what was sent.
                    same["begun when the origin was killed"] += 1
                    row = next((row for row in left), None)
                    if row is not None:
                        left.remove(row)
                    elif not self.under_way(number, None):
                        self.fail(f"exchange {number}: no row, and the origin was killed in it")
                    continue
                row = next((row for row in left if (row["up"], row["down"]) == (exchange["up"], exchange["down"])), None)
                if row is not None:
                    left.remove(row)
                    same["same to the byte"] += 1
                    up, down = up + exchange["up"], down + exchange["down"]
                    continue
                row = next((row for row in left if row["up"] == exchange["up"] and row["outcome"] != "completed"
                            and row["down"] is not None and row["down"] < exchange["down"]), None)
                reason = self.under_way(number, exchange["end"])
                if reason:
                    (lost if not left else other)[reason] += 1
                    if not left and self.notes.runs.get(label(number)):
                        age = self.notes.runs[label(number)]["at"] - exchange["end"]
                        self.oldest_lost = max(self.oldest_lost, age)
                    left[:] = left[1:]
                elif row is not None:
                    left.remove(row)
                    same["given up before all had come"] += 1
                else:
                    self.fail(f"exchange {number} ({exchange['kind']}): the origin has {exchange['up']} up and "
                              f"{exchange['down']} down, the store {left or 'nothing'}")
                    left.clear()
            # What is left was never answered: the origin was gone, or a connection closed under a request.
        answered = 0
        for number, left in rows.items():
            if number.startswith("unmetered-"):
                self.fail(f"exchange {number} was metered while no monitor ran")
            for row in left:
                if self.is_h2(number) or number.startswith("last-"):
                    continue
                if row["outcome"] == "completed":
                    self.fail(f"exchange {number}: a row that is complete, and the origin has none: {row}")
                answered += 1
        self.figures["exchanges that the origin logged"] = sum(len(found) for found in self.seen.values())
        self.figures["— while no monitor ran, and without a row"] = sum(
            len(found) for number, found in self.seen.items() if number.startswith("unmetered-"))
        for name, count in same.most_common():
            self.figures[f"— {name}"] = count
        self.figures["— bytes of those that are the same, up and down"] = f"{up:,} and {down:,}"
        for reason, count in sorted(lost.items()):
            self.figures[f"— under way when {reason}, without a row"] = count
        for reason, count in sorted(other.items()):
            self.figures[f"— under way when {reason}, with less in the row"] = count
        self.figures["— the oldest of those without a row had ended before the kill (s)"] = f"{self.oldest_lost:.2f}"
        self.figures["rows of requests that reached no origin, none of them complete"] = answered

    def is_h2(self, number):
        return number.startswith("h2.")

    def compare_h2(self):
        rows = collections.defaultdict(list)
        for row in self.notes.exchanges.values():
            if self.is_h2(row["n"]):
                rows[row["n"]].append(row)
        logged = missing = 0
        for number, lines in self.nginx.items():
            if not self.is_h2(number):
                continue
            logged += len(lines)
            # curl 7.88 at times sits on an answered upload for a second, without a meter, too: asked to end then, it leaves it.
            completed = [
                row for row in rows.get(number, [])
                if row["outcome"] == "completed" or (row["outcome"] == "abandoned" and row["down"] and self.under_way(number, None))]
            whole = [line for line in lines if line["status"] != 499]
            # A run that was cut short may lack some; how much passed is checked connection by connection.
            if len(completed) < len(whole) and not self.under_way(number, min(line["t"] for line in whole)):
                missing += 1
                self.fail(f"exchange {number} over HTTP/2: nginx answered {len(whole)}, the store has {len(completed)}")
        self.figures["exchanges over HTTP/2 that nginx logged"] = logged

    # MARK: connections

    def compare_connections(self):
        figures = collections.Counter()
        labels = collections.defaultdict(set)
        for row in self.notes.exchanges.values():
            if row["connection"] is not None:
                labels[row["connection"]].add(label(row["n"]))
        payload = [0, 0]
        for number, line in self.notes.connections.items():
            figures["connections"] += 1
            left = line["unaccounted"]
            values = [left["up"], left["down"]] if left else [None, None]
            if None in values:
                figures["— without a count of the kernel"] += 1
                continue
            if values != [0, 0]:
                figures["— whose ledger does not close"] += 1
                self.fail(f"connection {number}: unaccounted {values}, of {sorted(labels[number])}: {line}")
            else:
                figures["— whose ledger closes"] += 1
                payload[0] += line["payload"]["up"]
                payload[1] += line["payload"]["down"]
            # A port is used again: the one that was open when this was, and was accepted at about the same time. Of an
            # origin that was killed there is none, and the port's next connection may come within seconds.
            closed = min(
                (one for one in self.closed.get(line["port"], ())
                 if line["opened"] is not None and line["closed"] is not None and one["tls"] == line["tls"]
                 and one["opened"] - 3 < line["opened"] < one["t"] and one["t"] < line["closed"] + 6
                 and one["opened"] < line["closed"] + 1),
                key=lambda one: abs(one["opened"] - line["opened"]), default=None)
            if closed is None or line["protocol"] != "http/1.1":
                continue
            if any(self.under_way(f"{name}-0", None) for name in labels[number]) or "app" in "".join(labels[number]):
                continue
            key = closed["connection"]
            if line["tls"]:
                mine, theirs = (line["payload"]["up"], line["payload"]["down"]), (closed["received"], closed["acknowledged"])
                if None in theirs:
                    continue
                # A FIN counts one, where it had come when the kernel was asked.
                is_same = all(0 <= their - my <= 1 for my, their in zip(mine, theirs))
                kind = "inside TLS"
            else:
                mine, theirs = (line["payload"]["up"], line["payload"]["down"]), (closed["read"], self.carried[key])
                is_same = mine == theirs
                kind = "in the clear"
            figures[f"— {kind}, as long as the origin says, both ways" if is_same
                    else f"— {kind}, that were given up before all had come"] += 1
            if not is_same and not (mine[0] >= theirs[0] and mine[1] <= theirs[1]):
                self.fail(f"connection {number}: {mine} here, {theirs} at the origin ({key}): {line} {closed}")
        for name in sorted(figures, key=lambda name: (name != "connections", -figures[name])):
            self.figures[name] = figures[name]
        self.figures["— payload of the ledgers that close, up and down"] = f"{payload[0]:,} and {payload[1]:,}"

    # MARK: the store

    def check_store(self):
        notes, totals = self.notes, self.notes.totals
        rows = notes.exchanges.values()
        up, down = sum(row["up"] or 0 for row in rows), sum(row["down"] or 0 for row in rows)
        self.figures["rows that ever were, and requests in the sums"] = f"{len(rows):,} and {totals['requests']:,}"
        self.figures["— bytes of the rows and of the sums"] = f"{up + down:,} and {totals['up'] + totals['down']:,}"
        if (len(rows), up, down) != (totals["requests"], totals["up"], totals["down"]):
            self.fail(f"the rows have {(len(rows), up, down)}, the sums {totals['requests'], totals['up'], totals['down']}")
        self.figures["— rows that retention has taken"] = len(rows) - self.rows_left()
        if totals.get("losses"):
            self.fail("the store reports losses:", totals["losses"])
        for row in rows:
            if not row["adds_up"]:
                self.fail("the parts of a message do not add up:", row)
            if row["outcome"] in (None, "running"):
                self.fail("an exchange still runs, and its program has ended:", row)
        for run in notes.runs.values():
            summary = run.get("summary") or {}
            if summary.get("incomplete") or summary.get("losses"):
                self.fail(f"run {run['name']} ({run['ended']}):", summary)
        for step in notes.app:
            if step["lost"] or step["error"]:
                self.fail("the app's monitor:", step)
        self.figures["events lost, of the runs and of the app"] = 0 if not self.failures else "see below"

    def rows_left(self):
        with sqlite3.connect(f"file:{self.folder}/traffic.db?mode=ro", uri=True) as store:
            verdicts = [row[0] for row in store.execute("PRAGMA integrity_check")]
            self.figures["integrity check of the store"] = ", ".join(verdicts)
            if verdicts != ["ok"]:
                self.fail("the store is damaged:", verdicts[:5])
            return store.execute("SELECT count(*) FROM exchange").fetchone()[0]

    def check_left_over(self):
        self.figures["processes and files left over"] = len(self.notes.left_over)
        for one in self.notes.left_over:
            self.fail("left over:", one)

    # MARK: growth

    def growth(self):
        lines = ["| process | resident MiB: first, second, third, last quarter | descriptors | threads |", "| --- | --- | --- | --- |"]
        for name, samples in self.notes.samples.items():
            quarter = len(samples) // 4
            if quarter < 2:
                continue
            parts = [samples[quarter * index:quarter * (index + 1)] for index in range(4)]
            sizes = [statistics.median(sample[1] for sample in part) / 1_024 for part in parts]
            descriptors = [max(sample[2] for sample in part) for part in parts]
            threads = [max(sample[3] for sample in part) for part in parts]
            lines.append(f"| {name} | {', '.join(f'{size:.1f}' for size in sizes)} | "
                         f"{', '.join(map(str, descriptors))} | {', '.join(map(str, threads))} |")
            # Foundation's own URLSession grows by two MiB for 10,000 exchanges, metered or not.
            allowed = 4 + (0 if name in ("wireweight run", "inspector") else self.notes.seconds / 400)
            # Rows go after 15 minutes for the first time: before that, the second quarter is no measure.
            if self.notes.seconds >= 3_500 and sizes[3] - sizes[1] > allowed:
                self.fail(f"{name} has grown by {sizes[3] - sizes[1]:.1f} MiB from the second quarter to the last")
            if self.notes.seconds > 1_200 and descriptors[3] > descriptors[1] + 8:
                self.fail(f"{name} has more and more descriptors: {descriptors}")
        return lines

    def judge(self):
        self.figures["seconds"] = round(self.notes.seconds)
        self.figures["exchanges a second"] = round(
            (sum(len(found) for found in self.seen.values()) + len(self.nginx)) / self.notes.seconds, 1)
        for what, count in sorted(self.notes.counts.items()):
            self.figures[what] = count
        self.figures["runs that ended by themselves"] = sum(run["ended"] == "normally" for run in self.notes.runs.values())
        self.figures["lives of the app's monitor"] = sum(step["event"] == "stopped" for step in self.notes.app)
        self.compare_exchanges()
        self.compare_h2()
        self.compare_connections()
        self.check_store()
        self.check_left_over()
        print("| what | figure |\n| --- | ---: |")
        for name, figure in self.figures.items():
            print(f"| {name} | {format(figure, ',') if isinstance(figure, int) else figure} |")
        print()
        print("\n".join(self.growth()))
        print()
        for failure in self.failures[:100]:
            print("FAILED:", failure[:600])
        print(f"soak: {len(self.failures)} failures" if self.failures else "soak: the ledger closes to the byte")
        return 1 if self.failures else 0


def judge(notes, folder):
    return Judge(notes, pathlib.Path(folder)).judge()


if __name__ == "__main__":
    sys.exit(judge(Notes.load(pathlib.Path(sys.argv[1]) / "notes.json"), sys.argv[1]))
