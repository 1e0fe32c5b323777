import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { row } from "./browser.js";

const copies = await import("../../Sources/TrafficInspector/Web/copies.js");

const odd = 'a"b\\c${d}\\(e)\u2028你';
const call = copies.callOf({
  method: "POST", url: 'http://127.0.0.1:9/a?q="x"', request: {
    body: 7, fieldLines: ["Host: 127.0.0.1:9", "Content-Length: 7", "Accept: */*", `X-Odd: ${odd}`, "X-Odd: 2", ":path: /"],
  },
});

test("what the client makes itself is left out, and repeated headers stay", () => {
  assert.deepEqual(copies.fieldsOf(call), [["Accept", "*/*"], ["X-Odd", odd], ["X-Odd", "2"]]);
});

test("the JavaScript makes the same request", async () => {
  const made = [];
  const run = new Function("fetch", `return (async () => { ${copies.asFetch(call)} })()`);
  await run(async (url, options) => made.push([url, options.method, options.headers]));
  assert.deepEqual(made, [[call.url, "POST", copies.fieldsOf(call)]]);
  assert.match(copies.asFetch(call), /^\/\/ The request had a body of 7 bytes, which is not included\.\n/);
});

test("the Python makes the same request", () => {
  const script = copies.asPython(call).split("\n").slice(0, -2).join("\n")
    + "\nimport json\nprint(json.dumps([request.full_url, request.method, request.header_items()]))";
  const [url, method, fields] = JSON.parse(execFileSync("python3", ["-c", script], { encoding: "utf8" }));
  assert.deepEqual([url, method, Object.fromEntries(fields)], [call.url, "POST", { Accept: "*/*", "X-odd": "2" }]);
});

test("a text in Swift can neither end nor be interpolated", () => {
  assert.ok(copies.asSwift(call).includes('request.addValue("a\\"b\\\\c${d}\\\\(e)\\u{2028}你", forHTTPHeaderField: "X-Odd")'));
  assert.ok(copies.asSwift(call).includes('URL(string: "http://127.0.0.1:9/a?q=\\"x\\"")!'));
});

test("a row of Markdown is one line that cannot leave its cell", () => {
  const text = copies.asMarkdown([row({ url: "http://a/|x\n<b>", status: null, up: 1, down: null, duration: 2.5 }), row()]);
  assert.equal(text.split("\n").length, 4);
  assert.equal(text.split("\n")[2], "| GET http://a/\\|x \\<b\\> | – | 1 | – | 2.5 |");
});
