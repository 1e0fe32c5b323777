import assert from "node:assert/strict";
import { test } from "node:test";
import { visit } from "./browser.js";

const { directionOfSums, hasBoth, only, setDirections } =
  await import("../../Sources/TrafficInspector/Web/directions.js");

test("a store of clients has no choice, and its links name no direction", () => {
  visit("#/apis");
  assert.equal(setDirections(["called"]), false);
  assert.equal(hasBoth(), false);
  assert.equal(directionOfSums(), "called");
  assert.deepEqual(only("called"), {});
});

test("sums are of the direction that is chosen, or of the first", () => {
  assert.equal(setDirections(["called", "served"]), true);
  assert.equal(setDirections(["called", "served"]), false);
  assert.equal(hasBoth(), true);
  visit("#/apis");
  assert.equal(directionOfSums(), "called");
  visit("#/apis?direction=served");
  assert.equal(directionOfSums(), "served");
  assert.deepEqual(only("served"), { direction: "served" });
});

test("a store of servers shows what was served", () => {
  setDirections(["served"]);
  visit("#/apis");
  assert.equal(directionOfSums(), "served");
});
