import assert from "node:assert/strict";
import { test } from "node:test";
import "./browser.js";

const contents = await import("../../Sources/TrafficInspector/Web/contents.js");
const bytes = (text) => new TextEncoder().encode(text);

test("JSON gets lines, and nothing else of it changes", () => {
  const text = '{"a":[1,{"b":"x, {\\"y\\": [1]}"}],"e":{},"f":[],"n":12345678901234567890}';
  const lines = contents.pretty(text);
  assert.equal(lines, `{
  "a": [
    1,
    {
      "b": "x, {\\"y\\": [1]}"
    }
  ],
  "e": {},
  "f": [],
  "n": 12345678901234567890
}`);
  assert.equal(contents.pretty(lines), lines);
  assert.deepEqual(JSON.parse(lines.replace("12345678901234567890", "1")), JSON.parse(text.replace("12345678901234567890", "1")));
  assert.equal(contents.pretty('{"a":[1,"cut o'), '{\n  "a": [\n    1,\n    "cut o');
  assert.equal(contents.pretty("]]}"), "\n]\n]\n}");
});

test("a form's names and values are decoded", () => {
  assert.deepEqual(contents.form("a=1+2&b=%E4%BD%A0&a=&c"), [["a", "1 2"], ["b", "你"], ["a", ""], ["c", ""]]);
});

test("multipart: parts, files, and one that is cut off", () => {
  const whole = '--x y\r\nContent-Disposition: form-data; name="a"\r\n\r\none\r\ntwo\r\n--x y\r\n'
    + 'Content-Disposition: form-data; name="f\\"g"; filename="p.png"\r\nContent-Type: image/png\r\n\r\n\u0001\r\n--x y--\r\nafter';
  const shown = (parts) => parts.map((part) => [part.name, part.file, part.type, new TextDecoder().decode(part.data)]);
  assert.deepEqual(shown(contents.multipart(bytes(whole), "x y")),
    [["a", null, null, "one\r\ntwo"], ['f"g', "p.png", "image/png", "\u0001"]]);
  assert.deepEqual(shown(contents.multipart(bytes(`preamble\r\n${whole}`), "x y")).length, 2);
  assert.deepEqual(shown(contents.multipart(bytes(whole.slice(0, 59)), "x y")), [["a", null, null, "one\r\ntwo"]]);
  for (const text of ["", "--", "--x", "--x\r\n", "--x\r\nContent", "none"]) {
    assert.deepEqual(contents.multipart(bytes(text), "x"), [], text);
  }
  for (let end = 0; end < whole.length; end += 1) contents.multipart(bytes(whole.slice(0, end)), "x y");
  assert.equal(contents.parameter("multipart/form-data; boundary=abc; x=1", "boundary"), "abc");
  assert.equal(contents.parameter("multipart/form-data", "boundary"), null);
});

test("a stream's events", () => {
  assert.deepEqual(contents.events(": hi\n\nevent: add\nid: 7\ndata: one\ndata: two\n\ndata:three\r\n\r\ndata: cu"), [
    { event: "add", id: "7", data: "one\ntwo" }, { event: "", id: "", data: "three" }, { event: "", id: "", data: "cu" }]);
  assert.deepEqual(contents.events(""), []);
});

test("a request of GraphQL has its query", () => {
  assert.deepEqual(contents.graphQL({ query: "query A { b }", operationName: "A", variables: { c: 1 } }),
    { query: "query A { b }", operation: "A", variables: { c: 1 } });
  for (const other of [null, 1, "x", [], {}, { query: 1 }, { query: "tea" }]) assert.equal(contents.graphQL(other), null);
});

test("the fields of a protocol buffer, and bytes that are none", () => {
  const message = new Uint8Array([0x08, 0x96, 0x01, 0x12, 0x02, 0x68, 0x69, 0x1a, 0x03, 0x08, 0x81, 0x01, 0x25, 0, 0, 0x80, 0x3f,
    0x2a, 0x02, 0xff, 0xff]);
  assert.deepEqual(contents.protobuf(message), [
    { number: 1, kind: "varint", value: "150", fields: null }, { number: 2, kind: "text", value: "hi", fields: null },
    { number: 3, kind: "message", value: "", fields: [{ number: 1, kind: "varint", value: "129", fields: null }] },
    { number: 4, kind: "32 bit", value: "1065353216 (1)", fields: null }, { number: 5, kind: "bytes", value: "ff ff", fields: null }]);
  assert.deepEqual(contents.protobuf(new Uint8Array()), []);
  for (const none of [[0x00], [0x08], [0x12, 0x05, 0x01], [0x0b], [0x09, 1, 2], Array(11).fill(0xff)]) {
    assert.equal(contents.protobuf(new Uint8Array(none)), null, String(none));
  }
  for (let end = 0; end < message.length; end += 1) contents.protobuf(message.subarray(0, end));
  const framed = contents.gRPC(new Uint8Array([0, 0, 0, 0, 2, 0x08, 0x01, 1, 0, 0, 0, 9, 5]));
  assert.deepEqual(framed.map((one) => [one.isCompressed, [...one.data]]), [[false, [8, 1]], [true, [5]]]);
});

test("a file is named for what it holds", async () => {
  const { extension } = await import("../../Sources/TrafficInspector/Web/body-views.js");
  for (const [type, wanted] of [
    ["application/json; charset=utf-8", "json"], ["application/problem+json", "json"], ["image/svg+xml", "svg"], ["Image/JPEG", "jpg"],
    ["text/html", "html"], ["text/plain", "txt"], ["font/woff2", "woff2"], ["application/x-unheard-of", "txt"], ["", "txt"], ["toString", "txt"],
  ]) assert.equal(extension(type, bytes("text")), wanted, type);
  assert.equal(extension("application/octet-stream", new Uint8Array([0, 1, 2])), "bin");
});

test("the views of a body are those of its type", async () => {
  const { views } = await import("../../Sources/TrafficInspector/Web/body-views.js");
  const named = (type, text) => [...views(bytes(text), type, true, () => {}, 0).keys()];
  for (const type of ["application/xml", "text/xml; charset=utf-8", "application/atom+xml", "image/svg+xml"]) assert.deepEqual(named(type, "<a/>"), ["pretty", "text"], type);
  assert.deepEqual(named("text/plain", ' <?xml version="1.0"?><a/>'), ["pretty", "text"]);
  assert.deepEqual(named("text/html", "<h1>a</h1>"), ["pretty", "text", "page"]);
  assert.deepEqual(named("text/css", "a{b:c}"), ["pretty", "text"]);
  for (const type of ["text/plain", "text/javascript"]) assert.deepEqual(named(type, "<a>"), ["text"], type);
  // JSON, whatever it is called.
  assert.deepEqual(named("text/html", '{"a": 1}'), ["tree", "pretty", "text", "page"]);
  assert.deepEqual(named("application/xml", `<a>${" ".repeat(2_100_000)}</a>`), ["text"]);
});
