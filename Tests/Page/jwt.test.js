import assert from "node:assert/strict";
import { test } from "node:test";
import "./browser.js";

const { timesOf, tokensIn } = await import("../../Sources/TrafficInspector/Web/jwt.js");
const part = (value) => Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url");
const token = (claims, header = { alg: "HS256" }, signature = "c-_1") => `${part(header)}.${part(claims)}.${signature}`;

test("tokens are found in any text, each once", () => {
  const [one, two] = [token({ sub: "你", note: "???>>>" }), token({}, { alg: "none" }, "")];
  const found = tokensIn(`{"a": "${one}", "b": "Bearer ${two}"}\n${one}`);
  assert.deepEqual(found.map((token) => token.token), [one, two]);
  assert.deepEqual(JSON.parse(found[0].claims), { sub: "你", note: "???>>>" });
  assert.deepEqual(JSON.parse(found[1].header), { alg: "none" });
});

test("what only looks like a token is none", () => {
  for (const text of ["", "eyJ.eyJ.x", `${part({ a: 1 })}.${part('{"a": ')}.x`, `${part({})}.${part("[1]")}.x`, `x${token({ a: 1 })}`, "eyJhIjoxfQ"]) {
    assert.deepEqual(tokensIn(text), [], text);
  }
  // As many as can be looked at.
  assert.equal(tokensIn(Array.from({ length: 50 }, (_, n) => token({ n })).join(" ")).length, 20);
});

test("a text of beginnings of tokens is read once", () => {
  for (const text of ["eyJ".repeat(2_000_000), "eyJa.".repeat(1_000_000), "-eyJ".repeat(1_000_000)]) assert.deepEqual(tokensIn(text), []);
});

test("times are those that are numbers", () => {
  assert.deepEqual(timesOf(JSON.stringify({ iat: 1.5, exp: "7", nbf: 1e300 })), [{ name: "iat", time: 1500 }]);
  assert.deepEqual(timesOf(JSON.stringify({ exp: 2, iat: 1 })).map(({ name }) => name), ["iat", "exp"]);
});
