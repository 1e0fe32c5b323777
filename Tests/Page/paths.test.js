import assert from "node:assert/strict";
import { test } from "node:test";
import "./browser.js";

const { atLastSegment, pathPieces, readable } = await import("../../Sources/TrafficInspector/Web/paths.js");
const { weightShare } = await import("../../Sources/TrafficInspector/Web/format.js");

/** The pieces in one text, parameters in brackets. */
const of = (path, template) => pathPieces(path, template).map(({ text, isParameter }) => (isParameter ? `[${text}]` : text)).join("");

test("what is in the place of a parameter is apart", () => {
  assert.equal(of("/users/7/posts/8", "/users/{id}/posts/{id}"), "/users/[7]/posts/[8]");
  assert.equal(of("/7", "/{id}"), "/[7]");
  assert.equal(of("/images/8077eb65.webp", "/images/{hash}.webp"), "/images/[8077eb65].webp");
  assert.equal(of("/a/", "/a/"), "/a/");
});

test("a path that does not fit its template is whole", () => {
  assert.equal(of("/users/7/posts", "/users/{id}"), "/users/7/posts");
  assert.equal(of("*", "*"), "*");
  assert.equal(of("/images/a.png", "/images/{hash}.webp"), "/images/[a.png]");
});

test("the last segment is apart, with the slash before it", () => {
  const cut = (path, template) => {
    const { before, last } = atLastSegment(pathPieces(path, template));
    return [before, last].map((pieces) => pieces.map(({ text, isParameter }) => (isParameter ? `[${text}]` : text)).join(""));
  };
  assert.deepEqual(cut("/users/7/posts", "/users/{id}/posts"), ["/users/[7]", "/posts"]);
  assert.deepEqual(cut("/users/7", "/users/{id}"), ["/users", "/[7]"]);
  assert.deepEqual(cut("/users/7/", "/users/{id}/"), ["/users", "/[7]/"]);
  assert.deepEqual(cut("/images/8077eb65.webp", "/images/{hash}.webp"), ["/images", "/[8077eb65].webp"]);
  assert.deepEqual(cut("/a/b/", "/a/b/"), ["/a", "/b/"]);
  // No empty pieces.
  assert.deepEqual(atLastSegment(pathPieces("/7", "/{id}")).before, []);
  assert.deepEqual(atLastSegment(pathPieces("/users/7", "/users/{id}")).before.length, 1);
  for (const path of ["/a", "/", "*", "/7"]) assert.deepEqual(cut(path, path === "/7" ? "/{id}" : path), ["", path === "/7" ? "/[7]" : path]);
});

test("percent signs are decoded where the text stays what it is", () => {
  assert.equal(readable("%E4%BD%A0"), "你");
  assert.deepEqual(["%2F", "%20", "%00", "%E2%80%AE", "%ff", "100%"].map(readable), ["%2F", "%20", "%00", "%E2%80%AE", "%ff", "100%"]);
});

test("a bar grows with the digits of a size", () => {
  assert.deepEqual([null, 0, 100, 1000, 10_000, 1e7, 1e9].map((size) => Math.round(weightShare(size) * 10)), [0, 0, 0, 2, 4, 10, 10]);
});
