"""Holds exports against other people's readers: JSON schema, OpenTelemetry's classes, OpenMetrics' and CSV's parsers.

usage: exports.py FOLDER, where the exports lie as out.har, out.csv, out.ndjson, out.otlp-json, out.otlp-protobuf and out.openmetrics
"""

import base64
import csv
import json
import pathlib
import re
import sys

import jsonschema
from google.protobuf import json_format
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import ExportMetricsServiceRequest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from prometheus_client.openmetrics.parser import text_string_to_metric_families

folder = pathlib.Path(sys.argv[1])


def text(name):
    return (folder / f"out.{name}").read_text(encoding="utf-8")


lines = [json.loads(line) for line in text("ndjson").splitlines()]
assert lines, "no exchange was exported"

archive = json.loads(text("har"))
schema = json.loads((pathlib.Path(__file__).parent / "har.schema.json").read_text())
jsonschema.Draft7Validator.check_schema(schema)
jsonschema.Draft7Validator(schema).validate(archive)
entries = archive["log"]["entries"]
assert len(entries) == len(lines)
for entry, line in zip(entries, lines):
    phases = [entry["timings"][name] for name in ("blocked", "dns", "connect", "send", "wait", "receive")]
    assert abs(sum(max(0, phase) for phase in phases) - entry["time"]) < 0.001, entry
    request = line["request"]
    assert entry["request"]["headersSize"] == request["startLine"] + request["fields"]
    assert entry["request"]["bodySize"] == request["body"]
    if line["response"]:
        response = line["response"]
        assert entry["response"]["headersSize"] == response["startLine"] + response["fields"]
        assert entry["response"]["bodySize"] == response["body"]

with open(folder / "out.csv", newline="", encoding="utf-8") as file:
    rows = list(csv.DictReader(file, strict=True))
assert len(rows) == len(lines)
for row, line in zip(rows, lines):
    assert None not in row and None not in row.values()
    assert row["url"] == line["url"] and row["requestTotal"] == str(line["request"]["total"])

spans = 0
durations = 0
for line in text("otlp-json").splitlines():
    if "resourceMetrics" in json.loads(line):
        message = json_format.Parse(line, ExportMetricsServiceRequest())
        for metric in message.resource_metrics[0].scope_metrics[0].metrics:
            if metric.name == "http.client.request.duration":
                points = metric.exponential_histogram.data_points
                durations += sum(point.count for point in points)
                for point in points:
                    assert sum(point.positive.bucket_counts) + point.zero_count == point.count
    else:
        message = json_format.Parse(line, ExportTraceServiceRequest())
        for resource in message.resource_spans:
            for span in resource.scope_spans[0].spans:
                spans += 1
                assert span.end_time_unix_nano >= span.start_time_unix_nano > 0
ended = sum(1 for line in lines if line["outcome"])
assert spans == ended and durations == ended, (spans, durations, ended)

# The same messages, to the byte as OpenTelemetry's own classes write them.
framed = (folder / "out.otlp-protobuf").read_bytes()
place = 0
for line in text("otlp-json").splitlines():
    # OTLP's JSON has identifiers in hexadecimal, that of Protocol Buffers in Base64.
    line = re.sub(r'("(?:trace|span)Id":")([0-9a-f]+)"', lambda id: id[1] + base64.b64encode(bytes.fromhex(id[2])).decode() + '"', line)
    kind = ExportMetricsServiceRequest if "resourceMetrics" in json.loads(line) else ExportTraceServiceRequest
    size = int.from_bytes(framed[place:place + 4], "big")
    written, place = framed[place + 4:place + 4 + size], place + 4 + size
    message = json_format.Parse(line, kind())
    assert kind.FromString(written) == message
    assert message.SerializeToString(deterministic=True) == written
assert place == len(framed) > 10_000, (place, len(framed))

families = {family.name: family for family in text_string_to_metric_families(text("openmetrics"))}
metered = sum(sample.value for sample in families["wireweight_request_bytes"].samples)
assert metered == sum(line["request"]["total"] for line in lines), metered
assert families["wireweight_duration_seconds"].type == "histogram"

print(f"{len(entries)} entries, {spans} spans, {len(families)} families of metrics: all read")
