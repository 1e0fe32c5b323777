// The names of groups, and which requests they have.
import assert from "node:assert/strict";
import test from "node:test";
import "./browser.js";

const { groupings } = await import("../../Sources/TrafficInspector/Web/groups.js");

test("a device is its address, with what else is known of it; its requests are those of the address", () => {
  const known = { device: "192.0.2.7", knownAs: "phone.home (lookup), iPhone (user-agent)" };
  assert.equal(groupings.device.name(known), "192.0.2.7 · phone.home (lookup), iPhone (user-agent)");
  assert.equal(groupings.device.name({ device: "192.0.2.7", knownAs: "" }), "192.0.2.7");
  assert.equal(groupings.device.name({ device: "" }), "–");
  assert.deepEqual(groupings.device.filters(known), groupings.device.filters({ device: "192.0.2.7" }));
});
