import assert from "node:assert/strict";
import { test } from "node:test";
import { row } from "./browser.js";

const format = await import("../../Sources/TrafficInspector/Web/format.js");
const { speak } = await import("../../Sources/TrafficInspector/Web/messages.js");

test("bytes use decimal units with one digit", () => {
  const texts = [null, 0, 999, 1000, 999_949, 999_950, 1_500_000, 2e9, 3e15, -1500].map((size) => format.bytes(size));
  assert.deepEqual(texts, ["–", "0 B", "999 B", "1.0 KB", "999.9 KB", "1.0 MB", "1.5 MB", "2.0 GB", "3,000.0 TB", "-1.5 KB"]);
});

test("exact bytes show all digits, and name what is unknown", () => {
  assert.equal(format.exactBytes(1_234_567), "1,234,567 B");
  assert.equal(format.exactBytes(0), "0 B");
  assert.notEqual(format.exactBytes(null), "0 B");
});

test("durations change their unit before they need more digits", () => {
  const texts = [null, 0, 0.25, 9.94, 10.4, 999.4, 999.6, 9_994, 9_996, 59_949, 59_950, 3_600_000, 7_260_000].map(
    (milliseconds) => format.duration(milliseconds));
  assert.deepEqual(texts, [
    "–", "0 ms", "250 µs", "9.9 ms", "10 ms", "999 ms", "1.00 s", "9.99 s", "10.0 s", "59.9 s", "1 min 0 s", "1 h 0 min", "2 h 1 min",
  ]);
});

test("a percentage is never rounded to nothing", () => {
  assert.deepEqual([0, 0.0004, 0.125, 1, NaN, null].map((share) => format.percent(share)),
    ["0.0 %", "< 0.1 %", "12.5 %", "100.0 %", "–", "–"]);
});

test("numbers follow the page's language", async () => {
  await speak("zh");
  assert.equal(format.number(1234.5, 1), "1,234.5");
  await speak("en");
});

test("a status has a class by what happened", () => {
  const of = (change) => format.statusClass(row(change));
  assert.equal(of({ state: "running", status: null }), "running");
  assert.equal(of({ state: "running", status: 200 }), "running");
  assert.equal(of({ state: "incomplete", status: 200 }), "unknown");
  assert.equal(of({ state: "failed", status: null }), "none");
  assert.equal(of({ state: "failed", status: 200 }), "broken");
  assert.equal(of({ status: 404 }), "s4");
});

test("a media type loses its parameters and the top level that says nothing", () => {
  assert.deepEqual(["application/json; charset=utf-8", "text/HTML", "image/png", "model/gltf+json", "", null].map(format.shortType),
    ["json", "html", "image/png", "model/gltf+json", "", ""]);
});

test("an API's name keeps its template apart from the host where it is no path", () => {
  assert.equal(format.apiName({ method: "GET", host: "h:1", template: "/a" }), "GET h:1/a");
  assert.equal(format.apiName({ method: "OPTIONS", host: "h", template: "*" }), "OPTIONS h *");
});

test("a host without a port means any port", () => {
  const here = row();
  assert.deepEqual(["api.test", "API.test", "api.test:8080", "api.test:*", "api.test:81", "test"].map((name) => format.isHost(here, name)),
    [true, true, true, true, false, false]);
});

test("a time beside another has a date of its own only on another day", () => {
  const morning = new Date(2025, 5, 2, 8).getTime();
  assert.equal(format.clock(new Date(2025, 5, 2, 9, 5).getTime(), false, morning), "09:05:00");
  assert.equal(format.clock(new Date(2025, 5, 3, 9, 5).getTime(), false, morning), "2025-06-03 09:05:00");
});
