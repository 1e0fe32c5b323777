import assert from "node:assert/strict";
import { test } from "node:test";
import "./browser.js";

process.env.TZ = "Asia/Kolkata";
const { tickText, timeTicks } = await import("../../Sources/TrafficInspector/Web/timeline.js");

/** The words below the ticks. */
const of = (from, span, most) => {
  const start = new Date(from).getTime();
  const { step, ticks } = timeTicks(start, start + span, most);
  return ticks.map((tick) => tickText(tick, step));
};

test("times are round in the local zone, and not too many", () => {
  assert.deepEqual(of("2026-11-21T01:39:26", 4 * 3_600_000, 6), ["02:00", "03:00", "04:00", "05:00"]);
  assert.deepEqual(of("2026-11-21T12:00:01", 41_000, 10), ["12:00:05", "12:00:10", "12:00:15", "12:00:20", "12:00:25", "12:00:30", "12:00:35", "12:00:40"]);
  assert.deepEqual(of("2026-11-21T23:59:59.950", 100, 4), ["23:59:59.950", "00:00:00.000", "00:00:00.050"]);
  assert.deepEqual(of("2026-11-21T05:00:00", 3 * 86_400_000, 4), ["2026-11-22", "2026-11-23", "2026-11-24"]);
});

test("a range of years and one of nothing have few ticks", () => {
  assert.ok(of("2000-01-01T00:00:00", 60 * 365 * 86_400_000, 8).length <= 9);
  assert.deepEqual(of("2026-11-21T05:00:00", 0, 4), ["05:00:00.000"]);
});
