import assert from "node:assert/strict";
import { test } from "node:test";
import "./browser.js";

const { bySize, cookiesSent, cookiesSet, lineBytes, queryItems, weighed } = await import("../../Sources/TrafficInspector/Web/heads.js");
const { parse } = await import("../../Sources/TrafficInspector/Web/tree.js");

test("a header weighs its bytes in UTF-8 with its line end, and a redacted value what was sent", () => {
  assert.deepEqual(["Host: a", "X: ü", "Authorization: Bearer [redacted 41 B]", "Cookie: sid=(redacted-32-B); a=(redacted-9-B)"].map(lineBytes),
    [9, 7, 65, 59]);
  assert.deepEqual(bySize(weighed(["a: 1", "b: 22", "c: 3", "d: 4444"], undefined)).map(({ line }) => line), ["d: 4444", "b: 22", "a: 1", "c: 3"]);
});

test("query items keep their order, and what cannot be decoded", () => {
  assert.deepEqual(queryItems("a=1&b&a=2&&c=x%20y+z&d=%zz&e=1=2"),
    [["a", "1"], ["b", ""], ["a", "2"], ["c", "x y z"], ["d", "%zz"], ["e", "1=2"]]);
  assert.deepEqual(queryItems(null), []);
});

test("cookies come from every line of their name, whatever its case", () => {
  assert.deepEqual(cookiesSent(["Host: a", "Cookie: a=1; b=2", "COOKIE: c"]), [["a", "1"], ["b", "2"], ["", "c"]]);
  assert.deepEqual(cookiesSet(["Set-Cookie: a=1; Path=/; HttpOnly", "set-cookie: b="]), [["a", "1", "Path=/; HttpOnly"], ["b", "", ""]]);
});

test("JSON keeps numbers of more digits than a double holds", { skip: !JSON.parse.length || !("rawJSON" in JSON) }, () => {
  const { n } = parse('{"n": 12345678901234567890}');
  assert.equal(n.source, "12345678901234567890");
});

test("JSON is read as it is", () => {
  assert.deepEqual(parse('{"a": [1, 2.5, "x"], "__proto__": null}'), JSON.parse('{"a": [1, 2.5, "x"], "__proto__": null}'));
  assert.throws(() => parse("{"), SyntaxError);
});
