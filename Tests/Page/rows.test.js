import assert from "node:assert/strict";
import { test } from "node:test";
import { row, serve } from "./browser.js";

const { Rows } = await import("../../Sources/TrafficInspector/Web/rows.js");

/** A server with that many exchanges, the newest first unless asked otherwise. */
function withExchanges(count) {
  const asked = [];
  serve((url) => {
    asked.push(url.search);
    const cursor = url.searchParams.get("cursor");
    const limit = Number(url.searchParams.get("limit"));
    const from = cursor ? Number(cursor.split(":")[1]) : 0;
    const ascending = asked.some((search) => search.includes("sort=start"));
    const ids = Array.from({ length: count }, (_, index) => (ascending ? index + 1 : count - index));
    return { body: { view: "v", total: count, truncated: false, exchanges: ids.slice(from, from + limit).map((id) => row({ id })) } };
  });
  return asked;
}

test("rows of the stream come on top of the newest first", async () => {
  withExchanges(3);
  const changes = [];
  const rows = new Rows((change) => changes.push(change));
  await rows.make();
  rows.come([row({ id: 4 }), row({ id: 5 })]);
  assert.deepEqual([0, 1, 2, 4].map((index) => rows.at(index)?.id), [5, 4, 3, 1]);
  assert.equal(rows.count, 5);
  assert.deepEqual(changes, [{ added: 0, made: true }, { added: 2, made: false }]);
  assert.deepEqual([5, 3, 99].map((id) => rows.indexOf(id)), [0, 2, -1]);
});

test("a row that ends replaces the one that ran, in its place", async () => {
  withExchanges(2);
  const rows = new Rows(() => {});
  await rows.make();
  rows.come([row({ id: 2, status: 503 })]);
  assert.equal(rows.count, 2);
  assert.equal(rows.at(0)?.status, 503);
});

test("rows that the filter leaves do not come", async () => {
  withExchanges(0);
  const rows = new Rows(() => {});
  rows.filters = { method: "POST" };
  await rows.make();
  rows.come([row({ id: 1 }), row({ id: 2, method: "POST" })]);
  assert.deepEqual([rows.count, rows.at(0)?.id], [1, 2]);
});

test("in another order rows wait, and only the server knows of texts", async () => {
  withExchanges(1);
  const rows = new Rows(() => {});
  rows.sort = "-down";
  rows.filters = { text: "x" };
  await rows.make();
  rows.come([row({ id: 2 })]);
  assert.deepEqual([rows.count, rows.waiting, rows.unsure], [1, 1, true]);
});

test("a window is read when it is needed, once", async () => {
  const asked = withExchanges(1000);
  let changed = () => {};
  const rows = new Rows(() => changed());
  await rows.make();
  assert.equal(rows.at(450), undefined);
  const arrived = new Promise((resolve) => { changed = resolve; });
  rows.need(440, 460);
  rows.need(440, 460);
  await arrived;
  assert.equal(rows.at(450)?.id, 550);
  assert.equal(asked.filter((search) => search.includes("cursor")).length, 1);
});

test("an error of the server is kept for the page to show", async () => {
  serve(() => ({ status: 400, body: { error: { code: "filter", message: "no such filter" } } }));
  const rows = new Rows(() => {});
  await rows.make();
  assert.equal(rows.error?.code, "filter");
  assert.match(rows.error?.message, /no such filter/);
});

test("a new filter is searched for until its rows come, or until it is stopped", async () => {
  withExchanges(3);
  const rows = new Rows(() => {});
  await rows.make();
  assert.equal(rows.isSearching, false);
  rows.ask({ text: "x" }, "-start", null, false);
  assert.equal(rows.isSearching, true);
  assert.equal(rows.count, 3);
  rows.stop(new Error("stopped"));
  assert.deepEqual([rows.isSearching, rows.error.message, rows.view], [false, "stopped", null]);
  await new Promise((done) => setTimeout(done, 20));
  assert.equal(rows.view, null);
  rows.ask({ text: "y" }, "-start", null, false);
  assert.deepEqual([rows.isSearching, rows.error], [true, null]);
  await new Promise((done) => setTimeout(done, 20));
  assert.deepEqual([rows.isSearching, rows.count], [false, 3]);
});

/** A server that finds five more exchanges, the newest first, with each of four calls. */
function inParts() {
  const asked = [];
  serve((url) => {
    asked.push(url.searchParams);
    const parts = asked.length;
    const total = 5 * parts;
    const exchanges = Array.from({ length: total }, (_, index) => row({ id: 100 - index }));
    return { body: { view: "v", total, truncated: false, exchanges, searched: parts / 4 } };
  });
  return asked;
}

test("what a search has found is shown while it goes on", async () => {
  const asked = inParts();
  const seen = [];
  const rows = new Rows(() => seen.push([rows.searched, rows.count, rows.at(0)?.id, rows.isSearching, rows.isEarlier]));
  rows.ask({ text: "x" }, "-start", null, false);
  assert.equal(rows.isEarlier, true);
  await new Promise((done) => setTimeout(done, 20));
  assert.deepEqual(seen, [
    [0.25, 5, 100, true, false], [0.5, 10, 100, true, false], [0.75, 15, 100, true, false], [1, 20, 100, false, false],
  ]);
  assert.deepEqual(asked.map((items) => items.get("more")), [null, "v", "v", "v"]);
  assert.equal(asked.every((items) => Number(items.get("within")) > 0), true);
});

test("a search that is stopped keeps what it has found, and asks the server for no more", async () => {
  const asked = inParts();
  const rows = new Rows(() => {
    if (rows.searched === 0.5) rows.stop(new Error("stopped"));
  });
  rows.ask({ text: "x" }, "-start", null, false);
  await new Promise((done) => setTimeout(done, 20));
  assert.deepEqual([rows.count, rows.isSearching, rows.error.message], [10, false, "stopped"]);
  // The third call was under way.
  assert.equal(asked.length <= 3, true);
});
