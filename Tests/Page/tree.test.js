import assert from "node:assert/strict";
import { test } from "node:test";
import "./browser.js";

const { parse, placesIn, wayTo } = await import("../../Sources/TrafficInspector/Web/tree.js");
const ways = (text, word) => placesIn(parse(text), word).map(wayTo);

test("a word is found in keys and leaves, in the order of the tree", () => {
  const text = '{"lamp": 1, "a": ["x", {"b": "a LAMP"}], "n": 12345678901234567890, "t": [true, null]}';
  assert.deepEqual(ways(text, "lamp"), [[0], [1, 1, 0]]);
  assert.deepEqual(ways(text, "78901"), [[2]]);
  assert.deepEqual(ways(text, "null"), [[3, 1]]);
  assert.deepEqual(ways(text, "nowhere"), []);
  assert.deepEqual(ways('"lamp"', "lamp"), [[]]);
});

test("a deep value is searched, and opened as far as a page can be", () => {
  const text = `${"[".repeat(5000)}"lamp"${"]".repeat(5000)}`;
  assert.deepEqual(ways(text, "lamp").map((way) => way.length), [200]);
});
