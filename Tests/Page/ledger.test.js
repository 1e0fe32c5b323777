// The words of a connection.
import assert from "node:assert/strict";
import test from "node:test";
import "./browser.js";

const { handshakeFacts, network, openingFacts } = await import("../../Sources/TrafficInspector/Web/ledger.js");

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
  assert.equal(
    network({ network: { ...unknown, expensive: true, constrained: true, multipath: true } }), "expensive · data saving · several paths");
});

test("what was in the clear as TLS began is facts, as far as it is known", () => {
  assert.deepEqual(handshakeFacts(null), []);
  const handshake = {
    serverName: "a.test", version: "TLSv1.2", cipher: "TLS_X", offered: ["h2", "http/1.1"], protocol: "h2", resumed: false,
    certificate: {
      subject: "a.test", issuer: "R11", notBefore: null, notAfter: "2026-11-21T10:00:00.000000Z", sha256: "ab12",
      chainBytes: 3241,
    },
  };
  assert.deepEqual(handshakeFacts(handshake), [
    ["TLS in the clear", "TLSv1.2, TLS_X, new session"], ["Server's name", "a.test"],
    ["Protocols offered", "h2, http/1.1"], ["Protocol chosen", "h2"],
    ["Certificate", "a.test, R11, until 2026-11-21, 3,241 B"], ["Its SHA-256", "ab12"],
  ]);
  const nothing = {
    serverName: null, version: null, cipher: null, offered: [], protocol: null, resumed: null, certificate: null,
  };
  assert.deepEqual(handshakeFacts(nothing), [["TLS in the clear", "unknown"]]);
  assert.deepEqual(handshakeFacts({ ...nothing, resumed: true }), [["TLS in the clear", "resumed"]]);
  const bare = { subject: "a.test", issuer: null, notBefore: null, notAfter: null, sha256: "cd", chainBytes: null };
  assert.deepEqual(handshakeFacts({ ...nothing, certificate: bare }).slice(1), [["Certificate", "a.test"], ["Its SHA-256", "cd"]]);
});

test("the times of an opening are facts, as far as they are known", () => {
  assert.deepEqual(openingFacts(null), []);
  assert.deepEqual(openingFacts({ dns: null, connect: 1.5, firstByte: 30 }),
    [["Connect", "1.5 ms"], ["Server's first byte", "30 ms"]]);
  // A name that was known at once took no time, which is something else than an unknown time.
  assert.deepEqual(openingFacts({ dns: 0, connect: 2, firstByte: null }), [["DNS", "0 ms"], ["Connect", "2.0 ms"]]);
});
