import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { row } from "./browser.js";

const copies = await import("../../Sources/TrafficInspector/Web/copies.js");

const odd = 'a"b\\c${d}\\(e)\u2028你';
const call = copies.callOf({
  method: "POST", url: 'http://127.0.0.1:9/a?q="x"', request: {
    body: 7, fieldLines: ["Host: 127.0.0.1:9", "Content-Length: 7", "Accept: */*", `X-Odd: ${odd}`, "X-Odd: 2", "Expect: 100-continue", ":path: /"],
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

test("a body that was kept is sent again, whatever its bytes are", async () => {
  for (const kept of [new TextEncoder().encode(`\ufeff{"odd": ${JSON.stringify(odd)}}\r\n`), Uint8Array.from({ length: 70_000 }, (_, at) => at)]) {
    const whole = { ...call, body: kept.length, kept };
    const made = [];
    const run = new Function("fetch", `return (async () => { ${copies.asFetch(whole)} })()`);
    await run(async (url, { body }) => made.push(typeof body === "string" ? new TextEncoder().encode(body) : body));
    assert.deepEqual(made, [kept]);
    const script = copies.asPython(whole).split("\n").slice(0, -2).join("\n") + "\nimport sys\nsys.stdout.buffer.write(request.data)";
    assert.deepEqual(new Uint8Array(execFileSync("python3", ["-"], { input: script })), kept);
    for (const text of [copies.asFetch(whole), copies.asPython(whole), copies.asSwift(whole)]) assert.doesNotMatch(text, /is not included/);
  }
  assert.ok(copies.asSwift({ ...call, kept: new TextEncoder().encode('\\("') }).includes('request.httpBody = Data("\\\\(\\"".utf8)'));
  assert.ok(copies.asSwift({ ...call, kept: new Uint8Array([0xff]) }).includes('request.httpBody = Data(base64Encoded: "/w==")'));
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

test("a command is metered wherever its curl begins", () => {
  assert.equal(copies.asRun("# exchange 7, answered with 200\ncurl --url 'http://a/| curl '"), "# exchange 7, answered with 200\nwireweight run -- curl --url 'http://a/| curl '");
  assert.equal(copies.asRun("# one\n# curl two\necho 'AA+/==' | base64 -d | curl --url http://a/"), "# one\n# curl two\necho 'AA+/==' | base64 -d | wireweight run -- curl --url http://a/");
});
