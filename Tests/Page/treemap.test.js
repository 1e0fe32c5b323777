import assert from "node:assert/strict";
import { test } from "node:test";
import "./browser.js";

const { squarify } = await import("../../Sources/TrafficInspector/Web/treemap.js");
const { apart } = await import("../../Sources/TrafficInspector/Web/sizes.js");

test("areas are as the sizes, inside the box", () => {
  const sizes = [500, 300, 100, 60, 30, 9, 1];
  const box = { x: 10, y: 20, width: 400, height: 250 };
  const boxes = squarify(sizes, box);
  for (const [index, one] of boxes.entries()) {
    assert.ok(Math.abs(one.width * one.height - sizes[index] * 100) < 1e-6, `area ${index}`);
    assert.ok(one.x >= 10 - 1e-9 && one.y >= 20 - 1e-9, `begin ${index}`);
    assert.ok(one.x + one.width <= 410 + 1e-6 && one.y + one.height <= 270 + 1e-6, `end ${index}`);
  }
});

test("nothing to show has no area", () => {
  assert.deepEqual(squarify([0, 0], { x: 0, y: 0, width: 10, height: 10 }).map(({ width, height }) => width * height), [0, 0]);
  assert.deepEqual(squarify([1], { x: 0, y: 0, width: 0, height: 10 }).map(({ width }) => width), [0]);
});

test("parts add up: fields are shown without cookies, and what is unknown is not 0", () => {
  assert.deepEqual(apart({ startLine: 10, fields: 100, cookies: 40, body: null }),
    { startLine: 10, fields: 60, cookies: 40, interim: null, body: null, framing: null });
});
