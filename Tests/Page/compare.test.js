import assert from "node:assert/strict";
import { test } from "node:test";
import "./browser.js";

const { pairHeaders } = await import("../../Sources/TrafficInspector/Web/pair.js");
const { newsOf } = await import("../../Sources/TrafficInspector/Web/news.js");
const { pairOf } = await import("../../Sources/TrafficInspector/Web/api-pair.js");
const { exactly } = await import("../../Sources/TrafficInspector/Web/groups.js");
const { rangesOf } = await import("../../Sources/TrafficInspector/Web/compare.js");

test("headers are paired by name, whatever its case, with what each weighs", () => {
  const pairs = pairHeaders(["Host: a", "Accept: x", "Cookie: [redacted 20 B]"], ["host: a", "Accept: xyz", "Via: p", "Via: q"]);
  assert.deepEqual(pairs.map(({ name, bytesA, bytesB, same }) => [name, bytesA, bytesB, same]), [
    ["Host", 9, 9, true], ["Accept", 11, 13, false], ["Cookie", 30, 0, false], ["Via", 0, 16, false],
  ]);
  assert.deepEqual(pairs[3].b, ["p", "q"]);
});

test("values that were replaced are equal only if they weigh the same", () => {
  const [pair] = pairHeaders(["A: [redacted 3 B]"], ["A: [redacted 4 B]"]);
  assert.equal(pair.same, false);
});

test("news are new APIs by weight, then what is clearly heavier or slower, then what vanished", () => {
  const total = (up) => ({ up, down: 0, requests: 1 });
  const rows = [
    { template: "gone", before: total(9), after: null },
    { template: "noise", before: total(9), after: total(9), perCall: { finding: "noise" }, latency: { finding: "tooFew" } },
    { template: "slower", before: total(9), after: total(9), perCall: null, latency: { finding: "slower" } },
    { template: "small", before: null, after: total(1) },
    { template: "large", before: null, after: total(5) },
    { template: "heavier", before: total(1), after: total(9), perCall: { finding: "heavier" }, latency: null },
  ];
  assert.deepEqual(newsOf(rows).map(({ kind, row }) => [kind, row.template]), [
    ["new", "large"], ["new", "small"], ["heavier", "heavier"], ["slower", "slower"], ["gone", "gone"],
  ]);
});

test("an earlier range ends where the later begins", () => {
  const overview = { firstSeen: 1000, lastSeen: 3000 };
  assert.deepEqual(rangesOf("halves", {}, overview),
    { comparison: { before: "this", "before.until": "2000" }, since: "2000", until: undefined });
  assert.deepEqual(rangesOf("just-before", { since: "2000", until: "2500" }, overview),
    { comparison: { before: "this", "before.since": "1500", "before.until": "2000" }, since: "2000", until: "2500" });
  assert.deepEqual(rangesOf("all-before", { since: "2000" }, overview),
    { comparison: { before: "this", "before.until": "2000" }, since: "2000", until: undefined });
});

test("a pair of APIs is what was named, and else the heaviest", () => {
  assert.deepEqual(pairOf(["x", "y", "z"], undefined, undefined), ["x", "y"]);
  assert.deepEqual(pairOf(["x", "y", "z"], "y", undefined), ["y", "x"]);
  assert.deepEqual(pairOf(["x", "y", "z"], "x", "z"), ["x", "z"]);
  assert.deepEqual(pairOf(["x"], undefined, undefined), ["x", undefined]);
});

test("a filter for one path has no pattern of the path's own", () => {
  assert.equal(exactly("path", "/a.b/(c)*"), 'path:~"^/a[.]b/[(]c[)][*]$"');
  assert.equal(exactly("path", '/"\\^[x]'), 'path:~"^/....x.$"');
});
