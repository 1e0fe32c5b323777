// The words of a connection.
import assert from "node:assert/strict";
import test from "node:test";
import "./browser.js";

const { network } = await import("../../Sources/TrafficInspector/Web/ledger.js");

const unknown = {
  name: "other", interface: null, loopback: null, cellular: null, expensive: null, constrained: null, multipath: null,
  proxied: null, resolution: null,
};

test("a network is in words, as far as it is known", () => {
  assert.equal(network({ network: null }), "unknown");
  assert.equal(network({ network: unknown }), "unknown");
  assert.equal(network({ network: { ...unknown, cellular: false } }), "not cellular");
  assert.equal(
    network({ network: { ...unknown, cellular: true, proxied: true, resolution: "https" } }),
    "cellular · through a proxy · name resolved over HTTPS");
  assert.equal(network({ network: { ...unknown, interface: "lo", loopback: true } }), "lo · this machine");
});
