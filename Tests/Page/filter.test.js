import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import "./browser.js";

const web = "../../Sources/TrafficInspector/Web/";
const { quotedValue, termsOf, withTerm, without } = await import(`${web}filter-terms.js`);
const { filterHistory, filterKeys, forgetFilters, isBegun, remember, suggestionsFor } = await import(`${web}completion.js`);
const { around } = await import(`${web}mistake.js`);
const { messages } = await import(`${web}messages.js`);

test("a filter is cut into its terms, with keys, signs and quotes", () => {
  const terms = termsOf('status:4xx -HOST:"a b" login https://a.test/x  "in: quotes" -');
  assert.deepEqual(terms.map(({ text }) => text), ["status:4xx", '-HOST:"a b"', "login", "https://a.test/x", '"in: quotes"', "-"]);
  assert.deepEqual(terms.map(({ key }) => key), ["status", "host", null, null, null, null]);
  assert.deepEqual(terms.map(({ isNegated }) => isNegated), [false, true, false, false, false, false]);
  const [status, host] = terms;
  assert.equal('status:4xx -HOST:"a b"'.slice(host.value), '"a b"');
  assert.deepEqual([status.from, status.to], [0, 10]);
  assert.deepEqual(termsOf('open:"never ends').map(({ text }) => text), ['open:"never ends']);
  assert.deepEqual(termsOf('a\\ b "c\\" d" e').map(({ text }) => text), ["a\\ b", '"c\\" d"', "e"]);
  assert.deepEqual(termsOf("  "), []);
});

test("a term is taken out and put in, and is never there twice", () => {
  const text = "a -path:/health  b";
  const [first, second, third] = termsOf(text);
  assert.deepEqual([without(text, first), without(text, second), without(text, third)], ["-path:/health  b", "a b", "a -path:/health"]);
  assert.equal(withTerm("a", "-host:b"), "a -host:b");
  assert.equal(withTerm("a -host:b", "-host:b"), "a -host:b");
  assert.equal(withTerm("", "x"), "x");
});

test("values are in quotes where the language needs it", () => {
  assert.deepEqual(["a.test:80", "GET /x", 'a"b\\', "a,b", "~x", "-x", "*", ""].map(quotedValue),
    ["a.test:80", '"GET /x"', '"a\\"b\\\\"', '"a,b"', '"~x"', '"-x"', '"*"', '""']);
});

test("keys and values are suggested at the caret, and the rest of the filter stays", () => {
  const known = { host: ["api.test", "cdn.test"] };
  const at = (text, caret = text.length) => suggestionsFor(text, caret, known);
  assert.deepEqual(at("ho").map(({ label }) => label), ["host:"]);
  assert.deepEqual(at("-ho").map(({ text }) => text), ["-host:"]);
  assert.equal(at("fail")[0].text, "failed ");
  assert.deepEqual(at("host:c").map(({ text }) => text), ["host:cdn.test "]);
  assert.equal(at("host:api.test,c")[0].text, "host:api.test,cdn.test ");
  const inside = at("ho status:4xx", 2)[0];
  assert.deepEqual([inside.text, inside.caret], ["host: status:4xx", 5]);
  assert.deepEqual(at("nonsense:"), []);
  assert.deepEqual(at("https://"), []);
  assert.equal(at('"ho').length, 0);
  // What starts with the word comes before what only contains it.
  assert.deepEqual(suggestionsFor("host:t", 6, { host: ["a.test", "test.a"] }).map(({ label }) => label), ["test.a", "a.test"]);
  assert.ok(at("")[0].key === "status" && at("").length < 12);
});

test("every key of the language is known, and explained in both languages", () => {
  const page = readFileSync(new URL("../../docs/filter.md", import.meta.url), "utf8");
  const keys = [...page.matchAll(/^\| `([a-z]+)` \| `/gm)].map((match) => match[1]);
  assert.deepEqual([...filterKeys].sort(), keys.sort());
  for (const key of filterKeys) assert.ok(messages[`filter.key.${key}`], key);
});

test("what is only begun is not asked for", () => {
  for (const text of ["status:", "a -", "host:a,", 'x "open', "path:~"]) assert.equal(isBegun(text), true, text);
  for (const text of ["", "status:4xx", "a -b", 'x "shut"', "host:a, "]) assert.equal(isBegun(text), false, text);
});

test("filters that were used are kept once, the newest first, up to a limit", () => {
  for (let count = 1; count <= 25; count += 1) remember(`status:${count}`);
  remember("status:20");
  remember("");
  assert.deepEqual(filterHistory().slice(0, 2), ["status:20", "status:25"]);
  assert.equal(filterHistory().length, 20);
  globalThis.localStorage.setItem("wireweight.filters", "{broken");
  assert.deepEqual(filterHistory(), []);
  globalThis.localStorage.setItem("wireweight.filters", '{"length": 3}');
  assert.deepEqual(filterHistory(), []);
  remember("a");
  forgetFilters();
  assert.deepEqual(filterHistory(), []);
});

test("a mistake is shown with what is around it, counted in characters", () => {
  assert.deepEqual(around("a b", 3), { before: "a ", at: "b", after: "" });
  assert.deepEqual(around("你😀x", 3), { before: "你😀", at: "x", after: "" });
  assert.deepEqual(around("host:", 6), { before: "host:", at: " ", after: "" });
  const long = around(`${"x".repeat(60)}!${"y".repeat(60)}`, 61);
  assert.deepEqual([long.before, long.at, long.after], [`…${"x".repeat(40)}`, "!", `${"y".repeat(40)}…`]);
});
