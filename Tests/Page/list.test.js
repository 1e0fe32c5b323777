import assert from "node:assert/strict";
import { test } from "node:test";
import { row, serve } from "./browser.js";

const web = "../../Sources/TrafficInspector/Web/";
const { Columns, orderOf, widthsOf } = await import(`${web}columns.js`);
const { byRepeats } = await import(`${web}repeats.js`);
const { mostChosen, percentile, Selection, sumsOf } = await import(`${web}selection.js`);
const { commandsFor, distance } = await import(`${web}palette.js`);
const { weighed } = await import(`${web}heads.js`);
const { Rows } = await import(`${web}rows.js`);

test("columns that an order does not name keep their usual place, and what is no column is ignored", () => {
  const usual = ["status", "method", "host", "path", "type", "up", "down", "duration", "waterfall", "evidence"];
  assert.deepEqual(orderOf(""), usual);
  assert.deepEqual(orderOf("path path nonsense status"),
    ["path", "type", "up", "down", "duration", "waterfall", "evidence", "status", "method", "host"]);
  assert.deepEqual([...orderOf("evidence host")].sort(), [...usual].sort());
});

test("widths have bounds, and the path has the width that is left", () => {
  assert.deepEqual([...widthsOf("host:120 path:300 up:1 down:9999 type:x no:5 status:-4")], [["host", 120], ["up", 36], ["down", 640]]);
});

test("columns are moved within their row, and what was done is kept", () => {
  const columns = new Columns();
  assert.equal(columns.move("type", 0), true);
  assert.equal(columns.move("status", -5), true);
  assert.equal(columns.move("status", 0), false);
  assert.equal(columns.move("nonsense", 3), false);
  columns.move("method", 99);
  columns.resize("host", 200.4);
  columns.resize("path", 200);
  const again = new Columns();
  assert.deepEqual(again.order, columns.order);
  assert.deepEqual(again.order.slice(0, 2), ["status", "type"]);
  assert.equal(again.order.at(-1), "method");
  assert.deepEqual([...again.widths], [["host", 200]]);
  again.reset();
  assert.deepEqual(new Columns().order, orderOf(""));
});

test("rows are chosen one by one and in ranges, up to the most that a request may name", () => {
  const selection = new Selection();
  assert.equal(selection.toggle(row({ id: 3 })), true);
  assert.equal(selection.add([row({ id: 4 }), row({ id: 3 })]), true);
  assert.deepEqual(selection.ids, [3, 4]);
  selection.toggle(row({ id: 3 }));
  assert.deepEqual(selection.ids, [4]);
  assert.equal(selection.anchor, 3);
  assert.equal(selection.set(Array.from({ length: mostChosen + 1 }, (_, id) => row({ id }))), false);
  assert.equal(selection.size, mostChosen);
  assert.equal(selection.clear(), true);
  assert.equal(selection.clear(), false);
});

test("a chosen row becomes what it has become, and others are not taken", () => {
  const selection = new Selection();
  selection.set([row({ id: 1, state: "running", down: null })]);
  assert.equal(selection.come([row({ id: 2 })]), false);
  assert.equal(selection.come([row({ id: 1, down: 900 })]), true);
  assert.equal(sumsOf(selection.rows.values()).down, 900);
  assert.equal(selection.size, 1);
});

test("sums count what is unknown as nothing, and percentiles are values that occur", () => {
  const rows = [row({ up: 100, down: 900, duration: 10 }), row({ up: 50, down: null, duration: null, failed: true }), row({ up: 1, down: 2, duration: 30 })];
  assert.deepEqual(sumsOf(rows), {
    requests: 3, failures: 1, up: 151, down: 902, total: 1053, call: { p50: 50, p95: 1000 }, time: { p50: 10, p95: 30 },
  });
  assert.equal(percentile([], 0.5), null);
  assert.equal(percentile([7], 0.95), 7);
  assert.equal(percentile(Array.from({ length: 100 }, (_, index) => 100 - index), 0.95), 95);
});

test("the palette finds names by words and by letters in their order, the nearest first", () => {
  const command = (label, group = "Pages") => ({ label, group, act: () => {} });
  const all = ["Copy as Python (urllib)", "Copy as URL", "Connections", "Compare", "Columns"].map((label) => command(label));
  const names = (query) => commandsFor(all, query).map(({ label }) => label);
  assert.equal(names("copy url")[0], "Copy as URL");
  assert.equal(names("conn")[0], "Connections");
  assert.equal(names("cmp")[0], "Compare");
  assert.deepEqual(names("zzz"), []);
  assert.deepEqual(names(""), all.map(({ label }) => label));
  assert.equal(distance("Überblick", "über"), 1);
  assert.ok(Number(distance("APIs", "apis")) < Number(distance("All APIs", "apis")));
});

test("lines are sorted by what their repetitions weigh, and a replaced value is not compared", () => {
  const lines = weighed(["A: 1", "Authorization: [redacted 9 B]", "Long: 0123456789", "B: 2"], [5, 5, 2, 0]);
  assert.deepEqual(lines.map(({ again }) => again), [5, null, 2, 0]);
  assert.deepEqual(byRepeats(lines).map(({ line }) => line[0]), ["L", "A", "B", "A"]);
  assert.deepEqual(weighed(["A: 1"], undefined)[0].again, null);
});

/** A view of 450 rows, the newest first. */
async function viewOf450() {
  serve((url) => {
    const offset = Number(url.searchParams.get("cursor")?.split(":")[1] ?? 0);
    const exchanges = Array.from({ length: Math.min(200, 450 - offset) }, (_, index) => row({ id: 450 - offset - index }));
    return { body: { exchanges, total: 450, offset, view: "v", cursor: null, truncated: false, searched: 1 } };
  });
  const rows = new Rows(() => {});
  rows.filters = {};
  await rows.make();
  return rows;
}

test("rows are read from one index to another, those that came since included", async () => {
  const rows = await viewOf450();
  rows.come([row({ id: 451 })]);
  assert.deepEqual((await rows.read(0, 2)).map(({ id }) => id), [451, 450, 449]);
  const read = await rows.read(150, 449);
  assert.equal(read.length, 300);
  assert.deepEqual([read[0].id, read.at(-1).id], [301, 2]);
  assert.deepEqual((await rows.read(450, 460)).map(({ id }) => id), [1]);
});

test("what comes while the list is held waits, each once, and what is shown still changes", async () => {
  const rows = await viewOf450();
  rows.held = true;
  rows.come([row({ id: 451, state: "running" }), row({ id: 450, status: 503 })]);
  rows.come([row({ id: 451 }), row({ id: 452 })]);
  assert.equal(rows.count, 450);
  assert.equal(rows.waiting, 2);
  assert.equal(rows.at(0).status, 503);
  await rows.make();
  // Made again, it has all that has come.
  assert.deepEqual([rows.at(0).id, rows.at(1).id, rows.count, rows.waiting], [452, 451, 452, 0]);
});
