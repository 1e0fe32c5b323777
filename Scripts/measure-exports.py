#!/usr/bin/python3
"""Measures import and every export on a store of a million exchanges over 1,000 APIs: time, and the most memory held.

usage: measure-exports.py [COMMAND [COUNT]]; COMMAND is .build/release/wireweight by default
"""

import datetime
import json
import os
import pathlib
import random
import sys
import tempfile
import time

command = sys.argv[1] if len(sys.argv) > 1 else ".build/release/wireweight"
count = int(sys.argv[2]) if len(sys.argv) > 2 else 1_000_000
random.seed(7)


def entry(moment):
    api = random.randrange(1000)
    host = f"api{api % 20}.example.com"
    query = f"?page={random.randrange(100_000)}&per_page=50" if random.random() < 0.3 else ""
    body = random.randrange(100, 20_000)
    wait, receive = random.random() * 200, random.random() * 20

    def fields(**pairs):
        return [{"name": name.replace("_", "-"), "value": value} for name, value in pairs.items()]

    return {
        "startedDateTime": moment.isoformat(timespec="milliseconds") + "Z",
        "time": wait + receive + 1,
        "request": {
            "method": "GET",
            "url": f"https://{host}/v1/things{api}/{random.randrange(100_000)}{query}",
            "httpVersion": "HTTP/1.1",
            "cookies": [],
            "headers": fields(
                Host=host, Accept="application/json", Authorization=f"Bearer {random.getrandbits(128):x}",
                User_Agent="Example/1.2", Cookie=f"sid={random.getrandbits(64):x}; theme=dark"),
            "queryString": [],
            "headersSize": 240,
            "bodySize": 0,
        },
        "response": {
            "status": 200 if random.random() < 0.95 else 404,
            "statusText": "OK",
            "httpVersion": "HTTP/1.1",
            "cookies": [],
            "headers": fields(
                Content_Type="application/json", Content_Encoding="gzip", ETag=f'"{random.getrandbits(64):x}"',
                Date=moment.strftime("%a, %d %b %Y %H:%M:%S GMT")),
            "content": {"size": body * 4, "mimeType": "application/json"},
            "redirectURL": "",
            "headersSize": 210,
            "bodySize": body,
        },
        "cache": {},
        "timings": {"blocked": 0.5, "dns": -1, "connect": -1, "ssl": -1, "send": 0.5, "wait": wait, "receive": receive},
        "serverIPAddress": f"10.0.0.{random.randrange(1, 5)}",
        "connection": str(api * 7),
    }


def write_archive(path):
    moment = datetime.datetime(2026, 1, 1)
    with open(path, "w", encoding="utf-8") as file:
        file.write('{"log":{"version":"1.2","creator":{"name":"sample","version":"1"},"entries":[\n')
        for number in range(count):
            moment += datetime.timedelta(milliseconds=random.randrange(1, 20))
            file.write((",\n" if number else "") + json.dumps(entry(moment), separators=(",", ":")))
        file.write("\n]}}\n")


def measure(name, *words, output):
    begin = time.monotonic()
    process = os.posix_spawn(
        command, [command, *map(str, words)], os.environ,
        file_actions=[(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)])
    _, status, usage = os.wait4(process, 0)
    if status:
        sys.exit(f"{name} ended with {os.waitstatus_to_exitcode(status)}")
    seconds = time.monotonic() - begin
    cpu = usage.ru_utime + usage.ru_stime
    size = output.stat().st_size / 1e6
    print(f"| {name} | {size:,.0f} MB | {cpu:.1f} s | {seconds:.1f} s | {usage.ru_maxrss / 1024:.0f} MiB |", flush=True)


with tempfile.TemporaryDirectory() as folder:
    folder = pathlib.Path(folder)
    archive, store = folder / "sample.har", folder / "sample.db"
    write_archive(archive)
    print(f"{count:,} exchanges, a HAR of {archive.stat().st_size / 1e6:,.0f} MB\n")
    print("| what | written | processor | clock | most memory |")
    print("| --- | ---: | ---: | ---: | ---: |")
    measure("import", "import", archive, "--db", store, output=store)
    archive.unlink()
    for format in ("har", "csv", "ndjson", "curl", "openmetrics", "otlp-json", "otlp-protobuf"):
        out = folder / f"out.{format}"
        measure(f"export --format {format}", "export", store, "--format", format, "--output", out, output=out)
        out.unlink()
